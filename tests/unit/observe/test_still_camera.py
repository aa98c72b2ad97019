"""Whether a camera stands still, told without a learned background: slow and quick turns, somebody who walks by."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from clicked_walk import clicked_video
from reenact.errors import InputError
from reenact.formats.video import VideoFrame, open_video
from reenact.observe.scene import refuse_moving
from reenact.observe.steady import Drift
from synthetic_video import panned, walk, write_video

pytest.importorskip("av", reason="PyAV, of the extra video, is not installed")
SIZE = (320, 180)


@pytest.mark.parametrize("step", [1, 4, 16])
def test_a_camera_that_turns_is_refused_however_quick(step: int, tmp_path: Path) -> None:
    """A quick one soon shows nothing of what it showed in the middle."""
    video = open_video(write_video(tmp_path / "turns.mp4", panned(60, step, SIZE)))
    with pytest.raises(InputError, match=r"turns\.mp4: the camera moves: \d+% of the frames are shifted"):
        refuse_moving(video, begin=None, end=None)


def test_a_part_in_which_it_stands_still_is_accepted(tmp_path: Path) -> None:
    turning = panned(20, 8, SIZE)
    video = open_video(write_video(tmp_path / "both.mp4", [*turning, *[turning[-1]] * 20], rate=20))
    with pytest.raises(InputError, match="the camera moves"):
        refuse_moving(video, begin=None, end=None)
    times: list[float] = []

    def seen(frame: VideoFrame) -> None:
        times.append(frame.time)

    refuse_moving(video, begin=1.0, end=None, seen=seen)
    assert min(times) == pytest.approx(1.0)
    assert len(times) == 20


def test_somebody_who_walks_by_is_no_camera_that_moves(tmp_path: Path) -> None:
    refuse_moving(open_video(write_video(tmp_path / "walk.mp4", walk()[0])), begin=None, end=None)


def test_somebody_before_a_plain_wall_is_not_the_camera(tmp_path: Path) -> None:
    """All that is to be seen moves, but it is not spread over the picture."""
    refuse_moving(open_video(clicked_video(tmp_path)), begin=None, end=None)


def test_drift_is_summed_up_and_outlasts_a_frame_that_tells_nothing() -> None:
    drift, blank = Drift(), np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    ends = [drift.add(image) for image in panned(30, 5, SIZE)]
    assert np.array_equal(ends[0], [0.0, 0.0])
    assert ends[-1] * SIZE[0] == pytest.approx([-29 * 5.0, 0.0], abs=1.0)
    assert np.array_equal(drift.add(blank), ends[-1])
