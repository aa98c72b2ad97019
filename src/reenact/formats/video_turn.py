"""Which way up a stored picture is shown: quarter turns and mirroring, as a video's display matrix says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_SIDE_DATA: Final = "DISPLAYMATRIX"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """How a stored picture becomes the one shown: rows and columns exchanged first, then mirrored."""

    exchange: bool = False
    mirror_x: bool = False  # left and right of the picture shown
    mirror_y: bool = False  # up and down of the picture shown

    def size(self, width: int, height: int) -> tuple[int, int]:
        """Width and height of one picture, shown or stored, from those of the other."""
        return (height, width) if self.exchange else (width, height)

    def applied(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The picture as shown, (height, width, 3), from the stored one."""
        if self.exchange:
            image = image.swapaxes(0, 1)
        return np.ascontiguousarray(image[:: -1 if self.mirror_y else 1, :: -1 if self.mirror_x else 1])


UPRIGHT: Final = Turn()


def turn_of(frame: Any) -> Turn:
    """The turn that a decoded frame asks for; other angles are taken to the nearest quarter."""
    entry = next((data for data in frame.side_data if getattr(data.type, "name", "") == _SIDE_DATA), None)
    if entry is None:
        return UPRIGHT
    numbers = np.frombuffer(bytes(entry), "=i4")[:9].astype(np.float64)  # rows (a b u), (c d v), (x y w)
    if len(numbers) < 9 or not np.any(numbers[[0, 1, 3, 4]]):
        return UPRIGHT
    a, b, _, c, d = numbers[:5]  # x' = a x + c y, y' = b x + d y, y pointing down
    if abs(a) + abs(d) >= abs(b) + abs(c):
        return Turn(mirror_x=bool(a < 0), mirror_y=bool(d < 0))
    return Turn(exchange=True, mirror_x=bool(c < 0), mirror_y=bool(b < 0))
