"""Things thrown and rolled: they wait, are launched by a declared force, and arrive."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest
from block_in_world import block, model_of, run_with_forces

from reenact.world.external import declared_pushes, external_forces, force_table
from reenact.world.parts import Ground, Platform
from reenact.world.things import Rolled, Thrown, flight_time
from reenact.world.world import World

AWAY = np.array([50.0, 50.0, 0.0])  # the block stands far from the path


def paths(world: World, seconds: float, timestep: float = 1 / 120) -> dict[str, np.ndarray]:
    """Positions of each thing after every step, (steps, 3), with the block out of the way."""
    body = block()
    model = model_of(world, body.with_rest_height(0.1), timestep)
    model.qpos0[:3] += AWAY
    copies = run_with_forces(world, model, body, seconds)
    return {t.name: positions(model, copies, t.name) for t in world.things}


def positions(model: mujoco.MjModel, copies: list[mujoco.MjData], name: str) -> np.ndarray:
    first = model.jnt_qposadr[model.joint(name).id]
    return np.array([c.qpos[first : first + 3] for c in copies])


def miss(path: np.ndarray, target: np.ndarray) -> float:
    """Least distance from a polyline to a point [m]."""
    a, b = path[:-1], path[1:]
    along = np.clip(np.sum((target - a) * (b - a), -1) / np.maximum(np.sum((b - a) ** 2, -1), 1e-18), 0, 1)
    return float(np.linalg.norm(a + along[:, None] * (b - a) - target, axis=-1).min())


@pytest.mark.parametrize("timestep", [1 / 120, 1 / 240, 0.002])
@pytest.mark.parametrize(
    ("origin", "target", "flight"),
    [
        ((4.0, 0.0, 1.0), (0.0, 0.0, 1.3), 0.5),
        ((-3.0, 2.0, 0.6), (0.1, -0.2, 1.5), 0.4),
        ((0.0, 5.0, 1.5), (0.0, 0.0, 1.0), 0.6),
        ((0.0, -8.0, 0.12), (0.0, 0.0, 2.0), 1.2),
    ],
)
def test_a_thrown_ball_passes_through_its_target(
    timestep: float, origin: tuple[float, float, float], target: tuple[float, float, float], flight: float
) -> None:
    ball = Thrown(name="ball", origin=origin, target=target, flight=flight, start=0.5)
    path = paths(World(things=(ball,)), 0.5 + 0.1 + flight + 0.1, timestep)["ball"]
    assert miss(path, np.array(target)) < 0.005
    waiting = path[: round(0.5 / timestep) - 1]
    assert np.abs(waiting - np.array(origin)).max() < 0.002, "it must wait on its tee"


def test_a_thrown_box_arrives_too_and_on_time() -> None:
    box = Thrown(
        name="box",
        shape="box",
        mass=3.0,
        size=(0.3, 0.2, 0.1),
        origin=(3.0, 0.0, 0.8),
        target=(0.0, 0.0, 1.2),
        start=0.3,
    )
    path = paths(World(things=(box,)), 1.2)["box"]
    arrival = round((0.3 + 0.1 + 0.5) * 120) - 1
    np.testing.assert_allclose(path[arrival], box.target, atol=0.01)


def test_a_throw_by_speed_leaves_at_that_speed() -> None:
    ball = Thrown(name="ball", origin=(5.0, 0.0, 1.2), target=(0.0, 0.0, 1.4), speed=11.0, start=0.25)
    path = paths(World(things=(ball,)), 1.2)["ball"]
    speeds = np.linalg.norm(np.diff(path, axis=0), axis=-1) * 120
    released = round((0.25 + 0.1) * 120) - 2  # differences lag by one
    assert speeds[released] == pytest.approx(11.0, rel=0.02)
    assert miss(path, np.array(ball.target)) < 0.005
    assert flight_time(ball) < 0.6, "the flatter of the two ways"


@pytest.mark.parametrize("friction", [1.0, 0.02])
@pytest.mark.parametrize("shape", ["ball", "barrel"])
def test_a_rolled_thing_rolls_without_slipping(friction: float, shape: str) -> None:
    thing = Rolled(
        name="thing", shape=shape, mass=4.0, radius=0.15, origin=(3.0, 1.0), target=(0.0, -1.0), speed=2.5, start=0.5
    )
    world = World(ground=Ground(friction=friction), things=(thing,))
    body = block()
    model = model_of(world, body)
    model.qpos0[:3] += AWAY
    copies = run_with_forces(world, model, body, 2.5)
    at = model.body("thing").id
    path = positions(model, copies, "thing")
    assert np.abs(path[:58] - path[0]).max() < 1e-3, "it must wait"
    last = copies[-1]
    dof = model.jnt_dofadr[model.joint("thing").id]
    velocity = last.qvel[dof : dof + 3]
    spin = last.xmat[at].reshape(3, 3) @ last.qvel[dof + 3 : dof + 6]
    way = np.array([-3.0, -2.0, 0.0]) / math.hypot(3.0, 2.0)
    assert velocity @ way == pytest.approx(2.5, rel=0.02)
    assert np.linalg.norm(spin) * 0.15 == pytest.approx(2.5, rel=0.02)
    assert miss(path[:, :2], np.array([0.0, -1.0])) < 0.03


def test_a_ball_rolls_off_a_platform() -> None:
    ball = Rolled(name="ball", origin=(1.0, 0.0), target=(5.0, 0.0), speed=2.0, start=0.2)
    path = paths(World(parts=(Platform(at=(0.0, 0.0), height=0.5),), things=(ball,)), 1.6)["ball"]
    assert path[0, 2] == pytest.approx(0.61, abs=1e-3)
    assert path[-1, 2] < 0.2


def test_a_thrown_ball_hits_the_body_and_gives_it_its_momentum() -> None:
    ball = Thrown(name="ball", mass=2.0, origin=(3.0, 0.0, 0.3), target=(0.0, 0.0, 0.3), flight=0.4, start=0.1)
    body = block(mass=8.0, half=(0.2, 0.2, 0.3))
    world = World(ground=Ground(friction=0.0), things=(ball,))
    copies = run_with_forces(world, model_of(world, body), body, 0.75)
    before = min(c.qvel[6] for c in copies)
    assert before < -6.0
    end = copies[-1]
    assert 8.0 * end.qvel[0] + 2.0 * end.qvel[6] == pytest.approx(2.0 * before, rel=0.05)
    assert end.qvel[0] < -0.5


def test_every_external_force_is_declared() -> None:
    ball = Thrown(name="ball", origin=(4.0, 0.0, 1.0), target=(0.0, 0.0, 1.3))
    world = World(things=(ball,))
    (declared,) = declared_pushes(world)
    (force,) = external_forces(world, block(), 1 / 120, 240).forces
    assert declared["force"] == pytest.approx(force.force)
    assert (declared["start"], declared["duration"]) == (force.first / 120, (force.last - force.first) / 120)


def test_only_things_are_touched_by_launches() -> None:
    ball = Thrown(name="ball", origin=(4.0, 0.0, 1.0), target=(0.0, 0.0, 1.3))
    world, body = World(things=(ball,)), block()
    model = model_of(world, body)
    ids = {model.body(i).name: i for i in range(model.nbody)}
    table = force_table(external_forces(world, body, 1 / 120, 240), ids, model.nbody)
    assert np.flatnonzero(np.any(table, axis=(0, 2))).tolist() == [ids["ball"]]


def test_free_joints_carry_nothing_that_an_audit_refuses() -> None:
    ball = Thrown(name="ball", origin=(4.0, 0.0, 1.0), target=(0.0, 0.0, 1.3))
    model = model_of(World(things=(ball,), parts=(Platform(),)))
    for joint in range(model.njnt):
        assert model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE
    for values in (model.dof_damping, model.dof_armature, model.dof_frictionloss, model.body_gravcomp):
        assert not np.any(values)
    assert model.neq == 0
