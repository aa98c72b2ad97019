"""Worlds in the model: names, order, contact settings, determinism."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from reenact.body.body import Body
from reenact.body.load import load_body
from reenact.body.mjcf import add_body
from reenact.errors import WorldError
from reenact.world.attachments import Load, Ski
from reenact.world.build import bump_heights, pebble_places
from reenact.world.load import bundled_worlds, load_world
from reenact.world.mjcf import add_world
from reenact.world.parts import Bumps, Ground, Mat, Pebbles, Stairs
from reenact.world.surface import Surface
from reenact.world.world import World

BODY = load_body("adult")


def compiled(world: World, body: Body = BODY, actuation: str = "none") -> mujoco.MjModel:
    spec = mujoco.MjSpec()
    add_body(spec, body, actuation=actuation)
    add_world(spec, world, body)
    spec.compile()
    return mujoco.MjModel.from_xml_string(spec.to_xml())


@pytest.mark.parametrize("name", bundled_worlds())
def test_the_body_comes_first_and_keeps_its_numbers(name: str) -> None:
    model = compiled(load_world(name))
    assert [model.body(i + 1).name for i in range(len(BODY.segments))] == list(BODY.segment_names)
    assert model.joint(0).name == "root"
    assert [model.joint(i + 1).name for i in range(len(BODY.axes))] == [axis.name for axis in BODY.axes]
    assert model.geom("ground").type[0] == mujoco.mjtGeom.mjGEOM_PLANE


@pytest.mark.parametrize("name", bundled_worlds())
def test_nothing_in_a_world_is_dishonest(name: str) -> None:
    model = compiled(load_world(name), actuation="servo")
    free = [j for j in range(model.njnt) if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_FREE]
    for joint in free:
        dofs = slice(model.jnt_dofadr[joint], model.jnt_dofadr[joint] + 6)
        for values in (model.dof_damping, model.dof_armature, model.dof_frictionloss):
            assert not np.any(values[dofs])
    assert model.neq == 0
    assert not np.any(model.body_gravcomp)
    np.testing.assert_array_equal(model.opt.gravity, [0, 0, -9.81])


@pytest.mark.parametrize("name", bundled_worlds())
@pytest.mark.parametrize("who", ["adult", "human50", "robot35"])
def test_other_bodies_fit_or_are_told_why(name: str, who: str) -> None:
    world, body = load_world(name), load_body(who)
    named = {entry.segment for entry in (*world.pushes, *world.attachments)}
    if named <= set(body.segment_names):
        assert compiled(world, body).nbody > len(body.segments)
    else:
        with pytest.raises(WorldError, match=f"expected a segment of body '{body.name}': "):
            compiled(world, body)


def test_world_geoms_decide_contacts() -> None:
    world = World(ground=Ground(friction=0.1), parts=(Mat(softness=0.5), Stairs(friction=0.7)))
    model = compiled(world)
    assert model.geom("ground").priority[0] == 1
    assert model.geom("ground").friction[0] == pytest.approx(0.1)
    assert model.geom("mat_1").friction[0] == pytest.approx(0.1), "inherited"
    assert model.geom("mat_1").solref[0] == pytest.approx(Surface(softness=0.5).time_constant, rel=1e-5)
    assert model.geom("stairs_1_step_5").friction[0] == pytest.approx(0.7)
    assert model.geom("stairs_1_step_5").solref[0] == pytest.approx(0.02)


def test_attachments_miss_the_body_and_meet_the_world() -> None:
    big = Load(name="pack", segment="thorax", mass=5.0, size=(3.0, 3.0, 3.0))
    model = compiled(World(attachments=(big,)))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    pairs = [{model.geom(g).name for g in c.geom} for c in data.contact if model.geom("pack").id in c.geom]
    assert pairs, "a cube of three metres reaches the ground"
    assert all(pair == {"pack", "ground"} for pair in pairs)


def test_skis_lie_under_the_sole_and_slide_by_their_own_friction() -> None:
    model = compiled(World(attachments=(Ski(name="ski", segment="foot_left", friction=0.02),)))
    data = mujoco.MjData(model)
    data.qpos[2] += 0.02
    mujoco.mj_kinematics(model, data)
    bottom = data.geom_xpos[model.geom("ski").id][2] - 0.01
    assert bottom == pytest.approx(0.0, abs=0.002)
    assert model.geom("ski").priority[0] == 2
    data.qpos[2] -= 0.005
    mujoco.mj_forward(model, data)
    skis = [c for c in data.contact if model.geom("ski").id in c.geom]
    assert skis
    assert all(c.friction[0] == pytest.approx(0.02) for c in skis)


def test_a_name_taken_by_the_body_is_refused() -> None:
    with pytest.raises(WorldError, match=r'\[\[mat\]\] "pelvis": the name is taken'):
        compiled(World(parts=(Mat(name="pelvis"),)))


def test_an_attachment_to_a_missing_segment_lists_those_there_are() -> None:
    with pytest.raises(WorldError, match=r"segment = 'tail', expected a segment of body.*hand_left"):
        compiled(World(attachments=(Load(segment="tail", mass=1.0),)))


def test_the_same_seed_gives_the_same_stones() -> None:
    a, b, c = (pebble_places(Pebbles(seed=s)) for s in (4, 4, 5))
    np.testing.assert_array_equal(a[0], b[0])
    np.testing.assert_array_equal(a[1], b[1])
    assert not np.array_equal(a[0], c[0])
    first = compiled(World(parts=(Pebbles(seed=4),)))
    second = compiled(World(parts=(Pebbles(seed=4),)))
    np.testing.assert_array_equal(first.geom_pos, second.geom_pos)
    np.testing.assert_array_equal(first.geom_size, second.geom_size)


def test_stones_stay_in_their_area_and_out_of_the_clear_circle() -> None:
    part = Pebbles(at=(1.0, 0.5), size=(4.0, 2.0), count=1000, radius=(0.01, 0.03), clear=0.8, seed=1)
    places, radii = pebble_places(part)
    assert places.shape == (1000, 2)
    assert np.all(np.abs(places - [1.0, 0.5]) <= [2.0001, 1.0001])
    assert np.hypot(*places.T).min() > 0.7999
    assert radii.min() >= 0.01
    assert radii.max() <= 0.03
    assert np.ptp(radii) > 0.018


def test_stones_known_by_value() -> None:
    """The stream of a seed is part of the format: a take made elsewhere must meet the same stones."""
    places, radii = pebble_places(Pebbles(count=2, seed=0))
    np.testing.assert_allclose(places, [[0.8218, -0.3453], [-2.7542, -0.7252]])
    np.testing.assert_allclose(radii, [0.0263, 0.0283])


def test_bumps_by_seed_meet_the_ground_at_their_edge() -> None:
    heights = bump_heights(Bumps(size=(6.0, 3.0), spacing=0.5, height=0.08, seed=9))
    assert heights.shape == (6 * 3 + 1, 12 * 3 + 1)
    np.testing.assert_array_equal(heights, bump_heights(Bumps(size=(6.0, 3.0), spacing=0.5, height=0.08, seed=9)))
    for edge in (heights[0], heights[-1], heights[:, 0], heights[:, -1]):
        assert not np.any(edge)
    assert 0.07 < heights.max() <= 0.08
    assert heights.min() == 0.0
