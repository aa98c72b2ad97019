from __future__ import annotations

import pytest

from reenact.view.playback import Playback


def test_it_plays_round_and_round() -> None:
    playback = Playback(duration=2.0, rate=60.0)
    playback.advance(1.0)
    assert playback.time == 0.0, "paused at first"
    playback.toggle()
    playback.advance(1.5)
    assert playback.frame == 90
    playback.advance(1.0)
    assert playback.time == pytest.approx(0.5)


def test_it_begins_again_when_played_from_the_end() -> None:
    playback = Playback(duration=2.0, rate=60.0)
    playback.seek(99.0)
    assert playback.time == 2.0
    playback.toggle()
    assert playback.time == 0.0


def test_a_step_pauses_on_a_whole_frame() -> None:
    playback = Playback(duration=2.0, rate=60.0, time=0.508, playing=True)
    playback.step(1)
    assert not playback.playing
    assert playback.time == pytest.approx(31 / 60)
    playback.step(-100)
    assert playback.time == 0.0


def test_speeds_have_an_end() -> None:
    playback = Playback(duration=2.0, rate=60.0)
    for _ in range(9):
        playback.faster(1)
    assert playback.speed == 2.0
    playback.faster(-1)
    assert playback.speed == 1.0


def test_a_single_frame_can_be_played() -> None:
    playback = Playback(duration=0.0, rate=60.0)
    playback.toggle()
    playback.advance(1.0)
    assert playback.time == 0.0
