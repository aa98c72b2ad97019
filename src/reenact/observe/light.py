"""How a frame's light compares with the empty scene's: one gain per colour channel, from pixels that show the scene."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.formats.video import Picture

DARK: Final = 20.0  # grey levels; between these two a pixel answers to light in proportion
BRIGHT: Final = 235.0
LIKE: Final = 0.06  # relative difference from the common gain within which a pixel shows the scene
GREATEST: Final = 4.0  # gain, and its inverse, that is corrected
_PIXELS: Final = 20_000


def gain_of(image: Picture, colour: NDArray[np.float32]) -> NDArray[np.float64]:
    """Gain (3,) of a frame's channels over those of a plate (H, W, 3); 1 where the light is the plate's.

    A camera that adapts its exposure or a cloud multiplies all colours. The median ratio finds it as long as whoever
    moves covers less than half of the picture; the mean of the ratios near it makes it fine.
    """
    step = max(1, round((image.shape[0] * image.shape[1] / _PIXELS) ** 0.5))
    now = image[::step, ::step].astype(np.float64)
    empty = colour[::step, ::step].astype(np.float64)
    gains = np.ones(3)
    for channel in range(3):
        a, b = now[..., channel], empty[..., channel]
        usable = (a > DARK) & (a < BRIGHT) & (b > DARK) & (b < BRIGHT)
        if np.count_nonzero(usable) < 50:
            continue
        ratio = a[usable] / b[usable]
        middle = float(np.median(ratio))
        near = ratio[np.abs(ratio / middle - 1.0) < LIKE]
        gains[channel] = float(near.mean()) if len(near) else middle
    return np.clip(gains, 1.0 / GREATEST, GREATEST)
