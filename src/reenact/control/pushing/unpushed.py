"""What a controller does when nobody pushes it: whether it goes on at all, where it faces, how fast it walks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from reenact.control.pushing.gait import Gait, gait_of
from reenact.control.pushing.protocol import Protocol
from reenact.control.pushing.subject import Subject
from reenact.errors import InputError
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.support import centre_of_mass
from reenact.motion.tree import tree_of
from reenact.physics.prepare import wrenches_of
from reenact.physics.simulate import simulate

WALKS = 0.1  # [m/s]: who is slower on his way stands
NO_CYCLE = 1.0  # [s] over which phases are spread where there is no gait


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Unpushed:
    """A run without pushes, from the start to its end."""

    time: Array  # (N+1,) [s]
    root: Array  # (N+1, 7) position [m] and orientation
    com: Array  # (N+1, 3) centre of mass [m]
    gait: Gait
    heading: float  # where the body faces on average before the first push [rad], from +x towards +y
    way: float  # where it goes, counted from where it faces [rad]; a crab's is a quarter turn
    speed: float  # along its way [m/s]; 0 where it stands

    @property
    def walks(self) -> bool:
        """Whether it gets anywhere."""
        return self.speed > 0.0

    @property
    def cycle(self) -> float:
        """Gait cycle over which phases are spread [s]."""
        return self.gait.cycle or NO_CYCLE

    @property
    def turned(self) -> float:
        """How far it turned from before the first push to the end [rad], at most half a turn."""
        last = mean_heading(self.root[self.time >= self.time[-1] - self.cycle])
        return math.remainder(last - self.heading, 2.0 * math.pi)


def unpushed(subject: Subject, protocol: Protocol) -> Unpushed:
    """Run a subject for the protocol's time; one that falls by itself is refused."""
    model = subject.model
    steps = round(protocol.seconds / model.timestep)
    trace = simulate(
        model, subject.controller, subject.start, steps=steps, external=wrenches_of(model, steps), fall=subject.fall
    )
    if trace.status != "ok":
        raise InputError(
            f"the {subject.kind} controller does not go on for {protocol.seconds:g} s without a push: {trace.reason}; "
            "push one that walks on or stands, or try fewer --seconds"
        )
    root = trace.qpos[:, :7]
    before = trace.time <= protocol.every
    heading = mean_heading(root[before])
    way, speed = _way(trace.time, root, protocol.every)
    body = model.body
    return Unpushed(
        time=trace.time,
        root=root,
        com=centre_of_mass(body, tree_of(body), trace.qpos[:, : 7 + model.hinges]),
        gait=gait_of(trace),
        heading=heading,
        way=way,
        speed=speed,
    )


def headings(root: Array) -> Array:
    """Where roots (*batch, 7) face on the floor plan, (*batch,) [rad]."""
    forward = rotation.rotate(root[..., 3:7], rotation.AXES["x"])
    return np.asarray(np.arctan2(forward[..., 1], forward[..., 0]))


def mean_heading(root: Array) -> float:
    """Mean direction in which roots (n, 7) face [rad]."""
    angle = headings(root)
    return math.atan2(float(np.sin(angle).sum()), float(np.cos(angle).sum()))


def progress(root: Array, way: float) -> Array:
    """Distance gone on its own way up to each of the roots (n, 7), (n,) [m].

    Each stretch counts by its part in the direction in which the body then means to go, so that a turn costs nothing
    and a way back is taken off.
    """
    mean = 0.5 * (_facing(root[:-1], way) + _facing(root[1:], way))
    return np.concatenate([[0.0], np.cumsum(np.sum(np.diff(root[:, :2], axis=0) * mean, axis=-1))])


def _facing(root: Array, way: float) -> Array:
    angle = headings(root) + way
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def _way(time: Array, root: Array, window: float) -> tuple[float, float]:
    """Direction of travel from where the body faces [rad], and the slower of the speeds on it: in all, and at last."""
    velocity = np.diff(root[:, :2], axis=0)
    facing = 0.5 * (headings(root[:-1]) + np.unwrap(headings(root))[1:])
    own = velocity[:, 0] + 1j * velocity[:, 1]
    turned = complex(np.sum(own * np.exp(-1j * facing)))
    way = float(np.angle(turned)) if abs(turned) > 0.0 else 0.0
    gone = progress(root, way)
    at_last = time >= time[-1] - window
    overall = float(gone[-1] / (time[-1] - time[0]))
    late = float((gone[-1] - gone[at_last][0]) / (time[-1] - time[at_last][0]))
    speed = min(overall, late)
    return way, speed if speed >= WALKS else 0.0
