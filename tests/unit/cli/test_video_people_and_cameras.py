"""Whose body and which cameras a capture from video takes: given, known from a calibration, or refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from drawn_walk import NAME, camera, first_poses, write_walk
from reenact.body.adult import adult
from reenact.cli import by_video_network
from reenact.cli.by_video_camera import body_of, calibration_of, cameras_at_hand
from reenact.cli.inputs import Reading
from reenact.cli.watching import Watching
from reenact.errors import InputError
from reenact.formats.video import open_video
from reenact.formats.video_content import origin_of
from reenact.observe.camera import CameraError
from reenact.observe.camera_file import write_cameras
from reenact.observe.clicks import PersonSize
from reenact.observe.first_poses import save_first_poses

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


def _solved_for(video: Path, cam: Path) -> Path:
    """Camera and first poses as `reenact calibrate` leaves them."""
    origin = origin_of(video)
    write_cameras(cam, [camera()], origin=origin)
    poses = replace(first_poses([0.0], origin.name), content=origin.content)
    save_first_poses(cam.with_suffix(".poses.npz"), poses)
    return cam


@pytest.mark.parametrize("name", ["cam.toml", "walk.toml"])
def test_a_camera_of_an_earlier_video_of_the_same_name_is_not_taken_unasked(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_walk(tmp_path)
    for left in ("cam.toml", "cam.poses.npz"):
        (tmp_path / left).unlink()
    video, cam = open_video(tmp_path / NAME), _solved_for(tmp_path / NAME, tmp_path / name)
    assert cameras_at_hand([video], Watching()) == (cam,)
    known = calibration_of([video], (cam,), Watching(), "z")
    assert known.poses is not None
    assert not capsys.readouterr().out
    with (tmp_path / NAME).open("ab") as stream:
        stream.write(b"filmed again")
    with pytest.raises(InputError, match=f"{name}: was solved from another file named walk.mp4 than this one"):
        cameras_at_hand([video], Watching())
    given = cameras_at_hand([video], Watching(camera=(cam,)))
    assert given == (cam,)
    named = calibration_of([video], given, Watching(), "z")
    assert named.poses is None, "they are of the other video"
    assert named.cameras[0].focal == pytest.approx(known.cameras[0].focal)
    said = " ".join(capsys.readouterr().out.split())
    assert "was solved from another file named walk.mp4 than this one: its first poses are left out" in said


def test_a_video_that_was_renamed_finds_its_camera_again(tmp_path: Path) -> None:
    write_walk(tmp_path)
    cam = _solved_for(tmp_path / NAME, tmp_path / "cam.toml")
    video = open_video((tmp_path / NAME).rename(tmp_path / "best take.mp4"))
    assert cameras_at_hand([video], Watching()) == (cam,)
    assert calibration_of([video], (cam,), Watching(), "z").poses is not None


def test_a_camera_that_says_nothing_of_its_video_is_known_by_the_name(tmp_path: Path) -> None:
    """As of files by other programs, or from before."""
    write_walk(tmp_path)
    video = open_video(tmp_path / NAME)
    assert cameras_at_hand([video], Watching()) == (tmp_path / "cam.toml",)
    assert calibration_of([video], (tmp_path / "cam.toml",), Watching(), "z").poses is not None
