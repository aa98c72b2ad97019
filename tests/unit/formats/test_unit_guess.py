"""Guessing length unit and up axis from the person."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from fuzz_seeds import skeleton_clip

from reenact.formats.bvh import read_bvh
from reenact.formats.bvh_write import write_bvh
from reenact.formats.guess import CMU_UNIT
from reenact.geometry import rotation


@pytest.mark.parametrize("stature", [1.5, 1.7, 1.9])
@pytest.mark.parametrize("units", [1.0, 0.01, 0.001, 0.0254, CMU_UNIT])
@pytest.mark.parametrize("up", ["y", "z"])
def test_adults_in_any_unit_and_axis(tmp_path, stature, units, up):
    clip = skeleton_clip()
    ratio = stature / 1.7
    sized = replace(
        clip,
        skeleton=replace(clip.skeleton, offsets=clip.skeleton.offsets * ratio),
        translation=clip.translation * ratio,
    )
    write_bvh(tmp_path / "a.bvh", sized, units=units, up=up)
    back = read_bvh(tmp_path / "a.bvh")
    assert float(back.source["units"]) == pytest.approx(units)
    assert back.source["up"] == up
    assert "guessed" in back.source["units_why"]


def test_lying_along_z_does_not_change_y_up(tmp_path):
    clip = skeleton_clip()
    turns = clip.rotation.copy()
    turns[:, 0] = rotation.from_axis_angle(rotation.AXES["x"], np.pi / 2)  # lies down, head along −y: the file's z
    write_bvh(tmp_path / "a.bvh", replace(clip, rotation=turns), units=0.01, up="y")
    assert read_bvh(tmp_path / "a.bvh").source["up"] == "y"


def test_a_robot_of_a_metre_twenty_in_centimetres(tmp_path):
    clip = skeleton_clip()
    small = replace(
        clip, skeleton=replace(clip.skeleton, offsets=clip.skeleton.offsets * 0.7), translation=clip.translation * 0.7
    )
    write_bvh(tmp_path / "a.bvh", small, units=0.01, up="y")
    assert read_bvh(tmp_path / "a.bvh").source["units"] == "0.01"
