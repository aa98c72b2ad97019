"""All frames of a track solved together, also by ways that no descent finds.

A descent ends in the nearest hollow of the cost. So blurs are wide and fine in turn; what follows a turn is mirrored in
depth (`fold`); and the whole track is pressed flat, into planes that face the camera, and let go again: a track that
leans along the line of sight has got there little by little, and no single step leads back. What was found by one way
and another is joined where that costs less (`splice`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from reenact.estimate.video.blur import WIDE
from reenact.estimate.video.descend import descend
from reenact.estimate.video.fold import without_folds
from reenact.estimate.video.splice import spliced
from reenact.estimate.video.terms import Terms
from reenact.geometry.rotation import Array

CYCLES: Final = 4  # of wide and fine blurs, at most
FLAT: Final = (
    0.15,
    1e3,
)  # spread of the sine of the angle to the picture while pressed, and from where on it levels off
PRESSED: Final = ((8, 4), (6, 6))  # Newton steps, wide and fine


def all_at_once(terms: Terms, poses: Array, steps: int) -> Array:
    """All frames (T, 7 + A) solved together; again by way of the wide blur, as long as that ends better."""
    frames = np.arange(len(poses))
    best, wide = descend(terms, poses, frames, steps=steps), terms.blurred(WIDE)
    for _ in range(CYCLES):
        far = descend(wide, best, frames, steps=steps)
        new = descend(terms, far, frames, steps=steps)
        if cheaper(terms, best, new) is best:
            break
        best = new
    return best


def otherwise(terms: Terms, poses: Array, steps: int) -> Array:
    """Poses (T, 7 + A), or others that cost less: turned the other way, or less deep."""
    poses, _ = without_folds(terms, poses)
    if not len(terms.level.ends):
        return poses
    return spliced(terms, poses, all_at_once(terms, pressed(terms, poses), steps))


def pressed(terms: Terms, poses: Array) -> Array:
    """Poses (T, 7 + A) with trunk and limbs in planes that face the camera, as far as the masks allow."""
    frames = np.arange(len(poses))
    flat = replace(terms, level=replace(terms.level, spread=FLAT[0], sudden=FLAT[1]))
    wide = flat.blurred(WIDE)
    for far, near in PRESSED:
        poses = descend(wide, poses, frames, steps=far)
        poses = descend(flat, poses, frames, steps=near)
    return poses


def cheaper(terms: Terms, old: Array, new: Array) -> Array:
    """Of two tracks the one that costs less; the new one where the old one has no frames."""
    frames = np.arange(len(new))
    return new if not len(old) or terms.cost(new, frames) < terms.cost(old, frames) else old
