"""Kinect streams: joint order, axes, even times, untracked joints, errors."""

from __future__ import annotations

import numpy as np
import pytest
from fuzz_seeds import FRAMES, kinect_text

from reenact.errors import InputError
from reenact.formats.kinect import JOINTS, WIDTH, read_kinect


def rows():
    return [line.rstrip(",").split(",") for line in kinect_text().splitlines()]


def joined(table):
    return "\n".join(",".join(row) for row in table)


def test_axes_names_and_times(written):
    clip = read_kinect(written("a.csv", kinect_text()))
    assert clip.names == JOINTS
    assert clip.rate == 30.0
    assert clip.frames in (FRAMES, FRAMES - 1)
    # File (x, y, z) = (0.1, 0.28, 2.65) of joint 2 is (x, −z, y) inside.
    np.testing.assert_allclose(clip.position[0, 2], [0.10, -2.65, 0.28], atol=1e-9)
    np.testing.assert_allclose(np.diff(clip.position[:, 2, 0]), 0.01, atol=1e-3)


def test_untracked_joints_are_nan_and_inferred_ones_counted(written):
    table = rows()
    for row in table:
        row[4] = "0"
    clip = read_kinect(written("a.csv", joined(table)))
    assert np.isnan(clip.position[:, 0]).all()
    assert not np.isnan(clip.position[:, 1]).any()
    assert any("inferred" in note for note in clip.notes)


def test_gaps_in_the_stream_stay_open(written):
    table = rows()
    for row in table[6:]:
        row[0] = str(int(row[0]) + 5_000_000)  # half a second
    clip = read_kinect(written("a.csv", joined(table)))
    gone = np.isnan(clip.position[:, 0, 0])
    assert 14 <= gone.sum() <= 17
    assert any("gaps" in note for note in clip.notes)


@pytest.mark.parametrize("tick", [1e7, 1e3, 1.0])
def test_time_units(written, tick):
    table = rows()
    for frame, row in enumerate(table):
        row[0] = repr(5 * tick + frame * tick / 30)
    clip = read_kinect(written("a.csv", joined(table)))
    assert clip.rate == 30.0
    assert clip.frames == FRAMES


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: t[3].pop(), f":4: frame 4 has {WIDTH - 1} numbers, expected {WIDTH}"),
        (lambda t: t[3].__setitem__(7, "x"), ":4: frame 4, column 8: got 'x'"),
        (lambda t: t[3].__setitem__(7, "nan"), ":4: frame 4, column 8: got nan"),
        (lambda t: t[3].__setitem__(0, t[2][0]), "time does not increase at frame 4"),
        (lambda t: t[3].__setitem__(7, "1e9"), "a million metres"),
        (lambda t: t[-1].__setitem__(0, "9e19"), "apart over"),
    ],
)
def test_broken(written, change, words):
    table = rows()
    change(table)
    with pytest.raises(InputError) as caught:
        read_kinect(written("a.csv", joined(table)))
    assert words in str(caught.value)
