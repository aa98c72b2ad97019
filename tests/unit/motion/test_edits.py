"""Edits of references: slowed, reversed, mirrored, set down, and walked on a line."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reenact.body.load import load_body
from reenact.errors import InputError
from reenact.formats.bench_motions import bench_motion, bench_reference
from reenact.motion.edit_floor import planted, set_down
from reenact.motion.edit_line import onto_line
from reenact.motion.edit_mirror import mirrored
from reenact.motion.edit_time import reverse, slow
from reenact.motion.kinematics import forward
from reenact.motion.lowest import lowest_by_segment
from reenact.motion.motion import Motion, qvel_of
from reenact.motion.tree import tree_of


@pytest.fixture(scope="module")
def walk() -> Motion:
    return bench_reference(bench_motion("walk"), load_body("human50"))


def test_slow_stretches_its_part_alone(walk: Motion) -> None:
    slowed = slow(walk, 1.0, 2.0, 3.0)
    assert slowed.duration == pytest.approx(walk.duration + 2.0 * 0.75, abs=1.5 / walk.rate)  # a quarter is transitions
    same = round(1.0 * walk.rate)
    np.testing.assert_allclose(slowed.qpos[:same], walk.qpos[:same], atol=1e-9)
    np.testing.assert_allclose(slowed.qpos[-1], walk.qpos[-1], atol=0.05)
    middle = slowed.time.searchsorted(1.0 + 0.5 * (slowed.duration - walk.duration + 1.0))
    speed = np.linalg.norm(qvel_of(slowed)[:, :2], axis=1)
    assert speed[middle] == pytest.approx(np.linalg.norm(qvel_of(walk)[round(1.5 * walk.rate), :2]) / 3.0, rel=0.15)
    assert np.abs(np.diff(speed)).max() < 0.25  # m/s per frame: the pace does not jump


def test_slow_takes_contacts_along(walk: Motion) -> None:
    slowed = slow(walk, 0.5, 1.5, 2.0)
    assert len(slowed.contacts) == len(walk.contacts)
    for before, after in zip(walk.contacts, slowed.contacts, strict=True):
        assert after.start >= before.start - 1e-9
        assert after.end - after.start >= before.end - before.start - 1e-9
    assert max(c.end for c in slowed.contacts) <= slowed.duration + 1.0 / slowed.rate


@pytest.mark.parametrize(("start", "end", "factor"), [(2.0, 1.0, 2.0), (0.0, 9.0, 2.0), (1.0, 2.0, 0.0)])
def test_slow_refuses(walk: Motion, start: float, end: float, factor: float) -> None:
    with pytest.raises(InputError):
        slow(walk, start, end, factor)


def test_reverse_twice_is_the_motion(walk: Motion) -> None:
    once = reverse(walk)
    np.testing.assert_allclose(qvel_of(once)[::-1][1:-1], -qvel_of(walk)[1:-1], atol=1e-9)
    twice = reverse(once)
    np.testing.assert_array_equal(twice.qpos, walk.qpos)
    assert [c.segment for c in twice.contacts] == [c.segment for c in walk.contacts]


def test_mirror_changes_sides(walk: Motion) -> None:
    image = mirrored(walk)
    position, _ = forward(tree_of(walk.body), walk.qpos)
    reflected, _ = forward(tree_of(walk.body), image.qpos)
    left, right = (walk.body.segment_names.index(f"foot_{side}") for side in ("left", "right"))
    np.testing.assert_allclose(reflected[:, left], position[:, right] * [1, -1, 1], atol=1e-9)
    np.testing.assert_allclose(mirrored(image).qpos[:, 7:], walk.qpos[:, 7:], atol=1e-12)
    assert {c.segment for c in image.contacts if c.start == 0.0} == {
        c.segment.replace("left", "x").replace("right", "left").replace("x", "right")
        for c in walk.contacts
        if c.start == 0.0
    }
    own, _ = forward(tree_of(walk.body), image.qpos)
    order = [walk.body.segment_names.index(name) for name in image.joint_names]
    np.testing.assert_allclose(image.joints, own[:, order], atol=0.05)


def test_set_down_brings_floating_frames_to_the_floor(walk: Motion) -> None:
    floating = walk.qpos.copy()
    floating[:, 2] += 0.2 + 0.1 * np.sin(walk.time)
    down = set_down(replace(walk, qpos=floating))
    low = lowest_by_segment(walk.body, tree_of(walk.body), down.qpos, walk.rate).height.min(axis=1)
    assert low.min() > -0.001
    assert low.max() < 0.03
    assert down.contacts


def test_plant_takes_sliding_out(walk: Motion) -> None:
    """A walk on the spot, as on a treadmill, goes forward again as far as it was recorded to go."""
    still = walk.qpos.copy()
    still[:, 0] = 0.0
    again = planted(replace(walk, qpos=still))
    way = walk.qpos[-1, 0] - walk.qpos[0, 0]
    assert again.qpos[-1, 0] - again.qpos[0, 0] == pytest.approx(way, rel=0.12)
    np.testing.assert_array_equal(again.qpos[:, 3:], walk.qpos[:, 3:])


def test_line_has_feet_on_it_and_the_pelvis_where_it_was(walk: Motion) -> None:
    edited = onto_line(walk)
    tree = tree_of(walk.body)
    before, after = forward(tree, walk.qpos)[0], forward(tree, edited.qpos)[0]
    np.testing.assert_allclose(after[:, 0], before[:, 0], atol=0.003)
    path = walk.qpos[:, :2]
    along = np.linalg.svd(path - path.mean(axis=0))[2][0]
    across = np.array([-along[1], along[0]])
    for side in ("left", "right"):
        foot = walk.body.segment_names.index(f"foot_{side}")
        offset = np.abs((after[:, foot, :2] - path.mean(axis=0)) @ across)
        down = np.zeros(walk.frames, bool)
        for c in walk.contacts:
            if c.segment == f"foot_{side}":
                down |= (walk.time >= c.start) & (walk.time <= c.end)
        assert down.sum() > 30
        assert offset[down].max() < 0.005
        assert offset[~down].max() > 0.1  # it swings past the other leg
        assert np.abs((before[down][:, foot, :2] - path.mean(axis=0)) @ across).max() > 0.02  # which it had to be moved
    steps = np.linalg.norm(np.diff(edited.qpos[:, 7:], axis=0), axis=1)
    assert steps.max() < 2.5 * np.linalg.norm(np.diff(walk.qpos[:, 7:], axis=0), axis=1).max()


def test_line_refuses_a_motion_that_goes_nowhere(walk: Motion) -> None:
    still = replace(walk, qpos=np.repeat(walk.qpos[:1], walk.frames, axis=0))
    with pytest.raises(InputError, match="too little for a line"):
        onto_line(still)
