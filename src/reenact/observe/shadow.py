"""Cast shadows: darker than the empty scene, but with its texture or, where there is none, with its colour.

A body hides the pattern of the ground, its shadow only dims it. J. C. S. Jacques Jr. et al. 2005, Background
subtraction and shadow detection in grayscale video sequences: the correlation of frame and plate in a small window.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from reenact.observe.background import LUMA, Image32

DARKEST: Final = 0.25  # share of the light that the deepest shadow leaves
LIGHTEST: Final = 0.96  # from here on a pixel is not in shadow
ALIKE: Final = 0.5  # correlation with the plate from which on the texture is the ground's
FLAT: Final = 3.0  # standard deviation [grey levels] below which there is no texture to compare
TINT: Final = 0.06  # by how much the channels of a shadow on flat ground may be dimmed differently
WINDOW: Final = 0.008  # share of the longer side of the picture
SURE_DIM: Final = 0.5  # share of the light that is left where a pixel is taken for shadow by its own colour
SURE_TINT: Final = 0.08  # by how much its channels may be dimmed differently


def shadow_like(picture: NDArray[np.floating], colour: Image32, long_side: int) -> NDArray[np.bool_]:
    """Pixels that may be the empty scene in shadow, (H, W): frame (light evened out) and plate, both (H, W, 3)."""
    window = max(5, 2 * round(WINDOW * long_side / 2) + 1)
    now, empty = np.asarray(picture @ np.asarray(LUMA)), np.asarray(colour @ np.asarray(LUMA), np.float64)
    mean_now, mean_empty = _mean(now, window), _mean(empty, window)
    spread_now = np.sqrt(np.maximum(_mean(now * now, window) - mean_now**2, 0.0))
    spread_empty = np.sqrt(np.maximum(_mean(empty * empty, window) - mean_empty**2, 0.0))
    common = _mean(now * empty, window) - mean_now * mean_empty
    ratio = mean_now / np.maximum(mean_empty, 1.0)
    dim = (ratio > DARKEST) & (ratio < LIGHTEST)
    textured = spread_empty * ratio > FLAT
    same = common > ALIKE * np.maximum(spread_now * spread_empty, 1e-6)
    flat = (spread_empty <= FLAT) & (spread_now <= FLAT) & (ratio > 0.5)
    channels = np.stack(
        [_mean(picture[..., c], window) / np.maximum(_mean(colour[..., c], window), 1.0) for c in range(3)]
    )
    grey = np.ptp(channels, axis=0) < TINT
    return _grown(dim & ((textured & same) | (flat & grey)), picture, colour, window)


def _grown(shadow: NDArray[np.bool_], picture: NDArray[np.floating], colour: Image32, window: int) -> NDArray[np.bool_]:
    """The shadow (H, W) with pixels beside it, as far as a window reaches, that are dimmed like it by themselves.

    Next to a shoe every window holds some of the shoe, and the rim of its shadow would be taken for the shoe.
    """
    each = np.stack([_mean(picture[..., c], 3) / np.maximum(_mean(colour[..., c], 3), 1.0) for c in range(3)], axis=-1)
    left = each.mean(axis=-1)
    alike = (left > SURE_DIM) & (left < LIGHTEST) & (np.ptp(each, axis=-1) < SURE_TINT)
    return np.asarray(shadow | ndimage.binary_dilation(shadow, iterations=window - 1, mask=alike), bool)


def _mean(values: NDArray[np.floating], window: int) -> NDArray[np.float64]:
    return np.asarray(ndimage.uniform_filter(np.asarray(values, np.float64), window, mode="nearest"))
