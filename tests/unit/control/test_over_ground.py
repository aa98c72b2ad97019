"""References staged in worlds: on the line they go along, and as high as the ground under them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reenact.body.load import load_body
from reenact.control.over_ground import over_ground
from reenact.control.place import staged
from reenact.formats.bench_motions import bench_motion, bench_reference
from reenact.geometry import rotation
from reenact.motion.motion import Motion
from reenact.physics.model import compile_model
from reenact.world.load import load_world

SHIFT = np.array([3.0, -2.0, 0.0])


@pytest.fixture(scope="module")
def roll() -> Motion:
    return bench_reference(bench_motion("forward_roll_planted"), load_body("human50"))


def turned(motion: Motion, angle: float) -> Motion:
    turn = rotation.from_axis_angle(rotation.AXES["z"], angle)
    qpos = motion.qpos.copy()
    qpos[:, :3] = rotation.rotate(turn, qpos[:, :3]) + SHIFT
    qpos[:, 3:7] = rotation.multiply(turn, qpos[:, 3:7])
    return replace(motion, qpos=qpos, joints=rotation.rotate(turn, motion.joints) + SHIFT)


def test_a_roll_goes_along_x_however_it_was_recorded(roll: Motion) -> None:
    """A rolling body faces everywhere: only its path tells where it goes."""
    model = compile_model(roll.body, load_world("raise"))
    one, other = staged(roll, model), staged(turned(roll, 2.0), model)
    np.testing.assert_allclose(one.qpos[:, :3], other.qpos[:, :3], atol=1e-6)
    assert one.qpos[0, 0] == pytest.approx(0.0, abs=1e-9)
    assert one.qpos[-1, 0] > 2.0
    assert np.abs(one.qpos[:, 1]).max() < 0.1


@pytest.mark.parametrize(
    ("world", "least", "greatest"),
    [("raise", 0.099, 0.101), ("drop_50cm", -0.501, -0.499), ("drop_100cm", -1.001, -0.999), ("ramp", 0.3, 0.5)],
)
def test_a_roll_over_ground_ends_as_high_as_it(roll: Motion, world: str, least: float, greatest: float) -> None:
    place = load_world(world)
    motion = staged(roll, compile_model(roll.body, place))
    over = over_ground(motion, place)
    rise = over.qpos[:, 2] - motion.qpos[:, 2]
    assert rise[0] == 0.0
    assert np.abs(rise[: round(0.2 * roll.rate)]).max() < 0.005  # feet are still on the floor they start on
    assert least < rise[-1] < greatest
    assert np.abs(np.diff(rise)).max() * roll.rate < 6.0  # m/s: no jump
    np.testing.assert_array_equal(over.qpos[:, 3:], motion.qpos[:, 3:])
