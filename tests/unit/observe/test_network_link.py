"""People found in single frames become tracks, and a hint or size chooses one."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.errors import InputError
from reenact.observe.mask import mask_of
from reenact.observe.network.detection import Person
from reenact.observe.network.keypoints import Keypoints
from reenact.observe.network.link import chosen, tracks_of
from reenact.observe.network.region import Region
from reenact.observe.network.silhouettes import silhouettes_from
from reenact.observe.person import Hint

SIZE = 1000, 500
TIMES = [i / 25 for i in range(50)]


def somebody(x: float, side: float = 250.0, sure: float | None = None) -> Person:
    return Person(region=Region(x=x, y=250.0, side=side), score=0.9, sure=sure)


def crossing() -> list[list[Person]]:
    """A large person walks to the right, unseen for half a second; a smaller one, listed first, to the left."""
    return [
        [somebody(900 - 10 * i, 120.0), *([] if 20 <= i < 32 else [somebody(100 + 12 * i)])] for i in range(len(TIMES))
    ]


def test_two_people_who_cross_stay_two() -> None:
    small, large = tracks_of(crossing(), TIMES)
    assert {each.region.side for each in small.people} == {120.0}
    assert {each.region.side for each in large.people} == {250.0}
    assert len(large.frames) == 38


def test_the_largest_is_meant_unless_a_hint_says_otherwise() -> None:
    tracks = tracks_of(crossing(), TIMES)
    assert chosen(tracks, None, SIZE)[0] is tracks[1]
    assert chosen(tracks, Hint(x=0.9, y=0.5, time=0.0), SIZE)[0] is tracks[0]
    with pytest.raises(InputError, match=r"nobody is at --person 0\.5,0\.05 at 0 s; the network sees: 0\.\d\d,0\.50"):
        chosen(tracks, Hint(x=0.5, y=0.05, time=0.0), SIZE)


def test_a_bush_is_no_person_and_one_person_no_rival_of_themselves() -> None:
    found = [
        [somebody(100 + 4 * i, 200.0, sure=0.95), somebody(110 + 4 * i, 90.0), somebody(800.0, 400.0, sure=0.3 + i % 2)]
        for i in range(len(TIMES))
    ]
    tracks = tracks_of(found, TIMES)
    best, rivals = chosen(tracks, None, SIZE)
    assert best is tracks[0]
    assert rivals == []
    assert chosen(tracks[2:], None, SIZE)[0] is tracks[2]  # better than nobody
    other = tracks_of([[somebody(100.0), somebody(700.0)] for _ in TIMES], TIMES)
    assert chosen(other, None, SIZE)[1] == [other[1]]


def test_nobody_is_said() -> None:
    with pytest.raises(InputError, match="sees nobody"):
        chosen(tracks_of([[] for _ in TIMES], TIMES), None, SIZE)


def keypoints(scores: list[float]) -> Keypoints:
    frames = len(scores)
    bits = np.zeros((60, 80), bool)
    bits[10:50, 30:50] = True
    bits[2, 2] = True  # a speck
    masks = tuple(mask_of(bits if score else np.zeros_like(bits)) for score in scores)
    return Keypoints(
        name="walk.mp4",
        video_size=(80, 60),
        time=np.arange(frames) / 25.0,
        points=np.zeros((frames, 33, 2)),
        visibility=np.ones((frames, 33)),
        presence=np.ones((frames, 33)),
        world=np.zeros((frames, 33, 3)),
        masks=masks,
        score=np.array(scores),
    )


def test_masks_become_silhouettes_of_the_networks_score() -> None:
    found = silhouettes_from(keypoints([0.0, 0.9, 1.0, 0.6]))
    assert found.quality == pytest.approx([0.0, 0.9, 1.0, 0.6])
    assert found.doubts == (("absent",), (), (), ())
    assert [mask.area for mask in found.masks] == [0, 800, 800, 800]
    assert found.masks[1].box == (30, 10, 50, 50)


def test_keypoints_are_checked_and_named() -> None:
    good = keypoints([1.0, 0.4])
    assert list(good.seen) == [True, False]
    assert good.of("heel_left").shape == (2, 2)
    with pytest.raises(InputError, match="no landmark 'tail'; there are nose, "):
        good.of("tail")
    with pytest.raises(InputError, match=r"points of shape .*expected \(2, 33, 2\)"):
        Keypoints(**{name: getattr(good, name) for name in Keypoints.__slots__} | {"points": np.zeros((2, 17, 2))})
