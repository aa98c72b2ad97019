"""Clips refuse what no motion has, and chain joint poses into the world."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.errors import InputError
from reenact.geometry import rotation
from reenact.motion.clip import MarkerClip, Skeleton, SkeletonClip, Table


def arm(**changes: object) -> Skeleton:
    values: dict[str, object] = {
        "names": ("shoulder", "elbow", "wrist"),
        "parents": (-1, 0, 1),
        "offsets": np.array([[0.0, 0, 1.4], [0, 0, -0.3], [0, 0, -0.25]]),
        "ends": (False, False, True),
    }
    return Skeleton(**(values | changes))  # type: ignore[arg-type]


def swing(frames: int = 4, rate: float = 30.0) -> SkeletonClip:
    skeleton = arm()
    turn = np.tile(rotation.IDENTITY, (frames, 3, 1))
    turn[:, 0] = rotation.from_axis_angle([0.0, 1.0, 0.0], np.linspace(0, -np.pi / 2, frames))
    return SkeletonClip(
        name="swing", rate=rate, skeleton=skeleton, translation=np.tile(skeleton.offsets, (frames, 1, 1)), rotation=turn
    )


def test_world_positions_follow_the_chain() -> None:
    position, orientation = swing().world()
    np.testing.assert_allclose(position[0, 2], [0, 0, 0.85], atol=1e-12)
    np.testing.assert_allclose(position[-1, 2], [0.55, 0, 1.4], atol=1e-12)  # raised forward by a quarter turn
    np.testing.assert_allclose(orientation[-1, 2], orientation[-1, 0], atol=1e-12)


def test_time_and_cut() -> None:
    clip = swing(frames=31)
    assert clip.duration == pytest.approx(1.0)
    assert clip.cut(10, 20).frames == 10
    np.testing.assert_array_equal(clip.cut(10, 20).rotation, clip.rotation[10:20])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"names": ("a", "a", "b")}, "repeated: a"),
        ({"parents": (-1, 2, 1)}, "'elbow' must stand after its parent"),
        ({"parents": (-1, 0)}, "needs 3 parents"),
        ({"offsets": np.full((3, 3), np.nan)}, "finite"),
    ],
)
def test_bad_skeletons_are_named(changes: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        arm(**changes)


def test_unknown_joint_lists_what_exists() -> None:
    with pytest.raises(InputError, match="no joint 'knee'; there are: shoulder, elbow, wrist"):
        arm().index("knee")


@pytest.mark.parametrize(("rate", "words"), [(0.0, "0 frames per second"), (np.nan, "nan frames per second")])
def test_rates_must_be_possible(rate: float, words: str) -> None:
    with pytest.raises(InputError, match=words):
        swing(rate=rate)


def test_markers_may_be_missing_but_not_infinite() -> None:
    seen = np.zeros((5, 2, 3))
    seen[2, 1] = np.nan
    clip = MarkerClip(name="m", rate=100.0, names=("A", "B"), position=seen)
    assert clip.frames == 5
    with pytest.raises(InputError, match="infinite"):
        MarkerClip(name="m", rate=100.0, names=("A", "B"), position=np.full((5, 2, 3), np.inf))
    with pytest.raises(InputError, match="no frames"):
        MarkerClip(name="m", rate=100.0, names=("A", "B"), position=np.zeros((0, 2, 3)))


def test_table_columns_by_name() -> None:
    table = Table(name="t", time=np.array([0.0, 0.1]), columns=("fx", "fy"), values=np.array([[1.0, 2], [3, 4]]))
    np.testing.assert_array_equal(table.column("fy"), [2, 4])
    with pytest.raises(InputError, match="no column 'fz'; there are: fx, fy"):
        table.column("fz")
