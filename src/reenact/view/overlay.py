"""Masks drawn over the video they were cut from."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.observe.mask import Bits, Mask, mask_of

TINT: Final = (230, 30, 80)  # of the silhouette
EDGE: Final = (255, 235, 60)  # of its outline
STRENGTH: Final = 0.45  # of the tint over the picture


def drawn_over(image: NDArray[np.uint8], mask: Mask) -> NDArray[np.uint8]:
    """A copy of a frame (H, W, 3) with the mask tinted and outlined."""
    out = image.copy()
    if mask.empty:
        return out
    left, top, right, bottom = mask.box
    part, bits = out[top:bottom, left:right], mask.crop()
    part[bits] = ((1.0 - STRENGTH) * part[bits] + STRENGTH * np.array(TINT)).astype(np.uint8)
    part[edge_of(bits)] = EDGE
    return out


def outlined(image: NDArray[np.uint8], bits: Bits, width: int = 1) -> NDArray[np.uint8]:
    """A copy of a frame (H, W, 3) with the outline of a binary picture (H, W) in it, so many pixels wide."""
    out = image.copy()
    left, top, right, bottom = mask_of(bits).box
    part, rest = out[top:bottom, left:right], bits[top:bottom, left:right]
    for _ in range(width):
        edge = edge_of(rest)
        part[edge] = EDGE
        rest = rest & ~edge
    return out


def edge_of(bits: Bits) -> Bits:
    """Pixels that belong beside pixels that do not."""
    padded = np.pad(bits, 1)
    inner = padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:]
    return np.asarray(bits & ~inner)
