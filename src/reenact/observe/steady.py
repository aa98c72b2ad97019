"""Whether the camera stands still: how far each frame is shifted against a reference, from many small windows.

Each window's shift is the peak of its phase correlation. The median over the windows that have texture is the
picture's where most of them agree, and these are spread over the picture, so that a person who moves in some of them
does not count as the camera moving.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft2, rfft2

from reenact.formats.video import Picture
from reenact.observe.background import LUMA

WIDTH: Final = 320  # [px] of the longer side at which shifts are measured
WINDOW: Final = 48  # [px]
TEXTURE: Final = 3.0  # least standard deviation [grey levels] of a window that says anything
FEWEST: Final = 4  # windows with texture without which nothing is said
ALIKE: Final = 1.0  # [px] of the median within which a window agrees
AGREE: Final = 0.6  # share of windows that must
SPREAD: Final = 0.5  # share of the picture's width that these must span: those of one person before a plain wall do not
STILL: Final = 0.002  # shift as a share of the longer side up to which the camera counts as still (4 px of 1920)

Array = NDArray[np.float64]


def small_grey(image: NDArray[np.generic]) -> Array:
    """Intensity at `WIDTH` pixels along the longer side, by averaging blocks."""
    block = max(1, max(image.shape[:2]) // WIDTH)
    height, width = image.shape[0] // block * block, image.shape[1] // block * block
    grey = np.asarray(image[:height, :width], np.float32) @ np.asarray(LUMA, np.float32)
    blocks = grey.reshape(height // block, block, width // block, block)
    return np.asarray(blocks.mean(axis=(1, 3)), np.float64)


class Reference:
    """A picture against which others are held."""

    def __init__(self, image: Picture | NDArray[np.float32]) -> None:
        grey = small_grey(image)
        self._shape = grey.shape
        self._taper = np.outer(np.hanning(WINDOW), np.hanning(WINDOW))
        self._places = [
            (y, x)
            for y in range(0, max(1, grey.shape[0] - WINDOW + 1), WINDOW)
            for x in range(0, max(1, grey.shape[1] - WINDOW + 1), WINDOW)
            if _window(grey, y, x).std() >= TEXTURE
        ]
        self._spectra = np.conj(self._spectrum(grey)) if self._places else np.empty(0)

    def shift(self, image: Picture) -> tuple[float, float]:
        """How far the picture is shifted, (x, y) as shares of its longer side; NaN where the windows do not agree."""
        if len(self._places) < FEWEST:
            return float("nan"), float("nan")
        cross = self._spectrum(small_grey(image)) * self._spectra
        peaks = irfft2(cross / (np.abs(cross) + 1e-9), s=(WINDOW, WINDOW))
        shifts = np.array([_peak(peak) for peak in peaks])
        middle = np.median(shifts, axis=0)
        alike = np.abs(shifts - middle).max(axis=1) <= ALIKE
        across = np.array([x for _, x in self._places])[alike]
        if np.mean(alike) < AGREE or np.ptp(across) + WINDOW < SPREAD * self._shape[1]:
            return float("nan"), float("nan")
        return float(middle[0]) / max(self._shape), float(middle[1]) / max(self._shape)

    def _spectrum(self, grey: Array) -> NDArray[np.complex128]:
        """Spectra of all windows, (k, WINDOW, WINDOW // 2 + 1)."""
        windows = np.stack([_window(grey, y, x) for y, x in self._places])
        return np.asarray(rfft2((windows - windows.mean(axis=(1, 2), keepdims=True)) * self._taper))


class Drift:
    """How far a camera has turned since its first frame, summed up from each frame to the next.

    A camera that follows somebody soon shows nothing of what it showed first, but two frames in turn are much alike.
    """

    def __init__(self) -> None:
        self._before: Reference | None = None
        self._at = np.zeros(2)

    def add(self, image: Picture) -> Array:
        """Show it the next frame; (2,) x and y as shares of the longer side, frames that do not tell left out."""
        step = np.full(2, np.nan) if self._before is None else np.array(self._before.shift(image))
        self._at = self._at + np.where(np.isfinite(step), step, 0.0)
        self._before = Reference(image)
        return self._at


def _window(grey: Array, y: int, x: int) -> Array:
    window = grey[y : y + WINDOW, x : x + WINDOW]
    missing = WINDOW - window.shape[0], WINDOW - window.shape[1]
    return np.pad(window, ((0, missing[0]), (0, missing[1])), mode="edge") if any(missing) else window


def _peak(correlation: Array) -> tuple[float, float]:
    """Place of the highest value, (x, y) about zero, between pixels by a parabola."""
    size = len(correlation)
    y, x = np.unravel_index(int(np.argmax(correlation)), correlation.shape)
    return _fine(correlation[y, :], int(x), size), _fine(correlation[:, x], int(y), size)


def _fine(along: Array, at: int, size: int) -> float:
    low, high, top = along[(at - 1) % size], along[(at + 1) % size], along[at]
    bend = low - 2.0 * top + high
    place = at + (0.0 if bend >= 0 else float(0.5 * (low - high) / bend))
    return place - size if place > size / 2 else place
