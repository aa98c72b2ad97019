"""The floor is found and levelled, sunken frames are lifted without a jerk, toes bend, contacts have their times."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.body.body import Body
from reenact.geometry import rotation
from reenact.motion.contact import Contact
from reenact.motion.contacts import find_contacts, touches
from reenact.motion.floor import depths, find_floor, smooth_lift
from reenact.motion.give_way import give_way
from reenact.motion.tree import Tree, tree_of

RATE = 100.0


@pytest.fixture(scope="module")
def body() -> Body:
    return adult()


@pytest.fixture(scope="module")
def tree(body: Body) -> Tree:
    return tree_of(body)


def standing(body: Body, tree: Tree, frames: int, height: float = 0.0) -> np.ndarray:
    poses = np.repeat(tree.neutral()[None], frames, axis=0)
    poses[:, 2] = body.segments[0].offset[2] + height
    return poses


def stepping(
    body: Body, tree: Tree, steps: int = 4, stride: float = 0.5, slope: float = 0.0
) -> tuple[np.ndarray, list]:
    """Walks by teleport: stands 0.5 s on the left foot, hops 0.2 s in an arc, stands on the right, …; foot times."""
    poses, contacts = [], []
    other = {"left": "right", "right": "left"}
    x, side, t = 0.0, "left", 0
    for _ in range(steps):
        rest = standing(body, tree, 50)
        for axis, angle in ((f"hip_{other[side]}_flexion", 1.0), (f"knee_{other[side]}_flexion", 1.6)):
            rest[:, 7 + body.axis_index(axis)] = angle
        rest[:, 0] = x
        contacts.append((f"foot_{side}", t / RATE, (t + 49) / RATE))
        fly = np.repeat(rest[:1], 20, axis=0)
        phase = np.linspace(0, 1, 22)[1:-1]
        fly[:, 0] += stride * phase
        fly[:, 2] += 0.4 * np.sin(np.pi * phase)
        poses += [rest, fly]
        x, side, t = x + stride, other[side], t + 70
    out = np.concatenate(poses)
    out[:, 2] += slope * out[:, 0]
    return out, contacts


def test_floor_height_is_found_under_standing_and_stepping(body: Body, tree: Tree) -> None:
    assert find_floor(body, tree, standing(body, tree, 50, height=0.3), RATE).height == pytest.approx(0.3, abs=2e-3)
    poses, _ = stepping(body, tree)
    poses[:, 2] -= 1.7
    floor = find_floor(body, tree, poses, RATE)
    assert floor.height == pytest.approx(-1.7, abs=3e-3)
    assert floor.tilt == pytest.approx(0.0, abs=2e-3)


def test_floor_is_the_lowest_of_two_levels(body: Body, tree: Tree) -> None:
    box = standing(body, tree, 80, height=0.45)
    ground = standing(body, tree, 60)
    assert find_floor(body, tree, np.concatenate([box, ground]), RATE).height == pytest.approx(0.0, abs=3e-3)


def test_a_camera_set_up_askew_is_levelled_and_a_hill_is_not(body: Body, tree: Tree) -> None:
    slope = np.tan(np.deg2rad(1.5))
    poses, _ = stepping(body, tree, steps=8, slope=slope)
    floor = find_floor(body, tree, poses, RATE)
    assert np.rad2deg(floor.tilt) == pytest.approx(1.5, abs=0.3)
    up = rotation.rotate(floor.level, rotation.normalize([-slope, 0.0, 1.0]))
    assert up[2] > np.cos(np.deg2rad(0.3))
    hill, _ = stepping(body, tree, steps=8, slope=np.tan(np.deg2rad(8.0)))
    steep = find_floor(body, tree, hill, RATE)
    np.testing.assert_array_equal(steep.level, rotation.IDENTITY)


def test_nothing_at_rest_is_said(body: Body, tree: Tree) -> None:
    poses = standing(body, tree, 40)
    poses[:, 0] = 3.0 * np.arange(40) / RATE
    assert find_floor(body, tree, poses, RATE).resting == 0


def test_depths_are_those_of_the_shapes(body: Body, tree: Tree) -> None:
    poses = standing(body, tree, 3)
    poses[:, 2] += [0.01, 0.0, -0.025]
    np.testing.assert_allclose(depths(body, tree, poses), [0.0, 0.0, 0.025], atol=1e-9)


def test_lift_covers_every_depth_smoothly_and_little_more() -> None:
    depth = np.zeros(300)
    depth[100:140] = 0.1 * np.sin(np.linspace(0, np.pi, 40))
    depth[220] = 0.03  # a single bad frame
    lift = smooth_lift(depth, RATE)
    assert (lift >= depth).all()
    assert lift.max() <= depth.max() + 1e-12
    assert (lift[:65] == 0).all()
    assert (lift[-40:] == 0).all()
    assert np.abs(np.diff(lift)).max() * RATE < 1.5  # m/s; the bare depth jumps at 3 m/s
    assert np.abs(np.diff(depth)).max() * RATE == pytest.approx(3.0)
    np.testing.assert_array_equal(smooth_lift(np.zeros(5), RATE), 0.0)


def test_toes_give_way_to_the_floor(body: Body, tree: Tree) -> None:
    poses = standing(body, tree, 40)
    poses[:, 7 + body.axis_index("toe_left_flexion")] = 0.5
    poses[20:, 7 + body.axis_index("ankle_left_flexion")] = -0.02
    assert depths(body, tree, poses).max() > 0.02
    bent = give_way(body, tree, poses, RATE)
    assert depths(body, tree, bent).max() < 0.01
    same = np.delete(np.arange(poses.shape[1]), 7 + body.axis_index("toe_left_flexion"))
    np.testing.assert_array_equal(bent[:, same], poses[:, same])
    lower, upper = tree.limits
    assert ((bent[:, 7:] >= lower) & (bent[:, 7:] <= upper)).all()


def test_toes_of_a_foot_that_is_too_low_do_not_stand_on_end(body: Body, tree: Tree) -> None:
    poses = standing(body, tree, 40)
    poses[:, 2] -= 0.008
    bent = give_way(body, tree, poses, RATE)
    toes = [7 + body.axis_index(f"toe_{side}_flexion") for side in ("left", "right")]
    assert np.abs(bent[:, toes]).max() < 0.15, "bending does not free them, the lift does"
    poses[:, toes] = 0.4
    level = give_way(body, tree, poses, RATE)
    assert np.abs(level[20, toes]).max() < 0.2, "toes that point into the floor are bent up to where they are level"


def test_hands_give_way_to_the_side_to_which_they_are_bent(body: Body, tree: Tree) -> None:
    poses = standing(body, tree, 40)
    poses[:, 3:7] = rotation.from_axis_angle([0.0, 1.0, 0.0], np.pi)  # on the hands
    wrist = 7 + body.axis_index("wrist_left_flexion")
    for side in ("left", "right"):
        poses[:, 7 + body.axis_index(f"shoulder_{side}_flexion")] = np.pi
    poses[:, wrist] = 0.3
    poses[:, 2] += depths(body, tree, poses)[0] - 0.05
    assert give_way(body, tree, poses, RATE)[20, wrist] > 0.3


def test_contacts_of_a_step_sequence(body: Body, tree: Tree) -> None:
    poses, expected = stepping(body, tree)
    found = [c for c in find_contacts(body, tree, poses, RATE) if c.segment.startswith("foot")]
    assert [c.segment for c in found] == [segment for segment, _, _ in expected]
    for contact, (_, start, end) in zip(found, expected, strict=True):
        assert contact.start == pytest.approx(start, abs=0.03)
        assert contact.end == pytest.approx(end, abs=0.03)


def test_hands_knees_and_trunk_count_too(body: Body, tree: Tree) -> None:
    poses = standing(body, tree, 30)
    poses[:, 3:7] = rotation.from_axis_angle([0.0, 1.0, 0.0], -np.pi / 2)  # on the back
    poses[:, 2] += depths(body, tree, poses)[0] - body.segments[0].offset[2]
    poses[:, 2] += depths(body, tree, poses)[0]
    touching = {c.segment for c in find_contacts(body, tree, poses, RATE)}
    assert touching & {"thorax", "abdomen", "pelvis", "head"}


def test_contact_has_hysteresis_and_no_flicker() -> None:
    height = np.full(100, 0.0)
    height[30:32] = 0.08  # a two-frame glitch
    height[60:] = 0.03  # above the touching height, below the leaving one
    height[80:] = 0.1
    state = touches(height, np.zeros(100), RATE)
    assert state[:80].all()
    assert not state[80:].any()
    assert not touches(np.zeros(100), np.full(100, 2.0), RATE).any()  # sliding fast is no contact
    blink = np.full(100, 0.2)
    blink[50:52] = 0.0
    assert not touches(blink, np.zeros(100), RATE).any()


def test_contacts_refuse_nonsense() -> None:
    from reenact.errors import InputError

    with pytest.raises(InputError, match="does not make sense"):
        Contact(segment="foot_left", start=1.0, end=0.5)


def test_wrists_bend_back_where_hands_bear_weight(body: Body, tree: Tree) -> None:
    poses = standing(body, tree, 40)
    poses[:, 3:7] = rotation.from_axis_angle([0.0, 1.0, 0.0], np.pi)  # on the hands
    for side in ("left", "right"):
        poses[:, 7 + body.axis_index(f"shoulder_{side}_flexion")] = np.pi
    poses[:, 2] += depths(body, tree, poses)[0] - 0.05
    assert depths(body, tree, poses).max() == pytest.approx(0.05, abs=1e-6)
    bent = give_way(body, tree, poses, RATE)
    assert depths(body, tree, bent).max() < 0.005
    assert bent[20, 7 + body.axis_index("wrist_left_flexion")] < -0.3
