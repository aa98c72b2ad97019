"""Masks on small grids by exact area averaging: what share of each small pixel the silhouette covers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.observe.mask import Mask

LONG_SIDE: Final = 160  # of the grid on which silhouettes are compared: 160 × 90 as in [V12] §6


def grid_size(width: int, height: int, long_side: int = LONG_SIDE) -> tuple[int, int]:
    """Width and height of the grid for pictures of this shape: 160 × 90 for 16 : 9, 90 × 160 upright."""
    if long_side < 1:
        raise InputError(f"the longer side of a grid is {long_side}, expected 1 or more")
    share = long_side / max(width, height)
    return max(1, round(width * share)), max(1, round(height * share))


def reduced(masks: Sequence[Mask], size: tuple[int, int]) -> NDArray[np.float32]:
    """Share of each pixel of a grid of `size` (width, height) that masks cover, (T, height, width), 0 … 1.

    Exact: a large pixel that lies across grid lines counts for each side by its area there.
    """
    out = np.zeros((len(masks), size[1], size[0]), np.float32)
    for i, mask in enumerate(masks):
        if not mask.empty:
            left, top, right, bottom = mask.box
            down = _shares(mask.shape[0], size[1])[:, top:bottom]
            along = _shares(mask.shape[1], size[0])[:, left:right]
            out[i] = down @ mask.crop().astype(np.float64) @ along.T
    return np.clip(out, 0.0, 1.0)


def _shares(fine: int, coarse: int) -> NDArray[np.float64]:
    """How much of each coarse interval each fine one makes up, (coarse, fine); rows sum to 1."""
    edges = np.arange(coarse + 1)[:, None] * (fine / coarse)
    starts = np.arange(fine)[None, :]
    common = np.minimum(edges[1:], starts + 1) - np.maximum(edges[:-1], starts)
    return np.asarray(np.maximum(common, 0.0) * (coarse / fine))
