"""From masks at the times that a video has to masks at even times, and which part of them can be used."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from clicked_walk import CAMERA
from reenact.errors import InputError
from reenact.estimate.video.sighting import choose_frames, mean_times, sighting_of, trimmed
from reenact.estimate.video.usable import doubted_frames, trusted_spans, usable_span
from reenact.observe.mask import empty_mask, mask_of
from reenact.observe.silhouettes import Silhouettes

SMALL = CAMERA.resized(64, 36)


def _silhouettes(quality: list[float], doubts: list[tuple[str, ...]] | None = None, rate: float = 30.0) -> Silhouettes:
    count = len(quality)
    block = np.zeros((36, 64), bool)
    block[10:30, 20:30] = True
    masks = tuple(mask_of(np.roll(block, i, axis=1)) if q > 0 else empty_mask((36, 64)) for i, q in enumerate(quality))
    return Silhouettes(
        name="walk.mp4",
        video_size=(64, 36),
        time=1.0 + np.arange(count) / rate,
        masks=masks,
        quality=np.array(quality),
        doubts=tuple(doubts or [() for _ in quality]),
    )


def test_even_frames_are_taken_as_they_are() -> None:
    times = 0.5 + np.arange(31) / 29.97
    choice = choose_frames([times], 0.5, 1.5)
    assert choice.rate == pytest.approx(29.97)
    assert choice.frames[0].tolist() == list(range(30))
    assert "every frame" in choice.words
    rounded = choose_frames([np.round(times, 3)], 0.5, 1.5)
    assert rounded.rate == pytest.approx(29.97, rel=1e-3), "times in whole milliseconds are even, and none is lost"
    assert rounded.frames[0].tolist() == list(range(30))


@pytest.mark.parametrize(("rate", "every"), [(60.0, 2), (120.0, 4), (50.0, 2), (25.0, 1), (24.0, 1), (240.0, 8)])
def test_fast_videos_are_thinned_out(rate: float, every: int) -> None:
    times = np.arange(int(rate) + 1) / rate
    choice = choose_frames([times], 0.0, 1.0)
    assert choice.rate == pytest.approx(rate / every)
    assert np.array_equal(choice.frames[0], np.arange(0, len(times), every))


def test_uneven_frames_keep_their_own_times() -> None:
    rng = np.random.default_rng(2)
    times = np.sort(np.arange(40) / 30.0 + rng.uniform(-0.008, 0.008, 40))
    times = np.delete(times, [17, 18])
    choice = choose_frames([times], 0.0, 2.0)
    chosen = choice.frames[0]
    assert "unevenly" in choice.words
    assert "none" in choice.words
    there = chosen >= 0
    assert np.count_nonzero(~there) == 2
    assert np.abs(times[chosen[there]] - choice.moments[there]).max() <= 0.5 / 29.0
    assert (np.diff(chosen[there]) > 0).all(), "no frame is used twice"
    seen = sighting_of(_with_times(times), chosen, choice.moments, SMALL, Path("walk.mp4"), "walk")
    assert np.array_equal(seen.times[there], times[chosen[there]])
    assert not seen.masks[~there].any()
    assert (seen.quality[~there] == 0.0).all()


def _with_times(times: np.ndarray) -> Silhouettes:
    found = _silhouettes([1.0] * len(times))
    return Silhouettes(
        name=found.name, video_size=found.video_size, time=times, masks=found.masks, quality=found.quality,
        doubts=found.doubts,
    )  # fmt: skip


def test_views_begin_where_all_have_begun() -> None:
    first, second = np.arange(60) / 30.0, 0.21 + np.arange(60) / 30.0
    choice = choose_frames([first, second], 0.0, 3.0)
    assert 0.19 < choice.moments[0] < 0.22, "within half a frame of the first of the later one"
    assert choice.moments[-1] <= first[-1] + 0.5 / 30.0
    views = [
        sighting_of(_with_times(t), f, choice.moments, SMALL, Path("a.mp4"), "a")
        for t, f in zip((first, second), choice.frames, strict=True)
    ]
    assert np.abs(mean_times(views) - choice.moments).max() < 0.01


def test_too_few_frames() -> None:
    with pytest.raises(InputError, match=r"5\.0 frames a second are too few"):
        choose_frames([np.arange(10) / 5.0], 0.0, 2.0)
    with pytest.raises(InputError, match="fewer than three frames"):
        choose_frames([np.arange(10) / 30.0], 0.0, 0.04)


def test_masks_that_cannot_be_trusted_say_nothing_to_a_track() -> None:
    found = _silhouettes([0.9, 0.3, 0.9, 0.9])
    seen = sighting_of(found, np.arange(4), found.time, SMALL, Path("walk.mp4"), "walk")
    assert [bool(m.any()) for m in seen.masks] == [True] * 4
    assert [bool(m.any()) for m in seen.seen.masks] == [True, False, True, True]


def test_the_longest_trusted_time_is_used_and_short_gaps_are_passed_over() -> None:
    found = _silhouettes([0.9] * 5 + [0.1] * 20 + [0.9] * 20 + [0.2] * 3 + [0.9] * 10)
    assert len(trusted_spans(found)) == 2
    begin, end = usable_span([found])
    assert begin == pytest.approx(1.0 + 25 / 30)
    assert end == pytest.approx(1.0 + 57 / 30)
    assert doubted_frames(found, (begin, end)) == 3
    late = _silhouettes([0.1] * 30 + [0.9] * 28)
    assert usable_span([found, late])[0] == pytest.approx(2.0)


def test_one_line_says_why_nothing_can_be_used() -> None:
    with pytest.raises(InputError, match=r"in 100% of the frames, mostly because the person reaches the border .*step"):
        usable_span([_silhouettes([0.4] * 30, [("cut",)] * 30)])
    with pytest.raises(InputError, match=r"mostly because the camera has moved .*fix the camera"):
        usable_span([_silhouettes([0.1] * 30, [("camera", "light")] * 20 + [("camera",)] * 10)])
    with pytest.raises(InputError, match=r"0\.30 s are too short"):
        usable_span([_silhouettes([1.0] * 10)])
    with pytest.raises(InputError, match="in all views together"):
        usable_span([_silhouettes([0.9] * 20 + [0.1] * 40), _silhouettes([0.1] * 40 + [0.9] * 20)])


def test_moments_begin_and_end_where_all_views_can_be_trusted() -> None:
    found = [_silhouettes([0.2, 0.9, 0.9, 0.3, 0.9, 0.9]), _silhouettes([0.9, 0.9, 0.9, 0.9, 0.9, 0.4])]
    views = [sighting_of(each, np.arange(6), each.time, SMALL, Path("a.mp4"), "a") for each in found]
    cut = trimmed(views)
    assert all(np.array_equal(each.times, found[0].time[1:5]) for each in cut)
    assert cut[0].quality.tolist() == [0.9, 0.9, 0.3, 0.9]
    with pytest.raises(InputError, match="at 0 moments"):
        trimmed(
            [views[0], sighting_of(_silhouettes([0.1] * 6), np.arange(6), found[0].time, SMALL, Path("b.mp4"), "b")]
        )
