"""The contest of models, first poses and their mirror images for the track that explains a video best.

[V12] §4.1.2 tries every pose model and keeps the best objective; silhouettes, besides, do not tell left from right
nor near from far in one frame. With every model, ways from all first poses and their images are grown along the first
part of the masks, one of each origin kept; the cheapest of the few best models go on to the end and are solved as a
whole; the best of these is followed once more, given the model that then explains it best, and finished. Costs of
different models are made comparable, see `Likely.usual`. Models are followed side by side on threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.estimate.abreast import abreast
from reenact.estimate.video.descend import descend
from reenact.estimate.video.grow import Way, begun, grown
from reenact.estimate.video.settings import Settings
from reenact.estimate.video.terms import Terms
from reenact.estimate.video.track import Attempt, Seen, Track, check, finished, once_more, solved, terms_of, turned
from reenact.estimate.video.variants import VARIANTS, variant
from reenact.geometry.one_thread import one_thread
from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.motion.kinematics import forward
from reenact.physics.rollout import cores
from reenact.priors.model import PoseModel

BEGINNING: Final = 0.5  # [s] that all follow
ORIGINS: Final = 5  # of each model, whose first frame looks best
MODELS: Final = 2  # that follow all masks, at most
BEHIND: Final = 8.0  # cost a frame of the beginning by which a model may be behind the best one and still go on
ALIKE: Final = 0.03  # [m] mean distance of joints below which two origins are one
SHARES: Final = (0.3, 0.7, 0.82, 0.91, 0.95)  # of the time: after the beginning, choice, best anew, turns, model anew
REMODEL: Final = 8  # Newton steps of all frames with another model


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One of the combinations."""

    model: str  # name of the pose model
    first: int  # which of the first poses
    variant: str  # one of VARIANTS
    frames: int  # of the masks that it followed at last
    cost: float  # a frame


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Followed:
    """The best track and all that was tried: what went farthest first, of these the best first."""

    best: Track
    model: PoseModel  # of the best
    tried: tuple[Tried, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Field:
    """What one model has in the contest."""

    model: PoseModel
    terms: Terms
    origins: tuple[tuple[int, str], ...]  # first pose and variant of each origin
    ways: tuple[Way, ...]  # the cheapest first

    def tried(self, way: Way) -> Tried:
        first, name = self.origins[way.origin]
        count = len(way.poses)
        cost = (way.cost - self.terms.likely.usual * count) / count
        return Tried(model=self.model.name, first=first, variant=name, frames=count, cost=cost)

    @property
    def best(self) -> float:
        return self.tried(self.ways[0]).cost


@one_thread()
def follow(
    body: Body, seen: Sequence[Seen], rate: float, firsts: Sequence[Array], models: Sequence[PoseModel], *,
    settings: Settings | None = None, variants: Sequence[str] = VARIANTS, threads: int | None = None,
    progress: Progress | None = None,
) -> Followed:  # fmt: skip
    """The best track of masks at `rate` frames per second, over first poses (7 + A,), models and mirror images.

    variants: images of the first poses that are tried; fewer where somebody has told left from right.
    """
    if not firsts or not models:
        raise InputError(f"{len(firsts)} first poses and {len(models)} pose models, expected one or more of each")
    for first in firsts:
        check(body, seen, rate, first)
    settings, tell = settings or Settings(), progress or (lambda fraction, what: None)
    count = threads or cores()
    beginning = partial(_told, tell, 0.0, SHARES[0], f"beginning, by {_names(models)}")
    started = [partial(_begun, body, seen, rate, firsts, model, settings, variants) for model in models]
    fields = sorted(abreast(started, beginning, count), key=lambda one: one.best)
    tried = [one.tried(way) for one in fields for way in one.ways]
    further = [one for one in fields[:MODELS] if one.best < fields[0].best + BEHIND]
    going_on = partial(
        _told, tell, SHARES[0], SHARES[1] - SHARES[0], f"all frames, by {_names(f.model for f in further)}"
    )
    carried = abreast([partial(_carried, one, body, seen, rate, settings) for one in further], going_on, count)
    carried.sort(key=lambda pair: pair[0].cost)
    best = carried[0][1]
    for _ in range(1, settings.rounds):
        part = partial(_told, tell, SHARES[1], SHARES[2] - SHARES[1], "the best once more")
        best = once_more(best, seen, rate, settings, girth=True, tell=part)
    best = turned(best, seen, rate, settings, partial(_told, tell, SHARES[2], SHARES[3] - SHARES[2], "turns"), count)
    tell(SHARES[3], "the model once more")
    best = _remodelled(best, seen, rate, models, settings)
    tell(SHARES[4], "left and right")
    found = finished(best, seen, rate, settings)
    tell(1.0, "done")
    rest = sorted(tried, key=lambda one: one.cost)
    return Followed(best=found, model=best.model, tried=(*(pair[0] for pair in carried), *rest))


def _told(tell: Progress, begin: float, length: float, what: str, done: float) -> None:
    tell(begin + length * done, what)


def _names(models: Iterable[PoseModel]) -> str:
    return ", ".join(f"'{model.name}'" for model in models)


def _begun(
    body: Body, seen: Sequence[Seen], rate: float, firsts: Sequence[Array], model: PoseModel, settings: Settings,
    variants: Sequence[str], tell: Callable[[float], None],
) -> _Field:  # fmt: skip
    """A model's ways after the beginning, the best of every origin among them."""
    count = min(len(seen[0].masks), max(3, round(BEGINNING * rate)))
    terms = terms_of(body, seen, rate, model, settings)
    origins = tuple((i, name) for i in range(len(firsts)) for name in variants)
    ways = begun(terms, [variant(body, firsts[i], seen[0].camera, name) for i, name in origins])
    ways = _distinct(terms, ways)[:ORIGINS]
    ways = grown(terms, ways, settings, to=count, keep=max(settings.ways, len(ways)), each=True, tell=tell)
    return _Field(model=model, terms=terms, origins=origins, ways=tuple(ways))


def _distinct(terms: Terms, ways: Sequence[Way]) -> list[Way]:
    """Those that begin unlike any cheaper one."""
    places = forward(terms.feet.tree, np.stack([way.poses[0] for way in ways]))[0]
    kept: list[int] = []
    for i in range(len(ways)):
        if all(np.linalg.norm(places[i] - places[k], axis=-1).mean() > ALIKE for k in kept):
            kept.append(i)
    return [ways[i] for i in kept]


def _carried(
    one: _Field, body: Body, seen: Sequence[Seen], rate: float, settings: Settings, tell: Callable[[float], None]
) -> tuple[Tried, Attempt]:
    """A model's best way along all masks, solved as a whole with the body's girth."""
    ways = grown(one.terms, one.ways, settings, to=len(seen[0].masks), keep=settings.ways, tell=tell)
    start = Attempt(body=body, model=one.model, start=ways[0].poses[0], poses=ways[0].poses)
    attempt = solved(start, seen, rate, settings, girth=True)
    terms = terms_of(attempt.body, seen, rate, one.model, settings.sharpened())
    cost = terms.cost(attempt.poses, np.arange(len(attempt.poses)))
    return replace(one.tried(replace(ways[0], cost=cost)), frames=len(attempt.poses)), attempt


def _remodelled(
    attempt: Attempt, seen: Sequence[Seen], rate: float, models: Sequence[PoseModel], settings: Settings
) -> Attempt:
    """The same poses, solved with the model that then explains them best: the beginning alone may not tell which."""
    frames = np.arange(len(attempt.poses))
    best, least = attempt, np.inf
    for model in models:
        terms = terms_of(attempt.body, seen, rate, model, settings.sharpened())
        own = model.name == attempt.model.name
        poses = attempt.poses if own else descend(terms, attempt.poses, frames, steps=REMODEL)
        cost = terms.cost(poses, frames) - terms.likely.usual * len(frames)
        if cost < least:
            best, least = replace(attempt, model=model, poses=poses, start=poses[0]), cost
    return best
