"""Leading frames that are no motion: a T-pose put in front, a frame with a zero root. Found by the jump after them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from reenact.geometry.rotation import Array
from reenact.motion.clip import SkeletonClip

_LOOKED_AT: Final = 3  # such frames stand at the very front
_SMALLEST_JUMP: Final = 0.05  # m, mean over the joints, in one frame
_SPEED: Final = 5.0  # m/s, mean over the joints
_RATIO: Final = 4.0  # times the quickest of the steps that follow
_FOLLOWING: Final = 12  # steps


def calibration_frames(clip: SkeletonClip) -> int:
    """How many frames at the front are cut off from the rest by a jump; 0 where the motion begins at once."""
    if clip.frames < _LOOKED_AT + 2:
        return 0
    head = clip.cut(0, min(clip.frames, _LOOKED_AT + _FOLLOWING + 2))
    step = _mean_steps(head.world()[0])
    threshold = max(_SMALLEST_JUMP, _SPEED / clip.rate)
    count = 0
    for frame in range(_LOOKED_AT):
        following = step[frame + 1 : frame + 1 + _FOLLOWING]
        calm = float(np.percentile(following, 75))
        if step[frame] > max(threshold, _RATIO * calm):
            count = frame + 1
    return count


def drop_calibration_frames(clip: SkeletonClip) -> SkeletonClip:
    """The clip without the frames that `calibration_frames` counts."""
    count = calibration_frames(clip)
    return clip.cut(count, clip.frames) if count else clip


def describe_calibration(clip: SkeletonClip) -> SkeletonClip:
    """The same clip with a note for each frame that `calibration_frames` counts."""
    count = calibration_frames(clip)
    if not count:
        return clip
    zero = np.all(clip.translation[:count, 0] == 0.0, axis=-1)
    notes = tuple(
        f"frame {frame} is no part of the motion: {'its root is at zero' if zero[frame] else 'a pose put in front'}, "
        f"and a jump follows"
        for frame in range(count)
    )
    return replace(clip, notes=(*clip.notes, *notes))


def _mean_steps(position: Array) -> Array:
    """Mean distance (T − 1,) [m] that the joints (T, J, 3) go from each frame to the next."""
    return np.asarray(np.linalg.norm(np.diff(position, axis=0), axis=-1).mean(axis=-1))
