"""A track: poses over time whose silhouettes match a video's masks, from a rough first pose; no physics yet.

[V12] goes from masks to a controller at once. A search from motion capture works so well because it has poses to start
from and residuals to step along; a track gives both to a search from video. It is grown frame after frame (`grow`), all
frames are solved together, the body's girth is fitted to the masks, all frames are solved again with masks that count
for more, and all is done once more with what was found. Last, poses and flesh are solved together with finer masks
(`together`), which tells depth, and limbs are exchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.estimate.video.balance import balance_of
from reenact.estimate.video.blur import FINE
from reenact.estimate.video.dynamics import dynamics_of
from reenact.estimate.video.feet import feet_of
from reenact.estimate.video.flesh import flesh_of
from reenact.estimate.video.fold import without_folds
from reenact.estimate.video.grow import begun, grown
from reenact.estimate.video.keypoints import SeenMarks, all_marks
from reenact.estimate.video.level import level_of
from reenact.estimate.video.likely import likely
from reenact.estimate.video.responses import limbs_of
from reenact.estimate.video.settings import Settings
from reenact.estimate.video.smooth import smooth_of
from reenact.estimate.video.spins import without_missed_turns
from reenact.estimate.video.splice import spliced
from reenact.estimate.video.swaps import without_swaps
from reenact.estimate.video.terms import Terms, view_of
from reenact.estimate.video.together import solve_along
from reenact.estimate.video.variants import mirrored_in_depth
from reenact.estimate.video.whole import all_at_once, otherwise
from reenact.geometry.one_thread import one_thread
from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.observe.camera import Camera
from reenact.observe.girth_fit import SeenPoses, fit_girth
from reenact.observe.projection import mismatches, projection_of
from reenact.observe.projection_table import Words
from reenact.priors.model import PoseModel

FINER: Final = 2  # times as many cells each way in fine masks


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Seen:
    """What one camera saw: masks of frames at even times."""

    camera: Camera
    masks: Words  # (T, rows, words), see `packed_masks`
    size: tuple[int, int]  # columns and rows of their grid
    marks: SeenMarks | None = None  # landmarks in the same frames, where a detector saw some
    fine: Words | None = None  # the masks on a grid FINER times as fine, where depth is to be told closely


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Track:
    """How a person moved, as far as masks tell."""

    body: Body  # as thick as the person
    rate: float  # frames per second
    poses: Array  # (T, 7 + A)
    mismatch: Array  # (T,) terms of [V12] Eq. 9, 0 … 2, mean over the views
    cost: float  # of the whole, to choose between tracks of the same masks by
    swaps: int  # exchanges of limbs, and of turns for their mirror images, that were found to help


@one_thread()
def track(
    body: Body, seen: Sequence[Seen], rate: float, first: Array, model: PoseModel, *,
    settings: Settings | None = None, girth: bool = True, threads: int | None = None,
    progress: Progress | None = None,
) -> Track:  # fmt: skip
    """Poses that explain masks at `rate` frames per second, from a rough pose `first` (7 + A,) in the first frame.

    The body has the person's size; with `girth` it is made as thick, too. Cost compares models and first poses.
    """
    check(body, seen, rate, first)
    tell, settings = progress or (lambda fraction, what: None), settings or Settings()
    going = Attempt(body=body, model=model, start=np.asarray(first, float), poses=np.zeros((0, len(first))))
    for i in range(settings.rounds):
        part_done = partial(_tell, tell, 0.7 * i / settings.rounds, 0.7 / settings.rounds)
        going = once_more(going, seen, rate, settings, girth=girth, tell=part_done)
    going = turned(going, seen, rate, settings, partial(_tell, tell, 0.7, 0.1), threads)
    tell(0.8, "left and right")
    found = finished(going, seen, rate, settings)
    tell(1.0, "done")
    return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Attempt:
    """A track in the making."""

    body: Body  # as thick as found so far
    model: PoseModel
    start: Array  # (7 + A,) to begin the next round from
    poses: Array  # (T, 7 + A) found so far, none before the first round


def once_more(
    attempt: Attempt, seen: Sequence[Seen], rate: float, settings: Settings, *, girth: bool,
    tell: Callable[[float], None],
) -> Attempt:  # fmt: skip
    """The masks followed once more from the beginning, what was found before kept where it costs less."""
    terms = terms_of(attempt.body, seen, rate, attempt.model, settings)
    keep = settings.ways if not len(attempt.poses) else settings.later_ways
    ways = grown(terms, begun(terms, [attempt.start]), settings, to=len(seen[0].masks), keep=keep, tell=tell)
    new = solved(replace(attempt, poses=ways[0].poses), seen, rate, settings, girth=girth)
    terms = terms_of(new.body, seen, rate, attempt.model, settings.sharpened())
    poses = spliced(terms, attempt.poses, new.poses) if len(attempt.poses) else new.poses
    return replace(new, start=poses[0], poses=poses)


def solved(attempt: Attempt, seen: Sequence[Seen], rate: float, settings: Settings, *, girth: bool) -> Attempt:
    """All frames solved together, the body made as thick as the person, and all frames solved again."""
    body, terms = attempt.body, terms_of(attempt.body, seen, rate, attempt.model, settings)
    poses = all_at_once(terms, attempt.poses, settings.last_steps)
    poses = otherwise(terms, poses, settings.last_steps)
    if girth:
        known = [SeenPoses(projection=v.projection, poses=poses, masks=v.masks) for v in terms.views]
        body = fit_girth(body, known).body
    sharp = terms_of(body, seen, rate, attempt.model, settings.sharpened())
    poses = all_at_once(sharp, poses, settings.last_steps)
    return replace(attempt, body=body, start=poses[0], poses=poses)


def turned(
    attempt: Attempt,
    seen: Sequence[Seen],
    rate: float,
    settings: Settings,
    tell: Callable[[float], None],
    threads: int | None = None,
) -> Attempt:
    """The attempt with whole turns that it has missed, where they cost less."""
    usual, sharp = (
        terms_of(attempt.body, seen, rate, attempt.model, each) for each in (settings, settings.sharpened())
    )
    poses = without_missed_turns(usual, sharp, attempt.poses, rate, settings, tell, threads)
    return replace(attempt, poses=poses, start=poses[0])


def finished(attempt: Attempt, seen: Sequence[Seen], rate: float, settings: Settings) -> Track:
    """The track of an attempt: solved with fine masks where there are some, turns and limbs exchanged if that helps."""
    terms = terms_of(attempt.body, seen, rate, attempt.model, settings.sharpened())
    if all(s.fine is not None for s in seen):
        closer = partial(close_terms, seen=seen, rate=rate, model=attempt.model, settings=settings.sharpened())
        found = solve_along(flesh_of(attempt.body), attempt.poses, closer, terms.smooth.axes[0])
        attempt = replace(attempt, body=found.body, poses=found.poses)
        terms = terms_of(attempt.body, seen, rate, attempt.model, settings.sharpened())
    poses, folds = without_folds(terms, attempt.poses)
    poses, swaps = without_swaps(terms, poses)
    mismatch = np.mean([mismatches(v.projection.overlaps(poses, v.masks)) for v in terms.views], axis=0)
    cost = terms.cost(poses, np.arange(len(poses)))
    return Track(body=attempt.body, rate=rate, poses=poses, mismatch=mismatch, cost=cost, swaps=swaps + folds)


def _tell(tell: Progress, begin: float, length: float, done: float) -> None:
    tell(begin + length * done, "following the masks")


def terms_of(body: Body, seen: Sequence[Seen], rate: float, model: PoseModel, settings: Settings) -> Terms:
    """What tracks of these masks cost with a body and a model."""
    views = tuple(view_of(projection_of(body, s.camera, s.size), s.masks, settings.masks, FINE) for s in seen)
    feet = feet_of(body, seen[0].camera.ground, rate, settings)
    smooth = smooth_of(feet.tree, [s.camera for s in seen], rate, settings)
    return Terms(
        views=views,
        likely=likely(model.on(body), settings.poses),
        feet=feet,
        balance=balance_of(body, [s.camera for s in seen], settings),
        level=level_of(feet.tree, [s.camera for s in seen], settings),
        smooth=smooth,
        dynamics=dynamics_of(body, feet),
        limbs=limbs_of(feet.tree),
        image=partial(mirrored_in_depth, body, camera=seen[0].camera),
        marks=all_marks(body, [(s.camera, s.marks) for s in seen]),
    )


def close_terms(body: Body, seen: Sequence[Seen], rate: float, model: PoseModel, settings: Settings) -> Terms:
    """The same with the fine masks, as much blurred in the picture."""
    near = [replace(s, masks=s.fine, size=(FINER * s.size[0], FINER * s.size[1])) for s in seen if s.fine is not None]
    scales = tuple((FINER * sigma, FINER * spacing) for sigma, spacing in FINE)
    return terms_of(body, near, rate, model, settings).blurred(scales)


def check(body: Body, seen: Sequence[Seen], rate: float, first: Array) -> None:
    """Refuse masks and first poses that no track can begin with."""
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
