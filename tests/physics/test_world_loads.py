"""Loads, skis and carried masses: exactly their mass, at exactly their place."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from block_in_world import block, model_of

from reenact.body.load import load_body
from reenact.world.attachments import Attachment, Carried, Load, Ski, combined_inertia, lump_of
from reenact.world.world import World

ADULT = load_body("adult")
LOADS: list[Attachment] = [
    Load(name="pack", segment="thorax", mass=12.0, size=(0.2, 0.3, 0.4), position=(-0.2, 0.05, 0.1)),
    Ski(name="ski", segment="foot_left"),
    Carried(name="kettle", segment="hand_right", mass=13.0),
    Carried(name="ball", segment="hand_left", mass=2.0, radius=0.1, position=(0.0, 0.0, -0.2)),
]


def resting(world: World) -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = model_of(world, ADULT)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


@pytest.mark.parametrize("load", LOADS, ids=lambda load: load.name)
def test_a_load_adds_its_mass_and_moves_the_centre_of_mass(load: Attachment) -> None:
    bare_model, bare = resting(World())
    model, data = resting(World(attachments=(load,)))
    assert model.body_mass.sum() - bare_model.body_mass.sum() == pytest.approx(load.mass, rel=1e-4)
    segment = bare_model.body(load.segment).id
    place = bare.xpos[segment] + lump_of(load, ADULT.segment(load.segment)).centre
    total = bare_model.body_mass.sum()
    expected = (total * bare.subtree_com[1] + load.mass * place) / (total + load.mass)
    np.testing.assert_allclose(data.subtree_com[1], expected, atol=1e-5)


def test_the_inertia_is_that_of_two_bodies_welded() -> None:
    """Against MuJoCo's own: the load as a child body without a joint."""
    load = LOADS[0]
    body = block(mass=9.0, half=(0.1, 0.2, 0.3))
    lump = lump_of(load, body.segments[0])
    mass, com, moments, _ = combined_inertia(body.segments[0], [lump])
    spec = mujoco.MjSpec()
    part = spec.worldbody.add_body(name="part")
    part.add_freejoint()
    part.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.1, 0.2, 0.3], mass=9.0)
    child = part.add_body(pos=lump.centre)
    child.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=lump.half, mass=load.mass)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert mass == pytest.approx(model.body_subtreemass[1])
    np.testing.assert_allclose(com, data.subtree_com[1], atol=1e-12)
    full = np.zeros((6, 6))
    mujoco.mj_fullM(model, data, full)
    d = data.subtree_com[1]
    about_com = full[3:, 3:] - mass * (d @ d * np.eye(3) - np.outer(d, d))
    np.testing.assert_allclose(np.sort(np.linalg.eigvalsh(about_com)), np.sort(moments), rtol=1e-9)


def test_two_loads_on_one_segment_add_up() -> None:
    model, _ = resting(World(attachments=(LOADS[0], Load(segment="thorax", mass=3.0))))
    bare, _ = resting(World())
    assert model.body("thorax").mass[0] - bare.body("thorax").mass[0] == pytest.approx(15.0, rel=1e-4)


def test_a_load_falls_with_its_body() -> None:
    """No hidden force: in free fall the centre of mass of body and load drops by g t² / 2."""
    world = World(attachments=tuple(LOADS))
    model = model_of(world, ADULT, timestep=0.001)
    data = mujoco.MjData(model)
    data.qpos[2] += 5.0
    mujoco.mj_forward(model, data)
    before = data.subtree_com[1].copy()
    for _ in range(500):
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    np.testing.assert_allclose(data.subtree_com[1] - before, [0, 0, -0.5 * 9.81 * 0.5**2], atol=0.003)
