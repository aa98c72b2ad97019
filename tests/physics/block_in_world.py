"""A single rigid block as a body, put into a world: the smallest thing that can slide, fall and be hit."""

from __future__ import annotations

import mujoco
import numpy as np

from reenact.body.body import Body, Segment, Shape
from reenact.body.mjcf import add_body
from reenact.geometry.rotation import IDENTITY
from reenact.world.external import external_forces, force_table
from reenact.world.mjcf import add_world
from reenact.world.world import World

TIMESTEP = 1 / 120


def block(mass: float = 10.0, half: tuple[float, float, float] = (0.2, 0.2, 0.1)) -> Body:
    x, y, z = half
    return Body(
        name="block",
        segments=(
            Segment(
                name="block",
                parent=None,
                joint="root",
                offset=np.array([0.0, 0.0, z]),
                mass=mass,
                com=np.zeros(3),
                inertia=mass / 3 * np.array([y * y + z * z, x * x + z * z, x * x + y * y]),
                inertia_orientation=IDENTITY,
                axes=(),
                shapes=(
                    Shape(name="block", kind="box", position=np.zeros(3), orientation=IDENTITY, size=np.array(half)),
                ),
                part="foot",
            ),
        ),
        stature=2 * z,
        mirror=(),
        landmarks={},
        end_effectors=(),
    )


def model_of(world: World, body: Body | None = None, timestep: float = TIMESTEP) -> mujoco.MjModel:
    """Body and world compiled through MJCF text, as takes are."""
    body = body or block()
    spec = mujoco.MjSpec()
    add_body(spec, body, actuation="none")
    add_world(spec, world, body)
    spec.option.timestep = timestep
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.tolerance = 1e-10
    spec.compile()
    return mujoco.MjModel.from_xml_string(spec.to_xml())


def run(model: mujoco.MjModel, data: mujoco.MjData, seconds: float) -> np.ndarray:
    """Simulate and give qpos of every step, (steps, nq)."""
    states = []
    for _ in range(round(seconds / model.opt.timestep)):
        mujoco.mj_step(model, data)
        states.append(data.qpos.copy())
    return np.array(states)


def run_with_forces(world: World, model: mujoco.MjModel, body: Body, seconds: float) -> list[mujoco.MjData]:
    """Simulate with the world's own external forces and give a copy of the data after every step."""
    steps = round(seconds / model.opt.timestep)
    ids = {model.body(i).name: i for i in range(model.nbody)}
    table = force_table(external_forces(world, body, model.opt.timestep, steps), ids, model.nbody)
    data, copies = mujoco.MjData(model), []
    for k in range(steps):
        data.xfrc_applied[:] = table[k]
        mujoco.mj_step(model, data)
        copies.append(mujoco.MjData(model))
        mujoco.mj_copyData(copies[-1], model, data)
    return copies
