"""The body's girth, and its size where asked, fitted to masks of a person in known poses.

A silhouette of a body too thick or too thin costs as much as a pose that is off by degrees, and would be paid for by
wrong poses. So the flesh is fitted before any search: each part's thickness, left and right alike, and on request the
stature, such that the mean of [V12] Eq. 9 is least. The measure is a count of cells and has no derivative; factors are
tried up and down with steps that shrink. Hands, feet and toes stay: they are a cell or two wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from reenact.body.body import Body, Segment
from reenact.body.girth import with_girths
from reenact.body.scale import WIDTH, scale_segments
from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.observe import projection_table as part
from reenact.observe.projection import Projection, mismatches
from reenact.observe.projection_table import Words

STEPS: Final = (0.16, 0.08, 0.04, 0.02)  # of the logarithm of a factor
SIZE_SHARE: Final = 0.25  # a step of the stature, in steps of a girth
SPREAD: Final = 0.25  # of the logarithm of a girth among people
PRIOR: Final = 0.01  # weight of that spread beside the mean of Eq. 9
REACH: Final = 0.7  # greatest logarithm of a factor
STILL: Final = ("hand", "foot")  # parts left as they are
SIZE: Final = "size"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FittedGirth:
    """A body made to fit, and how much that helped."""

    body: Body
    factors: dict[str, float]  # by segment of the middle or pair ("thigh"), and "size" where it was fitted
    before: float  # mean of Eq. 9 over the frames, 0 … 2
    after: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeenPoses:
    """Poses of one person seen by one camera, with what was seen."""

    projection: Projection
    poses: Array  # (T, 7 + A)
    masks: Words  # (T, rows, words)


def fit_girth(
    body: Body, seen: Sequence[SeenPoses], *, size: bool = False, progress: Progress | None = None
) -> FittedGirth:
    """The body with the girths, and with `size` the stature, that explain the masks best, from any number of views.

    With `size` the feet stay where they are: the root's height above the camera's ground grows with the body. Only
    sensible where the camera was not itself solved from this body's size.
    """
    if not seen or not any(len(one.poses) for one in seen):
        raise InputError("no poses to fit the girth to")
    tell = progress or (lambda fraction, what: None)
    groups = girth_groups(body)
    names = [*groups, SIZE] if size else list(groups)
    logs = dict.fromkeys(names, 0.0)
    before = _mismatch(body, seen, groups, logs)
    best = before
    for i, step in enumerate(STEPS):
        tell(i / len(STEPS), f"girths to {100 * step:.0f} %")
        best = _search(body, seen, groups, logs, step, best)
    factors = {name: float(np.exp(value)) for name, value in logs.items()}
    tell(1.0, "done")
    after = _mismatch(body, seen, groups, logs) - _prior(logs)
    return FittedGirth(body=_made(body, groups, factors), factors=factors, before=before, after=after)


def girth_groups(body: Body) -> dict[str, tuple[str, ...]]:
    """Segments whose girths are one number, left and right together, by name without side."""
    groups: dict[str, tuple[str, ...]] = {}
    for segment in body.segments:
        if segment.part not in STILL and segment.shapes:
            name = _sideless(segment)
            groups[name] = (*groups.get(name, ()), segment.name)
    return groups


def _sideless(segment: Segment) -> str:
    return segment.name.removesuffix("_left").removesuffix("_right")


def _search(
    body: Body, seen: Sequence[SeenPoses], groups: dict[str, tuple[str, ...]], logs: dict[str, float], step: float,
    best: float,
) -> float:  # fmt: skip
    """Move factors by one step as long as any helps; `logs` is changed in place."""
    helped = True
    while helped:
        helped = False
        for name in logs:
            by = SIZE_SHARE * step if name == SIZE else step
            for sign in (1.0, -1.0):
                trial = logs | {name: logs[name] + sign * by}
                if abs(trial[name]) > REACH:
                    continue
                cost = _mismatch(body, seen, groups, trial)
                if cost < best - 1e-9:
                    logs[name], best, helped = trial[name], cost, True
                    break
    return best


def _mismatch(
    body: Body, seen: Sequence[SeenPoses], groups: dict[str, tuple[str, ...]], logs: dict[str, float]
) -> float:
    """Mean of Eq. 9 over all frames and views, and the prior."""
    factors = {name: float(np.exp(value)) for name, value in logs.items()}
    thick = with_girths(body, {s: factors[name] for name, members in groups.items() for s in members})
    scale = factors.get(SIZE, 1.0)
    shapes = part.shape_numbers(thick)
    shapes[:, part.MIDDLE :] *= scale
    terms = []
    for one in seen:
        tree, poses = one.projection.tree, one.poses
        if scale != 1.0:
            ground = one.projection.camera.ground
            tree, poses = tree.with_offset(scale * tree.offset), poses.copy()
            poses[:, 2] = ground + scale * (poses[:, 2] - ground)
        terms.append(mismatches(replace(one.projection, shapes=shapes, tree=tree).overlaps(poses, one.masks)))
    return float(np.concatenate(terms).mean()) + _prior(logs)


def _prior(logs: dict[str, float]) -> float:
    return PRIOR * sum((value / SPREAD) ** 2 for value in logs.values())


def _made(body: Body, groups: dict[str, tuple[str, ...]], factors: dict[str, float]) -> Body:
    """The body itself with the factors; its mass stays."""
    scale = factors.get(SIZE, 1.0)
    body = resized(body, scale) if scale != 1.0 else body
    return with_girths(body, {s: factors[name] for name, members in groups.items() for s in members})


def resized(body: Body, scale: float) -> Body:
    """The body `scale` times as tall in all its parts; its mass stays."""
    sided = {name for pair in body.mirror for name in pair}
    lengths = {s.name: scale for s in body.segments}
    lengths |= {s.name + WIDTH: scale for s in body.segments if s.name not in sided}
    grown = scale_segments(body, lengths, mass=body.mass * scale**3)
    lighter = scale**-3
    segments = tuple(replace(s, mass=lighter * s.mass, inertia=lighter * s.inertia) for s in grown.segments)
    return replace(grown, segments=segments)
