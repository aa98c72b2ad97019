"""Which axis points up in a marker recording: by the names of high and low markers, by the floor, by custom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from reenact.formats.axes import Up
from reenact.geometry.rotation import Array

_HIGH: Final = (
    "head",
    "vertex",
    "nose",
    "neck",
    "c7",
    "shoulder",
    "acr",
    "clav",
    "stern",
    "lsho",
    "rsho",
    "lfhd",
    "rfhd",
)
_LOW: Final = ("toe", "heel", "hee", "calc", "ankle", "lank", "rank", "foot", "mt5", "meta", "lcal", "rcal")
_CUSTOM_WEIGHT: Final = 0.4
_FLOOR_WEIGHT: Final = 0.7
_FLOOR: Final = 0.12  # m; feet at rest lie this close to zero along the axis that points up


def guess_marker_up(names: Sequence[str], position: Array, custom: Up) -> tuple[Up, str]:
    """Up axis of positions (T, M, 3) [m] in file axes; `custom` is what files of this kind mostly use."""
    lowered = [name.lower() for name in names]
    high = [i for i, name in enumerate(lowered) if any(word in name for word in _HIGH)]
    low = [i for i, name in enumerate(lowered) if any(word in name for word in _LOW) and i not in high]
    sample = position[:: max(1, len(position) // 256)]
    line = _mean_direction(sample, low, high)
    if line is None:
        return custom, "assumed: customary for the format"
    lowest = [_lowest(sample[..., axis]) for axis in range(3)]
    score = {
        axis: float(line[i])
        + (_FLOOR_WEIGHT if abs(lowest[i]) < _FLOOR else 0.0)
        + (_CUSTOM_WEIGHT if axis == custom else 0.0)
        for i, axis in enumerate(("x", "y", "z"))
    }
    best: Up = "z" if score["z"] > score["y"] else "y"
    return best, f"guessed: head and trunk are above the feet along {best}" if line["xyz".index(best)] > 0.3 else (
        "assumed: customary for the format"
    )


def _mean_direction(position: Array, low: list[int], high: list[int]) -> Array | None:
    """Mean unit vector (3,) from the low to the high markers over the frames that show both."""
    if not low or not high:
        return None
    seen = ~(np.isnan(position[:, low, 0]).all(axis=1) | np.isnan(position[:, high, 0]).all(axis=1))
    if not seen.any():
        return None
    line = np.nanmean(position[seen][:, high], axis=1) - np.nanmean(position[seen][:, low], axis=1)
    length = np.linalg.norm(line, axis=-1, keepdims=True)
    return np.asarray((line / np.where(length > 0, length, 1.0)).mean(axis=0))


def _lowest(coordinate: Array) -> float:
    known = coordinate[~np.isnan(coordinate)]
    return float(np.percentile(known, 1)) if known.size else np.inf
