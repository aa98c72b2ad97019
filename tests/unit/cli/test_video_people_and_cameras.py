"""Whose body and which cameras a capture from video takes: given, known from a calibration, or refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from drawn_walk import NAME, camera, first_poses, write_walk
from reenact.body.adult import adult
from reenact.cli import by_video_network
from reenact.cli.by_video_camera import body_of, calibration_of
from reenact.cli.inputs import Reading
from reenact.cli.watching import Watching
from reenact.errors import InputError
from reenact.formats.video import open_video
from reenact.observe.camera import CameraError
from reenact.observe.camera_file import write_cameras
from reenact.observe.clicks import PersonSize

pytest.importorskip("av", reason="PyAV, of the extra video, is not installed")


def test_who_is_taller_weighs_more_unless_said() -> None:
    usual, tall = PersonSize(sex="female").body(), PersonSize(sex="female", height=1.80).body()
    assert tall.mass / usual.mass == pytest.approx((1.80 / usual.stature) ** 2, rel=1e-6)
    assert PersonSize(height=1.80, mass=60.0).body().mass == pytest.approx(60.0)


def test_what_is_not_given_is_the_calibrations() -> None:
    who = PersonSize(sex="female", height=1.60, mass=55.0)
    poses = replace(first_poses([0.0]), body=who.body())
    assert body_of(Watching(), None, poses, who)[0] is poses.body
    heavier, remarks = body_of(Watching(mass=60.0), None, poses, who)
    assert (heavier.stature, heavier.mass) == (pytest.approx(1.60), pytest.approx(60.0))
    assert remarks == []
    same = body_of(Watching(sex="f"), None, poses, who)[0]
    assert (same.stature, same.mass) == (pytest.approx(1.60), pytest.approx(55.0))
    taller, remarks = body_of(Watching(height=1.75), None, poses, who)
    assert taller.mass == pytest.approx(PersonSize(sex="female", height=1.75).body().mass)
    assert "calibrate again" in remarks[0]
    assert body_of(Watching(mass=60.0), None, None)[0].stature == pytest.approx(adult().stature)


def test_a_picture_that_was_filled_up_to_whole_blocks_is_cut() -> None:
    filled = replace(camera(), size=(1920, 1088), centre=np.array([960.0, 540.0]))
    cut = filled.for_video(1920, 1080)
    assert cut.size == (1920, 1080)
    assert np.array_equal(cut.centre, filled.centre)
    for size in ((1920, 1060), (1900, 1088)):
        with pytest.raises(CameraError, match="if the video was cut, cut the camera alike"):
            filled.for_video(*size)


def test_every_view_needs_a_camera_of_its_own(tmp_path: Path) -> None:
    write_walk(tmp_path)
    video, file = open_video(tmp_path / NAME), tmp_path / "cam.toml"
    write_cameras(file, [camera()])
    other = replace(video, path=tmp_path / "other.mp4")
    with pytest.raises(InputError, match=r"other\.mp4 get the same camera.*each view needs its own"):
        calibration_of([video, other], (file, file), Watching(), "z")
    with pytest.raises(InputError, match="is given twice"):
        Watching(video=(video.path, video.path)).videos(None)


def test_joints_that_are_demanded_need_the_network_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_video_network, "network_lacks", lambda: "the extra")
    Watching(joints="auto").check(1, Reading())
    with pytest.raises(InputError, match="--joints needs the pose network: the extra"):
        Watching(joints="yes").check(1, Reading())
