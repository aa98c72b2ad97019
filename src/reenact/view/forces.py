"""Forces for display: one arrow per body and frame, averaged over the frame's steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reenact.geometry.rotation import rotate
from reenact.view.poses import Poses
from reenact.view.recording import Arrays

Array = NDArray[np.float64]

LEAST = 1.0  # smaller forces are not shown [N]
METRES_PER_WEIGHT = 0.55  # length of the arrow of a contact force as great as the body's weight
LONGEST = 1.6  # an impact's arrow is cut there [m]
PUSH_SCALE = 3.0  # pushes are weaker than the ground: their arrows are drawn longer
PUSH_GAP = 0.14  # a push's arrow ends this far before the centre of mass it acts at, outside the body [m]
NAMES = ("contact_step", "contact_segment", "contact_point", "contact_force")


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyForces:
    """Forces on K (frame, body) pairs, frames ascending."""

    first: NDArray[np.int32]  # (F+1,) the entries of frame f are first[f] … first[f+1]
    body: NDArray[np.int16]  # (K,) MuJoCo's body id
    point: NDArray[np.float32]  # (K, 3) where it acts, world [m]
    force: NDArray[np.float32]  # (K, 3) on the body, world [N]

    def at(self, frame: int) -> slice:
        """The entries of one frame."""
        return slice(int(self.first[frame]), int(self.first[frame + 1]))


def contact_forces(motion: Arrays, time: Array, rate: float) -> BodyForces:
    """Contact forces of motion.npz: the mean over the steps that end nearest to a frame, at the weighted mean point."""
    frames = len(time)
    if any(name not in motion for name in NAMES) or len(motion["contact_step"]) == 0:
        return _none(frames)
    step, segment, point, force = (np.asarray(motion[name]) for name in NAMES)
    frame_of_step, steps_in_frame = frames_of_steps(motion, time, rate)
    width = int(segment.max()) + 1
    keys, entry = np.unique(frame_of_step[step] * width + segment.astype(int), return_inverse=True)
    size = np.linalg.norm(force, axis=-1) + 1e-9
    weight = np.bincount(entry, size)
    points = np.stack([np.bincount(entry, size * point[:, i]) / weight for i in range(3)], -1)
    sums = np.stack([np.bincount(entry, force[:, i]) for i in range(3)], -1)
    frame = keys // width
    return _sorted(frames, frame, keys % width + 1, points, sums / steps_in_frame[frame][:, None])


def pushes(motion: Arrays, poses: Poses, com: NDArray[np.float64], time: Array, rate: float) -> BodyForces:
    """Forces applied on purpose (motion.npz's external) at the centres of mass `com` (B, 3) in the bodies' frames."""
    external = motion.get("external")
    if external is None or len(external) == 0:
        return _none(len(time))
    frame_of_step, steps_in_frame = frames_of_steps(motion, time, rate)
    step, body = np.nonzero(np.linalg.norm(external[:, :, :3], axis=-1) > 0)
    bodies = external.shape[1]
    keys, entry = np.unique(frame_of_step[step] * bodies + body, return_inverse=True)
    if len(keys) == 0:
        return _none(len(time))
    sums = np.stack([np.bincount(entry, external[step, body, i]) for i in range(3)], -1)
    frame, who = keys // bodies, keys % bodies
    points = poses.position[frame, who] + rotate(poses.orientation[frame, who], com[who])
    return _sorted(len(time), frame, who, points, sums / steps_in_frame[frame][:, None])


def arrows(forces: BodyForces, frame: int, mass: float, *, push: bool) -> NDArray[np.float32]:
    """Starts and ends (n, 2, 3) [m] of a frame's arrows on a body of `mass` [kg].

    A contact's arrow begins where it acts, a push's ends there.
    """
    force, point = forces.force[forces.at(frame)], forces.point[forces.at(frame)]
    size = np.linalg.norm(force, axis=-1, keepdims=True)
    direction = force / np.maximum(size, LEAST)
    length = np.minimum(size * METRES_PER_WEIGHT * (PUSH_SCALE if push else 1.0) / (mass * 9.81), LONGEST)
    start = point - (length + PUSH_GAP) * direction if push else point
    return np.stack([start, start + length * direction], axis=1).astype(np.float32)


def frames_of_steps(motion: Arrays, time: Array, rate: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The displayed frame nearest to each step's end (N,), and how many steps each frame has (F,), at least 1."""
    recorded = np.asarray(motion["time"], float)
    ends = recorded[1:] if len(recorded) > 1 else recorded
    nearest = np.ceil((ends - time[0]) * rate - 0.5 - 1e-6)  # halfway always counts to the earlier: equal shares
    frame = np.clip(nearest, 0, len(time) - 1).astype(np.intp)
    return frame, np.maximum(np.bincount(frame, minlength=len(time)), 1)


def _sorted(
    frames: int, frame: NDArray[np.intp], body: NDArray[np.intp], point: NDArray[Any], force: NDArray[Any]
) -> BodyForces:
    shown = np.linalg.norm(force, axis=-1) >= LEAST
    return BodyForces(
        first=np.searchsorted(frame[shown], np.arange(frames + 1)).astype(np.int32),
        body=body[shown].astype(np.int16),
        point=point[shown].astype(np.float32),
        force=force[shown].astype(np.float32),
    )


def _none(frames: int) -> BodyForces:
    nothing = np.zeros((0, 3), np.float32)
    return BodyForces(first=np.zeros(frames + 1, np.int32), body=np.zeros(0, np.int16), point=nothing, force=nothing)
