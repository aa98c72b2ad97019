"""`reenact info`: what is in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from reenact.cli import terminal
from reenact.cli.inputs import FITTED, Reading

if TYPE_CHECKING:
    from reenact.motion.inspect import Inspection


def info(
    clip: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="CLIP|FITTED.npz")],
    /,
    *,
    reading: Reading = Reading(),  # noqa: B008  (frozen)
) -> None:
    """Say what is in a clip: joints, rate, length, units guessed, stature, problems found.

    Example: reenact info some.bvh

    Args:
        clip: A clip file, the name of a bundled sample, or a fitted motion.
    """
    if Path(clip).suffix == FITTED:
        from reenact.cli.fit import describe
        from reenact.formats.motion_npz import load_motion

        describe(load_motion(Path(clip)))
        return
    from reenact.cli.inputs import content_of
    from reenact.motion.inspect import inspect_clip

    _show(inspect_clip(content_of(clip, reading)))


def _show(found: Inspection) -> None:
    kind, points = {
        "skeleton": ("a moving skeleton", "joints"),
        "markers": ("moving markers", "markers"),
        "table": ("a table", "columns"),
    }[found.kind]
    rows = {
        "clip": f"{found.name}, {kind}",
        "length": f"{found.seconds:.3f} s, {found.frames} frames at {found.rate:g} Hz",
        "units": found.units,
        "up": found.up,
        "stature": "" if found.stature is None else f"{found.stature:.2f} m",
        f"{len(found.joints)} {points}": ", ".join(found.joints),
    }
    for name, value in rows.items():
        if value:
            terminal.say(f"[bold]{name}[/]: {terminal.escape(value)}")
    for problem in found.problems:
        terminal.say(f"[yellow]problem[/]: {terminal.escape(problem)}")
    if not found.problems:
        terminal.say("[green]no problems found[/]")
