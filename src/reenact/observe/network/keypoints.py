"""What the network saw of one person in a video: landmarks in the picture and in space, masks and scores per frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from reenact.errors import InputError
from reenact.observe.mask import Mask
from reenact.observe.network.landmarks import NAMES
from reenact.observe.network.region import Floats

SEEN: Final = 0.5  # score from which on somebody is there


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Keypoints:
    """Landmarks of one person, frame by frame, each by itself: nothing is smoothed over time.

    Where the person is not seen, points and world are NaN, and visibility, presence and score zero.
    """

    name: str  # of the video
    video_size: tuple[int, int]  # width and height [px] of the video, upright
    time: Floats  # (T,) [s] from the video's first frame, true times
    points: Floats  # (T, 33, 2) [px] of the video, from the upper left corner of the upright picture
    visibility: Floats  # (T, 33) chance 0 … 1 that nothing hides the point
    presence: Floats  # (T, 33) chance 0 … 1 that the point lies within the picture
    world: Floats  # (T, 33, 3) [m] from the middle of the hips; x right, y down, z away from the camera
    masks: tuple[Mask, ...]  # (T) at the size at which the video was worked on
    score: Floats  # (T,) chance 0 … 1 that the person is there
    remarks: tuple[str, ...] = ()  # in words, about the whole

    def __post_init__(self) -> None:
        frames, marks = len(self.time), len(NAMES)
        shapes = {
            "points": (frames, marks, 2),
            "visibility": (frames, marks),
            "presence": (frames, marks),
            "world": (frames, marks, 3),
            "score": (frames,),
        }
        for name, shape in shapes.items():
            if getattr(self, name).shape != shape:
                raise InputError(f"keypoints' {name} of shape {getattr(self, name).shape}, expected {shape}")
        if frames == 0 or len(self.masks) != frames:
            raise InputError(f"keypoints of {frames} times and {len(self.masks)} masks")
        if not np.all(np.diff(self.time) > 0):
            raise InputError("the times of keypoints must increase")

    @property
    def frames(self) -> int:
        """Number of frames."""
        return len(self.time)

    @property
    def seen(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Whether the person is there, (T,)."""
        return np.asarray(self.score >= SEEN)

    def of(self, name: str) -> Floats:
        """The track of one landmark in the picture [px], (T, 2)."""
        if name not in NAMES:
            raise InputError(f"no landmark '{name}'; there are {', '.join(NAMES)}")
        return self.points[:, NAMES.index(name)]
