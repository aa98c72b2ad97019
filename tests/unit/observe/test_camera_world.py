"""Cameras from files as our cameras, and cam.toml."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reenact.formats.camera.calibration import Calibration
from reenact.observe.camera import CameraError
from reenact.observe.camera_file import camera_of, read_camera, read_cameras, write_cameras
from reenact.observe.camera_guess import Known

GOLDEN = np.array([[383.094, 728.5347], [348.8733, 897.0384], [533.6463, 707.8562]])
MATRIX = np.array([[900.0, 0.0, 639.5], [0.0, 910.0, 359.5], [0.0, 0.0, 1.0]])


def test_the_first_pixels_centre_is_half_a_pixel_in() -> None:
    calibration = Calibration(
        name="a", size=(1280, 720), matrix=MATRIX, rotation=np.eye(3), translation=np.array([0.0, 0.0, 4.0])
    )
    camera = camera_of(calibration)
    assert camera.project([0.0, 0.0, 0.0]) == pytest.approx([640.0, 360.0])
    assert camera.position == pytest.approx([0.0, 0.0, -4.0])


def test_y_up_worlds_are_turned() -> None:
    calibration = Calibration(
        name="a",
        size=(1280, 720),
        matrix=MATRIX,
        rotation=np.diag([1.0, -1.0, -1.0]),
        translation=np.array([0, 1.5, 4.0]),
    )  # y up, looks along −z
    camera = camera_of(calibration, up="y")
    assert camera.height == pytest.approx(1.5)
    assert camera.tilt == pytest.approx(0.0)
    assert camera.roll == pytest.approx(0.0)


def test_cam_toml_round_trip(tmp_path: Path) -> None:
    camera = Known(distortion=np.array([-0.1, 0.02, 0.001, 0.0])).camera(np.array([7.2, 0.1, 0.02, 1.4]), (1920, 1080))
    write_cameras(tmp_path / "cam.toml", [camera], ["from 12 clicks"])
    again = read_camera(tmp_path / "cam.toml", "walk")
    point = np.array([[0.3, 4.0, 1.0], [-0.5, 5.0, 0.0]])
    assert again.project(point) == pytest.approx(camera.project(point), abs=1e-9)
    assert again.ground == camera.ground
    words = (tmp_path / "cam.toml").read_text().splitlines()[0]
    assert words == "# camera: 1.40 m above the ground, looks 5.7° below the horizon, rolled by 1.1°, sees 71° across"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rotation": None, "translation": None}, "holds the lens alone"),
        ({"size": None}, "does not say for which size"),
    ],
)
def test_a_lens_alone_is_not_a_camera(changes: dict[str, None], words: str) -> None:
    whole: dict[str, object] = {
        "name": "a", "size": (1280, 720), "matrix": MATRIX, "rotation": np.eye(3), "translation": np.zeros(3),
    }  # fmt: skip
    with pytest.raises(CameraError, match=words):
        camera_of(Calibration(**(whole | changes)))  # type: ignore[arg-type]


def test_pose2sim_and_triangulated_points(shared_data: Path) -> None:
    """Pixels of the first frame's right hip, knee, left wrist as OpenCV's projectPoints gives them (+ half a pixel)."""
    from reenact.formats.read import read_clip

    folder = shared_data / "pose2sim_demo_truth"
    cameras = read_cameras(folder / "Pose2Sim_cameras.toml")
    assert [camera.name for camera in cameras] == ["cam_01", "cam_02", "cam_03", "cam_04"]
    clip = read_clip(folder / "Pose2Sim_markers.trc")
    position = np.stack(
        [-clip.position[..., 1], clip.position[..., 0], clip.position[..., 2]], axis=-1
    )  # their (z, x, y)
    points = position[:, [clip.names.index(name) for name in ("RHip", "RKnee", "LWrist")]]
    for camera in cameras:  # the whole trial lies in each picture, upright, at a person's distance
        pixels = camera.project(points)
        assert ((pixels > 0) & (pixels < camera.size)).all()
        assert (pixels[:, 0, 1] < pixels[:, 1, 1]).all()
        assert ((camera.depth(points) > 1.5) & (camera.depth(points) < 7.0)).all()
    assert cameras[0].project(points[0]) == pytest.approx(GOLDEN, abs=1e-3)
