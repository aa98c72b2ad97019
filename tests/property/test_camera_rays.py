"""Project and unproject undo each other, whatever the lens."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reenact.observe.camera_guess import Known
from reenact.observe.camera_lens import bent, distorted, undistorted

small = st.floats(-0.08, 0.08)
lenses = st.sampled_from([0, 4, 5, 8]).flatmap(lambda n: st.lists(small, min_size=n, max_size=n)).map(np.array)
flats = st.tuples(st.floats(-0.6, 0.6), st.floats(-0.6, 0.6)).map(np.array)


@given(lens=lenses, point=flats)
def test_a_lens_is_undone(lens: np.ndarray, point: np.ndarray) -> None:
    lens = lens.astype(float)
    lens[2:4] *= 0.1  # tangential: small in every real lens
    assert np.abs(undistorted(distorted(point, lens), lens) - point).max() < 1e-9


@given(lens=lenses, point=flats)
def test_its_slope_is_that_of_finite_differences(lens: np.ndarray, point: np.ndarray) -> None:
    lens, step = lens.astype(float), 1e-6
    slope = bent(point, lens)[1]
    for i in range(2):
        aside = np.eye(2)[i] * step
        assert np.allclose(
            (bent(point + aside, lens)[0] - bent(point - aside, lens)[0]) / (2 * step), slope[:, i], atol=1e-7
        )


@given(
    lens=lenses, tilt=st.floats(-0.6, 0.6), roll=st.floats(-0.5, 0.5), x=st.floats(-1.0, 1.0), y=st.floats(3.0, 9.0),
    z=st.floats(0.3, 2.0),
)  # fmt: skip
def test_a_ray_passes_through_the_point_it_was_made_from(
    lens: np.ndarray, tilt: float, roll: float, x: float, y: float, z: float
) -> None:
    lens = lens.astype(float)
    lens[2:4] *= 0.1
    camera = Known(distortion=lens).camera(np.array([np.log(1700.0), tilt, roll, 1.3]), (1920, 1080))
    point = np.array([x, y, z])
    pixel = camera.project(point)
    if not (-500 < pixel[0] < 2420 and -500 < pixel[1] < 1580):
        return  # far outside of the picture a polynomial lens may fold
    away = point - camera.position
    off = away - (away @ camera.rays(pixel)) * camera.rays(pixel)
    assert np.linalg.norm(off) < 1e-8


def test_where_a_lens_folds_back_there_is_no_point() -> None:
    assert np.isnan(undistorted(np.array([2.0, 0.0]), np.array([-0.3, 0.0, 0.0, 0.0]))).all()
