"""`reenact replay`: make a take again from its controller."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from reenact.cli import terminal
from reenact.cli.controller_file import read_to_run
from reenact.cli.ending import ending_of

if TYPE_CHECKING:
    from reenact.formats.take import Take


def replay(
    take: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="TAKE")],
    /,
    *,
    output: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="TAKE", help_behavior_hint="")] = None,
    world: Annotated[str | None, tyro.conf.arg(metavar="NAME|FILE", help_behavior_hint="")] = None,
    seconds: Annotated[float | None, tyro.conf.arg(metavar="SECONDS", help_behavior_hint="")] = None,
    controller: Annotated[Path | None, tyro.conf.arg(metavar="FILE.json", help_behavior_hint="")] = None,
) -> int:
    """Simulate a take again from controller.json, body.toml and world.toml alone: the same motion, bit for bit.

    A controller.json that was edited by hand is run as it stands, and a wrong edit is refused in a line. Exit code 1
    where it is not the same motion although controller, world and length are. A state machine may go on for longer than
    the clip that it was found from; after the clip's end it is judged by whether it stays up.

    Example: reenact replay walk/ --world slope --seconds 40, of a walk that was captured with --robust

    Args:
        take: A take folder.
        output: The take folder to write; an older take there is replaced. Unless said, TAKE-WORLD or TAKE-again.
        world: Put body and controller onto this world's ground instead, and judge them there; they may fall.
        controller: Run this controller file instead of the take's own, from the start that the file says.
        seconds: Simulate this long instead; beyond the clip only what goes on: not control found by sampling.
    """
    from reenact.control.replay import replay as replay_take
    from reenact.control.replay import same_motion
    from reenact.formats.take import refuse_foreign, refuse_itself, require_take, write_take
    from reenact.view.report import report_html
    from reenact.world.load import load_world

    require_take(take)
    place = None if world is None else load_world(world)
    output = output or take.parent / f"{take.absolute().name}-{'again' if place is None else place.name}"
    refuse_foreign(output)
    refuse_itself(output, take)
    first, file = read_to_run(take, controller)
    other = file.edited or controller is not None
    if file.edited:
        terminal.say(f"[yellow]{terminal.escape(file.note)}[/]")
    again = replay_take(first, world=place, seconds=seconds)
    write_take(output, again, report_html=report_html(again, name=output.resolve().name))
    folder = terminal.escape(shlex.quote(str(output)))
    if other or world is not None or seconds is not None:
        clip = float(first.reference["time"][-1])
        longer = again.seconds > clip + 0.01
        stays = (
            ", but it stays up to the end" if longer and again.info.status == "ok" and again.info.done is False else ""
        )
        part = f" of the clip's {clip:.2f} s" if again.seconds < clip - 0.01 else ""
        over = f" over the clip's {clip:.2f} s" if longer else ""
        off = again.info.metrics["joint_error_cm"]
        terminal.say(
            f"[bold]{folder}[/]: {again.seconds:.2f} s{part} in {terminal.escape(again.info.world)}, "
            f"{ending_of(again.info)}{stays}; joints {off:.1f} cm from the recorded ones on average{over}."
        )
        return 0
    same = same_motion(first, again)
    terminal.say(
        f"[bold]{folder}[/]: {again.seconds:.2f} s, "
        + ("[green]the same motion bit for bit[/]" if same else f"[red]not the same bits[/]: {_apart(first, again)}")
        + f"; {ending_of(again.info)}"
    )
    return 0 if same else 1


def _apart(first: Take, again: Take) -> str:
    """How far two runs that should be the same are apart, and what may be why."""
    import numpy as np

    before, after = first.motion["qpos"], again.motion["qpos"]
    frames = min(len(before), len(after))
    off = float(np.abs(before[:frames] - after[:frames]).max())
    far = f"states differ by up to {off:.1g}" if len(before) == len(after) else "it ends at another time"
    mine, now = first.info.versions, again.info.versions
    others = [f"{name} {mine[name]}, now {now[name]}" for name in now if mine.get(name, now[name]) != now[name]]
    why = f"made with {'; '.join(others)}" if others else "by the same versions; on another kind of processor?"
    return terminal.escape(f"{far}, {why}")
