"""`reenact push --people`: people pushed while walking, and a walker pushed in the same way."""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reenact.cli import terminal
from reenact.cli.controller_file import read_to_run

if TYPE_CHECKING:
    from reenact.control.pushing.people import Bin
    from reenact.control.pushing.shove import Recovery
    from reenact.control.pushing.subject import Subject
    from reenact.formats.pushed_trials import PushedTrial

LOT = 16  # shoves between two signs of progress
FILES = ("people.json", "people.svg")


def push_people(
    table: Path, take: Path | None, folder: Path | None, *, torque: float, segment: str | None, threads: int | None
) -> int:
    """Sum up a table of people's trials, beside what a take's controller makes of the same shoves, kept in a folder."""
    from reenact.control.pushing.people import bins_of
    from reenact.formats.pushed_trials import read_pushed_trials

    trials = read_pushed_trials(table)
    if take is None or folder is None:
        _people(trials)
        _bins(list(bins_of(trials)), beside=False)
        return 0
    subject, recoveries = _shoved(take, trials, torque, segment, threads)
    bins = list(bins_of(trials, recoveries))
    _write(folder, take.resolve().name, table, subject, trials, recoveries, bins)
    _people(trials)
    _bins(bins, beside=True)
    upright = sum(recovery.upright for recovery in recoveries)
    shown = terminal.escape(shlex.quote(str(folder)))
    terminal.say(f"Upright after {upright} of {len(recoveries)} shoves; see {shown}/people.svg.")
    return 0


def _shoved(
    take: Path, trials: tuple[PushedTrial, ...], torque: float, segment: str | None, threads: int | None
) -> tuple[Subject, list[Recovery]]:
    from reenact.control.pushing.people import shove_like
    from reenact.control.pushing.shove import pushed_runs, walking
    from reenact.control.pushing.subject import subject_of

    subject = subject_of(read_to_run(take)[0], torque=torque)
    base = walking(subject)
    shoves = [shove_like(trial, subject.mass) for trial in trials]
    found: list[Recovery] = []
    with terminal.progress("shoving") as advance:
        for first in range(0, len(shoves), LOT):
            found += pushed_runs(subject, shoves[first : first + LOT], base=base, segment=segment, threads=threads)
            advance(len(found) / len(shoves), f"shoving: {len(found)} of {len(shoves)}")
    return subject, found


def _write(
    folder: Path,
    name: str,
    table: Path,
    subject: Subject,
    trials: tuple[PushedTrial, ...],
    recoveries: list[Recovery],
    bins: list[Bin],
) -> None:
    from reenact.control.make_take import versions
    from reenact.formats.replace_folder import replace_folder
    from reenact.formats.take import sha256_of
    from reenact.view.detours import Dot, Median, detours_svg

    pairs = list(zip(trials, recoveries, strict=True))
    record: dict[str, Any] = {
        "format": "reenact-shoves",
        "version": 1,
        "take": name,
        "controller": {"kind": subject.kind, "sha256": subject.sha256},
        "torque": subject.torque,
        "mass_kg": subject.mass,
        "table": {"name": table.name, "sha256": sha256_of(table)},
        "trials": [{"person": asdict(trial), "walker": asdict(recovery)} for trial, recovery in pairs],
        "versions": versions(),
    }
    dots = [Dot(impulse=t.impulse_per_mass, person=t.detour, walker=r.detour if r.upright else None) for t, r in pairs]
    medians = [
        Median(low=b.low, high=b.high, person=float(b.people[1]), walker=float(b.walker[1]) if b.upright else None)
        for b in bins
    ]
    files = {
        "people.json": json.dumps(record, indent=1, ensure_ascii=False) + "\n",
        "people.svg": detours_svg(dots, medians, title=f"Shoves of people and of {name}") + "\n",
    }
    replace_folder(folder, {k: v.encode() for k, v in files.items()}, ours=set(FILES))


def _people(trials: tuple[PushedTrial, ...]) -> None:
    people = {trial.subject for trial in trials}
    terminal.say(
        f"[bold]{len(trials)} trials of {len(people)} people[/], {_range([t.mass for t in trials], 1)} kg, "
        f"{_range([t.stature for t in trials], 2)} m, walking at {_range([t.speed for t in trials], 2)} m/s: "
        f"pushed for {_range([t.duration for t in trials], 2)} s with {_range([t.impulse for t in trials], 1)} N·s, "
        f"{_range([t.impulse_per_mass for t in trials], 2)} N·s/kg."
    )
    numbers = ("count", "N·s/kg", "detour cm")
    table = terminal.table("trials", *numbers, "quartiles", numbers=numbers)
    for name, own in _groups(trials).items():
        table.add_row(name, *_cells([t.impulse_per_mass for t in own], [t.detour for t in own]))
    terminal.show(table)
    terminal.say()


def _groups(trials: tuple[PushedTrial, ...]) -> dict[str, list[PushedTrial]]:
    groups = {"all": list(trials)}
    for crouch in sorted({t.crouch_deg for t in trials}):
        groups[f"knees bent {crouch:g}°"] = [t for t in trials if t.crouch_deg == crouch]
    for moment, words in ((True, "mid-stance"), (False, "after contact")):
        for side, origin in ((True, "the stance side"), (False, "the other side")):
            own = [t for t in trials if t.mid_stance is moment and t.from_stance_side is side]
            groups[f"{words}, from {origin}"] = own
    return {name: own for name, own in groups.items() if own}


def _cells(impulses: list[float], detours: list[float]) -> tuple[str, str, str, str]:
    from reenact.control.pushing.people import quartiles

    low, middle, high = 100.0 * quartiles(detours)
    return str(len(detours)), f"{quartiles(impulses)[1]:.2f}", f"{middle:.1f}", f"{low:.1f}–{high:.1f}"


def _bins(bins: list[Bin], *, beside: bool) -> None:
    columns = ("impulse N·s/kg", "people", "detour cm", "quartiles")
    more = ("stays up (95 %)", "its detour cm", "its quartiles") if beside else ()
    table = terminal.table(*columns, *more, numbers=(*columns[1:3], *more[1:2]))
    for one in bins:
        low, middle, high = 100.0 * one.people
        cells = [f"{one.low:.1f}–{one.high:.1f}", str(len(one.trials)), f"{middle:.1f}", f"{low:.1f}–{high:.1f}"]
        if beside:
            least, most = one.interval
            low, middle, high = 100.0 * one.walker
            cells.append(f"{one.upright} of {len(one.recoveries)} ({100 * least:.0f}–{100 * most:.0f} %)")
            cells += [f"{middle:.1f}", f"{low:.1f}–{high:.1f}"] if one.upright else ["–", "–"]
        table.add_row(*cells)
    terminal.show(table)


def _range(values: list[float], digits: int) -> str:
    return f"{min(values):.{digits}f}–{max(values):.{digits}f}"
