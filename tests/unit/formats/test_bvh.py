"""Reading BVH: channels, offsets, units, axes, odd but valid files, and each way a file can be wrong."""

from __future__ import annotations

import time

import numpy as np
import pytest

from reenact.errors import InputError
from reenact.formats.bvh import read_bvh
from reenact.geometry import rotation

TWO_BONES = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Leg
  {
    OFFSET 0 -2 0
    CHANNELS 3 Xrotation Yrotation Zrotation
    End Site
    {
      OFFSET 0 -1 0.5
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.033333
1 2 3 0 0 0 0 0 0
1 2 3 90 0 0 30 40 50
"""


def read(written, text, **options):
    options = {"units": 1.0, "up": "y"} | options
    return read_bvh(written("clip.bvh", text), **options)


def broken(written, text):
    with pytest.raises(InputError) as caught:
        read_bvh(written("clip.bvh", text))
    message = str(caught.value)
    assert "\n" not in message
    assert "clip.bvh" in message
    return message


def test_positions_by_hand(written):
    position = read(written, TWO_BONES).world()[0]
    # Frame 0: no rotation. File (x, y, z) is (x, −z, y) inside.
    np.testing.assert_allclose(position[0], [[1, -3, 2], [1, -3, 0], [1, -3.5, -1]], atol=1e-12)
    # Frame 1: 90° about the file's z turns "down" (0, −2, 0) into (2, 0, 0).
    np.testing.assert_allclose(position[1, 1], [3, -3, 2], atol=1e-12)


def test_rotation_order_is_first_channel_outermost(written):
    clip = read(written, TWO_BONES, up="z")
    expected = rotation.from_euler("xyz", np.radians([30, 40, 50]))
    np.testing.assert_allclose(np.abs(np.sum(clip.rotation[1, 1] * expected)), 1.0, atol=1e-12)


def test_rounded_frame_time_gives_the_whole_rate(written):
    assert read(written, TWO_BONES).rate == 30.0
    assert read(written, TWO_BONES.replace("0.033333", ".0083333")).rate == 120.0
    assert read(written, TWO_BONES.replace("0.033333", "0.0333667")).rate == pytest.approx(29.97, abs=1e-3)


def test_units_and_axes_are_recorded(written):
    given = read(written, TWO_BONES, units=0.0254, up="z").source
    assert (given["units"], given["units_why"], given["up"], given["up_why"]) == ("0.0254", "given", "z", "given")
    assert given["channels"] == "XYZzxy;xyz;"


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.replace("\n", "\r\n"),
        lambda t: t.replace("\n", "\r"),
        lambda t: "\ufeff" + t,
        lambda t: t.replace("  ", "\t").replace(" ", "\t"),
        lambda t: t.replace("\n{", " {"),
        lambda t: t.replace("Xposition", "XPOSITION").replace("Zrotation", "zrotation"),
        lambda t: t.replace("Frames: 2", "Frames:2").replace("Frame Time: ", "Frame Time:\t"),
        lambda t: t.replace("MOTION", "\n\nMOTION\n"),
        lambda t: t + "\n\n  \n",
    ],
)
def test_layout_does_not_matter(written, change):
    plain, changed = read(written, TWO_BONES), read(written, change(TWO_BONES))
    np.testing.assert_array_equal(plain.rotation, changed.rotation)
    np.testing.assert_array_equal(plain.translation, changed.translation)
    assert plain.skeleton.names == changed.skeleton.names


def test_utf16_and_latin_names(written):
    text = TWO_BONES.replace("Leg", "Bein é")
    assert read(written, text.encode("utf-16")).skeleton.names[1] == "Bein é"
    assert read(written, text.encode("latin-1")).skeleton.names[1] == "Bein é"


def test_no_end_site_and_two_roots(written):
    text = TWO_BONES.replace("    End Site\n    {\n      OFFSET 0 -1 0.5\n    }\n", "")
    text = text.replace("MOTION", "ROOT Prop\n{\nOFFSET 5 0 0\nCHANNELS 1 Yrotation\n}\nMOTION")
    text = text.replace("0 0 0 0 0 0\n", "0 0 0 0 0 0 90\n").replace("30 40 50", "30 40 50 90")
    clip = read(written, text, up="z")
    assert clip.skeleton.names == ("Hips", "Leg", "Prop")
    assert clip.skeleton.parents == (-1, 0, -1)
    np.testing.assert_allclose(clip.rotation[0, 2], rotation.from_axis_angle([0, 1, 0], np.pi / 2), atol=1e-12)


def test_repeated_names_are_changed_and_noted(written):
    clip = read(written, TWO_BONES.replace("Leg", "Hips"))
    assert clip.skeleton.names[:2] == ("Hips", "Hips_2")
    assert "'Hips' to 'Hips_2'" in clip.notes[0]


def test_position_channels_replace_the_offset_on_any_joint(written):
    text = TWO_BONES.replace("CHANNELS 3 Xr", "CHANNELS 6 Xposition Yposition Zposition Xr")
    text = text.replace("0 0 0 0 0 0\n", "0 0 0 7 8 9 0 0 0\n").replace("30 40 50", "7 8 9 30 40 50")
    clip = read(written, text, up="z")
    np.testing.assert_array_equal(clip.translation[:, 1], [[7, 8, 9], [7, 8, 9]])
    np.testing.assert_array_equal(clip.skeleton.offsets[1], [0, -2, 0])


def test_all_zero_position_channels_keep_the_offset(written):
    text = TWO_BONES.replace("CHANNELS 3 Xr", "CHANNELS 6 Xposition Yposition Zposition Xr")
    text = text.replace("0 0 0 0 0 0\n", "0 0 0 0 0 0 0 0 0\n").replace("30 40 50", "0 0 0 30 40 50")
    clip = read(written, text, up="z")
    np.testing.assert_array_equal(clip.translation[0, 1], [0, -2, 0])
    assert any("'Leg'" in note for note in clip.notes)


def test_other_frame_count_than_claimed_is_noted(written):
    for claimed in ("1", "3", "999999999999"):
        clip = read(written, TWO_BONES.replace("Frames: 2", f"Frames: {claimed}"))
        assert clip.frames == 2
        assert clip.notes == (f"the header says {claimed} frames, the file has 2",)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("HIERARCHY", "HIERACHY", 1, "expected HIERARCHY"),
        ("ROOT Hips", "ROOT", 2, "without a name"),
        ("ROOT Hips", "JOINT Hips", 2, "outside of a ROOT"),
        ("OFFSET 0 -2 0", "OFFSET 0 -2", 8, "has 2 numbers, expected 3"),
        ("OFFSET 0 -2 0", "OFFSET 0 nan 0", 8, "within"),
        ("OFFSET 0 -2 0", "OFFSET 0 1e400 0", 8, "within"),
        ("OFFSET 0 -2 0", "OFFSET 0 two 0", 8, "'two', expected a number"),
        ("CHANNELS 3", "CHANNELS 4", 9, "says 4 and names 3"),
        ("CHANNELS 3", "CHANNELS 1e12", 9, "says 1000000000000 and names 3"),
        ("Xrotation Yrotation Zrotation", "Xrotation Yrotation Wrotation", 9, "unknown channel 'Wrotation'"),
        ("    End Site", "    Ende", 10, "expected ROOT, JOINT"),
        ("Frames: 2", "Frames: -2", 17, "whole number"),
        ("Frames: 2", "Frames: nan", 17, "within"),
        ("Frame Time: 0.033333", "Frame Time: 0", 18, "0.00001 to 10 s"),
        ("Frame Time: 0.033333", "Frame Time:", 18, "'Frame Time: NUMBER'"),
        ("30 40 50", "30 40", 20, "frame 2 has 8 numbers, expected 9"),
        ("30 40 50", "30 40 50 60", 20, "frame 2 has 10 numbers, expected 9"),
        ("30 40 50", "30 x 50", 20, "frame 2, column 8: got 'x'"),
        ("30 40 50", "30 inf 50", 20, "frame 2, column 8: got inf"),
        ("30 40 50", "30 nan 50", 20, "frame 2, column 8: got nan"),
    ],
)
def test_errors_name_line_and_cause(written, old, new, line, words):
    message = broken(written, TWO_BONES.replace(old, new, 1))
    assert f"clip.bvh:{line}: " in message
    assert words in message


def test_cut_off_anywhere_is_an_error_or_fewer_frames(written):
    whole = TWO_BONES.rstrip("\n")
    last_line = whole.rindex("\n")
    for cut in range(len(whole)):
        if cut <= last_line - len("1 2 3 0 0 0 0 0 0"):
            broken(written, whole[:cut] or "\n")


def test_no_frames_and_no_channels(written):
    assert "no frames" in broken(written, TWO_BONES[: TWO_BONES.index("1 2 3")])
    bare = TWO_BONES.replace("  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n", "")
    bare = bare.replace("    CHANNELS 3 Xrotation Yrotation Zrotation\n", "")
    assert "no joint has CHANNELS" in broken(written, bare)


def test_deep_nesting_and_many_joints_end_quickly(written):
    start = time.process_time()
    nested = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\n" + "JOINT j\n{\nOFFSET 0 0 0\n" * 100_000
    assert "more than 4096 joints" in broken(written, nested)
    assert "closes nothing" in broken(written, "HIERARCHY\n" + "}" * 100_000)
    assert time.process_time() - start < 5


def test_many_fixed_joints_times_many_frames_are_refused_before_allocating(written):
    joints = "".join(f"JOINT j{i}\n{{\nOFFSET 0 0 1\n}}\n" for i in range(4000))
    text = (
        f"HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n{joints}}}\nMOTION\nFrames: 1\nFrame Time: 0.01\n"
    )
    assert "out of proportion" in broken(written, text + "0\n" * 100_000)
