"""Landmarks of one person in many frames of a video, as a detector gives them, on points of our bodies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reenact.geometry.rotation import Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeenWalk:
    """Landmarks of one person in F frames, as a detector gives them."""

    time: Array  # (F,) [s]
    names: tuple[str, ...]  # (K,) points of our bodies
    pixels: Array  # (F, K, 2) [px], NaN where unseen
    spread: Array  # (F, K) [px]
    space: Array  # (F, K, 3) [m] about where they are: x right, y down, z away from the camera, origin anywhere
    planted: NDArray[np.bool_]  # (F, 4) which of SOLES rest on the ground
    standing: NDArray[np.bool_]  # (F,) a foot on the ground, the trunk over the feet


def kind_of(name: str) -> tuple[str, str]:
    """What a point is and its side: "left", "right", or "" in the middle."""
    for side in ("left", "right"):
        if name.endswith(f"_{side}"):
            return name.removesuffix(f"_{side}"), side
    return name, ""
