"""What makes a simulation again, bit for bit: controller, start and length, as controller.json holds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from reenact.body.body import Body
from reenact.body.toml import parse_body
from reenact.control.machine.machine import Machine
from reenact.control.read import controller_from_json
from reenact.control.track import row_text, rows_from_text
from reenact.errors import InputError
from reenact.formats.take import Take
from reenact.physics.controller import Controller
from reenact.physics.model import Actuation, Model, compile_model
from reenact.physics.prepare import wrenches_of
from reenact.physics.simulate import simulate
from reenact.physics.state import State
from reenact.physics.trace import Trace
from reenact.world.external import heading_of
from reenact.world.toml import parse_world
from reenact.world.world import World


class _Setting(msgspec.Struct, frozen=True):
    """The part of controller.json that is the same for every kind of controller."""

    actuation: Actuation
    timestep: float
    torque_scale: float
    steps: int
    start_qpos: str
    start_qvel: str


def recipe_of(controller: Controller, model: Model, start: State, steps: int) -> dict[str, Any]:
    """The controller's description with all else that a rerun needs beside body and world."""
    setting = _Setting(
        actuation=model.actuation,
        timestep=model.timestep,
        torque_scale=model.torque_scale,
        steps=steps,
        start_qpos=row_text(start.qpos),
        start_qvel=row_text(start.qvel),
    )
    description = controller.to_json()
    own = msgspec.to_builtins(setting)
    return {"kind": description["kind"], **own, **description, **own}  # as it ran, whatever else it was found with


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Opened:
    """A recipe made ready to run."""

    model: Model
    controller: Controller
    start: State
    steps: int


def open_recipe(recipe: dict[str, Any], body: Body, world: World, *, torque: float = 1.0) -> Opened:
    """The model, controller and start that a recipe describes; its torque limits times `torque`."""
    try:
        setting = msgspec.convert(recipe, _Setting)
    except msgspec.ValidationError as error:
        raise InputError(f"controller.json cannot be run: {error}") from None
    if setting.steps < 1 or not setting.torque_scale > 0.0:
        raise InputError(
            f"controller.json cannot be run for {setting.steps} steps with torque_scale {setting.torque_scale!r}: "
            "expected at least one step, and more than 0"
        )
    scale = setting.torque_scale * torque
    model = compile_model(body, world, actuation=setting.actuation, timestep=setting.timestep, torque_scale=scale)
    start = State(
        qpos=rows_from_text([setting.start_qpos], model.mj.nq, "start_qpos")[0],
        qvel=rows_from_text([setting.start_qvel], model.mj.nv, "start_qvel")[0],
    )
    return Opened(model=model, controller=controller_from_json(recipe), start=start, steps=setting.steps)


def rerun(recipe: dict[str, Any], body: Body, world: World) -> Trace:
    """Simulate again what a recipe describes."""
    run = open_recipe(recipe, body, world)
    external = wrenches_of(run.model, run.steps, heading=heading_of(run.start.qpos[3:7]))
    senses = isinstance(run.controller, Machine)  # by which its performance is told
    return simulate(run.model, run.controller, run.start, steps=run.steps, external=external, record_senses=senses)


def rerun_take(take: Take) -> Trace:
    """Simulate a take again from its body, world and controller."""
    return rerun(take.controller, parse_body(take.body_toml), parse_world(take.world_toml))
