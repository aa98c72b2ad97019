"""Contact forces for display: one arrow per segment and frame, averaged over the frame's steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reenact.view.recording import Arrays

LEAST = 1.0  # smaller forces are not shown [N]
NAMES = ("contact_step", "contact_segment", "contact_point", "contact_force")


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentForces:
    """Contact forces on K (frame, segment) pairs, frames ascending."""

    first: NDArray[np.int32]  # (F+1,) the entries of frame f are first[f] … first[f+1]
    segment: NDArray[np.int16]  # (K,) index into the character's bodies
    point: NDArray[np.float32]  # (K, 3) world [m], the force-weighted mean of the contact points
    force: NDArray[np.float32]  # (K, 3) on the body, world [N]

    def at(self, frame: int) -> slice:
        """The entries of one frame."""
        return slice(int(self.first[frame]), int(self.first[frame + 1]))


def forces_of(motion: Arrays, time: NDArray[np.float64], rate: float) -> SegmentForces:
    """Contact forces of a take's motion.npz, each frame taking the mean over the steps that end nearest to it."""
    frames = len(time)
    if any(name not in motion for name in NAMES) or len(motion["contact_step"]) == 0:
        return _none(frames)
    step, segment, point, force = (np.asarray(motion[name]) for name in NAMES)
    recorded = np.asarray(motion["time"], float)
    ends = recorded[1:] if len(recorded) > 1 else recorded
    frame_of_step = np.clip(np.round((ends - time[0]) * rate), 0, frames - 1).astype(int)
    steps_in_frame = np.maximum(np.bincount(frame_of_step, minlength=frames), 1)
    width = int(segment.max()) + 1
    key = frame_of_step[step] * width + segment.astype(int)
    keys, entry = np.unique(key, return_inverse=True)
    frame = keys // width
    size = np.linalg.norm(force, axis=-1) + 1e-9
    weight = np.bincount(entry, size)
    mean_point = np.stack([np.bincount(entry, size * point[:, i]) / weight for i in range(3)], -1)
    mean_force = np.stack([np.bincount(entry, force[:, i]) for i in range(3)], -1) / steps_in_frame[frame][:, None]
    shown = np.linalg.norm(mean_force, axis=-1) >= LEAST
    first = np.searchsorted(frame[shown], np.arange(frames + 1))
    return SegmentForces(
        first=first.astype(np.int32),
        segment=(keys % width)[shown].astype(np.int16),
        point=mean_point[shown].astype(np.float32),
        force=mean_force[shown].astype(np.float32),
    )


def _none(frames: int) -> SegmentForces:
    nothing = np.zeros((0, 3), np.float32)
    return SegmentForces(
        first=np.zeros(frames + 1, np.int32), segment=np.zeros(0, np.int16), point=nothing, force=nothing
    )
