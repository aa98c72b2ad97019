"""What a mask and a silhouette differ by, blurred: residuals that have a slope where counts of cells have none.

Eq. 9 of [V12] counts cells, so it changes in leaps and says nothing about a limb that misses its place altogether. The
difference of two binary pictures, blurred with a Gaussian and sampled on a grid as coarse as the blur, changes smoothly
and tells from as far as the blur reaches. Sums of its squares are in cells. Only cells that differ are worked on, some
dozens for a pose moved by a degree, which makes derivatives by differences cheap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from reenact.motion.compiled import compiled
from reenact.observe import projection_table as part
from reenact.observe.projection_table import Words

Singles = NDArray[np.float32]
Scale = tuple[float, float]  # standard deviation of a blur and distance of its samples [cells]
WIDE: Final[tuple[Scale, ...]] = ((8.0, 6.0), (4.0, 4.0))
FINE: Final[tuple[Scale, ...]] = ((4.0, 4.0), (1.6, 2.0))
MARGIN: Final = 12  # columns kept on each side of the widest mask
_LEAST = 1e-3  # kernel values below this are left out


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BlurGrid:
    """Where differences are sampled: all rows, and a stretch of columns that goes along with the person."""

    left: NDArray[np.int64]  # (T,) first column of each frame's stretch
    down: tuple[Singles, ...]  # per scale (samples, rows)
    along: tuple[Singles, ...]  # per scale (columns of the stretch, samples)

    @property
    def size(self) -> int:
        """Number of samples of a frame."""
        return sum(a.shape[0] * b.shape[1] for a, b in zip(self.down, self.along, strict=True))

    def differences(self, one: Words, other: Words, frames: NDArray[np.int64]) -> Singles:
        """Blurred differences (n, samples) of packed pictures (n, rows, words), of the video's frames (n,).

        What differs beyond the stretch counts at its border.
        """
        out = np.zeros((len(one), self.size), np.float32)
        first = 0
        for down, along in zip(self.down, self.along, strict=True):
            _spread(one, other, self.left[frames], down, along, np.float32(_LEAST), out, first)
            first += down.shape[0] * along.shape[1]
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
        down=tuple(_kernel(masks.shape[1], scale) for scale in scales),
        along=tuple(np.ascontiguousarray(_kernel(width, scale).T) for scale in scales),
    )


def _kernel(count: int, scale: Scale) -> Singles:
    """Weights (samples, count) of cells in samples, which reach beyond the cells by twice the blur."""
    sigma, spacing = scale
    centres = np.arange(0.5 * spacing - 0.5 - 2.0 * sigma, count + 2.0 * sigma, spacing)
    away = (np.arange(count) - centres[:, None]) / sigma
    return np.asarray(np.sqrt(spacing) * np.exp(-0.5 * away**2) / (sigma * np.sqrt(2.0 * np.pi)), np.float32)


@compiled
def _place_of(bit: Any) -> int:
    """Which bit of a word it is."""
    place = 0
    for shift in (32, 16, 8, 4, 2, 1):
        if bit >> np.uint64(shift) != np.uint64(0):
            bit >>= np.uint64(shift)
            place += shift
    return place


@compiled
def _spread(
    one: Words,
    other: Words,
    left: NDArray[np.int64],
    down: Singles,
    along: Singles,
    least: Any,
    out: Singles,
    first: int,
) -> None:
    """Add the blurred difference of each pair of pictures to out[i, first:]."""
    width, samples = along.shape
    line = np.zeros(samples, np.float32)
    for i in range(one.shape[0]):
        for row in range(one.shape[1]):
            found = False
            for k in range(one.shape[2]):
                rest = one[i, row, k] ^ other[i, row, k]
                while rest != np.uint64(0):
                    bit = rest & (~rest + np.uint64(1))
                    column = min(max(64 * k + _place_of(bit) - left[i], 0), width - 1)
                    if not found:
                        line[:] = 0.0
                        found = True
                    sign = np.float32(1.0) if one[i, row, k] & bit != np.uint64(0) else np.float32(-1.0)
                    for j in range(samples):
                        line[j] += sign * along[column, j]
                    rest ^= bit
            if found:
                for s in range(down.shape[0]):
                    weight = down[s, row]
                    if weight > least:
                        for j in range(samples):
                            out[i, first + s * samples + j] += weight * line[j]
