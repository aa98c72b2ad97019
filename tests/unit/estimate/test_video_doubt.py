"""Which tracks are doubtful: of who spins, goes over, or is explained worse for a while; not of who walks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from side_walk import BODY, GRID, RATE, side_view, side_walk

from reenact.estimate.video.doubt import POOR, doubts, turning
from reenact.estimate.video.spins import QUICK
from reenact.estimate.video.track import Seen, Track
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.observe.projection import projection_of

WALK = side_walk()[:30]


def _seen(poses: Array) -> Seen:
    camera = side_view()
    return Seen(camera=camera, masks=projection_of(BODY, camera, GRID).drawn(poses), size=GRID)


SEEN = _seen(WALK)


def _track(poses: Array, mismatch: Array | None = None) -> Track:
    off = np.full(len(poses), 0.15) if mismatch is None else mismatch
    return Track(body=BODY, rate=RATE, poses=poses, mismatch=off, cost=0.0, swaps=0)


def _turned(axis: list[float], angle: float, seconds: float) -> Array:
    """The walk, turned about an axis of the world by an angle within so many seconds from 0.2 s on."""
    share = np.clip((np.arange(len(WALK)) / RATE - 0.2) / seconds, 0.0, 1.0)
    poses = WALK.copy()
    poses[:, 3:7] = rotation.multiply(rotation.from_axis_angle(np.array(axis), angle * share), poses[:, 3:7])
    return poses


def test_a_walk_is_not_doubted() -> None:
    assert turning(WALK, RATE).max() < 0.5 * QUICK
    assert doubts(_track(WALK), [SEEN]) == ()


@pytest.mark.parametrize("axis", [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
def test_who_turns_quickly_about_any_axis_is(axis: list[float]) -> None:
    quick = _turned(axis, 2.0 * np.pi, 0.7)
    assert turning(quick, RATE).max() == pytest.approx(2.0 * np.pi / 0.7, rel=0.2)
    (why,) = doubts(_track(quick), [SEEN])
    assert why.startswith("the body turns quickly for 0.")
    assert "9." in why
    assert doubts(_track(_turned(axis, 1.2, 0.7)), [SEEN]) == (), "who turns slowly is not"
    assert doubts(_track(_turned(axis, 0.8, 0.1)), [SEEN]) == (), "nor who turns a little"


def test_masks_that_are_explained_worse_for_a_while_are_a_doubt() -> None:
    off = np.full(len(WALK), 0.15)
    off[10:20] = 0.3
    (why,) = doubts(_track(WALK, off), [SEEN])
    assert why == "silhouettes differ up to 2.0 times as much as usual for 0.3 s"
    assert doubts(_track(WALK, 0.3 * off), [SEEN]) == (), "not where all fit so well that it may be clothes"
    off[12:] = 0.15
    assert doubts(_track(WALK, off), [SEEN]) == (), "nor where that is but for a moment"
    assert doubts(_track(WALK, np.full(len(WALK), 0.3)), [SEEN]) == (), "nor where no silhouette fits better"


def test_frames_without_a_mask_tell_nothing() -> None:
    off = np.full(len(WALK), 0.15)
    off[10:20] = 2.0
    masks = SEEN.masks.copy()
    masks[10:20] = 0
    assert doubts(_track(WALK, off), [SEEN]) != ()
    assert doubts(_track(WALK, off), [replace(SEEN, masks=masks)]) == ()
    assert doubts(_track(WALK, off), [SEEN, replace(SEEN, masks=masks)]) == (), "nor where one of two views has none"


def test_a_track_that_is_lost_as_a_whole_is_doubted() -> None:
    (why,) = doubts(_track(WALK, np.full(len(WALK), POOR + 0.1)), [SEEN])
    assert why == "silhouettes differ by 0.70 on average"
