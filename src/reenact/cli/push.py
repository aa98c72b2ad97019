"""`reenact push`: how hard may a controller be pushed?"""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from reenact.cli import terminal
from reenact.cli.controller_file import read_to_run

if TYPE_CHECKING:
    from reenact.control.pushing.findings import Findings
    from reenact.control.pushing.protocol import Protocol
    from reenact.control.pushing.subject import Subject

FILES = ("push.json", "push.svg", "push.html", "certificate.txt")
COLUMNS = ("pushed from", "N", "N·s", "N·s/kg", "by phase N", "random trials (95 %)", "[V12] N")


def push(
    take: Annotated[tyro.conf.Positional[Path | None], tyro.conf.arg(metavar="TAKE")] = None,
    /,
    *,
    output: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="FOLDER", help_behavior_hint="")] = None,
    directions: int = 8,
    torque: float = 1.0,
    mass: Annotated[float | None, tyro.conf.arg(metavar="KG", help_behavior_hint="")] = None,
    seconds: float = 40.0,
    every: float = 4.0,
    duration: float = 0.4,
    segment: Annotated[str | None, tyro.conf.arg(metavar="NAME", help_behavior_hint="")] = None,
    phases: int = 8,
    draws: int = 24,
    resolution: float = 1.0,
    seed: int = 0,
    follow: bool = False,
    threads: Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None,
    people: Annotated[Path | None, tyro.conf.arg(metavar="TABLE.csv", help_behavior_hint="")] = None,
) -> int:
    """Find the greatest force from every side that a take's controller withstands, and certify it.

    A force at the torso's centre of mass, once every few seconds: the body must not fall and must go on walking, at
    every phase of its gait. Writes push.json, a polar plot (push.svg, push.html), certificate.txt and a world file for
    each side to replay. Ctrl-C keeps what was found, marked as unfinished.

    Example: reenact push walk/ --directions 4 --torque 0.75

    Args:
        take: A take folder whose controller goes on by itself.
        output: The folder to write; TAKE-push beside the take unless said.
        directions: So many sides, evenly around the body from the front on.
        torque: Times the take's own torque limits.
        mass: As a body of this mass, its moments and torques in proportion, to compare with others.
        seconds: How long a trial lasts.
        every: Seconds from one push to the next; the first comes after as many.
        duration: Seconds that a push lasts.
        segment: What is pushed; the segment that bears the head unless said.
        phases: Every force is tried at so many phases of the gait cycle.
        draws: Trials of the force that was found, at random phases and from disturbed starts.
        resolution: Forces are found to so many newtons.
        seed: Of the random trials.
        follow: Let a side turn with the body instead of keeping it fixed in the world.
        threads: Cores to use; all unless said. The result is the same.
        people: A table of people pushed while walking: do the same to the take and compare, or only sum it up where no
            take is given.
    """
    from reenact.control.pushing.directions import directions_of
    from reenact.control.pushing.protocol import Protocol, check_segment, torso_of
    from reenact.control.pushing.subject import as_heavy, subject_of
    from reenact.errors import InputError
    from reenact.formats.take import require_take

    if people is not None:
        from reenact.cli.push_people import push_people

        told = {
            "--directions": directions != 8, "--seconds": seconds != 40.0, "--every": every != 4.0,
            "--mass": mass is not None, "--duration": duration != 0.4, "--phases": phases != 8, "--draws": draws != 24,
            "--resolution": resolution != 1.0, "--seed": seed != 0, "--follow": follow,
        }  # fmt: skip
        if useless := [name for name, given in told.items() if given]:
            raise InputError(f"{useless[0]} has no meaning beside --people: the table says how they were pushed")

        told = {"-o": output is not None, "--torque": torque != 1.0, "--segment": segment is not None}
        if take is None and (useless := [name for name, given in told.items() if given]):
            raise InputError(f"{useless[0]} has no meaning without a take: the table alone is summed up")
        folder = None if take is None else output if output is not None else _beside(take, "people", torque)
        if folder is not None:
            _refuse_foreign(folder, "people.json")
        return push_people(people, take, folder, torque=torque, segment=segment, threads=threads)
    if take is None:
        raise InputError("which take is to be pushed? `reenact push TAKE`")
    sides = directions_of(directions)
    require_take(take)
    folder = output if output is not None else _beside(take, "push", torque)
    _refuse_foreign(folder, "push.json")
    found, file = read_to_run(take)
    if file.edited:
        terminal.say(f"[yellow]{terminal.escape(file.note)}[/]")
    if mass is not None:
        found = as_heavy(found, mass)
    subject = subject_of(found, torque=torque)
    body = subject.model.body
    protocol = Protocol(
        segment=torso_of(body) if segment is None else check_segment(body, segment),
        seconds=seconds,
        every=every,
        duration=duration,
        phases=phases,
        resolution=resolution,
        draws=draws,
        seed=seed,
        follow=follow,
    )
    command = _command(take, protocol, torque, directions, mass)
    return _test(subject, protocol, sides, folder, take.resolve().name, command, threads)


def _test(
    subject: Subject, protocol: Protocol, sides: Any, folder: Path, name: str, command: str, threads: int | None
) -> int:
    from reenact.control.pushing.findings import push_test

    known: Findings | None = None
    clock, stopped = time.perf_counter(), False
    try:
        with terminal.progress("pushing") as advance:
            for known in push_test(subject, protocol, sides, threads=threads):
                advance(known.fraction, _describe(known))
    except KeyboardInterrupt:
        if known is None or not known.count:
            raise
        stopped = True
    assert known is not None
    _write(known, folder, name, command, time.perf_counter() - clock)
    _show(known)
    shown = terminal.escape(shlex.quote(str(folder)))
    if stopped:
        print(f"reenact: stopped; what was found is kept in {shlex.quote(str(folder))}", file=sys.stderr)
        return 130
    terminal.say(f"{known.count} trials. Read {shown}/certificate.txt, open {shown}/push.html in a browser.")
    return 0


def _describe(known: Findings) -> str:
    done = sum(limit.finished for limit in known.limits)
    least = min(limit.newtons for limit in known.limits)
    return f"pushing: {known.count} trials, {done} of {len(known.limits)} sides done, at least {least:.0f} N"


def _write(known: Findings, folder: Path, name: str, command: str, wall: float) -> None:
    import json

    from reenact.control.pushing.certificate import certificate_of
    from reenact.control.pushing.pushed_world import world_files
    from reenact.control.pushing.record import record_of
    from reenact.formats.replace_folder import replace_folder
    from reenact.view.polar import polar_svg, push_html, spokes_of

    record = record_of(known, take=name, command=command, wall_seconds=wall)
    words = certificate_of(record)
    plot = polar_svg(spokes_of(record), title=f"Push test of {name}", peer="[V12]", finished=known.finished)
    files = {
        "push.json": json.dumps(record, indent=1, ensure_ascii=False) + "\n",
        "push.svg": plot + "\n",
        "push.html": push_html(record, words),
        "certificate.txt": words,
        **world_files(known),
    }
    replace_folder(folder, {k: v.encode() for k, v in files.items()}, ours={*files, *_earlier(folder)})


def _show(known: Findings) -> None:
    table = terminal.table(*COLUMNS, numbers=COLUMNS[1:])
    for limit in known.limits:
        low, high = limit.interval
        drawn = (
            f"{limit.drawn_passes} of {len(limit.draws)} ({100 * low:.0f}–{100 * high:.0f} %)" if limit.draws else "–"
        )
        paper = known.paper(limit)
        table.add_row(
            limit.direction.name + ("" if limit.finished else " (unfinished)"),
            f"{limit.newtons:g}",
            f"{known.impulse(limit):.1f}",
            f"{known.impulse(limit) / known.subject.mass:.2f}",
            f"{min(limit.by_phase):g}–{max(limit.by_phase):g}",
            drawn,
            "–" if paper is None else f"{paper:g}",
        )
    terminal.show(table)


def _command(take: Path, protocol: Protocol, torque: float, directions: int, mass: float | None) -> str:
    """The command that makes the same test, with everything said."""
    words = ["reenact", "push", str(take), "--directions", str(directions), "--torque", f"{torque:g}"]
    words += [] if mass is None else ["--mass", f"{mass:g}"]
    for name in ("seconds", "every", "duration", "segment", "phases", "draws", "resolution", "seed"):
        value = getattr(protocol, name)
        words += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
    return shlex.join([*words, *(["--follow"] if protocol.follow else [])])


def _beside(take: Path, what: str, torque: float) -> Path:
    folder = take.absolute()
    return take.parent / f"{folder.name}-{what}{'' if torque == 1.0 else f'{100 * torque:g}'}"


def _earlier(folder: Path) -> list[str]:
    """Files of an earlier test in the folder."""
    return [*FILES, *(path.name for path in folder.glob("pushed-*.toml"))]


def _refuse_foreign(folder: Path, own: str) -> None:
    """Refuse a place that holds something else, before the work rather than after it."""
    from reenact.errors import InputError
    from reenact.formats.writable import refuse_unwritable

    if folder.exists() and not folder.is_dir():
        raise InputError("is a file; a push test is a folder", path=folder)
    if folder.is_dir() and not (folder / own).is_file() and any(folder.iterdir()):
        raise InputError(
            f"holds other files and no {own}, so it is left alone; choose an empty or new folder", path=folder
        )
    refuse_unwritable(folder)
