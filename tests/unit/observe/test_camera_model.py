"""A camera's own arithmetic: where things are seen, which way is down, other sizes of the same picture."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.geometry import rotation
from reenact.observe.camera import Camera, CameraError
from reenact.observe.camera_guess import Known


def level(**changes: object) -> Camera:
    """1.2 m above the ground, looks along +y, x to the right."""
    numbers: dict[str, object] = {
        "size": (1920, 1080),
        "focal": np.array([1500.0, 1500.0]),
        "centre": np.array([960.0, 540.0]),
        "position": np.array([0.0, 0.0, 1.2]),
        "orientation": rotation.from_matrix([[1.0, 0, 0], [0, 0, 1.0], [0, -1.0, 0]]),
    }
    return Camera(**(numbers | changes))  # type: ignore[arg-type]


def test_a_point_to_the_right_and_below_is_seen_there() -> None:
    camera = level()
    assert camera.project([[0.0, 4.0, 1.2]]) == pytest.approx(np.array([[960.0, 540.0]]))
    assert camera.project([1.0, 3.0, 0.2]) == pytest.approx([960 + 500.0, 540 + 500.0])
    assert camera.depth([1.0, 3.0, 0.2]) == pytest.approx(3.0)
    assert np.isnan(camera.project([0.0, -1.0, 1.0])).all()


def test_tilt_roll_and_height_mean_what_they_say() -> None:
    camera = Known().camera(np.array([np.log(1500.0), 0.3, 0.1, 1.7]), (1920, 1080))
    assert (camera.tilt, camera.roll, camera.height) == pytest.approx((0.3, 0.1, 1.7))
    ahead = rotation.rotate(camera.orientation, [0.0, 0.0, 1.0])
    assert ahead[2] == pytest.approx(-np.sin(0.3))  # looks down
    right = rotation.rotate(camera.orientation, [1.0, 0.0, 0.0])
    assert right[2] < 0  # turned clockwise: its right side is lower
    assert level(ground=0.5).height == pytest.approx(0.7)


def test_rays_come_back_to_the_ground() -> None:
    camera = Known(distortion=np.array([-0.1, 0.05, 0.001, -0.002])).camera(
        np.array([7.3, 0.3, -0.05, 1.5]), (1280, 720)
    )
    points = np.array([[0.5, 4.0, 0.0], [-1.0, 6.0, 0.0]])
    assert camera.on_ground(camera.project(points)) == pytest.approx(points, abs=1e-9)
    raised = points + np.array([0.0, 0.0, 0.8])
    assert camera.on_ground(camera.project(raised), height=0.8) == pytest.approx(raised, abs=1e-9)
    assert np.isnan(level().on_ground([960.0, 100.0])).all()  # above the horizon


def test_another_size_of_the_same_picture() -> None:
    camera, point = level(), np.array([0.3, 5.0, 0.4])
    half = camera.for_video(960, 540)
    assert half.project(point) == pytest.approx(0.5 * camera.project(point))
    cut = camera.cropped(100, 20, 1000, 900)
    assert cut.project(point) == pytest.approx(camera.project(point) - [100, 20])


@pytest.mark.parametrize(
    ("size", "words"),
    [((1920, 1088), "for pictures of 1920 × 1080"), ((1080, 1920), "turned by a quarter"), ((640, 640), "640 × 640")],
)
def test_a_video_of_another_shape_is_refused(size: tuple[int, int], words: str) -> None:
    with pytest.raises(CameraError, match=words):
        level().for_video(*size)


def test_a_calibration_whose_y_axis_is_up() -> None:
    standing = level().levelled([0.0, 1.0, 0.0], [0.0, -2.0, 0.0])
    # Old y is up and the old ground is at y = −2, so the camera at y = 0 is 2 m up and looks straight up.
    assert standing.height == pytest.approx(2.0)
    assert standing.tilt == pytest.approx(-np.pi / 2)
    moved = level().moved(rotation.from_axis_angle([0.0, 0.0, 1.0], 0.4), [1.0, 2.0, 0.0])
    point = np.array([0.2, 3.0, 0.1])
    turned = rotation.rotate(rotation.from_axis_angle([0.0, 0.0, 1.0], 0.4), point) + np.array([1.0, 2.0, 0.0])
    assert moved.project(turned) == pytest.approx(level().project(point))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"focal": np.array([0.0, 1.0])}, "focal"),
        ({"size": (0, 5)}, "size"),
        ({"position": np.array([np.nan, 0, 0])}, "position"),
        ({"orientation": np.array([1.0, 1.0, 0, 0])}, "unit quaternion"),
        ({"distortion": np.zeros(3)}, "distortion"),
    ],
)
def test_what_cannot_be_a_camera(changes: dict[str, object], words: str) -> None:
    with pytest.raises(CameraError, match=words):
        level(**changes)
