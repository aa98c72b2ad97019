"""What real videos are measured by: a network's landmarks laid into the world, and strikes seen by eye."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.geometry import rotation
from reenact.observe.camera import Camera
from reenact.observe.mask import empty_mask
from reenact.observe.network.keypoints import Keypoints
from reenact.observe.network.landmarks import NAMES
from reenact.view.bench_video import open_air, real

LEVEL = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])  # looks along +y


def _camera() -> Camera:
    turn = rotation.from_axis_angle([0.0, 0.0, 1.0], 0.4)
    return Camera(
        size=(1080, 1920),
        focal=np.array([1600.0, 1610.0]),
        centre=np.array([530.0, 950.0]),
        position=np.array([0.5, -3.0, 1.4]),
        orientation=rotation.multiply(turn, rotation.from_matrix(LEVEL)),
        distortion=np.array([-0.01, 0.002, 0.0, 0.0]),
    )


def test_landmarks_are_laid_where_the_camera_sees_them() -> None:
    camera, rng = _camera(), np.random.default_rng(2)
    around = rng.normal(0.0, 0.3, (3, len(NAMES), 3))  # in the camera's axes, from the hips
    hips = np.array([[0.1, 0.2, 3.0], [0.0, 0.1, 4.0], [0.0, 0.0, 3.0]])
    world = (around + hips[:, None]) @ camera.turn + camera.position
    seen = np.array([0.9, 0.9, 0.0])
    found = Keypoints(
        name="v", video_size=camera.size, time=np.arange(3) / 60.0, points=camera.project(world),
        visibility=np.ones((3, len(NAMES))), presence=np.ones((3, len(NAMES))), world=around,
        masks=(empty_mask((8, 8)),) * 3, score=seen,
    )  # fmt: skip
    placed = real.placed(found, camera)
    np.testing.assert_allclose(placed[:2], world[:2], atol=1e-6)
    assert np.isnan(placed[2]).all()


def _walking(late: float, rate: float = 60.0) -> np.ndarray:
    """Heels (T, 2, 3) that rest from each strike seen by eye on, so much later, until the other has rested a while."""
    time = np.arange(int(6.0 * rate)) / rate
    heels = np.zeros((len(time), 2, 3))
    heels[..., 2] = 0.3
    for i, (frame, side, _) in enumerate(open_air.SEEN):
        begin = frame / open_air.RATE + late
        on = (time >= begin) & (time < begin + 0.7)
        heels[on, ("left", "right").index(side)] = [0.73 * i, 0.0, 0.0]
    return heels


def test_strikes_are_held_against_those_seen_by_eye() -> None:
    for late in (0.0, 0.1):
        off, found = open_air.contact_errors(_walking(late), 60.0, 0.0)
        assert found == len(open_air.SEEN)
        assert off == pytest.approx(1000.0 * late, abs=40.0)
    exchanged = _walking(0.0)[:, ::-1]
    assert open_air.contact_errors(exchanged, 60.0, 0.0) == (None, 0)
    assert open_air.step_length(_walking(0.0), 60.0) == pytest.approx(0.73)


def test_what_the_image_gives() -> None:
    eye = open_air.by_eye()
    assert eye["step_s"] == pytest.approx(0.62)
    assert eye["step_m"] == pytest.approx(0.73, abs=0.01)
    assert eye["speed_m_s"] == pytest.approx(1.17, abs=0.01)
