"""Masks drawn over the video they were cut from."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.observe.mask import Mask

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
    padded = np.pad(bits, 1)
    inner = padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:]
    part[bits & ~inner] = EDGE
    return out
