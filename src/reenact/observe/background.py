"""The empty scene as [V12] §5 models it: mean colour and intensity gradient per pixel, one 5 × 5 covariance for all.

A pixel's features are (red, green, blue, ∂I/∂x, ∂I/∂y) with intensity I = 0.299 red + 0.587 green + 0.114 blue, all in
grey levels 0 … 255; the gradient is a central difference per pixel. The squared Mahalanobis distance of a frame's
features from the model says how unlike the empty scene a pixel is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numba
import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.formats.video import Picture
from reenact.observe.light import gain_of

Image32 = NDArray[np.float32]

LUMA: Final = (0.299, 0.587, 0.114)
LEAST_SIGMA: Final = 1.5  # grey levels; a noiseless synthetic scene is not known better than rounding and compression
KEPT: Final = 0.7  # share of residuals that the covariance trusts; people and leaves are among the rest
_KEPT_SCALE: Final = 1.497  # 1 / variance per axis of a 5-D normal cut at the quantile KEPT of its chi-squared
_ROUNDS: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """Mean colour (H, W, 3), gradient of the mean intensity (H, W, 2) and covariance of the features (5, 5)."""

    colour: Image32
    gradient: Image32
    covariance: NDArray[np.float64]

    def __post_init__(self) -> None:
        height, width = self.colour.shape[:2]
        if self.colour.shape != (height, width, 3) or self.gradient.shape != (height, width, 2):
            raise InputError(f"a background of shapes {self.colour.shape} and {self.gradient.shape}")
        if self.covariance.shape != (5, 5) or not np.all(np.linalg.eigvalsh(self.covariance) > 0):
            raise InputError("the covariance of a background must be 5 × 5 and positive definite")

    @property
    def size(self) -> tuple[int, int]:
        """Width and height [px]."""
        return self.colour.shape[1], self.colour.shape[0]

    def part(self, left: int, top: int, right: int, bottom: int) -> Background:
        """The model of a part of the picture, the last column and row exclusive."""
        place = np.s_[top:bottom, left:right]
        return Background(colour=self.colour[place], gradient=self.gradient[place], covariance=self.covariance)

    def distance(self, image: Picture, gain: NDArray[np.float64] | None = None) -> Image32:
        """Squared Mahalanobis distance of each pixel from the empty scene, (H, W).

        `gain` (3,) is what the frame's light is to the model's, per channel; the frame is divided by it.
        """
        if image.shape != self.colour.shape:
            raise InputError(f"a frame of shape {image.shape} does not fit a background of shape {self.colour.shape}")
        scale = np.ones(3, np.float32) if gain is None else (1.0 / gain).astype(np.float32)
        whiten = np.linalg.inv(np.linalg.cholesky(self.covariance)).astype(np.float32)
        out = np.empty(image.shape[:2], np.float32)
        colour, gradient = np.ascontiguousarray(self.colour), np.ascontiguousarray(self.gradient)
        _distance(np.ascontiguousarray(image), scale, colour, gradient, whiten, out)
        return out


def background_of(colour: Image32, samples: NDArray[np.uint8]) -> Background:
    """The model around a mean colour (H, W, 3), its covariance learned from frames (n, H, W, 3) of the scene."""
    gradient = gradient_of(colour)
    covariance = _trimmed_covariance(_residuals(colour, gradient, samples))
    return Background(colour=colour, gradient=gradient, covariance=covariance)


def gradient_of(colour: NDArray[np.generic]) -> Image32:
    """Central differences of the intensity along x and y, (H, W, 2) [grey levels per pixel]."""
    intensity = np.asarray(colour, np.float32) @ np.asarray(LUMA, np.float32)
    padded = np.pad(intensity, 1, mode="edge")
    along_x = 0.5 * (padded[1:-1, 2:] - padded[1:-1, :-2])
    along_y = 0.5 * (padded[2:, 1:-1] - padded[:-2, 1:-1])
    return np.stack((along_x, along_y), axis=-1).astype(np.float32)


def _residuals(colour: Image32, gradient: Image32, samples: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Features minus the model's, (k, 5), of an evenly spread part of all pixels of a few frames."""
    parts = []
    step = max(1, round((colour.shape[0] * colour.shape[1] / 40_000) ** 0.5))
    for i in np.linspace(0, len(samples) - 1, min(8, len(samples))).round().astype(int):
        now = samples[i] / gain_of(samples[i], colour)
        off = np.concatenate((now - colour, gradient_of(now) - gradient), axis=-1)
        parts.append(off[step // 2 :: step, step // 2 :: step].reshape(-1, 5))
    return np.concatenate(parts).astype(np.float64)


def _trimmed_covariance(residuals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Covariance about zero of the most usual residuals, widened to what the whole of a normal one would have.

    Deviation: [V12] takes all residuals; a person who is in the sample frames would widen it.
    """
    floor = LEAST_SIGMA**2 * np.diag([1.0, 1.0, 1.0, 0.5, 0.5])
    spread = np.median(np.abs(residuals), axis=0) * 1.4826
    covariance = np.diag(spread**2) + floor
    for _ in range(_ROUNDS):
        distance = np.einsum("ki,ij,kj->k", residuals, np.linalg.inv(covariance), residuals)
        near = residuals[distance <= np.quantile(distance, KEPT)]
        covariance = near.T @ near / len(near) * _KEPT_SCALE + floor
    return covariance


@numba.njit(cache=True, nogil=True, fastmath=True, inline="always")
def rise(image: Picture, y: int, x: int, v: int, u: int, a: np.float32, b: np.float32, c: np.float32) -> np.float32:
    """Intensity at (x, y) less that at (u, v), the channels weighed by a, b, c; compiled."""
    return (
        a * (np.float32(image[y, x, 0]) - np.float32(image[v, u, 0]))
        + b * (np.float32(image[y, x, 1]) - np.float32(image[v, u, 1]))
        + c * (np.float32(image[y, x, 2]) - np.float32(image[v, u, 2]))
    )


@numba.njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def _distance(
    image: Picture, scale: Image32, colour: Image32, gradient: Image32, whiten: Image32, out: Image32
) -> None:
    height, width = out.shape
    a, b, c = np.float32(LUMA[0]) * scale[0], np.float32(LUMA[1]) * scale[1], np.float32(LUMA[2]) * scale[2]
    half = np.float32(0.5)
    for y in range(height):
        up, down = max(y - 1, 0), min(y + 1, height - 1)
        for x in range(width):
            left, right = max(x - 1, 0), min(x + 1, width - 1)
            f0 = image[y, x, 0] * scale[0] - colour[y, x, 0]
            f1 = image[y, x, 1] * scale[1] - colour[y, x, 1]
            f2 = image[y, x, 2] * scale[2] - colour[y, x, 2]
            along_x = rise(image, y, right, y, left, a, b, c)
            along_y = rise(image, down, x, up, x, a, b, c)
            f3 = half * along_x - gradient[y, x, 0]
            f4 = half * along_y - gradient[y, x, 1]
            w0 = whiten[0, 0] * f0
            w1 = whiten[1, 0] * f0 + whiten[1, 1] * f1
            w2 = whiten[2, 0] * f0 + whiten[2, 1] * f1 + whiten[2, 2] * f2
            w3 = whiten[3, 0] * f0 + whiten[3, 1] * f1 + whiten[3, 2] * f2 + whiten[3, 3] * f3
            w4 = whiten[4, 0] * f0 + whiten[4, 1] * f1 + whiten[4, 2] * f2 + whiten[4, 3] * f3 + whiten[4, 4] * f4
            out[y, x] = w0 * w0 + w1 * w1 + w2 * w2 + w3 * w3 + w4 * w4
