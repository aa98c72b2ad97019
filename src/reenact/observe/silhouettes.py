"""What was seen of a person in a video: a mask per frame, how far it can be trusted, and what there is to say of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.observe.mask import Mask
from reenact.observe.reduce import LONG_SIDE, grid_size, reduced

TRUSTED: Final = 0.5  # quality from which on a mask is used without a second thought
DOUBTS: Final = {
    "absent": "the person is not seen",
    "cut": "the person reaches the border of the picture",
    "meets": "the person touches another thing that moves",
    "light": "the light is not the learned background's",
    "camera": "the camera has moved",
    "pieces": "the mask is in pieces",
    "jump": "the mask changes size at once",
    "unlike": "the mask hardly stands out from the background",
    "ghost": "the learned background holds the person",
    "behind": "the person is where nothing shows what is behind",
}  # why a mask is trusted less


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Silhouettes:
    """Masks of one person, one per frame of a video."""

    name: str  # of the video
    video_size: tuple[int, int]  # width and height [px] of the video, upright
    time: NDArray[np.float64]  # (T,) [s] from the video's first frame, true times
    masks: tuple[Mask, ...]  # (T) at the size at which the video was worked on
    quality: NDArray[np.float64]  # (T,) 0 … 1
    doubts: tuple[tuple[str, ...], ...]  # (T) keys of DOUBTS
    remarks: tuple[str, ...] = ()  # in words, about the whole
    content: str = ""  # of the video, see `content_of`; empty where it is not known

    def __post_init__(self) -> None:
        frames = len(self.time)
        if frames == 0 or any(len(each) != frames for each in (self.masks, self.quality, self.doubts)):
            raise InputError(f"silhouettes of {frames} times, {len(self.masks)} masks, {len(self.quality)} qualities")
        if not np.all(np.diff(self.time) > 0):
            raise InputError("the times of silhouettes must increase")
        if len({mask.shape for mask in self.masks}) != 1:
            raise InputError("the masks of silhouettes must all have one size")
        if not (np.all(self.quality >= 0) and np.all(self.quality <= 1)):
            raise InputError("the qualities of silhouettes lie between 0 and 1")
        unknown = {doubt for each in self.doubts for doubt in each} - set(DOUBTS)
        if unknown:
            raise InputError(f"unknown doubts {sorted(unknown)}; there are {', '.join(DOUBTS)}")

    @property
    def frames(self) -> int:
        """Number of frames."""
        return len(self.time)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height [px] of the masks."""
        height, width = self.masks[0].shape
        return width, height

    def coverage(self, long_side: int = LONG_SIDE) -> NDArray[np.float32]:
        """Share of each pixel of a small grid that the person covers, (T, height, width), by exact area averaging."""
        return reduced(self.masks, grid_size(*self.size, long_side))

    def trusted(self) -> tuple[int, int] | None:
        """The longest run of frames of good quality, first and last (inclusive); None where there is none."""
        best, begin = None, None
        for i, good in enumerate([*(self.quality >= TRUSTED), False]):
            if good and begin is None:
                begin = i
            elif not good and begin is not None:
                if best is None or i - 1 - begin > best[1] - best[0]:
                    best = begin, i - 1
                begin = None
        return best
