"""First poses from masks alone: poses that the models find likely, turned all ways and set down where the person is.

A mask's box tells where a body is and, with the camera's ground, how far off. Samples of every model in every heading
are placed there and compared with the mask by [V12] Eq. 9; the best that differ are descended; the best that still
differ are returned for a contest (`follow`) to choose from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.estimate.video.blur import WIDE
from reenact.estimate.video.descend import descend, within_limits
from reenact.estimate.video.settings import Settings
from reenact.estimate.video.track import Seen, terms_of
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.motion.kinematics import forward
from reenact.motion.tree import Tree, tree_of
from reenact.observe import projection_table as part
from reenact.observe.projection import Projection, mismatches, projection_of
from reenact.priors.model import PoseModel

SAMPLES: Final = 80  # poses of each model
HEADINGS: Final = 16
SPREAD: Final = 0.8  # of the models' own standard deviations, in samples
DESCENDED: Final = 12  # of each model
ALIKE: Final = 0.08  # [m] mean distance of joints below which two poses are one
STEPS: Final = 5  # Newton steps at each blur
PLACINGS: Final = 3  # times a pose is moved to where its box fits


class _Box(NamedTuple):
    """Of a mask [cells]: its middle column, its first and last row."""

    middle: float
    top: float
    bottom: float


def first_pose_by_search(
    body: Body, seen: Sequence[Seen], models: Sequence[PoseModel], *,
    rate: float = 30.0, count: int = 4, seed: int = 0, settings: Settings | None = None,
    progress: Progress | None = None,
) -> list[Array]:  # fmt: skip
    """Up to `count` poses (7 + A,) of the first frame that differ, the likeliest first."""
    if not models:
        raise InputError("no pose models to draw first poses from")
    tell, settings = progress or (lambda fraction, what: None), settings or Settings()
    begin = [replace(s, masks=s.masks[:1]) for s in seen]
    found: list[tuple[float, Array]] = []
    for k, model in enumerate(models):
        tell(k / len(models), f"first poses like '{model.name}'")
        terms = terms_of(body, begin, rate, model, settings)
        for pose in _rough(body, begin, model, np.random.default_rng([seed, k])):
            one = np.arange(1)
            better = descend(terms.blurred(WIDE), pose[None], one, steps=STEPS)
            better = descend(terms, better, one, steps=STEPS)
            found.append((terms.cost(better, one), better[0]))
    tell(1.0, "done")
    found.sort(key=lambda pair: pair[0])
    return _distinct(tree_of(body), [pose for _, pose in found], count)


def _rough(body: Body, seen: Sequence[Seen], model: PoseModel, rng: np.random.Generator) -> list[Array]:
    """Samples of a model where the masks are, the best that differ."""
    tree = tree_of(body)
    projections = [projection_of(body, s.camera, s.size) for s in seen]
    poses = _set_down(tree, _samples(model, rng), seen[0].camera.ground)
    poses = np.concatenate([_at_box(projections[0], seen[0], poses, lift) for lift in (False, True)])
    masks = [np.repeat(s.masks, len(poses), axis=0) for s in seen]
    terms = [mismatches(p.overlaps(poses, m)) for p, m in zip(projections, masks, strict=True)]
    order = np.argsort(np.mean(terms, axis=0), kind="stable")
    return _distinct(tree, within_limits(tree, poses[order[: 40 * DESCENDED]]), DESCENDED)


def _samples(model: PoseModel, rng: np.random.Generator) -> Array:
    """Likely poses (SAMPLES · HEADINGS, 7 + A) about the origin, in all headings."""
    scale = SPREAD * model.sigma * (model.encoding != "plain") + 0.15 * (model.encoding == "plain")
    drawn = scale * rng.standard_normal((SAMPLES, model.size))
    drawn[0] = 0.0
    angles, tilt = model.pose(drawn)
    out = []
    for heading in 2.0 * np.pi * np.arange(HEADINGS) / HEADINGS:
        turned = rotation.multiply(rotation.from_axis_angle([0.0, 0.0, 1.0], heading), tilt)
        out.append(np.concatenate([np.zeros((SAMPLES, 3)), turned, angles], axis=1))
    return np.concatenate(out)


def _set_down(tree: Tree, poses: Array, ground: float) -> Array:
    """Poses with their lowest joint just above the ground."""
    position, _ = forward(tree, poses)
    out = poses.copy()
    out[:, 2] += ground + 0.03 - position[..., 2].min(axis=1)
    return np.asarray(out)


def _at_box(projection: Projection, seen: Seen, poses: Array, lift: bool) -> Array:
    """Poses moved over the ground to where the mask's lowest row is, or with `lift` to where its height fits."""
    camera = projection.camera
    box = _box(part.unpack(seen.masks, projection.columns)[0])
    ahead = camera.turn[2] * [1.0, 1.0, 0.0]
    ahead = ahead / np.linalg.norm(ahead)
    foot = camera.on_ground([box.middle, box.bottom + 1.0])
    tall = box.bottom + 1.0 - box.top
    if lift or not np.isfinite(foot).all():
        ray = camera.rays([box.middle, 0.5 * (box.top + box.bottom + 1.0)])
        foot = camera.position + ray * 1.3 * camera.focal[1] / tall
    out = poses.copy()
    out[:, :2] += foot[:2]
    for _ in range(PLACINGS):
        boxes = _boxes(projection, out)
        depth = camera.depth(out[:, :3])
        across = (box.middle - boxes[:, 0]) * depth / camera.focal[0]
        out[:, :3] += across[:, None] * camera.turn[0]
        if lift:
            away = np.clip((boxes[:, 2] - boxes[:, 1] + 1.0) / tall, 0.5, 2.0) * depth - depth
            down = (box.bottom - boxes[:, 2]) * depth / camera.focal[1]
            out[:, :3] += away[:, None] * ahead
            out[:, 2] -= down
        else:
            reach = (boxes[:, 2] - box.bottom) / camera.focal[1] * depth * depth / max(camera.height, 0.3)
            out[:, :3] += np.clip(reach, -1.0, 1.0)[:, None] * ahead
    return out


def _boxes(projection: Projection, poses: Array) -> Array:
    """Middle column, first and last row of silhouettes (n, 3) [cells]."""
    drawn: NDArray[np.bool_] = projection.silhouettes(poses)
    rows: NDArray[np.bool_] = drawn.max(axis=2)
    columns: NDArray[np.bool_] = drawn.max(axis=1)
    top, bottom = rows.argmax(axis=1), rows.shape[1] - 1 - rows[:, ::-1].argmax(axis=1)
    left, right = columns.argmax(axis=1), columns.shape[1] - 1 - columns[:, ::-1].argmax(axis=1)
    return np.stack([0.5 * (left + right + 1.0), top.astype(float), bottom.astype(float)], axis=1)


def _box(mask: NDArray[np.bool_]) -> _Box:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        raise InputError("nobody is in the first mask: no first pose can be found from it")
    return _Box(0.5 * (columns[0] + columns[-1] + 1.0), float(rows[0]), float(rows[-1]))


def _distinct(tree: Tree, poses: Sequence[Array] | Array, count: int) -> list[Array]:
    """The first poses that differ from all before them."""
    kept: list[Array] = []
    places: list[Array] = []
    for pose in poses:
        place = forward(tree, np.asarray(pose)[None])[0][0]
        if all(np.linalg.norm(place - other, axis=-1).mean() > ALIKE for other in places):
            kept.append(np.asarray(pose))
            places.append(place)
            if len(kept) == count:
                break
    return kept
