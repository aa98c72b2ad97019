"""`reenact replay`: make a take again from its controller."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import tyro

from reenact.cli import terminal
from reenact.cli.controller_file import read_to_run
from reenact.cli.ending import ending_of


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
    from reenact.formats.take import refuse_foreign, require_take, write_take
    from reenact.view.report import report_html
    from reenact.world.load import load_world

    require_take(take)
    place = None if world is None else load_world(world)
    output = output or take.parent / f"{take.absolute().name}-{'again' if place is None else place.name}"
    refuse_foreign(output)
    first, file = read_to_run(take, controller)
    other = file.edited or controller is not None
    if file.edited:
        terminal.say(f"[yellow]{terminal.escape(file.note)}[/]")
    again = replay_take(first, world=place, seconds=seconds)
    write_take(output, again, report_html=report_html(again, name=output.resolve().name))
    folder = terminal.escape(shlex.quote(str(output)))
    if other or world is not None or seconds is not None:
        clip = float(first.reference["time"][-1])
        longer = f" over the clip's {clip:.2f} s" if again.seconds > clip + 0.01 else ""
        terminal.say(
            f"[bold]{folder}[/]: {again.seconds:.2f} s in {terminal.escape(again.info.world)}, "
            f"{ending_of(again.info)}; joints {again.info.metrics['joint_error_cm']:.1f} cm from the recorded ones on "
            f"average{longer}."
        )
        return 0
    same = same_motion(first, again)
    terminal.say(
        f"[bold]{folder}[/]: {again.seconds:.2f} s, "
        + ("[green]the same motion bit for bit[/]" if same else "[red]not the same motion[/] (other versions?)")
        + f"; {ending_of(again.info)}"
    )
    return 0 if same else 1
