"""`reenact simulate`: follow a motion with joint torques in a world and see what happens."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import tyro

from reenact.cli import terminal
from reenact.cli.inputs import Fitting, Reading


def simulate(
    motion: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="CLIP|FITTED.npz")],
    /,
    *,
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="TAKE")],
    world: Annotated[str, tyro.conf.arg(metavar="NAME|FILE")] = "flat",
    actuation: Literal["motor", "servo"] = "motor",
    seconds: Annotated[float | None, tyro.conf.arg(metavar="SECONDS")] = None,
    reading: Reading = Reading(),  # noqa: B008  (frozen)
    fitting: Fitting = Fitting(),  # noqa: B008  (frozen)
) -> None:
    """Follow a motion by joint torques alone and write what happens as a take; the body may fall: the take says so.

    A clip is fitted first. Nothing holds the body up but its feet: this follows the recorded angles blindly, without balance.

    Example: reenact simulate walk --world ice -o take/

    Args:
        motion: A clip file, a bundled sample's name, or a motion fitted before.
        output: The take folder to write; an older take there is replaced.
        world: A bundled world (see `reenact world`) or a TOML file.
        actuation: How joints are driven: motor is a velocity constraint within the torque limit, servo a PD spring.
        seconds: How long to simulate; the motion's length unless said, its last pose held beyond.
    """
