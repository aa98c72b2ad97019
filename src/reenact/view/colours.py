"""The colours of what is drawn, in one place for the report, the page and the movies (sRGB, 0 … 1)."""

from __future__ import annotations

import re
from typing import Final

RGB = tuple[float, float, float]

CENTRE: Final[RGB] = (0.82, 0.83, 0.85)  # head and trunk
LEFT: Final[RGB] = (0.36, 0.56, 0.79)
RIGHT: Final[RGB] = (0.88, 0.56, 0.36)
GHOST: Final[RGB] = (0.42, 0.70, 0.62)
THING: Final[RGB] = (0.62, 0.58, 0.70)
GROUND: Final[RGB] = (0.80, 0.81, 0.82)
FORCE: Final[RGB] = (0.84, 0.22, 0.32)
PUSH: Final[RGB] = (0.45, 0.32, 0.75)
COM: Final[RGB] = (0.98, 0.78, 0.18)
COP: Final[RGB] = (0.62, 0.18, 0.60)
TARGET: Final[RGB] = (0.88, 0.45, 0.66)
BALANCE: Final[RGB] = (0.10, 0.42, 0.92)
CAMERA: Final[RGB] = (0.30, 0.34, 0.42)  # of a video

MODEL_DEFAULT: Final = (0.5, 0.5, 0.5, 1.0)  # MuJoCo's colour of a geom that was given none


def side_of(name: str) -> str:
    """ "left", "right" or "centre", from a segment's name."""
    for side in ("left", "right"):
        if re.search(rf"(^|_)({side}|{side[0]})(_|$)", name.lower()):
            return side
    return "centre"


def side_colour(name: str) -> RGB:
    """Left and right limbs differ, so that a crossing of the legs can be read."""
    return {"left": LEFT, "right": RIGHT, "centre": CENTRE}[side_of(name)]
