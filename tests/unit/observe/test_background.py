"""The model of the empty scene: plate, covariance and distance, each evaluated another way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reenact.errors import InputError
from reenact.observe.background import KEPT, LEAST_SIGMA, Background, background_of, gradient_of
from reenact.observe.light import gain_of
from reenact.observe.plate import MOST, Thinned, learned_plate, read_plate
from reenact.observe.steady import STILL, Reference
from synthetic_video import HEIGHT, WIDTH, figure, wall


def noisy(count: int, sigma: float = 3.0) -> np.ndarray:
    rng = np.random.default_rng(1)
    return np.clip(wall() + rng.normal(0, sigma, (count, *wall().shape)), 0, 255).round().astype(np.uint8)


def test_distance_is_mahalanobis_of_colour_and_gradient() -> None:
    rng = np.random.default_rng(0)
    root = rng.normal(size=(5, 5))
    covariance = root @ root.T + np.eye(5)
    colour = wall().astype(np.float32)
    background = Background(colour=colour, gradient=gradient_of(colour), covariance=covariance)
    image, gain = noisy(1, 20.0)[0], np.array([1.1, 0.9, 1.2])
    found = background.distance(image, gain)
    even = image / gain
    for y, x in ((0, 0), (5, 7), (107, 191), (50, 0), (107, 20)):
        grey = even @ (0.299, 0.587, 0.114)
        across = (grey[y, min(x + 1, 191)] - grey[y, max(x - 1, 0)]) / 2
        down = (grey[min(y + 1, 107), x] - grey[max(y - 1, 0), x]) / 2
        off = np.array([*even[y, x], across, down]) - np.array([*colour[y, x], *background.gradient[y, x]])
        assert found[y, x] == pytest.approx(off @ np.linalg.solve(covariance, off), rel=1e-3)


def test_a_part_has_the_distances_of_the_whole_inside() -> None:
    background = background_of(wall().astype(np.float32), noisy(8))
    image = noisy(1, 9.0)[0]
    part = background.part(20, 10, 90, 80).distance(image[10:80, 20:90])
    np.testing.assert_allclose(part[1:-1, 1:-1], background.distance(image)[11:79, 21:89], rtol=1e-5)


def test_the_plate_is_the_median_and_forgets_who_passes() -> None:
    samples = noisy(21)
    for i in range(21):
        colours, covered = figure((10 + 8 * i, 66), i)
        samples[i][covered] = colours[covered]
    plate, share = learned_plate(samples)
    assert np.abs(plate - wall()).mean() < 1.0
    assert np.quantile(np.abs(plate - wall()), 0.999) < 8.0
    assert share[0].min() > 0.9  # nobody is at the top of the picture
    median = np.median(samples.astype(int), axis=0)
    assert np.abs(plate - median).max() <= 12.5


def test_who_sways_most_of_the_time_is_not_the_scene() -> None:
    rng = np.random.default_rng(4)
    samples = noisy(30, 1.0)
    for i in range(18):  # six tenths of the time, in ever other shades
        samples[i, 30:60, 40:70] = rng.integers(0, 255, 3)
    plate, share = learned_plate(samples)
    assert np.abs(plate - wall())[30:60, 40:70].mean() < 1.5
    assert share[45, 55] == pytest.approx(0.4, abs=0.05)


@pytest.mark.parametrize("kind", ["png", "jpg"])
def test_a_plate_may_be_a_picture_of_another_size(tmp_path: Path, kind: str) -> None:
    image = pytest.importorskip("PIL.Image", reason="Pillow, of the extra video, is not installed")
    pytest.importorskip("av", reason="PyAV, of the extra video, is not installed")
    large = np.kron(wall(), np.ones((2, 2, 1), np.uint8))
    image.fromarray(large).save(
        tmp_path / f"empty.{kind}", **({"quality": 97, "subsampling": 0} if kind == "jpg" else {})
    )
    plate = read_plate(tmp_path / f"empty.{kind}", (WIDTH, HEIGHT))
    assert plate.shape == (HEIGHT, WIDTH, 3)
    assert np.abs(plate - wall()).mean() < 3.0
    tiny = read_plate(tmp_path / f"empty.{kind}", (WIDTH * 3, HEIGHT * 3))
    assert tiny.shape == (HEIGHT * 3, WIDTH * 3, 3)


def test_covariance_ignores_who_passes() -> None:
    alone, crowded = noisy(8), noisy(8)
    crowded[:, 20:60, 20:90] = 250
    plain = background_of(wall().astype(np.float32), alone).covariance
    robust = background_of(wall().astype(np.float32), crowded).covariance
    np.testing.assert_allclose(np.sqrt(np.diag(robust)), np.sqrt(np.diag(plain)), rtol=0.3)
    expected = np.sqrt(9.0 + LEAST_SIGMA**2)
    assert np.sqrt(np.diag(plain))[:3] == pytest.approx(expected, rel=0.15)


def test_the_trimming_factor_is_that_of_a_normal_distribution() -> None:
    from scipy.stats import chi2

    from reenact.observe import background

    within = chi2.cdf(chi2.ppf(KEPT, 5), 7) / KEPT  # variance per axis of what lies inside the quantile
    assert within * background._KEPT_SCALE == pytest.approx(1.0, rel=0.01)


def test_shapes_that_do_not_fit_are_refused() -> None:
    background = background_of(wall().astype(np.float32), noisy(8))
    with pytest.raises(InputError, match="does not fit"):
        background.distance(noisy(1)[0][:50])
    with pytest.raises(InputError, match="positive definite"):
        Background(colour=background.colour, gradient=background.gradient, covariance=-np.eye(5))


def test_light_is_found_with_a_person_in_the_picture() -> None:
    image = np.clip(wall() * np.array([0.8, 0.9, 0.7]), 0, 255).astype(np.uint8)
    colours, covered = figure((90, 66), 0.4, 80.0)
    image[covered] = colours[covered]
    np.testing.assert_allclose(gain_of(image, wall().astype(np.float32)), [0.8, 0.9, 0.7], atol=0.02)


@pytest.mark.parametrize("shift", [(0, 0), (3, 0), (0, -2), (5, 4)])
def test_a_shift_of_the_camera_is_measured(shift: tuple[int, int]) -> None:
    scene = np.kron(wall(3, 240, 160), np.ones((3, 3, 1))).astype(np.uint8)
    moved = np.roll(scene, (3 * shift[1], 3 * shift[0]), axis=(0, 1))
    cut = np.s_[30:-30, 30:-30]
    colours, covered = figure((200, 200), 0.4, 160.0, moved[cut].shape[:2])
    seen = moved[cut].copy()
    seen[covered] = colours[covered]
    found = np.array(Reference(scene[cut]).shift(seen)) * max(seen.shape)
    np.testing.assert_allclose(found, 3 * np.array(shift), atol=0.5)
    assert (np.hypot(*found) / max(seen.shape) > STILL) == any(shift)


@pytest.mark.parametrize("count", [1, 39, 40, 41, 500, 1000])
def test_thinning_keeps_few_frames_evenly(count: int) -> None:
    thinned = Thinned()
    for i in range(count):
        thinned.add(float(i), np.full((1, 1, 3), i % 256, np.uint8))
    times = np.array(thinned.times)
    assert min(count, MOST // 2) <= len(times) <= MOST
    assert len(set(np.diff(times))) <= 1
    assert times[0] == 0
    assert times[-1] > 0.9 * (count - 1) - 1
