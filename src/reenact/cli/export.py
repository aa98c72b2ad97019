"""`reenact export`: the motion of a take in a format that other programs read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from reenact.cli import terminal
from reenact.errors import InputError

if TYPE_CHECKING:
    from reenact.motion.motion import Motion

Kind = Literal["bvh", "trc", "mot", "csv", "glb"]


def export(
    take: tyro.conf.Positional[Path],
    /,
    *,
    to: Kind,
    output: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="FILE")] = None,
) -> None:
    """Write the motion of a take, or of a fitted .npz, for another program.

    bvh and glb hold the moving skeleton, trc the joint centres, mot and csv the joint angles.

    Example: reenact export take/ --to glb -o walk.glb

    Args:
        take: A take folder or a fitted motion.
        to: The format.
        output: The file to write; beside the take and named after it unless said.
    """
