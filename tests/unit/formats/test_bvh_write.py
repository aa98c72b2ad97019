"""Writing BVH: what comes back is what went in, to six decimals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from fuzz_seeds import skeleton_clip

from reenact.errors import InputError
from reenact.formats.bvh import read_bvh
from reenact.formats.bvh_write import format_bvh, write_bvh
from reenact.geometry import rotation


def angle_between(a, b):
    """Greatest angle [rad] between two sets of rotations."""
    return np.linalg.norm(rotation.to_rotvec(rotation.multiply(rotation.conjugate(a), b)), axis=-1).max()


@pytest.mark.parametrize("units", [1.0, 0.01, 0.0254])
@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_round_trip(tmp_path, units, up):
    clip = skeleton_clip()
    write_bvh(tmp_path / "a.bvh", clip, units=units, up=up)
    back = read_bvh(tmp_path / "a.bvh", units=units, up=up)
    assert back.skeleton.names == clip.skeleton.names
    assert back.skeleton.parents == clip.skeleton.parents
    assert back.skeleton.ends == clip.skeleton.ends
    assert back.rate == clip.rate
    np.testing.assert_allclose(back.translation, clip.translation, atol=0.51e-6 * units)
    np.testing.assert_allclose(back.skeleton.offsets, clip.skeleton.offsets, atol=0.51e-6 * units)
    assert angle_between(back.rotation, clip.rotation) < np.radians(2e-6)


def test_second_writing_is_identical(tmp_path):
    first = format_bvh(skeleton_clip())
    (tmp_path / "a.bvh").write_text(first)
    assert format_bvh(read_bvh(tmp_path / "a.bvh")) == first


def test_channel_orders_of_the_source_are_kept(written):
    text = format_bvh(skeleton_clip()).replace("Zrotation Xrotation Yrotation", "Yrotation Zrotation Xrotation", 1)
    clip = read_bvh(written("a.bvh", text))
    assert clip.source["channels"].split(";")[:2] == ["XYZyzx", "zxy"]
    again = format_bvh(clip)
    assert "CHANNELS 6 Xposition Yposition Zposition Yrotation Zrotation Xrotation" in again


def test_channels_that_cannot_carry_the_motion_are_widened(tmp_path):
    clip = skeleton_clip()
    source = {"units": "1.0", "up": "z", "channels": "XYZzyx;x;zyx;;;;;;;;;"}  # most joints without rotations
    translation = clip.translation.copy()
    translation[:, 4, 0] += np.linspace(0, 0.1, clip.frames)  # a joint that slides
    changed = replace(clip, source=source, translation=translation)
    write_bvh(tmp_path / "a.bvh", changed)
    back = read_bvh(tmp_path / "a.bvh", units=1.0, up="z")
    assert angle_between(back.rotation, clip.rotation) < np.radians(2e-6)
    np.testing.assert_allclose(back.translation, translation, atol=0.51e-6)
    assert back.source["channels"].split(";")[4] == "XYZzxy"


def test_angles_run_smoothly_over_full_turns(tmp_path):
    clip = skeleton_clip()
    frames = 60
    spin = rotation.from_axis_angle(rotation.AXES["z"], np.linspace(0, 6 * np.pi, frames))
    turns = np.tile(rotation.IDENTITY, (frames, clip.skeleton.size, 1))
    turns[:, 0] = spin
    turns[:, 1] = rotation.from_euler(
        "xyz", np.stack([0.1 * np.ones(frames), np.linspace(0, 3, frames), np.zeros(frames)], -1)
    )
    turning = replace(clip, translation=np.repeat(clip.translation[:1], frames, axis=0), rotation=turns)
    rows = format_bvh(turning, up="z").split("Frame Time")[1].splitlines()[1:]
    steps = np.abs(np.diff(np.array([row.split() for row in rows], float), axis=0))
    assert steps.max() < 25  # degrees a frame; a jump would show as 180 or 360


def test_bad_overrides_are_refused(tmp_path):
    with pytest.raises(InputError, match="length unit"):
        write_bvh(tmp_path / "a.bvh", skeleton_clip(), units=0.0)
    with pytest.raises(InputError, match="up axis"):
        write_bvh(tmp_path / "a.bvh", skeleton_clip(), up="w")
    assert not list(tmp_path.iterdir())
