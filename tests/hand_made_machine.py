"""State machines written by hand, and one step of them from any state, for tests of the controller."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import mujoco
import numpy as np

from reenact.body.load import load_body
from reenact.control.machine import layout as at
from reenact.control.machine.limbs import limbs_of
from reenact.control.machine.machine import Balance, Machine, MachineState
from reenact.geometry.rotation import Array
from reenact.physics import sense as part
from reenact.physics.model import Model, compile_model
from reenact.physics.simulate import simulate
from reenact.physics.state import State
from reenact.world.world import World

WEIGHT = 700.0  # [N] of what touches, where it does not matter how much


@cache
def model_of(name: str = "adult") -> Model:
    """A body by name on level ground."""
    return compile_model(load_body(name), World())


def state(model: Model, name: str = "a", *, pose: Mapping[str, float] | None = None, **changes: Any) -> MachineState:
    """A state of a second at rest, with angles [rad] and other fields as told; `gain`: of all groups."""
    groups, angles = limbs_of(model.body).groups, np.zeros(model.hinges)
    for axis, value in (pose or {}).items():
        angles[model.body.axis_index(axis)] = value
    gains = np.full(len(groups), changes.pop("gain", 0.1))
    return MachineState(name=name, **{"seconds": 1.0, "pose": angles, "gains": gains, **changes})


def machine(model: Model, *states: MachineState, **settings: Any) -> Machine:
    """These states in this order; without any, one that stands."""
    names = tuple(axis.name for axis in model.body.axes)
    return Machine(axes=names, groups=limbs_of(model.body).groups, states=states or (state(model),), **settings)


def marching(model: Model, *, bend: float = 0.6, **settings: Any) -> Machine:
    """A cycle that lifts one leg for a while and then puts it down until it touches, with every feedback at work.

    bend: of the standing knee while the other foot is put down [rad]. The paper's law turns the leg towards the level,
    which takes less of ϑ₃.
    """
    states, blend = [], 0.2 if settings.get("law") == "paper" else 0.4
    for swing, other in (("right", "left"), ("left", "right")):
        own = Balance(
            place=0.6,
            velocity=0.2,
            blend=blend,
            nominal_place=(0.01, 0.05 if swing == "right" else -0.05),
            nominal_velocity=(0.1, 0.0),
            ankle=(0.4, 0.05),
            lean=(0.1, 0.05),
            aside=(0.3, 0.1),
        )
        up = {f"hip_{swing}_flexion": 0.7, f"knee_{swing}_flexion": 1.0, f"knee_{other}_flexion": 0.1}
        down = {f"hip_{swing}_flexion": 0.3 - bend / 3, f"knee_{swing}_flexion": 0.1, "lumbar_flexion": 0.05}
        down |= {f"hip_{other}_flexion": bend / 2, f"knee_{other}_flexion": bend}
        root = np.array([np.cos(0.02), 0.0, np.sin(0.02), 0.0])
        states += [
            state(model, f"lift {swing}", pose=up, seconds=0.15, then=f"drop {swing}", balance=own, root=root),
            state(model, f"drop {swing}", pose=down, seconds=0.1, until=f"{swing} foot", then=f"lift {other}",
                  balance=own, gain=0.2),
        ]  # fmt: skip
    return machine(model, *states, **settings)


def marching_on(model: Model) -> Machine:
    """The march with all that holds it up under pushes: legs not crossed, level soles, haste, a lean to the side."""
    march = marching(model)
    held = [
        replace(s.balance, inward=0.05, sole=0.8, hurry=(0.5, 0.2, -0.1, 0.3), lean_aside=(0.2, 0.02))
        for s in march.states
    ]
    return replace(march, states=tuple(replace(s, balance=own) for s, own in zip(march.states, held, strict=True)))


def start_of(model: Model, *, speed: float = 0.3, lift: float = 0.0, heading: float = 0.0) -> State:
    """The rest pose, `lift` [m] off the ground, going ahead at `speed` [m/s], its joints astir."""
    qpos, qvel = model.mj.qpos0.copy(), np.zeros(model.mj.nv)
    qpos[2] += lift
    qpos[3:7] = [np.cos(heading / 2), 0.0, 0.0, np.sin(heading / 2)]
    qvel[:2] = speed * np.cos(heading), speed * np.sin(heading)
    qvel[model.hinge_dof] = 0.2 * np.sin(np.arange(model.hinges))
    return State(qpos=qpos, qvel=qvel)


@dataclass(frozen=True)
class Felt:
    """One step of a machine: what it felt, what it wants and what it remembers."""

    sense: Array  # (W,)
    angle: Array  # (A,) [rad]
    rate: Array  # (A,) [rad/s]
    gain: Array  # (A,)
    memory: Array  # (M,) afterwards

    def at(self, place: int, count: int = 3) -> Array:
        """Numbers of the senses."""
        return self.sense[place : place + count]


def step(
    model: Model,
    controller: Any,
    *,
    qpos: Array | None = None,
    qvel: Array | None = None,
    loads: Mapping[str, float] | None = None,
    cop: tuple[float, float] = (0.0, 0.0),
    memory: Array | Mapping[int, float] | None = None,
    number: int = 0,
) -> Felt:
    """What a controller does at step `number` in a state of the body, its segments bearing `loads` [N].

    memory: all of it, or some places of a machine that has begun.
    """
    names, size = model.body.segment_names, controller.compile(model).memory
    touch = np.zeros(4 + len(names))
    for name, load in (loads or {}).items():
        touch[4 + names.index(name)] = load
    touch[:2], touch[3] = cop, touch[4:].sum()
    if isinstance(memory, Mapping):
        known = {at.BEGUN: 2.0, **memory}
        memory = np.zeros(size)
        memory[list(known)] = list(known.values())
    start = State(
        qpos=model.mj.qpos0 if qpos is None else qpos,
        qvel=np.zeros(model.mj.nv) if qvel is None else qvel,
        time=number * model.timestep,
        touch=touch,
        memory=memory,
    )
    trace = simulate(model, controller, start, steps=1, record_senses=True)
    assert trace.senses is not None
    assert trace.targets is not None
    assert trace.final.memory is not None
    angle, rate, gain, _ = trace.targets[0]
    return Felt(sense=trace.senses[0], angle=angle, rate=rate, gain=gain, memory=trace.final.memory)


def posed(model: Model, qpos: Array, qvel: Array | None = None) -> mujoco.MjData:
    """The engine's own view of a body in a pose."""
    data = mujoco.MjData(model.mj)
    data.qpos[:] = qpos
    if qvel is not None:
        data.qvel[:] = qvel
    mujoco.mj_forward(model.mj, data)
    return data


def random_pose(model: Model, rng: np.random.Generator, *, tilt: float = 0.2, bend: float = 0.3) -> Array:
    """A pose whose root is turned any way about the vertical and tilted a little, its joints bent a little."""
    heading, (a, b) = rng.uniform(-np.pi, np.pi), rng.uniform(-tilt, tilt, 2)
    qpos = model.mj.qpos0.copy()
    turn = np.zeros(4)
    mujoco.mju_mulQuat(turn, np.array([np.cos(heading / 2), 0.0, 0.0, np.sin(heading / 2)]), np.array([1.0, a, b, 0.0]))
    qpos[3:7] = turn / np.linalg.norm(turn)
    qpos[model.hinge_qpos] = rng.uniform(-bend, bend, model.hinges)
    return qpos


def bit(model: Model, *names: str) -> float:
    """The parts of these names as one number of the memory."""
    parts = limbs_of(model.body).parts
    return float(sum(1 << parts.index(name) for name in names))


def com_of(felt: Felt) -> Array:
    """The centre of mass on the ground, (2,) [m]."""
    return felt.at(part.COM, 2)


def root_wish(model: Model, felt: Felt, side: str, before: Array | None = None) -> Array:
    """Angular velocity of the root in the world (3,) [rad/s] for which a hip's share of 1 asks, by the engine.

    It is what the root does if the hip turns as asked while the thigh goes on turning: as now, or on from `before`.
    """
    qpos, qvel = model.mj.qpos0.copy(), np.zeros(model.mj.nv)
    qpos[:7] = felt.at(part.POSITION, 7)
    segments, hinges = int(felt.sense[part.SEGMENTS]), model.hinges
    qpos[model.hinge_qpos] = felt.at(part.FIXED + segments, hinges)
    qvel[model.hinge_dof] = felt.at(part.FIXED + segments + hinges, hinges)
    qvel[3:6] = posed(model, qpos).body(model.body.segment_names[0]).xmat.reshape(3, 3).T @ felt.at(part.SPIN)
    spin = spin_of(model, qpos, qvel, f"thigh_{side}")
    if before is not None:
        spin = 2.0 * spin - before
    hip = model.body.axis_index(f"hip_{side}_flexion")
    asked = np.zeros(model.mj.nv)
    asked[model.hinge_dof[hip : hip + 3]] = felt.rate[hip : hip + 3]
    return spin - spin_of(model, qpos, asked, f"thigh_{side}")


def spin_of(model: Model, qpos: Array, qvel: Array, name: str) -> Array:
    """Angular velocity of a segment in the world, (3,) [rad/s], by the engine."""
    out, data = np.zeros(6), posed(model, qpos, qvel)
    kind = mujoco.mjtObj.mjOBJ_XBODY
    mujoco.mj_objectVelocity(model.mj, data, kind, model.mj.body(name).id, out, 0)
    return out[:3]
