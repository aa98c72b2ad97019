"""`reenact export`: a motion in a format that other programs read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from reenact.cli import terminal
from reenact.errors import InputError

if TYPE_CHECKING:
    from reenact.body.body import Body
    from reenact.geometry.rotation import Array

Kind = Literal["bvh", "trc", "mot", "csv", "glb"]


def export(
    take: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="TAKE|FITTED.npz")],
    /,
    *,
    to: Kind,
    output: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="FILE", help_behavior_hint="")] = None,
) -> None:
    """Write the motion of a take, or a fitted motion, for another program.

    bvh and glb hold the moving skeleton, trc the joint centres, mot and csv the joint angles.

    Example: reenact export take/ --to glb -o walk.glb

    Args:
        take: A take folder or a fitted motion.
        to: The format.
        output: The file to write; beside the take and named after it unless said.
    """
    path = output or take.absolute().with_suffix(f".{to}")
    if path.is_dir():
        raise InputError("is a folder, expected a file to write", path=path)
    body, qpos, rate = _motion(take)
    _write(path, to, body, qpos, rate)
    terminal.say(f"Written to [bold]{terminal.escape(path)}[/].")


def _motion(take: Path) -> tuple[Body, Array, float]:
    """Body, poses (T, 7+A) and frames per second."""
    if take.suffix == ".npz" and take.is_file():
        from reenact.formats.motion_npz import load_motion

        motion = load_motion(take)
        return motion.body, motion.qpos, motion.rate
    from reenact.body.toml import parse_body
    from reenact.formats.take import read_take

    recorded = read_take(take)
    body = parse_body(recorded.body_toml, take / "body.toml")
    time = recorded.motion["time"]
    if len(time) < 2:
        raise InputError("the take has a single frame, nothing moves", path=take)
    rate = float(
        f"{(len(time) - 1) / float(time[-1] - time[0]):.9g}"
    )  # times are sums of steps, off in their last digits
    return body, recorded.motion["qpos"][:, : 7 + len(body.axes)], rate


def _write(path: Path, to: Kind, body: Body, qpos: Array, rate: float) -> None:
    from reenact.motion.skeleton_of import joint_markers, joint_table, motion_to_skeleton_clip

    name = path.stem
    if to == "bvh":
        from reenact.formats.bvh_write import write_bvh

        write_bvh(path, motion_to_skeleton_clip(body, qpos, rate, name))
    elif to == "glb":
        from reenact.formats.glb import write_glb

        write_glb(path, motion_to_skeleton_clip(body, qpos, rate, name))
    elif to == "trc":
        from reenact.formats.trc import write_trc

        write_trc(path, joint_markers(body, qpos, rate, name))
    elif to == "mot":
        from reenact.formats.mot import write_mot

        write_mot(path, joint_table(body, qpos, rate, name))
    else:
        from reenact.formats.csv_table import write_csv

        write_csv(path, joint_table(body, qpos, rate, name))
