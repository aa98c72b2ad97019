"""Who is pushed: a take's body and controller, with torque limits scaled and a rule of what counts as a fall."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import Any, Final

import msgspec

from reenact.body.toml import parse_body
from reenact.control.read import controller_from_json
from reenact.control.track import rows_from_text
from reenact.errors import InputError
from reenact.formats.take import Take
from reenact.physics.controller import Controller, Program
from reenact.physics.model import Actuation, Model, compile_model
from reenact.physics.outcome import Fall
from reenact.physics.state import State
from reenact.world.ground import ground_height
from reenact.world.toml import parse_world

SUNK: Final = 0.6  # of its height at the start: a root that low has fallen, on level ground
MOST_TORQUE: Final = 10.0  # times the take's own limits


class _Setting(msgspec.Struct, frozen=True):
    """The part of controller.json that says how a controller is run."""

    actuation: Actuation
    timestep: float
    torque_scale: float
    start_qpos: str
    start_qvel: str


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
    try:
        setting = msgspec.convert(take.controller, _Setting)
    except msgspec.ValidationError as error:
        raise InputError(f"controller.json cannot be run: {error}") from None
    controller = controller_from_json(take.controller)
    scale = setting.torque_scale * torque
    model = compile_model(body, world, actuation=setting.actuation, timestep=setting.timestep, torque_scale=scale)
    start = State(
        qpos=rows_from_text([setting.start_qpos], model.mj.nq, "start_qpos")[0],
        qvel=rows_from_text([setting.start_qvel], model.mj.nv, "start_qvel")[0],
    )
    return Subject(
        model=model,
        controller=controller,
        program=controller.compile(model),
        start=start,
        fall=fall_of(model, start),
        torque=torque,
        kind=str(take.controller["kind"]),
        sha256=_hash(take.controller),
    )


def _hash(controller: dict[str, Any]) -> str:
    """Of controller.json as a take is written with it."""
    return hashlib.sha256(msgspec.json.format(msgspec.json.encode(controller), indent=2) + b"\n").hexdigest()


def fall_of(model: Model, start: State) -> Fall:
    """A body has fallen when anything but its feet bears load, or, on level ground, when its root has sunk."""
    bearing = tuple(s.name for s in model.body.segments if s.part != "foot")
    level = not model.world.parts and model.world.ground.slope_deg == 0.0
    floor = float(ground_height(model.world, start.qpos[0], start.qpos[1]))
    return Fall(height=floor + SUNK * (float(start.qpos[2]) - floor) if level else None, segments=bearing)
