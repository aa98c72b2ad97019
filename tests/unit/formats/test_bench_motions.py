"""Rows for state machines: what their tables name is there, timed right, and what is held back stays apart."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reenact.errors import InputError
from reenact.formats.bench_motions import (
    FIGURE_6,
    FIGURE_6_BUNDLED,
    HELD,
    NAMES,
    bench_clip,
    bench_motion,
    list_bench_motions,
)  # fmt: skip
from reenact.motion.free_fall import GRAVITY, find_free_falls
from reenact.motion.rate import rate_remarks

PAPER_FRAMES = {"fast_walk": 207, "jump": 241, "twist_jump": 226}  # [V12] Figure 6, at 120 Hz, those cut to match


def test_figure_6_is_complete_and_bundled_rows_need_no_recordings() -> None:
    assert list(FIGURE_6) == ["fast_walk", "jump", "twist_jump", "spin_kick", "cartwheel", "back_handspring"]
    assert len({bench_motion(row).source for row in FIGURE_6.values()}) == len(FIGURE_6)
    for name, row in FIGURE_6_BUNDLED.items():
        assert name in FIGURE_6
        assert bench_motion(row).missing(None) == ""


def test_held_back_rows_share_no_recording_with_others() -> None:
    held = [row for row in list_bench_motions() if row.name.startswith(HELD)]
    assert len(held) == 8
    sources = [row.source for row in list_bench_motions() if not row.name.startswith(HELD)]
    assert not {row.source for row in held} & set(sources)
    assert not {row.name for row in held} & {*NAMES, *FIGURE_6.values()}


@pytest.mark.parametrize("name", [row.name for row in list_bench_motions() if row.rate is not None])
def test_rows_with_a_rate_of_their_own_fall_at_g(name: str, shared_data: Path) -> None:
    row = bench_motion(name)
    clip = bench_clip(row, shared_data)
    assert clip.rate == row.rate == 60.0
    assert row.begin is not None
    assert row.end is not None
    assert clip.duration == pytest.approx(row.end - row.begin, abs=1 / 60)
    falls = find_free_falls(clip)
    assert len(falls) > 0 or name == "back_walkover"
    for fall in falls:
        assert 0.85 < fall.acceleration / GRAVITY < 1.25


def test_no_row_has_a_wrong_rate_and_some_are_as_long_as_the_papers(shared_data: Path) -> None:
    for row in (bench_motion(name) for name in FIGURE_6.values()):
        assert rate_remarks(bench_clip(row, shared_data)) == ()
    for name, frames in PAPER_FRAMES.items():
        clip = bench_clip(bench_motion(FIGURE_6[name]), shared_data)
        assert round(clip.duration * 120) + 1 == pytest.approx(frames, abs=2)


def test_a_row_with_a_nonsense_rate_is_refused(shared_data: Path) -> None:
    with pytest.raises(InputError, match="a rate of -60 is not usable"):
        bench_clip(replace(bench_motion("twist_jump"), rate=-60.0), shared_data)


def test_a_motion_is_told_from_others_by_its_source_and_what_is_done_to_it() -> None:
    walk = bench_motion("walk")
    assert walk.identity() == replace(walk, name="other", done="told otherwise").identity()
    others = [bench_motion("run"), replace(walk, begin=0.1), replace(walk, set_down=True), replace(walk, rate=60.0)]
    assert len({walk.identity(), *(other.identity() for other in others)}) == 5
