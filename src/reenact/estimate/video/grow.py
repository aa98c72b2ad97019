"""A track grown frame after frame along several ways at once, for a mask seldom tells at once which of them is right.

To each way the likeliest next poses are added, each is descended a little together with the frames just before it, and
the ways that cost least so far go on, if they differ. Someone who spins is lost by one way that follows what looks best
from frame to frame, but not by four.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from reenact.estimate.video.ahead import Only, likeliest_next
from reenact.estimate.video.blur import WIDE
from reenact.estimate.video.descend import descend, within_limits
from reenact.estimate.video.fold import folded, parts, places
from reenact.estimate.video.reseat import Stretch, elsewhere
from reenact.estimate.video.settings import Settings
from reenact.estimate.video.terms import Terms, View
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.tree import Tree
from reenact.observe import projection_table as part

FIRST_STEPS: Final = 6  # Newton steps of the first pose, at each blur
BRANCHES: Final = 3  # next poses of each way that may be tried
MORE: Final = 3  # trials than there are ways
NEAR: Final = 4  # frames that a trial of a next pose is solved together with
ALIKE: Final = 0.03  # [m] mean distance of joints below which two ways have become one
SEAT: Final = 4  # frames after which limbs are put elsewhere
SEATED: Final = 2  # ways that this is tried with
LATELY: Final = (4, 12)  # last frames in which a limb may have been elsewhere
LONG_AGO: Final = 14  # last frames in which a turn may have been taken for its mirror image
TURN_STEPS: Final = 3  # Newton steps of the other one
FIXED: Final = 2  # frames before a window that hold on to it


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Way:
    """Poses so far."""

    poses: Array  # (n, 7 + A)
    cost: float  # of all of them
    origin: int  # which first pose it comes from


def begun(terms: Terms, firsts: Sequence[Array]) -> list[Way]:
    """A way from each first pose (7 + A,), descended alone, the wide blur first; the cheapest way first."""
    one, out = np.arange(1), []
    for i, first in enumerate(firsts):
        poses = within_limits(terms.feet.tree, np.asarray(first, float)[None])
        poses = descend(terms.blurred(WIDE), poses, one, steps=FIRST_STEPS)
        poses = descend(terms, poses, one, steps=FIRST_STEPS)
        out.append(Way(poses=poses, cost=terms.cost(poses, one), origin=i))
    return sorted(out, key=lambda way: way.cost)


def grown(
    terms: Terms, ways: Sequence[Way], settings: Settings, *, to: int, keep: int, each: bool = False,
    only: Only | None = None, tell: Callable[[float], None] | None = None,
) -> list[Way]:  # fmt: skip
    """Ways longer by frames until they have `to` of them; the `keep` cheapest go on, with `each` one of every origin.

    only: which ways may go on at all, all where none would. The cheapest comes first.
    """
    moves = _moves(terms.views[0], ways[0].poses[0])
    ways = list(ways)
    while len(ways[0].poses) < to:
        n = len(ways[0].poses)
        if tell is not None:
            tell(n / to)
        trials = _allowed(_trials(terms, ways, moves[n - 1], len(ways) + MORE, only), only)
        ways = [_settled(terms, way, settings) for way in _chosen(terms.feet.tree, trials, keep, each)]
        ways.sort(key=lambda way: way.cost)
        if (n + 1) % SEAT == 0:
            ways += [other for way in ways[:SEATED] for other in (*_elsewhere(terms, way), *_turned_back(terms, way))]
            ways = _chosen(terms.feet.tree, _allowed(ways, only), keep, each)
    return ways


def _allowed(ways: list[Way], only: Only | None) -> list[Way]:
    return ways if only is None else [way for way in ways if only(way.poses[:-1], way.poses[-1:])[0]] or ways


def _trials(terms: Terms, ways: Sequence[Way], move: float, count: int, only: Only | None) -> list[Way]:
    """Ways with their likeliest next poses, barely descended: the first of each, and the likeliest of the others."""
    ahead = [
        [(way.cost + c, way, pose) for c, pose in likeliest_next(terms, way.poses, move, BRANCHES, only)]
        for way in ways
    ]
    others = sorted((trial for one in ahead for trial in one[1:]), key=lambda trial: trial[0])
    chosen = [one[0] for one in ahead] + others[: max(0, count - len(ways))]
    return [_descended(terms, way, np.concatenate([way.poses, pose[None]]), NEAR, 1) for _, way, pose in chosen]


def _elsewhere(terms: Terms, way: Way) -> list[Way]:
    """The same way with a limb elsewhere in the last frames, where that costs less."""
    n = len(way.poses)
    stretches = [Stretch(max(0, n - back), n) for back in LATELY if back <= n]
    found = elsewhere(terms, way.poses, n - 1, stretches) if stretches else None
    return [] if found is None else [Way(poses=found[0], cost=way.cost - found[1], origin=way.origin)]


def _turned_back(terms: Terms, way: Way) -> list[Way]:
    """The same way mirrored in depth from where it was seen from the side not long ago, if it has turned since."""
    begin = max(0, len(way.poses) - LONG_AGO - FIXED)
    part, frames = way.poses[begin:], np.arange(begin, len(way.poses))
    at = [place for place in places(terms, part) if place >= FIXED]
    now, out = terms.cost(part, frames), []
    for turn in parts(at, len(part)):
        trial = folded(terms, part, *turn)
        new = descend(terms, trial, frames, steps=TURN_STEPS, fixed=FIXED)
        cost = way.cost - now + terms.cost(new, frames)
        out.append(Way(poses=np.concatenate([way.poses[:begin], new]), cost=cost, origin=way.origin))
    return out


def _settled(terms: Terms, way: Way, settings: Settings) -> Way:
    return _descended(terms, way, way.poses, settings.window, settings.steps)


def _descended(terms: Terms, before: Way, poses: Array, window: int, steps: int) -> Way:
    """The last frames solved together; the frames before hold on to them."""
    begin = max(0, len(poses) - window - FIXED)
    frames, old = np.arange(begin, len(poses)), np.arange(begin, len(before.poses))
    new = descend(terms, poses[begin:], frames, steps=steps, fixed=0 if begin == 0 else FIXED)
    cost = before.cost - terms.cost(before.poses[begin:], old) + terms.cost(new, frames)
    return Way(poses=np.concatenate([poses[:begin], new]), cost=cost, origin=before.origin)


def _chosen(tree: Tree, trials: list[Way], keep: int, each: bool) -> list[Way]:
    """The cheapest ways that differ in their last pose, and the cheapest of every origin where `each`."""
    places = forward(tree, np.stack([way.poses[-1] for way in trials]))[0]
    order = sorted(range(len(trials)), key=lambda i: trials[i].cost)
    kept: list[int] = []
    for i in order:
        first = each and all(trials[k].origin != trials[i].origin for k in kept)
        rivals = [k for k in kept if not each or trials[k].origin == trials[i].origin]
        differs = all(np.linalg.norm(places[i] - places[k], axis=-1).mean() > ALIKE for k in rivals)
        if first or (differs and len(kept) < keep):
            kept.append(i)
    return [trials[i] for i in kept]


def _moves(view: View, pose: Array) -> Array:
    """How far the masks' centres go from frame to frame across the picture, (T − 1,) [m] at a pose's distance."""
    columns = view.projection.columns
    masks = part.unpack(view.masks, columns)
    cells = masks.sum(axis=(1, 2))
    centre = (masks.sum(axis=1) @ np.arange(columns)) / np.maximum(cells, 1)
    known = np.flatnonzero(cells)
    centre = np.interp(np.arange(len(masks)), known, centre[known])
    camera = view.projection.camera
    return np.asarray(np.diff(centre) * float(camera.depth(pose[:3])) / camera.focal[0])
