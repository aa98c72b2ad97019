"""`reenact edit`: change a motion before it is followed."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from reenact.cli import terminal
from reenact.cli.inputs import FITTED, Fitting, Reading
from reenact.errors import InputError

if TYPE_CHECKING:
    from reenact.motion.motion import Motion


def edit(
    motion: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="CLIP|FITTED.npz")],
    /,
    *,
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE.npz")],
    line: bool = False,
    slow: Annotated[
        tuple[float, float, float] | None, tyro.conf.arg(metavar="FROM TO FACTOR", help_behavior_hint="")
    ] = None,
    mirror: bool = False,
    reverse: bool = False,
    set_down: bool = False,
    plant: bool = False,
    reading: Reading = Reading(),  # noqa: B008  (frozen)
    fitting: Fitting = Fitting(),  # noqa: B008  (frozen)
) -> None:
    """Edit a motion: cut it (--from, --to), slow a part, mirror, reverse, bring to the floor, put its feet on a line.

    A clip is fitted first. Edits are made in the order cut, slow, reverse, mirror, set down, plant, line; the times of
    --slow count from the cut's beginning.

    Example: reenact edit walk --line -o beam_walk.npz

    Args:
        motion: A clip file, a bundled sample's name, or a motion fitted before.
        output: Where to keep the edited motion.
        line: Bring the feet onto the straight line that is walked, as for a beam; the pelvis stays.
        slow: Make the part between two times [s] slower by a factor, with smooth transitions.
        mirror: Exchange left and right.
        reverse: Run it from its end to its beginning.
        set_down: Lower or raise every frame onto the floor; for motions without flight.
        plant: The same, and let nothing that bears weight slide: the path along the ground is computed anew.
    """
    if output.suffix != FITTED:
        raise InputError(f"an edited motion is kept as {FITTED}", path=output)
    from reenact.cli.inputs import motion_of
    from reenact.formats.motion_npz import save_motion

    edited = _edited(motion_of(motion, reading, fitting), line, slow, mirror, reverse, set_down, plant)
    output.parent.mkdir(parents=True, exist_ok=True)
    save_motion(output, edited)
    path = terminal.escape(shlex.quote(str(output)))
    terminal.say(
        f"[bold]{terminal.escape(edited.name)}[/]: {edited.duration:.2f} s on {terminal.escape(edited.body.name)}. "
        f"Written to [bold]{path}[/]. Next: reenact simulate {path} -o take/"
    )


def _edited(
    motion: Motion,
    line: bool,
    slow: tuple[float, float, float] | None,
    mirror: bool,
    reverse: bool,
    set_down: bool,
    plant: bool,
) -> Motion:
    from reenact.motion import edit_floor, edit_line, edit_mirror, edit_time

    if slow is not None:
        motion = edit_time.slow(motion, *slow)
    if reverse:
        motion = edit_time.reverse(motion)
    if mirror:
        motion = edit_mirror.mirrored(motion)
    if set_down:
        motion = edit_floor.set_down(motion)
    if plant:
        motion = edit_floor.planted(motion)
    return edit_line.onto_line(motion) if line else motion
