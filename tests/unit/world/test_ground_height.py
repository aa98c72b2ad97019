"""The analytic height of the ground against MuJoCo's own ray casting, for every kind of part, flat and sloping."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from reenact.body.load import load_body
from reenact.body.mjcf import add_body
from reenact.world.ground import ground_height
from reenact.world.load import bundled_worlds, load_world
from reenact.world.mjcf import add_world
from reenact.world.parts import (
    Beam,
    Box,
    Bumps,
    Ground,
    HeightField,
    Mat,
    Part,
    Pebbles,
    Platform,
    Ramp,
    Stairs,
    Trampoline,
)
from reenact.world.things import Thrown
from reenact.world.world import World

PARTS: list[Part] = [
    Stairs(at=(0.5, -0.3), direction_deg=30.0, count=4, width=1.5),
    Ramp(at=(-1.0, 0.0), direction_deg=-50.0, length=2.0, rise=0.7, width=1.1),
    Beam(at=(-2.0, 1.0), direction_deg=-20.0, width=0.3),
    Platform(at=(0.2, 0.1), direction_deg=200.0, height=0.4),
    Box(at=(0.4, -0.2), size=(1.0, 0.7, 0.5), yaw_deg=25.0),
    Box(at=(0.4, -0.2), size=(1.0, 0.7, 0.5), yaw_deg=25.0, mass=5.0),
    Mat(at=(0.3, 0.2), yaw_deg=15.0),
    Bumps(at=(0.3, -0.1), size=(3.0, 2.4), height=0.2, spacing=0.4, seed=5),
    HeightField(
        at=(0.1, 0.2), size=(3.0, 2.0), heights=((0.0, 0.1, 0.3), (0.2, 0.5, 0.0), (0.1, 0.0, 0.4), (0.3, 0.3, 0.1))
    ),
    Pebbles(size=(3.0, 3.0), count=200, radius=(0.05, 0.2), seed=2),
    Trampoline(size=(2.0, 1.5)),
]


def rays_down(world: World, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Heights where vertical rays from above first meet anything but the body and thrown things."""
    body = load_body("adult")
    spec = mujoco.MjSpec()
    add_body(spec, body, actuation="none")
    add_world(spec, world, body)
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qpos[:3] = [200.0, 200.0, 300.0]
    for thing in world.things:
        data.qpos[model.jnt_qposadr[model.joint(thing.name).id]] = 200.0
    mujoco.mj_kinematics(model, data)
    geom, down, top = np.zeros(1, np.int32), np.array([0.0, 0.0, -1.0]), 50.0
    return np.array(
        [
            top - mujoco.mj_ray(model, data, np.array([px, py, top]), down, None, 1, -1, geom)
            for px, py in zip(x, y, strict=True)
        ]
    )


def points(seed: int, count: int = 400) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.uniform(-2.5, 2.5, count), rng.uniform(-2.5, 2.5, count)


@pytest.mark.parametrize("ground", [Ground(), Ground(slope_deg=8.0, uphill_deg=35.0)], ids=["flat", "slope"])
@pytest.mark.parametrize("part", PARTS, ids=lambda part: type(part).__name__)
def test_height_is_where_a_ray_lands(part: Part, ground: Ground) -> None:
    world = World(ground=ground, parts=(part,))
    x, y = points(1)
    height = ground_height(world, x, y)
    np.testing.assert_allclose(height, rays_down(world, x, y), atol=2e-6)
    bare = ground_height(World(ground=ground), x, y)
    assert (height > bare + 1e-6).sum() >= 3, "the points must meet the part"


def test_parts_combine_to_the_highest() -> None:
    world = World(ground=Ground(slope_deg=4.0, uphill_deg=120.0), parts=tuple(PARTS))
    x, y = points(2)
    np.testing.assert_allclose(ground_height(world, x, y), rays_down(world, x, y), atol=2e-6)


@pytest.mark.parametrize("name", bundled_worlds())
def test_bundled_worlds(name: str) -> None:
    world = load_world(name)
    x, y = points(3, 200)
    np.testing.assert_allclose(ground_height(world, x + 1.0, y), rays_down(world, x + 1.0, y), atol=2e-6)


def test_tees_stand_where_they_say() -> None:
    world = World(things=(Thrown(name="ball", origin=(2.0, 0.0, 1.0), target=(0.0, 0.0, 1.0), radius=0.1),))
    assert ground_height(world, 2.0, 0.0) == pytest.approx(0.9)
    assert ground_height(world, 2.04, 0.0) == 0.0


def test_shapes_broadcast() -> None:
    world = load_world("stairs")
    assert ground_height(world, 1.1, 0.0).shape == ()
    assert ground_height(world, np.zeros((3, 1)), np.zeros((1, 4))).shape == (3, 4)
