"""State machines made by hand for the adult: a walk of four states that goes round, and a chain of three.

They show what a machine is; that they stay up for long is not claimed.
"""

from __future__ import annotations

import hashlib

import numpy as np

from made_motion import EXACT
from reenact.body.adult import adult
from reenact.body.body import Body
from reenact.control.against import reference_arrays
from reenact.control.fall import find_fall
from reenact.control.machine.limbs import limbs_of
from reenact.control.machine.machine import Balance, Machine, MachineState
from reenact.control.machine.text import as_written
from reenact.control.make_take import ending_of, make_take, metrics_of, versions
from reenact.control.over_ground import Staged
from reenact.control.place import start_state
from reenact.control.recipe import recipe_of
from reenact.formats.take import Source, Take, TakeInfo
from reenact.physics.model import compile_model
from reenact.physics.simulate import simulate
from reenact.world.world import World

GAIN = {"root": 0.1, "hip": 0.12, "knee": 0.12, "ankle": 0.1}
FEEDBACK = Balance(place=0.3, velocity=0.15, blend=1.0, nominal_velocity=(0.8, 0.0), lean=(0.2, 0.0), aside=(0.4, 0.2))

# Angles [°] by the side that stands and the one that swings; arms go against the legs.
SWING = {"hip_flexion": 38, "knee_flexion": 60, "ankle_flexion": 8, "shoulder_flexion": -20, "elbow_flexion": 15}
STAND = {"hip_flexion": -8, "knee_flexion": 4, "ankle_flexion": 4, "shoulder_flexion": 22, "elbow_flexion": 25}
REACH = {"hip_flexion": 28, "knee_flexion": 5, "ankle_flexion": 3, "shoulder_flexion": -25, "elbow_flexion": 18}
TRAIL = {"hip_flexion": -18, "knee_flexion": 15, "ankle_flexion": -12, "shoulder_flexion": 28, "elbow_flexion": 28}


def walk_machine() -> Machine:
    """Right swings, right reaches until it touches, left swings, left reaches until it touches, and again."""
    return _machine(
        [
            ("right swings", "time", 0.22, "right reaches", SWING, STAND),
            ("right reaches", "right foot", 0.2, "left swings", REACH, TRAIL),
            ("left swings", "time", 0.22, "left reaches", STAND, SWING),
            ("left reaches", "left foot", 0.2, "right swings", TRAIL, REACH),
        ],
        FEEDBACK,
    )


def crouch_machine() -> Machine:
    """Crouch, push off, land softly and stay: a chain of three."""
    down = {"hip_flexion": 70, "knee_flexion": 90, "ankle_flexion": 28, "shoulder_flexion": -40}
    up = {"hip_flexion": 0, "knee_flexion": 0, "ankle_flexion": -25, "shoulder_flexion": 120}
    soft = {"hip_flexion": 35, "knee_flexion": 45, "ankle_flexion": 12, "shoulder_flexion": 20}
    return _machine(
        [
            ("crouch", "time", 0.35, "push off", down, down),
            ("push off", "time", 0.25, "land", up, up),
            ("land", "time", 1.0, None, soft, soft),
        ],
        Balance(),
    )


def machine_of(count: int, back: int | None = None) -> Machine:
    """So many states one after the other that approach the poses of the walk; the last goes back to number `back`."""
    walk = walk_machine().states
    states = []
    for i in range(count):
        then = f"s{i + 2}" if i < count - 1 else None if back is None else f"s{back}"
        own = walk[i % 4]
        states.append(
            MachineState(
                name=f"s{i + 1}",
                seconds=own.seconds,
                until=own.until,
                then=then,
                pose=own.pose,
                root=own.root,
                gains=own.gains,
                balance=own.balance,
            )
        )
    whole = walk_machine()
    return Machine(axes=whole.axes, groups=whole.groups, states=tuple(states))


def machine_take(machine: Machine, seconds: float = 1.5, *, speed: float = 0.0, name: str = "by hand") -> Take:
    """A take of a machine from standing, moving ahead at `speed` [m/s]; its reference stands still."""
    body = adult()
    machine = as_written(machine)
    model = compile_model(body, World())
    start = start_state(model, *_standing(body, speed))
    steps = round(seconds / model.timestep)
    trace = simulate(model, machine, start, steps=steps)
    reference = _still(body, start.qpos[: 7 + model.hinges], steps, model.timestep)
    aims = reference_arrays(reference, model)
    fallen = find_fall(trace, reference)
    status, reason = ending_of(trace, fallen)
    info = TakeInfo(
        input=Source(name=name, sha256=hashlib.sha256(name.encode()).hexdigest()),
        method="by hand",
        seed=0,
        body=body.name,
        world="flat",
        versions=versions(),
        wall_seconds=0.1,
        core_seconds=0.1,
        status=status,
        reason=reason,
        metrics=metrics_of(trace, aims, fallen),
    )
    return make_take(trace, info, recipe_of(machine, model, start, steps), aims, name)


def _machine(
    rows: list[tuple[str, str, float, str | None, dict[str, float], dict[str, float]]], own: Balance
) -> Machine:
    body = adult()
    axes, groups = tuple(axis.name for axis in body.axes), limbs_of(body).groups
    states = [
        MachineState(
            name=name,
            until=until,
            seconds=seconds,
            then=then,
            pose=_pose(axes, right, left),
            gains=np.array([GAIN.get(group, 0.08) for group in groups]),
            balance=own,
        )
        for name, until, seconds, then, right, left in rows
    ]
    return Machine(axes=axes, groups=groups, states=tuple(states))


def _pose(axes: tuple[str, ...], right: dict[str, float], left: dict[str, float]) -> np.ndarray:
    pose = np.zeros(len(axes))
    for side, angles in (("right", right), ("left", left)):
        for name, degrees in angles.items():
            joint, motion = name.split("_")
            pose[axes.index(f"{joint}_{side}_{motion}")] = np.radians(degrees)
    return pose


def _standing(body: Body, speed: float) -> tuple[np.ndarray, np.ndarray]:
    qpos = np.zeros(7 + len(body.axes))
    qpos[2], qpos[3] = body.segments[0].offset[2], 1.0
    qvel = np.zeros(6 + len(body.axes))
    qvel[0] = speed
    return qpos, qvel


def _still(body: Body, pose: np.ndarray, steps: int, timestep: float) -> Staged:
    qpos = np.tile(pose, (steps + 1, 1))
    names = body.segment_names
    return Staged(
        name="still",
        rate=1.0 / timestep,
        body=body,
        qpos=qpos,
        joint_names=names,
        joints=np.full((steps + 1, len(names), 3), np.nan),
        lift=np.zeros(steps + 1),
        contacts=(),
        report=EXACT,
        moved=np.zeros((steps + 1, 3)),
    )
