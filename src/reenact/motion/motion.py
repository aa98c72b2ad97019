"""A motion on a body: what fitting makes of a clip, and what everything downstream follows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.motion.clip import EvenlyTimed
from reenact.motion.contact import Contact
from reenact.motion.fit_report import FitReport
from reenact.motion.tree import difference


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion(EvenlyTimed):
    """Poses of a body over time on a floor at z = 0, beside the joint centres they were fitted to."""

    name: str
    rate: float  # frames per second
    body: Body
    qpos: Array  # (T, 7 + A): root position, root quaternion wxyz, hinges
    joint_names: tuple[str, ...]  # (J,) segments whose origins the joints are
    joints: Array  # (T, J, 3) world [m], what the fit aimed at, lifted like the body; NaN where not measured
    lift: Array  # (T,) by how much each frame was raised out of the floor [m]; joints minus this is the measurement
    contacts: tuple[Contact, ...]
    report: FitReport

    def __post_init__(self) -> None:
        """Refuse shapes and values that no motion has."""
        frames, width = len(self.qpos), 7 + len(self.body.axes)
        if self.qpos.shape != (frames, width) or frames == 0:
            raise InputError(
                f"motion '{self.name}': qpos {self.qpos.shape} must be (T, {width}) for body '{self.body.name}'"
            )
        if self.joints.shape != (frames, len(self.joint_names), 3) or self.lift.shape != (frames,):
            raise InputError(
                f"motion '{self.name}': joints {self.joints.shape} and lift {self.lift.shape} must be "
                f"({frames}, {len(self.joint_names)}, 3) and ({frames},)"
            )
        if not np.isfinite(self.qpos).all() or not np.isfinite(self.lift).all():
            raise InputError(f"motion '{self.name}' holds values that are not finite")
        if np.abs(np.linalg.norm(self.qpos[:, 3:7], axis=1) - 1.0).max() > 1e-6:
            raise InputError(f"motion '{self.name}': root quaternions must have length 1")
        if not (np.isfinite(self.rate) and self.rate > 0):
            raise InputError(f"motion '{self.name}' has {self.rate:g} frames per second")
        unknown = [n for n in self.joint_names if n not in self.body.segment_names]
        if unknown:
            raise InputError(f"motion '{self.name}': body '{self.body.name}' has no segment {', '.join(unknown)}")

    @property
    def frames(self) -> int:
        """Number of frames T."""
        return len(self.qpos)

    def touching(self, segment: str, time: float) -> bool:
        """Whether a segment is on the ground at a time [s]."""
        return any(c.segment == segment and c.start <= time <= c.end for c in self.contacts)


def velocities(qpos: Array, rate: float) -> Array:
    """Velocities (T, 6 + A) of poses (T, 7 + A) by central differences, one-sided at the ends.

    Root translation in the world [m/s], root rotation in the root's own frame [rad/s], hinges [rad/s]: MuJoCo's qvel.
    """
    if len(qpos) < 2:
        return np.zeros((len(qpos), qpos.shape[1] - 1))
    out = np.empty((len(qpos), qpos.shape[1] - 1))
    out[1:-1] = 0.5 * rate * (difference(qpos[1:-1], qpos[2:]) - difference(qpos[1:-1], qpos[:-2]))
    out[0] = rate * difference(qpos[0], qpos[1])
    out[-1] = -rate * difference(qpos[-1], qpos[-2])
    return out


def qvel_of(motion: Motion) -> Array:
    """Velocities (T, 6 + A) of a motion's poses, see `velocities`."""
    return velocities(motion.qpos, motion.rate)
