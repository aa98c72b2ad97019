"""Forces from outside, compiled: which body, from which step to which, how much; a take declares all of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reenact.body.body import Body
from reenact.errors import WorldError
from reenact.geometry.rotation import Array, rotate
from reenact.world.attachments import Attachment
from reenact.world.parts import Point3
from reenact.world.pushes import Push
from reenact.world.things import Thrown, launch_of
from reenact.world.values import suggestion
from reenact.world.world import World, kind_of, rests

DEFAULT_TIMESTEP = 1.0 / 120.0  # [s]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedForce:
    """A constant force and torque in the world at a body's centre of mass over steps first … last−1."""

    first: int
    last: int
    body: str  # MuJoCo body: a segment or a thing
    force: Point3  # [N]
    torque: Point3  # [N·m]
    cause: str  # name of the push or thing


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalPlan:
    """All external forces of a simulation of `steps` steps; names are resolved when a model is at hand."""

    timestep: float
    steps: int
    forces: tuple[TimedForce, ...]


def external_forces(world: World, body: Body, timestep: float, steps: int, *, heading: float = 0.0) -> ExternalPlan:
    """The plan of all pushes and launches for a body that faces `heading` [rad] at the start.

    A force that starts at time t acts from step round(t / timestep) on, for at least one step; one that starts at or
    after the end is left out.
    """
    check_segments(world, body)
    forces: list[TimedForce] = []
    for push in world.pushes:
        vector, none = push.force(heading), np.zeros(3)
        forces += [
            _timed(push.segment, start, push.duration, vector, none, push.name, timestep, steps)
            for start in push.starts(steps * timestep)
        ]
    places = rests(world)
    for thing in world.things:
        duration, force, torque = launch_of(thing, places[thing.name], timestep)
        forces.append(_timed(thing.name, thing.start, duration, force, torque, thing.name, timestep, steps))
    acting = (f for f in forces if f.first < f.last)
    return ExternalPlan(timestep=timestep, steps=steps, forces=tuple(sorted(acting, key=lambda f: (f.first, f.cause))))


def plan_arrays(
    plan: ExternalPlan, body_ids: Mapping[str, int]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], Array]:
    """The plan for a compiled loop: first step (P,), one past the last (P,), body id (P,), force and torque (P, 6)."""
    first = np.array([f.first for f in plan.forces], np.int64)
    last = np.array([f.last for f in plan.forces], np.int64)
    body = np.array([_body_id(f.body, body_ids) for f in plan.forces], np.int64)
    wrench = np.array([[*f.force, *f.torque] for f in plan.forces], float).reshape(-1, 6)
    return first, last, body, wrench


def force_table(plan: ExternalPlan, body_ids: Mapping[str, int], bodies: int) -> Array:
    """The plan as MuJoCo's xfrc_applied of every step, (steps, bodies, 6); forces that overlap add up."""
    table = np.zeros((plan.steps, bodies, 6))
    for f in plan.forces:
        table[f.first : f.last, _body_id(f.body, body_ids)] += [*f.force, *f.torque]
    return table


def declared_pushes(world: World, *, timestep: float = DEFAULT_TIMESTEP) -> list[dict[str, object]]:
    """Every external force of a world in words and numbers that JSON holds, as takes declare them."""
    declared: list[dict[str, object]] = []
    for push in world.pushes:
        aim = {"from": push.origin} if push.origin else {"direction": list(push.direction or ()), "frame": push.frame}
        entry: dict[str, object] = {
            "kind": "push",
            "name": push.name,
            "body": push.segment,
            "newtons": push.newtons,
            **aim,
        }
        entry |= {"start": push.start, "duration": push.duration, "every": push.every, "until": push.until}
        declared.append(entry)
    places = rests(world)
    for thing in world.things:
        duration, force, torque = launch_of(thing, places[thing.name], timestep)
        entry = {"kind": kind_of(thing), "name": thing.name, "body": thing.name, "mass": thing.mass}
        if isinstance(thing, Thrown):
            entry |= {"from": list(thing.origin), "to": list(thing.target)}
        entry |= {"force": force.tolist(), "torque": torque.tolist(), "start": thing.start, "duration": duration}
        declared.append(entry)
    return declared


def heading_of(orientation: ArrayLike) -> float:
    """Where a root with this orientation (4,) faces on the floor plan [rad], from +x towards +y."""
    forward = rotate(orientation, np.array([1.0, 0.0, 0.0]))
    return math.atan2(forward[1], forward[0])


def check_segments(world: World, body: Body) -> None:
    """Refuse pushes on and attachments to segments that the body does not have."""
    entries: tuple[Push | Attachment, ...] = (*world.pushes, *world.attachments)
    for entry in entries:
        if entry.segment not in body.segment_names:
            raise WorldError(
                f"{world.where(entry)}: segment = '{entry.segment}', expected a segment of body '{body.name}': "
                f"{', '.join(body.segment_names)}{suggestion(entry.segment, body.segment_names)}"
            )


def _timed(
    body: str, start: float, duration: float, force: Array, torque: Array, cause: str, timestep: float, steps: int
) -> TimedForce:
    first = round(start / timestep)
    last = first + max(1, round(duration / timestep))
    return TimedForce(
        first=min(first, steps),
        last=min(last, steps),
        body=body,
        force=(float(force[0]), float(force[1]), float(force[2])),
        torque=(float(torque[0]), float(torque[1]), float(torque[2])),
        cause=cause,
    )


def _body_id(name: str, body_ids: Mapping[str, int]) -> int:
    if name not in body_ids:
        raise WorldError(f"the model has no body '{name}'; there are: {', '.join(body_ids)}")
    return body_ids[name]
