"""A lens calibrated by itself, and cameras solved behind it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from clicked_walk import BODY, CAMERA, HEIGHT_M, SIZE, TIMES, walking
from reenact.errors import InputError
from reenact.observe.camera_points import points_of
from reenact.observe.camera_solve import solve_camera
from reenact.observe.clicks import (
    CLICKABLE,
    ClickedFrame,
    ClickedVideo,
    KnownCamera,
    PersonSize,
    dump_clicks,
    parse_clicks,
)
from reenact.observe.lens import Lens, read_lens

DISTORTION = (-0.28, 0.09, 0.001, -0.0005)
CENTRE = (660.0, 341.0)
YAML = """%YAML:1.0
---
{size}camera_matrix: !!opencv-matrix
   rows: 3
   cols: 3
   dt: d
   data: [ 1100., 0., 659.5, 0., 1100., 340.5, 0., 0., 1. ]
distortion_coefficients: !!opencv-matrix
   rows: 1
   cols: 4
   dt: d
   data: [ -0.28, 0.09, 0.001, -0.0005 ]
"""


def written(folder: Path, size: str = "image_width: 1280\nimage_height: 720\n") -> Path:
    path = folder / "lens.yml"
    path.write_text(YAML.format(size=size))
    return path


def test_a_lens_alone_is_read_for_any_size_of_the_same_picture(tmp_path: Path) -> None:
    lens = read_lens(written(tmp_path), "walk", SIZE)
    assert lens == Lens(focal_px=1100.0, centre_px=CENTRE, distortion=DISTORTION)
    half = read_lens(written(tmp_path), "walk", (640, 360))
    assert half == Lens(focal_px=550.0, centre_px=(330.0, 170.5), distortion=DISTORTION)
    assert read_lens(written(tmp_path, size=""), "walk", SIZE) == lens, "of the video's size unless it says another"
    with pytest.raises(InputError, match="the video has 720 × 1280; the video is turned"):
        read_lens(written(tmp_path), "walk", (720, 1280))
    with pytest.raises(InputError, match="no such file"):
        read_lens(tmp_path / "none.yml", "walk", SIZE)


def test_a_camera_behind_a_known_lens_is_solved() -> None:
    true = replace(CAMERA, centre=np.array(CENTRE), distortion=np.array(DISTORTION))
    points = points_of(BODY, CLICKABLE)
    clicks = [dict(zip(CLICKABLE, map(tuple, true.project(points.at(walking(time)))), strict=True)) for time in TIMES]
    lens = Lens(focal_px=1100.0, centre_px=CENTRE, distortion=DISTORTION)
    behind, before = (
        solve_camera(clicks, BODY, SIZE, known=known.known())
        for known in (KnownCamera(lens=lens, height=1.2), KnownCamera(focal_px=1100.0, height=1.2))
    )
    assert behind.rms_px < 1.0
    assert behind.rms_px < before.rms_px
    assert behind.camera.distortion.tolist() == list(DISTORTION)
    for at, time in enumerate(TIMES):
        where = behind.camera.depth(behind.poses[at, :3]), true.depth(walking(time)[:3])
        assert where[0] == pytest.approx(where[1], rel=0.02)


def test_clicks_keep_the_lens() -> None:
    known = KnownCamera(lens=Lens(focal_px=1100.0, centre_px=CENTRE, distortion=DISTORTION))
    frame = ClickedFrame(time=0.0, points={"vertex": (1.0, 2.0)})
    clicked = ClickedVideo(
        video="walk.mp4", size=SIZE, frames=(frame,), person=PersonSize(height=HEIGHT_M), known=known
    )
    assert parse_clicks(dump_clicks(clicked).encode()) == clicked
    without = msgspec.structs.replace(clicked, known=KnownCamera())
    assert parse_clicks(dump_clicks(without).replace('"lens": null', '"tilt_deg": null').encode()).known.lens is None
