"""`reenact replay`: make a take again from its controller."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import tyro

from reenact.cli import terminal
from reenact.cli.ending import ending_of


def replay(
    take: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="TAKE")],
    /,
    *,
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="TAKE")],
    world: Annotated[str | None, tyro.conf.arg(metavar="NAME|FILE", help_behavior_hint="")] = None,
    seconds: Annotated[float | None, tyro.conf.arg(metavar="SECONDS", help_behavior_hint="")] = None,
) -> int:
    """Simulate a take again from controller.json, body.toml and world.toml alone: the same motion, bit for bit.

    Exit code 1 where it is not the same motion although world and length are.

    Example: reenact replay take/ -o again/

    Args:
        take: A take folder.
        output: The take folder to write; an older take there is replaced.
        world: Put body and controller onto this world's ground instead, and judge them there; they may fall.
        seconds: Simulate this long instead.
    """
    from reenact.control.replay import replay as replay_take
    from reenact.control.replay import same_motion
    from reenact.formats.take import read_take, refuse_foreign, require_take, write_take
    from reenact.view.report import report_html
    from reenact.world.load import load_world

    refuse_foreign(output)
    require_take(take)
    first = read_take(take)
    again = replay_take(first, world=None if world is None else load_world(world), seconds=seconds)
    write_take(output, again, report_html=report_html(again, name=output.resolve().name))
    folder = terminal.escape(shlex.quote(str(output)))
    if world is not None or seconds is not None:
        place = terminal.escape(again.info.world)
        terminal.say(
            f"[bold]{folder}[/]: {again.seconds:.2f} s in {place}, {ending_of(again.info)}; "
            f"joints {again.info.metrics['joint_error_cm']:.1f} cm from the recorded ones on average."
        )
        return 0
    same = same_motion(first, again)
    terminal.say(
        f"[bold]{folder}[/]: {again.seconds:.2f} s, "
        + ("[green]the same motion bit for bit[/]" if same else "[red]not the same motion[/] (other versions?)")
        + f"; {ending_of(again.info)}"
    )
    return 0 if same else 1
