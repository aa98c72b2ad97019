"""References staged in worlds: on the line they go along, as high as the ground, in free fall off an edge."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from swinging_motion import swinging

from reenact.body.load import load_body
from reenact.control.over_ground import Staged, falling, over_ground
from reenact.control.place import staged
from reenact.errors import InputError
from reenact.formats.bench_motions import bench_motion, bench_reference
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.contact import Contact
from reenact.motion.edit_time import slow
from reenact.motion.motion import Motion
from reenact.motion.resample import resample
from reenact.motion.support import GRAVITY, centre_of_mass
from reenact.motion.tree import tree_of
from reenact.physics.model import compile_model
from reenact.world.load import load_world
from reenact.world.toml import parse_world

SHIFT = np.array([3.0, -2.0, 0.0])


@pytest.fixture(scope="module")
def roll() -> Motion:
    return resample(bench_reference(bench_motion("roll_sample_planted"), load_body("human50")), 120.0)


def turned(motion: Motion, angle: float) -> Motion:
    turn = rotation.from_axis_angle(rotation.AXES["z"], angle)
    qpos = motion.qpos.copy()
    qpos[:, :3] = rotation.rotate(turn, qpos[:, :3]) + SHIFT
    qpos[:, 3:7] = rotation.multiply(turn, qpos[:, 3:7])
    return replace(motion, qpos=qpos, joints=rotation.rotate(turn, motion.joints) + SHIFT)


def in_world(motion: Motion, name: str) -> Staged:
    return staged(motion, compile_model(motion.body, load_world(name)))


def centre(motion: Motion) -> Array:
    return centre_of_mass(motion.body, tree_of(motion.body), motion.qpos)


def gliding(speed: float, seconds: float = 1.0) -> Motion:
    """Stands and is moved along x from the origin on."""
    motion = swinging(seconds)
    qpos = motion.qpos.copy()
    qpos[:, 0] = speed * motion.time
    return replace(motion, qpos=qpos)


def test_a_roll_goes_along_x_however_it_was_recorded(roll: Motion) -> None:
    """A rolling body faces everywhere: only its path tells where it goes.

    Rounding may have a part over the edge of the raise one frame sooner, which tells in a few frames' height.
    """
    one, other = in_world(roll, "raise"), in_world(turned(roll, 2.0), "raise")
    off = np.abs(one.qpos[:, :3] - other.qpos[:, :3])
    assert off[:, :2].max() < 1e-4
    assert off.max() < 0.005
    assert np.median(off[:, 2]) < 1e-6
    assert one.qpos[0, 0] == pytest.approx(0.0, abs=1e-9)
    assert one.qpos[-1, 0] > 2.0
    assert np.abs(one.qpos[:, 1]).max() < 0.1


@pytest.mark.parametrize(
    ("world", "least", "greatest"),
    [("raise", 0.099, 0.101), ("drop_50cm", -0.501, -0.499), ("drop_100cm", -1.001, -0.999), ("ramp", 0.3, 0.5)],
)
def test_a_roll_over_ground_ends_as_high_as_it(roll: Motion, world: str, least: float, greatest: float) -> None:
    over = in_world(roll, world)
    rise = over.moved[:, 2] - over.moved[0, 2]
    assert np.abs(rise[: round(0.2 * roll.rate)]).max() < 0.005  # feet are still on the floor they start on
    assert least < rise[-1] < greatest
    assert np.abs(np.diff(rise)).max() * roll.rate < 6.0  # m/s: no jump
    np.testing.assert_array_equal(over.qpos[:, 7:], roll.qpos[:, 7:])


def test_level_ground_changes_nothing(roll: Motion) -> None:
    over = over_ground(roll, load_world("flat"), 0.0)
    np.testing.assert_array_equal(over.qpos, roll.qpos)
    np.testing.assert_array_equal(over.joints, roll.joints)
    assert over.contacts == roll.contacts
    assert not over.moved.any()


@pytest.mark.parametrize(("world", "height"), [("drop_50cm", 0.5), ("drop_100cm", 1.0)])
def test_off_an_edge_the_centre_of_mass_falls_freely(roll: Motion, world: str, height: float) -> None:
    over = in_world(roll, world)
    floor = over.moved[:, 2]
    flight = np.flatnonzero((floor < height - 0.02) & (floor > 0.02))
    seconds = len(flight) / roll.rate
    assert 0.1 < seconds < np.sqrt(2.0 * height / GRAVITY)  # it goes down already when its last foot leaves
    path = centre(over)[flight]
    time = np.arange(len(flight)) / roll.rate
    bend, _, _ = np.polyfit(time, path[:, 2], 2)
    assert 2.0 * bend == pytest.approx(-GRAVITY, rel=0.1)
    line = np.polyfit(time, path[:, :2], 1)
    np.testing.assert_allclose(path[:, :2], np.outer(time, line[0]) + line[1], atol=0.02)


def test_it_falls_only_when_the_last_foot_has_left(roll: Motion) -> None:
    over = in_world(roll, "drop_100cm")
    last = max(c.end for c in roll.contacts if c.segment.startswith("foot") and c.start < 0.3)
    gone = np.flatnonzero(over.moved[:, 2] < 0.99)[0] / roll.rate
    assert last < gone < last + 0.2


def test_in_flight_nothing_is_touched(roll: Motion) -> None:
    over = in_world(roll, "drop_100cm")
    flying = (over.moved[:, 2] > 0.02) & (over.moved[:, 2] < 0.98)
    times = over.time[flying]
    assert any(c.start <= t <= c.end for c in roll.contacts for t in times)  # in the clip there are hands on the floor
    assert not any(c.start <= t <= c.end for c in over.contacts for t in times)


def test_a_slowed_dive_flies_farther_and_lands_in_an_earlier_pose(roll: Motion) -> None:
    slowed = slow(roll, 0.6, 0.9, 2.5)
    quick, late = in_world(roll, "drop_100cm"), in_world(slowed, "drop_100cm")

    def landing(motion: Staged) -> int:
        return int(np.flatnonzero(motion.moved[:, 2] < 0.01)[0])

    pitch = [rotation.rotate(m.qpos[landing(m), 3:7], rotation.AXES["z"])[2] for m in (quick, late)]
    assert pitch[1] > pitch[0] or late.qpos[landing(late), 2] > quick.qpos[landing(quick), 2]
    assert np.linalg.norm(late.moved[-1, :2]) > np.linalg.norm(quick.moved[-1, :2])


@pytest.mark.parametrize("name", ["slope", "skis"])
def test_on_a_slope_the_reference_climbs_with_the_ground_and_stays_upright(name: str) -> None:
    motion = gliding(1.5)
    world = load_world(name)
    over = over_ground(motion, world, 0.0)
    grade = np.tan(np.deg2rad(world.ground.slope_deg)) * (1.0 if world.ground.uphill_deg == 0.0 else -1.0)
    assert over.qpos[-1, 2] - over.qpos[0, 2] == pytest.approx(1.5 * grade, rel=0.15)
    middle = slice(20, -20)
    slope = np.diff(over.moved[middle, 2]) / np.diff(over.qpos[middle, 0])
    np.testing.assert_allclose(slope, grade, atol=0.03)
    np.testing.assert_array_equal(over.qpos[:, 3:], motion.qpos[:, 3:])
    np.testing.assert_allclose(over.qpos[:, :2], motion.qpos[:, :2], atol=0.01)


def test_feet_stand_on_a_beam_narrower_than_they_are() -> None:
    motion = gliding(0.5)
    qpos = motion.qpos.copy()
    for side in ("left", "right"):  # feet under the pelvis
        qpos[:, 7 + motion.body.axis_index(f"hip_{side}_abduction")] = -0.1
    world = parse_world(
        """name = "narrow"
        [[platform]]
        at = [-1.0, 0.0]
        length = 1.2
        height = 0.3
        [[beam]]
        at = [0.2, 0.0]
        width = 0.06
        height = 0.3"""
    )
    over = over_ground(replace(motion, qpos=qpos), world, 0.3)
    np.testing.assert_allclose(over.moved[:, 2], 0.3, atol=1e-9)


def test_small_steps_are_evened_out_and_stairs_are_climbed() -> None:
    over = in_world(gliding(1.5, 2.0), "stairs")
    rise = over.moved[:, 2]
    assert rise[-1] == pytest.approx(6 * 0.17, abs=0.02)
    assert np.diff(rise).min() > -0.002
    assert np.abs(np.diff(rise)).max() * over.rate < 2.5  # m/s


def test_falling_is_a_parabola_to_the_lower_level() -> None:
    rate = 240.0
    time = np.arange(240) / rate
    level = np.where(time < 0.25, 0.0, -0.4)
    floor = falling(level, np.full(240, 0.9), rate)
    late = np.maximum(time - time[59], 0.0)  # the last frame on the upper level
    np.testing.assert_allclose(floor, np.maximum(-0.5 * GRAVITY * late**2, -0.4), atol=1e-9)


def test_falling_takes_the_velocity_of_the_clip_along() -> None:
    """A jump off an edge: in the clip's own flight the floor stays, then the fall goes on."""
    rate = 240.0
    time = np.arange(360) / rate
    com = 0.9 + np.maximum(2.0 * time - 0.5 * GRAVITY * time**2, 0.0)  # lands at 0.41 s
    level = np.where(time < 0.1, 0.0, -0.5)
    floor = falling(level, com, rate)
    landed = 4.0 / GRAVITY
    assert np.abs(floor[time < landed - 0.01]).max() < 0.02
    down = 0.9 + 2.0 * time - 0.5 * GRAVITY * time**2
    fall = (time > landed + 0.01) & (down > 0.41)
    assert fall.sum() > 10
    np.testing.assert_allclose((com + floor)[fall], down[fall], atol=0.02)
    assert floor[-1] == -0.5


def test_contacts_that_are_cut_by_a_flight_keep_their_ends() -> None:
    motion = gliding(2.0, 1.5)
    motion = replace(motion, contacts=(Contact(segment="foot_left", start=0.0, end=1.5),))
    world = parse_world('name = "d"\n[[platform]]\nat = [-1.0, 0.0]\nlength = 1.5\nwidth = 2.0\nheight = 0.6\n')
    over = staged(motion, compile_model(motion.body, world))
    first, second = over.contacts
    assert first.start == 0.0
    assert second.end == 1.5
    assert second.start - first.end == pytest.approx(np.sqrt(2.0 * 0.6 / GRAVITY), abs=0.05)


def test_moves_that_do_not_fit_are_refused() -> None:
    over = in_world(gliding(0.1, 0.3), "flat")
    with pytest.raises(InputError, match=r"moved \(3, 3\) must be"):
        replace(over, moved=np.zeros((3, 3)))
