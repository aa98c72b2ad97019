"""What a simulated motion is held against: the reference's markers in the world, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from reenact.control.glide import Glide, glide_of
from reenact.control.machine import watch
from reenact.control.place import staged
from reenact.geometry.rotation import Array
from reenact.motion.motion import Motion, velocities
from reenact.motion.resample import resample
from reenact.physics.model import Model

LAST, REST = 0.1, 0.3  # [s] at the end, and [m/s] below which the body is at rest there
ARM = 0.1  # [m] from a segment's centre of mass to each of its three markers


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reference:
    """A motion in its world at the model's rate, with all that is compared; frames are simulation steps from time 0."""

    qpos: Array  # (K, 7+A)
    qvel: Array  # (K, 6+A)
    markers: Array  # (K, S, 3, 3) three on each segment, in the world [m]
    origins: Array  # (K, S, 3) of the segments, in the world [m]
    local: Array  # (S, 3, 3) the markers in their segments [m]
    com: Array  # (K, 3) [m]
    com_velocity: Array  # (K, 3) [m/s]
    rate: float  # frames per second
    glide: Glide | None = None  # where the ground carries it down

    @property
    def frames(self) -> int:
        """Number of frames K."""
        return len(self.qpos)

    @property
    def ends_at_rest(self) -> bool:
        """Whether the centre of mass hardly moves over the last tenth of a second, but for what the ground does."""
        own = self.com_velocity
        if self.glide is not None:
            own = own - np.arange(self.frames)[:, None] / self.rate * self.glide.acceleration
        return bool(np.linalg.norm(own[-max(1, round(LAST * self.rate)) :], axis=1).mean() < REST)


def reference_of(motion: Motion, model: Model) -> Reference:
    """The motion put into the model's world, and what its markers do."""
    return reference_of_poses(staged(resample(motion, 1.0 / model.timestep), model).qpos, model)


def reference_of_poses(poses: Array, model: Model) -> Reference:
    """Poses (K, 7+A) at the model's rate, in its world, and what their markers do."""
    rate, frames = 1.0 / model.timestep, len(poses)
    data = mujoco.MjData(model.mj)
    bodies = model.segment_body
    local = model.mj.body_ipos[bodies][:, None, :] + ARM * np.eye(3)
    markers = np.empty((frames, len(bodies), 3, 3))
    origins, com = np.empty((frames, len(bodies), 3)), np.empty((frames, 3))
    for k, qpos in enumerate(poses):
        data.qpos[: len(qpos)] = qpos
        mujoco.mj_kinematics(model.mj, data)
        mujoco.mj_comPos(model.mj, data)
        turn = data.xmat[bodies].reshape(-1, 3, 3)
        origins[k], com[k] = data.xpos[bodies], data.subtree_com[bodies[0]]
        markers[k] = data.xpos[bodies][:, None, :] + np.einsum("sij,smj->smi", turn, local)
    return Reference(
        qpos=poses,
        qvel=velocities(poses, rate),
        markers=markers,
        origins=origins,
        local=local,
        com=com,
        com_velocity=np.asarray(np.gradient(com, 1.0 / rate, axis=0)),
        rate=rate,
        glide=glide_of(model),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """By which clock a run is compared, and of which steps the offsets are kept."""

    last: int  # last step that counts
    limit: float  # mean squared marker distance [m²] at which a run is given up
    begins: tuple[int, ...] | None = None  # frame at which each state begins: compare by phase; None: by time
    first: int = 1  # step from which offsets are kept
    every: int = 0  # steps between those kept; 0: none
    speed_weight: float = 0.0  # [s] of the COM's velocity beside the markers

    @property
    def kept(self) -> int:
        """Steps whose offsets are kept."""
        return (self.last - self.first) // self.every + 1 if self.every else 0


def watch_block(reference: Reference, clock: Clock, states: int, offsets_at: int) -> Array:
    """The reference as the compiled watch reads it, see `control/machine/watch.py`.

    offsets_at: where in the memory offsets are kept.
    """
    head = np.zeros(watch.BEGINS + states)
    head[watch.CLOCK] = watch.TIME if clock.begins is None else watch.PHASE
    head[watch.FRAMES], head[watch.LAST], head[watch.LIMIT] = reference.frames, clock.last, clock.limit
    head[watch.FROM], head[watch.EVERY], head[watch.OFFSETS] = clock.first, clock.every, offsets_at
    head[watch.SPEED_WEIGHT] = clock.speed_weight
    if clock.begins is not None:
        head[watch.BEGINS :] = clock.begins
    count = reference.frames
    parts = [reference.markers.reshape(count, -1), reference.origins.reshape(count, -1), reference.com_velocity[:, :2]]
    return np.concatenate([head, reference.local.ravel(), np.concatenate(parts, axis=1).ravel()])
