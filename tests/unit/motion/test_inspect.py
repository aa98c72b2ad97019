"""Problems that an inspection must find, and a sound clip in which it must find none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reenact.formats.read import read_clip
from reenact.formats.samples import find_clip
from reenact.motion.clip import MarkerClip, Table
from reenact.motion.inspect import inspect_clip


@pytest.fixture(scope="module")
def walk():
    return read_clip(find_clip("walk"))


def markers(walk):
    position = walk.world()[0]
    names = tuple("head" if name == "neck_end" else name for name in walk.skeleton.names)
    return MarkerClip(name="m", rate=walk.rate, names=names, position=position)


def problems(clip):
    return " | ".join(inspect_clip(clip).problems)


def test_facts_of_a_sound_clip(walk):
    found = inspect_clip(walk)
    assert (found.name, found.kind, found.rate, found.frames) == ("walk", "skeleton", 30.0, 115)
    assert found.seconds == pytest.approx(3.8)
    assert len(found.joints) == 15
    assert not any("end" in name for name in found.joints)
    assert found.stature == pytest.approx(1.62, abs=0.05)
    assert found.units.startswith("1 m (guessed")
    assert found.up.startswith("y (guessed")
    assert found.problems == ()


def test_wrong_unit_shows_in_the_stature(walk):
    small = replace(
        walk,
        skeleton=replace(walk.skeleton, offsets=walk.skeleton.offsets * 0.1),
        translation=walk.translation * 0.1,
    )
    assert "0.16 m is implausible" in problems(small)


def test_jump_of_the_whole_body(walk):
    translation = walk.translation.copy()
    translation[50:, 0, 0] += 3
    assert "jumps at 1 frames: 50" in problems(replace(walk, translation=translation))


def test_floor_elsewhere(walk):
    translation = walk.translation.copy()
    translation[:, 0, 2] += 0.5
    assert "cm above z = 0" in problems(replace(walk, translation=translation))
    translation[:, 0, 2] -= 1.0
    assert "cm below z = 0" in problems(replace(walk, translation=translation))


def test_nothing_moves_and_single_frame(walk):
    still = replace(walk, translation=walk.translation[[0] * 10], rotation=walk.rotation[[0] * 10])
    assert "nothing moves" in problems(still)
    assert "single frame" in problems(walk.cut(0, 1))


def test_unknown_names(walk):
    renamed = replace(walk, skeleton=replace(walk.skeleton, names=tuple(f"j{i}" for i in range(walk.skeleton.size))))
    assert inspect_clip(renamed).stature is None
    assert "stature cannot be told" in problems(renamed)


def test_sound_markers(walk):
    found = inspect_clip(markers(walk))
    assert found.kind == "markers"
    assert found.stature == pytest.approx(1.6, abs=0.06)
    assert found.problems == ()


def test_missing_constant_and_jumping_markers(walk):
    clip = markers(walk)
    position = clip.position.copy()
    position[10:40, 3] = np.nan
    position[:, 5] = np.nan
    position[:, 6] = [0.5, 0.5, 0.5]
    text = problems(replace(clip, position=position))
    names = clip.names
    assert f"marker '{names[3]}' is missing 26 % of the time, at most 1.00 s at once" in text
    assert f"never seen: {names[5]}" in text
    assert f"1 markers never move: {names[6]}" in text


def test_a_marker_that_leaps_and_stays(walk):
    clip = markers(walk)
    position = clip.position.copy()
    position[60:, 7] += 2.0
    assert f"the first of '{clip.names[7]}' at frame 60" in problems(replace(clip, position=position))


def test_no_marker_ever_seen(walk):
    clip = markers(walk)
    assert "no marker is ever seen" in problems(replace(clip, position=np.full_like(clip.position, np.nan)))


def test_table():
    values = np.array([[1.0], [np.nan], [3.0]])
    found = inspect_clip(Table(name="t", time=np.array([0, 0.01, 0.02]), columns=("a",), values=values))
    assert (found.kind, found.rate, found.frames, found.joints) == ("table", pytest.approx(100), 3, ("a",))
    assert found.problems == ("1 values are missing",)
