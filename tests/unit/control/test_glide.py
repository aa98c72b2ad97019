"""Slopes without hold: a recorded motion goes down with them, as a simulated body does."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from made_motion import made_motion
from reenact.body.adult import adult
from reenact.body.mjcf import bare_model
from reenact.control.follow import follow
from reenact.control.glide import glide_of, levelled
from reenact.control.over_ground import Staged, floor_of
from reenact.control.place import staged
from reenact.estimate.states.new_worlds import flight_of
from reenact.motion.motion import Motion
from reenact.physics.model import compile_model
from reenact.world.load import load_world
from reenact.world.parts import Ground
from reenact.world.plane import plane_height
from reenact.world.world import World

SLOPE = load_world("ski_slope")


def hopping(seconds: float = 0.6) -> Motion:
    """The adult stands, and is 10 cm up in the air from 0.2 to 0.4 s."""
    body, rate = adult(), 120.0
    time = np.arange(round(seconds * rate) + 1) / rate
    qpos = np.tile(bare_model(body).qpos0, (len(time), 1))
    qpos[(time > 0.2) & (time < 0.4), 2] += 0.1
    return made_motion("hop", body, qpos, (), rate)


def standing(seconds: float) -> Motion:
    motion = hopping(seconds)
    motion.qpos[:, 2] = motion.qpos[0, 2]
    return motion


@pytest.fixture(scope="module")
def there() -> Staged:
    return staged(hopping(), compile_model(adult(), SLOPE))


@pytest.mark.parametrize(
    "world",
    [
        World(),
        load_world("ice"),
        replace(SLOPE, ground=replace(SLOPE.ground, slope_deg=0.0)),
        World(ground=Ground(slope_deg=10.0, friction=1.0)),
    ],
)
def test_ground_that_is_level_or_holds_carries_nobody(world: World) -> None:
    assert glide_of(compile_model(adult(), world)) is None


def test_a_slope_without_friction_carries_with_what_gravity_has_along_it() -> None:
    glide = glide_of(compile_model(adult(), SLOPE))
    assert glide is not None
    slope, friction = math.radians(10.0), 0.0005
    size = 9.81 * (math.sin(slope) - friction * math.cos(slope))
    np.testing.assert_allclose(glide.acceleration, [size * math.cos(slope), 0.0, -size * math.sin(slope)], atol=1e-9)
    up = glide.carried(bare_model(adult()).qpos0, 0.0)[:3]
    assert up[0] / up[2] == pytest.approx(math.tan(slope)), "it leans with the slope"


def test_what_is_under_the_feet_decides_not_what_they_would_stand_on() -> None:
    waxed = replace(SLOPE, ground=replace(SLOPE.ground, friction=1.0))
    glide = glide_of(compile_model(adult(), waxed))
    assert glide is not None, "skis have a friction of their own"
    barefoot = replace(waxed, attachments=())
    assert glide_of(compile_model(adult(), barefoot)) is None


def test_levelled_it_is_what_it_was(there: Staged) -> None:
    motion, back = hopping(), levelled(there)
    np.testing.assert_allclose(back.qpos, motion.qpos, atol=1e-9)
    np.testing.assert_allclose(back.joints, motion.joints, atol=1e-9)
    assert (back.moved == 0.0).all()
    again = staged(back, compile_model(adult(), SLOPE))
    np.testing.assert_allclose(again.qpos, there.qpos, atol=1e-9)


def test_its_floor_is_the_slope_and_it_flies_as_long_as_recorded(there: Staged) -> None:
    lift = there.moved[0, 2]
    x, y = (there.qpos[:, :3] - [0.0, 0.0, lift])[0, :2]
    assert 0.0 <= lift < 0.05
    level = levelled(there).qpos[:, :3] * [1.0, 1.0, 0.0]
    assert floor_of(there)[0] == pytest.approx(lift + plane_height(SLOPE.ground, *level[0, :2]), abs=1e-6)
    assert x > 0.1 > abs(y)
    assert flight_of(there) == pytest.approx(flight_of(hopping()), abs=0.02)


def test_a_body_that_holds_its_pose_glides_as_the_motion_does() -> None:
    motion = standing(0.8)
    take = follow(motion, SLOPE)
    reference = staged(motion, compile_model(adult(), SLOPE))
    off = np.linalg.norm(take.motion["qpos"][-1, :3] - reference.qpos[-1, :3])
    gone = np.linalg.norm(reference.qpos[-1, :3] - reference.qpos[0, :3])
    assert gone > 0.5
    assert off < 0.04, "nothing but the slope and its own stiffness has moved it"
    assert (take.reference["turned"][1:] != 0.0).any()
