"""The filtered copy of a capture's motion: for the eye, beside the take, and marked as no longer simulated."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reenact.formats.take import Take


def marked(take: Take, cutoff: float | None) -> Take:
    """The take, saying that a copy of its motion beside it is filtered and so no longer what was simulated."""
    if cutoff is None:
        return take
    from reenact.formats.take import SMOOTHED_HZ

    metrics = {**take.info.metrics, SMOOTHED_HZ: cutoff}
    return replace(take, info=replace(take.info, metrics=metrics))


def write_smoothed(take: Take, output: Path, cutoff: float | None) -> None:
    """Write the filtered motion into the take's folder, where a frequency [Hz] is given."""
    if cutoff is None:
        return
    from reenact.body.toml import parse_body
    from reenact.estimate.smooth import smoothed
    from reenact.formats.bvh_write import format_bvh
    from reenact.formats.replace_file import replace_file
    from reenact.formats.take import SMOOTHED
    from reenact.motion.skeleton_of import motion_to_skeleton_clip

    body, rate = parse_body(take.body_toml), 1.0 / float(take.controller["timestep"])
    poses = smoothed(take.motion["qpos"][:, : 7 + len(body.axes)], rate, cutoff)
    name = f"{Path(take.info.input.name).stem} smoothed, not simulated"
    replace_file(output / SMOOTHED, format_bvh(motion_to_skeleton_clip(body, poses, rate, name)))
