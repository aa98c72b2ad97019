"""Several beginnings of a track that is doubtful, and the cheapest end of them.

Which of several hollows a contest ends in hangs, when the motion is a hard one, on the last digits of its first pose:
tracks of one twist jump cost 1960 to 2518 and were 5 to 13 cm off. The cost mostly knows the better one, and nothing
within a contest leads from the one to the other. So where a track is doubtful (`doubts`), the contest is run again from
first poses that are a little displaced, and the track with the least `price` is kept. Nothing is handed on from one
contest to the next, or all would share the mistakes of the first. Where nothing is doubtful there is one contest, whose
track is the one that `follow` finds, bit by bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

import numpy as np

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.estimate.video.begin import displaced
from reenact.estimate.video.doubt import doubts
from reenact.estimate.video.follow import follow
from reenact.estimate.video.price import price
from reenact.estimate.video.settings import Settings
from reenact.estimate.video.track import Seen, Track
from reenact.estimate.video.variants import VARIANTS
from reenact.geometry.one_thread import one_thread
from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.priors.model import PoseModel

BEGINNINGS: Final = 3  # of a doubtful track, the first pose as it is among them
SECONDS: Final = 60.0  # of a search's budget, for each beginning: a contest of a clip of 2 s takes one to four minutes
# By which first poses differ: root [m], root [rad], hinges [rad]. Less than what clicks and networks are off by, so
# that each is about as good a guess as the first; a contest comes to other ends by far less.
SPREAD: Final = (0.015, 0.03, 0.03)
FIRST: Final = 0.5  # share of the progress for the first contest: whether there are others is known after it


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class End:
    """What one contest came to."""

    track: Track
    model: str  # name of its pose model
    variant: str  # of the first pose that did best, one of VARIANTS
    first: Array  # (7 + A,) that first pose, before it was made that variant
    price: float  # see `price`


class Ends(Protocol):
    """Where ends are kept, so that what was stopped goes on after the last one."""

    def find(self, number: int) -> End | None:
        """The end of a beginning that was found before from the same."""
        ...

    def keep(self, number: int, end: End) -> End:
        """Keep it; the end as `find` gives it, so that a resumed run has the same bits."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cheapest:
    """The cheapest of the ends."""

    end: End
    model: PoseModel  # its own
    prices: tuple[float, ...]  # of all ends, that of the first poses as they are first
    doubts: tuple[str, ...]  # why there was more than one, in words


def beginnings_for(budget: float | None) -> int:
    """How many beginnings a doubtful track may have where a search has a budget [s]: fewer where it is small."""
    return BEGINNINGS if budget is None else min(BEGINNINGS, max(1, int(budget / SECONDS)))


@one_thread()
def follow_again(
    body: Body, seen: Sequence[Seen], rate: float, firsts: Sequence[Array], models: Sequence[PoseModel], *,
    seed: int = 0, beginnings: int | None = None, settings: Settings | None = None,
    variants: Sequence[str] = VARIANTS, ends: Ends | None = None, threads: int | None = None,
    progress: Progress | None = None,
) -> Cheapest:  # fmt: skip
    """As `follow`, again from displaced first poses where the track is doubtful: the cheapest track.

    seed: of the displacements. beginnings: how many there may be, BEGINNINGS unless said. ends: where they are kept.
    """
    count = BEGINNINGS if beginnings is None else beginnings
    if count < 1:
        raise InputError(f"{count} beginnings of a track, expected 1 or more")
    settings, tell = settings or Settings(), progress or (lambda fraction, what: None)

    def contest(number: int, progress: Progress) -> End:
        own = starts(firsts, seed, number)
        found = follow(
            body, seen, rate, own, models, settings=settings, variants=variants, threads=threads, progress=progress
        )
        best = found.tried[0]
        return End(
            track=found.best, model=found.model.name, variant=best.variant, first=own[best.first],
            price=price(found.best, found.model, body, settings),
        )  # fmt: skip

    first = _end(contest, ends, 0, _share(tell, 0, count))
    why = doubts(first.track, seen) if count > 1 else ()
    more = range(1, count if why else 1)
    found = [first, *(_end(contest, ends, number, _share(tell, number, count)) for number in more)]
    tell(1.0, "done")
    best = min(found, key=lambda end: end.price)
    model = next(model for model in models if model.name == best.model)
    return Cheapest(end=best, model=model, prices=tuple(end.price for end in found), doubts=why)


def starts(firsts: Sequence[Array], seed: int, number: int) -> list[Array]:
    """First poses (7 + A,) of a beginning: as they are of beginning 0, else each displaced by itself."""
    if number == 0:
        return [np.asarray(each, float) for each in firsts]
    streams = [np.random.default_rng([seed, number, which]) for which in range(len(firsts))]
    return [displaced(each, SPREAD, stream) for each, stream in zip(firsts, streams, strict=True)]


def _end(contest: Callable[[int, Progress], End], ends: Ends | None, number: int, progress: Progress) -> End:
    """One beginning's end, found before or now."""
    before = None if ends is None else ends.find(number)
    if before is not None:
        return before
    found = contest(number, progress)
    return found if ends is None else ends.keep(number, found)


def _share(tell: Progress, number: int, count: int) -> Progress:
    """The progress of a contest as its share of the whole."""
    if count == 1:
        return tell
    if number == 0:
        return partial(_told, tell, 0.0, FIRST, "")
    length = (1.0 - FIRST) / (count - 1)
    return partial(_told, tell, FIRST + length * (number - 1), length, f"contest {number + 1} of {count}: ")


def _told(tell: Progress, begin: float, length: float, which: str, done: float, what: str) -> None:
    tell(begin + length * done, f"{which}{what}")
