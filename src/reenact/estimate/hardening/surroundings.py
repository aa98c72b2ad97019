"""Other surroundings that a motion is to bear: ground that is not level, not firm or not rough, loads, less strength.

Of each kind there are levels from easy to hard. A motion begins there as on the level floor, put onto what is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from reenact.control.place import lift_onto, start_state
from reenact.estimate.states.task import Task
from reenact.estimate.walking.grounds import is_flat
from reenact.geometry.rotation import Array
from reenact.physics.model import Model, compile_model
from reenact.world.attachments import Carried
from reenact.world.external import heading_of
from reenact.world.parts import Bumps
from reenact.world.world import World

SLOPES: Final = (1.0, 2.0, 3.0, 4.0, 6.0)  # [°]
LOADS: Final = (2.0, 4.0, 6.5, 10.0, 13.0)  # [kg] in a hand
LEVELS: Final[dict[str, tuple[float, ...]]] = {
    "uphill": SLOPES,
    "downhill": SLOPES,
    "uphill_left": SLOPES,
    "uphill_right": SLOPES,
    "bumps": (0.01, 0.02, 0.03, 0.04),  # [m] high
    "weaker": (0.9, 0.8, 0.75, 0.7),  # share of the torque limits
    "load_left": LOADS,
    "load_right": LOADS,
    "slippery": (0.5, 0.3, 0.2, 0.1, 0.05),  # friction
}
_TOWARDS: Final = {"uphill": 0.0, "downhill": 180.0, "uphill_left": 90.0, "uphill_right": -90.0}  # [°]
FIELD, SPACING = 8.0, 0.6  # [m] of bumps: how wide, from bump to bump


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Surroundings:
    """A model of other surroundings, and the state row in which the motion begins there."""

    model: Model
    start: Array  # (X,)


def levels_of(task: Task) -> Mapping[str, tuple[float, ...]]:
    """Kinds and levels that make sense for a task: none where its own world is not a bare level floor."""
    if not is_flat(task.model.world):
        return {}
    hands = {segment.name for segment in task.model.body.segments if segment.part == "hand"}
    found = {}
    for kind, levels in LEVELS.items():
        if kind == "slippery":
            levels = tuple(level for level in levels if level < task.model.world.ground.friction)
        elif kind.startswith("load") and not any(_of_side(name, kind) for name in hands):
            continue
        if levels:
            found[kind] = levels
    return found


def surroundings(task: Task, kind: str, level: float) -> Surroundings:
    """The task's body in surroundings of a kind."""
    own, strength = task.model, 1.0
    world = replace(own.world, name=kind)
    x, y = (float(value) for value in task.reference.qpos[0, :2])
    if kind == "bumps":
        world = replace(world, parts=(Bumps(at=(x, y), size=(FIELD, FIELD), height=level, spacing=SPACING),))
    elif kind == "weaker":
        strength = level
    elif kind == "slippery":
        world = replace(world, ground=replace(world.ground, friction=level))
    elif kind.startswith("load"):
        hand = next(s.name for s in own.body.segments if s.part == "hand" and _of_side(s.name, kind))
        load = Carried(name="load_of_practice", segment=hand, mass=level)
        world = replace(world, attachments=(*world.attachments, load))
    else:
        heading = float(np.rad2deg(heading_of(task.reference.qpos[0, 3:7])))
        uphill = (heading + _TOWARDS[kind] + 180.0) % 360.0 - 180.0
        world = replace(world, ground=replace(world.ground, slope_deg=level, uphill_deg=uphill))
    return placed(task, world, strength)


def placed(task: Task, world: World, strength: float = 1.0) -> Surroundings:
    """The task's body in a world, its start lifted onto what is there."""
    own = task.model
    model = compile_model(own.body, world, timestep=own.timestep, torque_scale=strength * own.torque_scale)
    qpos = task.reference.qpos[0].copy()
    qpos[2] += lift_onto(model, qpos)
    return Surroundings(model=model, start=start_state(model, qpos, task.reference.qvel[0]).row(model))


def _of_side(name: str, kind: str) -> bool:
    return kind.removeprefix("load_") in name
