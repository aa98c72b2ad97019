"""What a mask and a silhouette differ by, blurred: residuals that have a slope where counts of cells have none.

Eq. 9 of [V12] counts cells, so it changes in leaps and says nothing about a limb that misses its place altogether. The
difference of two binary pictures, blurred with a Gaussian and sampled on a grid as coarse as the blur, changes smoothly
and tells from as far as the blur reaches. Sums of its squares are in cells. Only cells that differ are worked on, some
dozens for a pose moved by a degree, which makes derivatives by differences cheap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reenact.motion.compiled import compiled
from reenact.observe import projection_table as part
from reenact.observe.projection_native import bits_in
from reenact.observe.projection_table import Words

Singles = NDArray[np.float32]
Scale = tuple[float, float]  # standard deviation of a blur and distance of its samples [cells]
WIDE: Final[tuple[Scale, ...]] = ((8.0, 6.0), (4.0, 4.0))
FINE: Final[tuple[Scale, ...]] = ((4.0, 4.0), (1.6, 2.0))
MARGIN: Final = 12  # columns kept on each side of the widest mask
_LEAST = 3e-3  # share of the greatest weight below which a weight is left out


class Band(NamedTuple):
    """One scale's weights, and where they are worth adding."""

    down: Singles  # (samples, rows)
    along: Singles  # (columns of the stretch, samples)
    top: NDArray[np.int64]  # (rows,) samples of `down` from here
    bottom: NDArray[np.int64]  # (rows,) to before here
    begin: NDArray[np.int64]  # (columns,) samples of `along` from here
    end: NDArray[np.int64]  # (columns,) to before here


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BlurGrid:
    """Where differences are sampled: all rows, and a stretch of columns that goes along with the person."""

    left: NDArray[np.int64]  # (T,) first column of each frame's stretch
    bands: tuple[Band, ...]  # one for each scale

    @property
    def size(self) -> int:
        """Number of samples of a frame."""
        return sum(band.down.shape[0] * band.along.shape[1] for band in self.bands)

    def differences(self, one: Words, other: Words, frames: NDArray[np.int64]) -> Singles:
        """Blurred differences (n, samples) of packed pictures (n, rows, words), of the video's frames (n,).

        What differs beyond the stretch counts at its border.
        """
        out = np.zeros((len(one), self.size), np.float32)
        first = 0
        one, other, left = np.ascontiguousarray(one), np.ascontiguousarray(other), self.left[frames]
        for band in self.bands:
            _blur_pairs(one, other, left, band, out, first)
            first += band.down.shape[0] * band.along.shape[1]
        return out


def blur_grid(masks: Words, columns: int, scales: Sequence[Scale]) -> BlurGrid:
    """The grid for packed masks (T, rows, words) of so many columns."""
    seen: NDArray[np.bool_] = part.unpack(masks, columns).max(axis=1)  # (T, columns)
    on: NDArray[np.bool_] = seen.max(axis=1)
    first = np.where(on, seen.argmax(axis=1), columns // 2)
    last = np.where(on, columns - 1 - seen[:, ::-1].argmax(axis=1), columns // 2)
    width = int((last - first).max()) + 1 + 2 * MARGIN
    return BlurGrid(
        left=(first + last + 1 - width) // 2,
        bands=tuple(_band(masks.shape[1], width, scale) for scale in scales),
    )


def _band(rows: int, width: int, scale: Scale) -> Band:
    down, along = _kernel(rows, scale), np.ascontiguousarray(_kernel(width, scale).T)
    return Band(down, along, *_worth(down.T), *_worth(along))


def _worth(weights: Singles) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """From where to before where each row's weights (n, samples) count."""
    counts = weights > _LEAST * weights.max()
    return counts.argmax(axis=1), weights.shape[1] - counts[:, ::-1].argmax(axis=1)


def _kernel(count: int, scale: Scale) -> Singles:
    """Weights (samples, count) of cells in samples, which reach beyond the cells by twice the blur."""
    sigma, spacing = scale
    centres = np.arange(0.5 * spacing - 0.5 - 2.0 * sigma, count + 2.0 * sigma, spacing)
    away = (np.arange(count) - centres[:, None]) / sigma
    return np.asarray(np.sqrt(spacing) * np.exp(-0.5 * away**2) / (sigma * np.sqrt(2.0 * np.pi)), np.float32)


@compiled
def blur_pair(a: Words, b: Words, words: int, top: int, bottom: int, left: int, band: Band, out: Singles) -> None:
    """Add the blurred difference of two pictures, flat rows of so many words, to out (samples of one scale,).

    They may differ in rows `top` to `bottom` alone.
    """
    width, samples = band.along.shape
    line = np.zeros(samples, np.float32)
    for row in range(top, bottom + 1):
        least, most = samples, 0
        for k in range(words):
            there = a[words * row + k]
            rest = there ^ b[words * row + k]
            while rest != np.uint64(0):
                bit = rest & (~rest + np.uint64(1))
                column = min(max(64 * k + bits_in(bit - np.uint64(1)) - left, 0), width - 1)
                sign = np.float32(1.0) if there & bit != np.uint64(0) else np.float32(-1.0)
                for j in range(band.begin[column], band.end[column]):
                    line[j] += sign * band.along[column, j]
                least, most = min(least, band.begin[column]), max(most, band.end[column])
                rest ^= bit
        if least < most:
            for s in range(band.top[row], band.bottom[row]):
                weight = band.down[s, row]
                for j in range(least, most):
                    out[s * samples + j] += weight * line[j]
            line[least:most] = 0.0


@compiled
def _blur_pairs(one: Words, other: Words, left: NDArray[np.int64], band: Band, out: Singles, first: int) -> None:
    """Add the blurred difference of each pair of pictures (n, rows, words) to out[i, first:]."""
    rows, words = one.shape[1], one.shape[2]
    end = first + band.down.shape[0] * band.along.shape[1]
    for i in range(one.shape[0]):
        blur_pair(
            one[i].reshape(rows * words), other[i].reshape(rows * words), words, 0, rows - 1, left[i], band,
            out[i, first:end],
        )  # fmt: skip
