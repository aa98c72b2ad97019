"""A track: poses over time whose silhouettes match a video's masks, from a rough first pose; no physics yet.

[V12] goes from masks to a controller at once. A search from motion capture works so well because it has poses to start
from and residuals to step along; a track gives both to a search from video. The first pose is solved alone, wide blur
first; then frame after frame is added where the mask's centre leads, and a window of the last frames is solved
together; then all frames are. The body's girth is fitted to the masks, and all is done again with it. Last, limbs are
exchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.estimate.video.blur import FINE, WIDE
from reenact.estimate.video.descend import descend, within_limits
from reenact.estimate.video.feet import feet_of
from reenact.estimate.video.likely import likely
from reenact.estimate.video.settings import Settings
from reenact.estimate.video.swaps import without_swaps
from reenact.estimate.video.terms import Terms, View, view_of
from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.motion.tree import Tree, difference, move
from reenact.observe import projection_table as part
from reenact.observe.camera import Camera
from reenact.observe.girth_fit import SeenPoses, fit_girth
from reenact.observe.projection import mismatches, projection_of
from reenact.observe.projection_table import Words
from reenact.priors.model import PoseModel

FIRST_STEPS = 6  # Newton steps of the first pose, at each blur
SLOWING = 0.8  # of the turning that a new frame goes on with


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Seen:
    """What one camera saw: masks of frames at even times."""

    camera: Camera
    masks: Words  # (T, rows, words), see `packed_masks`
    size: tuple[int, int]  # columns and rows of their grid


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Track:
    """How a person moved, as far as masks tell."""

    body: Body  # as thick as the person
    rate: float  # frames per second
    poses: Array  # (T, 7 + A)
    mismatch: Array  # (T,) terms of [V12] Eq. 9, 0 … 2, mean over the views
    cost: float  # of the whole, to choose between tracks of the same masks by
    swaps: int  # exchanges of limbs that were found to help


def track(
    body: Body, seen: Sequence[Seen], rate: float, first: Array, model: PoseModel, *,
    settings: Settings | None = None, girth: bool = True, progress: Progress | None = None,
) -> Track:  # fmt: skip
    """Poses that explain masks at `rate` frames per second, from a rough pose `first` (7 + A,) in the first frame.

    The body has the person's size; with `girth` it is made as thick, too. Cost compares models and first poses.
    """
    _check(body, seen, rate, first)
    tell, settings = progress or (lambda fraction, what: None), settings or Settings()
    start: Array = np.asarray(first, float)
    poses = np.zeros((0, len(start)))
    for i in range(settings.rounds):
        terms = _terms(body, seen, rate, model, settings)
        follow = partial(_tell, tell, 0.7 * i / settings.rounds, 0.7 / settings.rounds)
        new = grown(terms, start, settings, follow)
        poses = _cheaper(terms, poses, _all_at_once(terms, new, settings))
        if girth:
            known = [SeenPoses(projection=v.projection, poses=poses, masks=v.masks) for v in terms.views]
            body = fit_girth(body, known).body
            terms = _terms(body, seen, rate, model, settings)
            poses = _all_at_once(terms, poses, settings)
        start = poses[0]
    tell(0.7, "left and right")
    poses, swaps = without_swaps(terms, poses)
    tell(1.0, "done")
    mismatch = np.mean([mismatches(v.projection.overlaps(poses, v.masks)) for v in terms.views], axis=0)
    cost = terms.cost(poses, np.arange(len(poses)))
    return Track(body=body, rate=rate, poses=poses, mismatch=mismatch, cost=cost, swaps=swaps)


def _tell(tell: Progress, begin: float, length: float, done: float) -> None:
    tell(begin + length * done, "following the masks")


def _all_at_once(terms: Terms, poses: Array, settings: Settings) -> Array:
    """All frames solved together; once more by way of the wide blur, where that ends better."""
    frames = np.arange(len(poses))
    fine = descend(terms, poses, frames, steps=settings.last_steps)
    wide = descend(terms.blurred(WIDE), fine, frames, steps=settings.last_steps)
    return _cheaper(terms, fine, descend(terms, wide, frames, steps=settings.last_steps))


def _cheaper(terms: Terms, old: Array, new: Array) -> Array:
    """Of two tracks the one that costs less; the new one where the old one has no frames."""
    frames = np.arange(len(new))
    return new if not len(old) or terms.cost(new, frames) < terms.cost(old, frames) else old


def grown(terms: Terms, first: Array, settings: Settings, tell: Callable[[float], None]) -> Array:
    """Poses (T, 7 + A) found frame after frame."""
    tree, one, count = terms.feet.tree, np.arange(1), len(terms.views[0].masks)
    poses = within_limits(tree, np.asarray(first, float)[None])
    poses = descend(terms.blurred(WIDE), poses, one, steps=FIRST_STEPS)
    poses = descend(terms, poses, one, steps=FIRST_STEPS)
    ways = _ways(terms.views[0], poses[0])
    for n in range(1, count):
        tell(n / count)
        poses = np.concatenate([poses, within_limits(tree, _gone_on(terms.views[0], poses, ways[n - 1]))])
        begin = max(0, n + 1 - settings.window)
        fixed = 0 if begin == 0 else 2
        frames = np.arange(begin, n + 1)
        poses[begin:] = descend(terms, poses[begin:], frames, steps=settings.steps, fixed=fixed)
    return poses


def _gone_on(view: View, poses: Array, way: float) -> Array:
    """The next pose (1, 7 + A) by what the last two did, and across the picture by the mask's way [m]."""
    right = view.projection.camera.turn[0]
    step = difference(poses[-2:-1], poses[-1:]) if len(poses) > 1 else np.zeros((1, poses.shape[1] - 1))
    step[:, 3:] *= SLOWING
    step[:, :3] += (way - step[:, :3] @ right)[:, None] * right
    return move(poses[-1:], step)


def _ways(view: View, pose: Array) -> Array:
    """How far the masks' centres go from frame to frame across the picture, (T − 1,) [m] at a pose's distance."""
    columns = view.projection.columns
    masks = part.unpack(view.masks, columns)
    cells = masks.sum(axis=(1, 2))
    centre = (masks.sum(axis=1) @ np.arange(columns)) / np.maximum(cells, 1)
    known = np.flatnonzero(cells)
    centre = np.interp(np.arange(len(masks)), known, centre[known])
    camera = view.projection.camera
    return np.asarray(np.diff(centre) * float(camera.depth(pose[:3])) / camera.focal[0])


def _terms(body: Body, seen: Sequence[Seen], rate: float, model: PoseModel, settings: Settings) -> Terms:
    views = tuple(view_of(projection_of(body, s.camera, s.size), s.masks, settings.masks, FINE) for s in seen)
    feet = feet_of(body, seen[0].camera.ground, rate, settings)
    smooth = _smoothness(feet.tree, [s.camera for s in seen], rate, settings)
    return Terms(views=views, likely=likely(model.on(body), settings.poses), feet=feet, smooth=smooth)


def _smoothness(tree: Tree, cameras: Sequence[Camera], rate: float, settings: Settings) -> Array:
    """Weights (V, V) of second differences; one view alone does not tell of depth, which is held steady."""
    typical = [settings.root] * 3 + [settings.turning] * 3
    for name in tree.hinges:
        if name.endswith(("twist", "abduction", "inversion")):
            typical.append(settings.twist)
        else:
            slow = name.startswith(("neck", "wrist", "lumbar", "thoracic"))
            typical.append(settings.trunk if slow else settings.hinge)
    smooth = np.diag(0.5 * (rate**2 / np.array(typical)) ** 2)
    if len(cameras) == 1:
        sight = cameras[0].turn[2] * [1.0, 1.0, 0.0]
        length = float(np.linalg.norm(sight))
        if length > 0.1:  # else it looks straight down
            extra = 0.5 * (rate**2 / settings.depth) ** 2 - smooth[0, 0]
            smooth[:3, :3] += max(extra, 0.0) * np.outer(sight, sight) / length**2
    return smooth


def _check(body: Body, seen: Sequence[Seen], rate: float, first: Array) -> None:
    if not seen:
        raise InputError("no camera's masks to follow")
    counts = {len(s.masks) for s in seen}
    if len(counts) != 1 or min(counts) < 3:
        raise InputError(f"masks of {sorted(counts)} frames, expected three or more, as many of each camera")
    for s in seen:
        if not s.masks[0].any():
            raise InputError(f"camera '{s.camera.name}': nobody is in the first mask")
    if not rate > 0:
        raise InputError(f"{rate:g} frames per second, expected more than 0")
    expected = 7 + len(body.axes)
    if np.shape(first) != (expected,) or not np.isfinite(first).all():
        raise InputError(f"the first pose has shape {np.shape(first)}, expected {expected} finite numbers")
