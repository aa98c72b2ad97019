"""Camera and first poses from clicks: what comes back, what is warned of, what is refused, what is on disk."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from clicked_walk import HEIGHT_M, KNOWN, NUMBERS, SIZE, clicked_video, clicked_walk
from reenact.body.adult import adult
from reenact.errors import InputError
from reenact.formats.video import Video, open_video
from reenact.formats.video_content import origin_of
from reenact.formats.video_frame import frame_at
from reenact.observe import camera_solve
from reenact.observe.calibrate import Calibrated, calibrate
from reenact.observe.camera_points import points_of
from reenact.observe.clicks import (
    CLICKABLE,
    ClickedVideo,
    KnownCamera,
    PersonSize,
    dump_clicks,
    parse_clicks,
    read_clicks,
)
from reenact.observe.first_poses import first_poses_of, load_first_poses, save_first_poses
from reenact.observe.outlines import outlines

pytest.importorskip("av", reason="PyAV, of the extra video, is not installed")


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Video:
    return open_video(clicked_video(tmp_path_factory.mktemp("clicked")))


@pytest.fixture(scope="module")
def found(video: Video) -> Calibrated:
    return calibrate(clicked_walk(), video)


def test_two_frames_and_the_cameras_height_find_the_camera(found: Calibrated) -> None:
    focal, tilt, roll, height = NUMBERS
    assert found.camera.focal[0] == pytest.approx(np.exp(focal), rel=0.02)
    assert found.camera.tilt == pytest.approx(tilt, abs=0.03)
    assert found.camera.roll == pytest.approx(roll, abs=0.03)
    assert found.camera.height == pytest.approx(height, abs=0.02)
    assert found.solved.rms_px < 4.0
    assert found.remarks == ()
    assert found.camera.name == "walk"


def test_outlines_hold_the_joints_and_stay_near_them(found: Calibrated) -> None:
    shapes = outlines(found.body, found.camera, found.solved.poses[0])
    assert len(shapes) == sum(len(segment.shapes) for segment in found.body.segments)
    assert [shape.depth for shape in shapes] == sorted((shape.depth for shape in shapes), reverse=True)
    corners = np.concatenate([shape.corners for shape in shapes])
    joints = found.camera.project(points_of(found.body, CLICKABLE).at(found.solved.poses[0]))
    assert (corners.min(axis=0) <= joints.min(axis=0) + 1.0).all()
    assert (corners.max(axis=0) >= joints.max(axis=0) - 1.0).all()
    thigh = next(shape for shape in shapes if shape.segment == "thigh_left").corners
    knee = found.camera.project(points_of(found.body, ["knee_left"]).at(found.solved.poses[0]))[0]
    assert np.linalg.norm(thigh - knee, axis=1).min() < 60.0


def test_what_one_frame_cannot_tell_is_said(video: Video, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_solve, "HEADINGS", 1)  # she faces that way
    clicked = clicked_walk(frames=1, known=KnownCamera())
    unknown = msgspec.structs.replace(clicked, person=PersonSize(sex="female"))
    remarks = " ".join(calibrate(unknown, video).remarks)
    assert "one frame cannot tell the focal length" in remarks
    assert "tilt is unsure" in remarks
    assert "height was not given" in remarks


def test_a_wrong_click_is_named(video: Video, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_solve, "HEADINGS", 1)
    clicked = clicked_walk(frames=1)
    points = dict(clicked.frames[0].points)
    u, v = points["wrist_right"]
    points["wrist_right"] = (u + 260.0, v + 40.0)
    frames = (msgspec.structs.replace(clicked.frames[0], points=points), *clicked.frames[1:])
    remarks = calibrate(msgspec.structs.replace(clicked, frames=frames), video).remarks
    assert any("px off" in remark and "_right' is" in remark for remark in remarks)


def altered(clicked: ClickedVideo, **points: tuple[float, float]) -> ClickedVideo:
    first = clicked.frames[0]
    frame = msgspec.structs.replace(first, points={**first.points, **points})
    return msgspec.structs.replace(clicked, frames=(frame, *clicked.frames[1:]))


def test_bad_clicks_are_refused_in_one_line(video: Video) -> None:
    good = clicked_walk()
    few = msgspec.structs.replace(good.frames[0], points=dict(list(good.frames[0].points.items())[:5]))
    late = msgspec.structs.replace(good.frames[0], time=30.0)
    bad = {
        "frame 1 (0 s): 5 joints were clicked, at least 6": msgspec.structs.replace(good, frames=(few,)),
        "no point 'knee_middle'; there are": altered(good, knee_middle=(10.0, 10.0)),
        "'vertex' is at (-3, 10), outside of the 1280 × 720": altered(good, vertex=(-3.0, 10.0)),
        "has no frame at 30 s; it runs from 0 to": msgspec.structs.replace(good, frames=(late,)),
        "pictures of 640 × 360 pixels, the video has 1280 × 720": msgspec.structs.replace(good, size=(640, 360)),
        "0 frames were clicked in, expected 1 to 40": msgspec.structs.replace(good, frames=()),
        "frame 2 (0 s) is there twice": msgspec.structs.replace(good, frames=(good.frames[0], good.frames[0])),
    }  # fmt: skip
    for cause, clicked in bad.items():
        with pytest.raises(InputError) as error:
            calibrate(clicked, video)
        assert cause in str(error.value)
        assert "\n" not in str(error.value)


def test_a_file_of_clicks_comes_back(tmp_path: Path) -> None:
    clicked = clicked_walk()
    path = tmp_path / "cam.clicks.json"
    path.write_text(dump_clicks(clicked))
    assert read_clicks(path) == clicked
    assert json.loads(path.read_text())["format"] == "reenact-clicks"
    for text, cause in (
        ("{", "is not a file of clicks"),
        ('{"video": "a", "size": [1, 2], "frames": [], "colour": 3}', "unknown field `colour`"),
        ('{"video": "a", "size": [1, 2], "frames": [{"time": 0, "points": {"hip_left": [1]}}]}', "length 2"),
        (dump_clicks(clicked).replace('"version": 1', '"version": 9'), "version 9, expected"),
    ):
        with pytest.raises(InputError) as error:
            parse_clicks(text.encode(), path)
        assert cause in str(error.value)


def test_what_is_solved_is_bound_to_the_videos_content(
    video: Video, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_solve, "HEADINGS", 1)
    solved = calibrate(clicked_walk(frames=1), video)
    assert solved.clicked.origin == origin_of(video.path)
    assert not any("another" in remark for remark in solved.remarks)
    renamed = open_video(shutil.copy(video.path, tmp_path / "renamed.mp4"))
    again = calibrate(solved.clicked, renamed)
    assert again.clicked.video == "renamed.mp4", "the same film"
    assert not any("another" in remark for remark in again.remarks)
    stale = calibrate(msgspec.structs.replace(solved.clicked, content="of before"), video)
    assert "the joints were clicked in another file named walk.mp4" in stale.remarks[0]
    assert stale.clicked.origin == origin_of(video.path)
    other = calibrate(msgspec.structs.replace(solved.clicked, content="of before"), renamed)
    assert "the joints were clicked in walk.mp4, another video than renamed.mp4" in other.remarks[0]
    assert other.clicked.video == "walk.mp4"


def test_first_poses_come_back(found: Calibrated, tmp_path: Path) -> None:
    path = tmp_path / "cam.poses.npz"
    save_first_poses(path, first_poses_of(found))
    read = load_first_poses(path)
    assert read.time.tolist() == [frame.time for frame in found.clicked.frames]
    assert np.array_equal(read.qpos, found.solved.poses)
    assert read.body.stature == pytest.approx(HEIGHT_M)
    assert (read.error_px < 6.0).all()
    assert read.origin == found.clicked.origin
    with pytest.raises(InputError, match="expected"):
        replace(read, qpos=read.qpos[:, 1:])
    path.write_bytes(b"PK\x03\x04")
    with pytest.raises(InputError, match="not first poses"):
        load_first_poses(path)


def test_the_frame_nearest_to_a_time(video: Video) -> None:
    assert frame_at(video, 0.0).time == 0.0
    assert frame_at(video, 0.21).time == pytest.approx(0.2)
    assert frame_at(video, 0.29).time == pytest.approx(0.3)
    assert frame_at(video, 0.92).time == pytest.approx(0.9)
    for time in (-0.1, 1.2, np.nan):
        with pytest.raises(InputError, match="has no frame at"):
            frame_at(video, float(time))


def test_every_point_that_is_asked_for_is_on_the_body() -> None:
    points_of(adult("female"), CLICKABLE)
    assert len(set(CLICKABLE)) == len(CLICKABLE) == 15
    assert KNOWN.known().focal == pytest.approx(np.exp(NUMBERS[0]))
    assert SIZE == (1280, 720)
