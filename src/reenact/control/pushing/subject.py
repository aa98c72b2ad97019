"""Who is pushed: a take's body and controller, with torque limits scaled and a rule of what counts as a fall."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import Any, Final

import msgspec

from reenact.body.heavier import of_mass
from reenact.body.toml import dump_body, parse_body
from reenact.control.recipe import open_recipe
from reenact.errors import InputError
from reenact.formats.take import Take
from reenact.physics.controller import Controller, Program
from reenact.physics.model import Model
from reenact.physics.outcome import Fall
from reenact.physics.state import State
from reenact.world.ground import ground_height
from reenact.world.toml import parse_world

SUNK: Final = 0.6  # of its height at the start: a root that low has fallen, on level ground
MOST_TORQUE: Final = 10.0  # times the take's own limits


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Subject:
    """A controller on a body in a world, ready to be pushed."""

    model: Model
    controller: Controller
    program: Program
    start: State
    fall: Fall
    torque: float  # of the take's own torque limits
    kind: str  # of the controller
    seed: int  # that it was captured with
    sha256: str = field(repr=False)  # of controller.json

    @property
    def mass(self) -> float:
        """Of the body with what it carries [kg]."""
        return self.model.mass


def subject_of(take: Take, *, torque: float = 1.0) -> Subject:
    """The controller of a take with every torque limit times `torque`; pushes of the take's own world are left out."""
    if not 0.0 < torque <= MOST_TORQUE:
        raise InputError(f"torque is {torque:g}, expected above 0 and at most {MOST_TORQUE:g} times the take's limits")
    body, world = parse_body(take.body_toml), replace(parse_world(take.world_toml), pushes=())
    run = open_recipe(take.controller, body, world, torque=torque)
    return Subject(
        model=run.model,
        controller=run.controller,
        program=run.controller.compile(run.model),
        start=run.start,
        fall=fall_of(run.model, run.start),
        torque=torque,
        kind=str(take.controller["kind"]),
        seed=take.info.seed,
        sha256=_hash(take.controller),
    )


def as_heavy(take: Take, mass: float) -> Take:
    """A take whose body has so many kilograms, all else in proportion."""
    return replace(take, body_toml=dump_body(of_mass(parse_body(take.body_toml), mass)))


def _hash(controller: dict[str, Any]) -> str:
    """Of controller.json as a take is written with it."""
    return hashlib.sha256(msgspec.json.format(msgspec.json.encode(controller), indent=2) + b"\n").hexdigest()


def fall_of(model: Model, start: State) -> Fall:
    """A body has fallen when anything but its feet bears load, or, on level ground, when its root has sunk."""
    bearing = tuple(s.name for s in model.body.segments if s.part != "foot")
    level = not model.world.parts and model.world.ground.slope_deg == 0.0
    floor = float(ground_height(model.world, start.qpos[0], start.qpos[1]))
    return Fall(height=floor + SUNK * (float(start.qpos[2]) - floor) if level else None, segments=bearing)
