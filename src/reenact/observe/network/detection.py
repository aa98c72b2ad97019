"""People in a whole picture: the detector's tensors become regions.

The detector answers for 2254 anchors, fixed points of the picture, each with a box around the face, four points and a
score. Two of the points matter here: the middle of the hips, and one straight above the head on the circle around the
whole person. V. Bazarevsky et al., "BlazePose: On-device Real-time Body Pose Tracking", 2020, §2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.observe.network.region import Floats, Region, around

INPUT: Final = 224  # [px] of the detector's square picture
LAYERS: Final = ((28, 2), (14, 2), (7, 6))  # cells along a side and anchors in each: strides 8, 16 and three times 32
ANCHORS: Final = sum(cells * cells * each for cells, each in LAYERS)
VALUES: Final = 12  # per anchor: centre, width and height of the face's box, four points
LEAST: Final = 0.2  # score from which on an answer counts
SAME: Final = 0.3  # overlap of boxes (intersection over union) from which on two answers mean one person
HIPS: Final = 0  # of the four points: the middle of the hips
CIRCLE: Final = 1  # of the four points: above the head


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody in a picture."""

    region: Region
    score: float  # 0 … 1 of the detector
    sure: float | None = None  # 0 … 1 of a close look; None where there was none


@cache
def anchors() -> Floats:
    """Centres of the anchors as shares of the picture, (2254, 2) x and y, in the order of the detector's answers."""
    rows = []
    for cells, each in LAYERS:
        grid = (np.arange(cells) + 0.5) / cells
        centres = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
        rows.append(np.repeat(centres, each, axis=0))
    out = np.concatenate(rows)
    out.flags.writeable = False
    return out


def decoded(answers: NDArray[np.float32], logits: NDArray[np.float32]) -> tuple[Floats, Floats, Floats]:
    """Boxes (N, 4) left, top, right, bottom, points (N, 4, 2), both as shares of the picture, and scores (N,).

    `answers` (2254, 12) are offsets from the anchors in pixels of the detector's picture; those with a score of at
    least LEAST are returned, best first.
    """
    if answers.shape != (ANCHORS, VALUES) or logits.shape != (ANCHORS,):
        raise InputError(f"answers {answers.shape}, scores {logits.shape}; expected {(ANCHORS, VALUES)}, {(ANCHORS,)}")
    score = 1.0 / (1.0 + np.exp(-np.clip(logits.astype(np.float64), -100.0, 100.0)))
    order = np.argsort(-score, kind="stable")
    order = order[score[order] >= LEAST]
    values = answers[order].astype(np.float64).reshape(-1, 6, 2) / INPUT
    centre, half = values[:, 0] + anchors()[order], 0.5 * values[:, 1]
    points = values[:, 2:] + anchors()[order][:, None]
    return np.concatenate([centre - half, centre + half], axis=1), points, score[order]


def merged(boxes: Floats, points: Floats, score: Floats) -> list[tuple[Floats, float]]:
    """One set of points (4, 2) a person: the mean by score of the answers that mean the same one; best first."""
    left = np.arange(len(score))
    out = []
    while len(left):
        same = overlaps(boxes[left[0]], boxes[left]) > SAME
        same[0] = True  # also a box without area
        group = left[same]
        out.append((np.average(points[group], axis=0, weights=score[group]), float(score[left[0]])))
        left = left[~same]
    return out


def overlaps(box: Floats, others: Floats) -> Floats:
    """Intersection over union of a box (4,) with others (N, 4)."""
    low, high = np.maximum(box[:2], others[:, :2]), np.minimum(box[2:], others[:, 2:])
    both = np.prod(np.maximum(0.0, high - low), axis=1)
    areas = np.prod(np.maximum(0.0, others[:, 2:] - others[:, :2]), axis=1)
    union = np.prod(np.maximum(0.0, box[2:] - box[:2])) + areas - both
    return np.asarray(np.divide(both, union, out=np.zeros(len(others)), where=union > 0))


def people_in(answers: NDArray[np.float32], logits: NDArray[np.float32], seen: Region) -> list[Person]:
    """The people in the region that the detector was shown, best first, each with the region to look at closely."""
    out = []
    for points, score in merged(*decoded(answers, logits)):
        middle, end = seen.to_picture(points[HIPS]), seen.to_picture(points[CIRCLE])
        if np.hypot(*(end - middle)) >= 1.0:
            out.append(Person(region=around(middle, end), score=score))
    return out
