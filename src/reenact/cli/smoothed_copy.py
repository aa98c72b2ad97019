"""The filtered copy of a capture's motion: for the eye, beside the take, and marked as no longer simulated."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reenact.estimate.sampling.task import Task
    from reenact.formats.take import Take


def marked(take: Take, cutoff: float | None) -> Take:
    """The take, saying that a copy of its motion beside it is filtered and so no longer what was simulated."""
    if cutoff is None:
        return take
    from reenact.formats.take import SMOOTHED_HZ

    metrics = {**take.info.metrics, SMOOTHED_HZ: cutoff}
    return replace(take, info=replace(take.info, metrics=metrics))


def write_smoothed(take: Take, task: Task, output: Path, cutoff: float | None) -> None:
    """Write the filtered motion into the take's folder, where a frequency [Hz] is given."""
    if cutoff is None:
        return
    from reenact.estimate.sampling.smooth import smoothed
    from reenact.formats.bvh_write import format_bvh
    from reenact.formats.replace_file import replace_file
    from reenact.formats.take import SMOOTHED
    from reenact.motion.skeleton_of import motion_to_skeleton_clip

    rate = 1.0 / task.model.timestep
    poses = smoothed(take.motion["qpos"][:, : 7 + task.model.hinges], rate, cutoff)
    name = f"{task.reference.name} smoothed, not simulated"
    replace_file(output / SMOOTHED, format_bvh(motion_to_skeleton_clip(task.model.body, poses, rate, name)))
