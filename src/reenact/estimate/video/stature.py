"""How tall somebody is, from a video by a camera whose place over the ground is known.

A camera alone does not tell a tall person from a near one. But soles are on the ground, and where on the ground they
are seen tells how far off, so that the height in the picture tells the stature. Poses, flesh and size are solved
together from a track that was found with a body of some other size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.estimate.video.flesh import SIZE, flesh_of
from reenact.estimate.video.settings import Settings
from reenact.estimate.video.together import solve_together
from reenact.estimate.video.track import Seen, Track, close_terms
from reenact.priors.model import PoseModel

PEOPLE: Final = 0.05  # spread of the logarithm of grown people's statures
STEPS: Final = 20
CLOTHES: Final = 0.015  # share of the stature by which hair, hems and shoes lead astray, as measured


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stature:
    """An estimate."""

    height: float  # [m]
    doubt: float  # standard deviation [m]
    track: Track  # of a body as tall, its mismatch and cost those of the track it came from


def stature_of(
    track: Track, seen: Sequence[Seen], model: PoseModel, *, weighed: bool = True, settings: Settings | None = None
) -> Stature:
    """The stature of whom a track follows; what was seen must hold fine masks.

    weighed: whether the body's mass is known; else it becomes that of somebody as tall, by the square of the height.
    """
    if not seen or any(s.fine is None for s in seen):
        raise InputError("a stature is told by fine masks, and there are none")
    terms = partial(close_terms, seen=seen, rate=track.rate, model=model, settings=(settings or Settings()).sharpened())
    flesh = flesh_of(track.body, size=PEOPLE)
    found = solve_together(flesh, track.poses, terms, steps=STEPS)
    height = found.body.stature
    doubt = float((found.doubt[flesh.names.index(SIZE)] ** 2 + CLOTHES**2) ** 0.5) * height
    body = found.body if weighed else _as_heavy(found.body, (height / track.body.stature) ** 2)
    moved = Track(
        body=body, rate=track.rate, poses=found.poses, mismatch=track.mismatch, cost=track.cost,
        swaps=track.swaps,
    )  # fmt: skip
    return Stature(height=height, doubt=doubt, track=moved)


def _as_heavy(body: Body, share: float) -> Body:
    """The body with so many times its mass."""
    return replace(
        body, segments=tuple(replace(s, mass=share * s.mass, inertia=share * s.inertia) for s in body.segments)
    )
