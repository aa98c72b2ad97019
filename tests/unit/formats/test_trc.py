"""TRC in and out: layouts seen in the wild, unseen markers, units, axes, errors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from fuzz_seeds import marker_clip

from reenact.errors import InputError
from reenact.formats.trc import format_trc, read_trc, write_trc


@pytest.mark.parametrize("units", [1.0, 0.01, 0.001, 0.0254])
@pytest.mark.parametrize("up", ["y", "z"])
def test_round_trip(tmp_path, units, up):
    clip = marker_clip()
    write_trc(tmp_path / "a.trc", clip, units=units, up=up)
    back = read_trc(tmp_path / "a.trc")
    assert back.names == clip.names
    assert back.rate == clip.rate
    assert (float(back.source["units"]), back.source["up"]) == (units, up)
    np.testing.assert_allclose(back.position, clip.position, atol=0.51e-6 * units)
    assert format_trc(back, "a.trc") == (tmp_path / "a.trc").read_text()


def test_first_time_is_kept(tmp_path):
    clip = replace(marker_clip(), start=0.83)
    write_trc(tmp_path / "a.trc", clip)
    assert read_trc(tmp_path / "a.trc").start == 0.83


def test_layouts_in_the_wild(written):
    text = format_trc(marker_clip(), "x")
    plain = read_trc(written("a.trc", text))
    lines = text.split("\n")
    spaced = lines.copy()
    spaced[2] = "  100.0\t\t  100.0\t\t    12\t\t     8\t\t m\t  100.0\t      1\t    12"
    no_blank_line = lines[:5] + lines[6:]
    trailing = [line + "\t" if i > 5 and line else line for i, line in enumerate(lines)]
    for variant in (spaced, no_blank_line, trailing):
        changed = read_trc(written("b.trc", "\r\n".join(variant)))
        np.testing.assert_array_equal(changed.position, plain.position)
        assert changed.names == plain.names


def test_zero_and_partly_missing_markers_are_unseen(written):
    lines = format_trc(marker_clip(), "x").split("\n")
    fields = lines[6].split("\t")
    fields[2:5] = ["0", "0.000", "0"]
    fields[5] = ""
    fields[8] = "NaN"
    lines[6] = "\t".join(fields)
    clip = read_trc(written("a.trc", "\n".join(lines)))
    assert np.isnan(clip.position[0, :3]).all()
    assert not np.isnan(clip.position[0, 3:]).any()
    assert any("exactly zero" in note for note in clip.notes)


def test_times_that_disagree_with_the_header(written):
    text = format_trc(marker_clip(), "x").replace("\n100\t100\t", "\n200\t200\t")
    clip = read_trc(written("a.trc", text))
    assert clip.rate == pytest.approx(100.0)
    assert any("200 Hz" in note for note in clip.notes)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("PathFileType", "PathFile", ":1: "),
        ("\tUnits\t", "\tUnit\t", "no value for Units"),
        ("\tm\t", "\tfurlong\t", "unknown unit 'furlong'"),
        ("Frame#", "Number", ":4: "),
        ("\n1\t0.000000", "\n1\tsoon", ":7: frame 1, column 2: got 'soon'"),
        ("\n1\t0.000000", "\n1\t", ":7: frame 1, column 2: got nan"),
        ("\n1\t0.000000\t", "\n1\t0.000000\tinf\t", "expected 26"),
        ("NumFrames", "Frames", "no value for NumFrames"),
    ],
)
def test_broken(written, old, new, words):
    with pytest.raises(InputError) as caught:
        read_trc(written("a.trc", format_trc(marker_clip(), "x").replace(old, new, 1)))
    assert words in str(caught.value)


def test_cut_off_row_is_an_error(written):
    text = format_trc(marker_clip(), "x").rstrip("\n")
    with pytest.raises(InputError, match="expected 26"):
        read_trc(written("a.trc", text[:-40]))


def test_unit_without_a_name_cannot_be_written(tmp_path):
    with pytest.raises(InputError, match="no name for a unit"):
        write_trc(tmp_path / "a.trc", marker_clip(), units=0.056444)
