"""The whole search for a controller: a chain or what becomes of it; where the recording is a gait, a walk that goes on.

The chain's structure is refined as in [V12] Algorithm 4. Deviation: a gait is not closed into a cycle by likeness of
states alone, which falls within seconds; where feet strike in turn, their stride is made a cycle and practised until it
keeps walking (`practise.py`), and where asked, until it withstands pushes. The walk takes the chain's place. A chain
that ends standing is practised under disturbances where asked (`hardening/`).

The walk is practised by itself, from the recorded strike on, and the chain leads into it in the end: where the chain
arrives is off the cycle, and to learn both at once may end in neither (docs/notes/walking.md). Along the recording
first; what then still falls, by how long it stays up (`survive.py`). In the end what of the recording lies before and
within the cycle is fitted to it once more (`follow.py`). A walk that was pushed is entered at the first strike, because
its states bear what the chain does not; and where a foot does not come down as it should on the way in, the cycle
begins at once (`watchful.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from reenact.control.machine.text import as_written
from reenact.errors import InputError
from reenact.estimate.hardening.after import then_hardened
from reenact.estimate.states.first_windows import in_poses
from reenact.estimate.states.search import AGAIN, GROW, Progress, weighed
from reenact.estimate.states.search import search as search_chain
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task
from reenact.estimate.walking.choose import best_entry, outcome, sure_of, weighed_walk, with_cycle
from reenact.estimate.walking.endure import STILL, endure
from reenact.estimate.walking.follow import followed, parts_of, stays_up, unrolled
from reenact.estimate.walking.practise import LONG, along, upright, worth
from reenact.estimate.walking.survive import survive
from reenact.estimate.walking.walk import Walk, enters_early, stride_of, walks_of
from reenact.estimate.walking.work import (
    DONE,
    ENTER,
    FOLLOW,
    MOST,
    PATIENCE,
    PUSH,
    USUAL,
    WALK,
    advanced,
    chain_work,
    left,
    part_work,
)

# A last improvement of a chain: of a task whose poses are settled, from an event on, one event after each part of it.
Last = Callable[[Task, Settings, Progress], Iterator[Progress]]
LAST = "last"
Chain = Callable[[Task, Settings, Progress | None], Iterator[Progress]]
# What is followed where a chain is lost, a task with another reference; None where there is nothing.
Instead = Callable[[], Task | None]
INSTEAD = "instead"
LOST = 10.0  # [cm] from the reference, from where on a chain that grows is lost: what it is off then it stays off
IMPROVED = 0.85  # share of the work on a chain after which it is improved for the last time, about
_SEED = {WALK: 10, PUSH: 11, ENTER: 12, FOLLOW: 13}  # in the seeds of random numbers
ALONG = 2  # parts along the recording; the others are by staying up
GAIN = 1.05  # times as long that it stays up after a part that gains something
MOST_ENTERING = 4  # parts from where the chain leads into the walk
GOOD = 40.0  # [cm²] from the recording by phase, below which fewer are enough
SOON = 4  # parts after which a walk is pushed that stays up for as long as `endure.STILL`


def search(
    task: Task, settings: Settings, start: Progress | None = None, last: Last | None = None,
    instead: Instead | None = None,
) -> Iterator[Progress]:  # fmt: skip
    """Search to the end, one event after each part of the work; each is all that is needed to go on.

    instead: what is followed where a chain is lost, unless it becomes a walk, which has the mean of its steps.
    """
    task = task.weighing(settings.effort)
    gait = settings.walk and stride_of(task.to_practise) is not None
    now = start
    if now is None or now.phase not in (WALK, PUSH, ENTER, FOLLOW, DONE):
        share = _chain_share(task, settings) if gait else 1.0
        chain: Chain = partial(search_chain, close=not gait)  # a gait gets its cycle below
        if last is not None:
            chain = partial(_to_the_last, last=last, chain=chain)
        if instead is not None and not gait:
            chain = partial(_or_else, instead=instead, chain=chain)
        if settings.pushes and not gait:
            chain = partial(then_hardened, chain=chain)
        for now in chain(task, settings, start):
            if not gait:
                yield now
            elif now.phase != DONE:
                yield replace(now, fraction=share * now.fraction)
        if not gait:
            return
        assert now is not None
        assert now.best is not None
        now = Progress(phase=WALK, number=0, best=now.best, fraction=share, tried=(now.best,), contest=now.contest)
        yield now
    while now.phase != DONE:
        then = _practised(task, settings, now, seen=last is not None)
        left_now, left_then = (left(task, settings, each.phase, each.number, _idle(each)) for each in (now, then))
        fraction = advanced(now.fraction, left_now, part_work(task, settings, now.phase), left_then)
        now = replace(then, contest=now.contest, fraction=fraction)
        yield now


def _chain_share(task: Task, settings: Settings) -> float:
    """Of the work, about, that the chain is."""
    chain = chain_work(task, settings)
    return chain / (chain + left(task, settings, WALK, 0))


def _idle(now: Progress) -> int:
    """Parts of a practice in a row that gained nothing."""
    return now.part if now.phase == WALK else 0


def _or_else(
    task: Task, settings: Settings, start: Progress | None, *, instead: Instead, chain: Chain
) -> Iterator[Progress]:
    """The search for a chain; where that is lost as it grows, another one along what is followed instead."""
    now = start
    if now is None or not now.lost:
        for now in chain(task, settings, start):
            if _window_done(now) and now.best is not None and now.best.joints > LOST:
                now = replace(now, phase=INSTEAD, lost=max(now.fraction, 1e-3))
                yield now
                break
            yield now
        else:
            return
    assert now is not None
    lost, other = now.lost, instead()
    begun = now if other is None or now.phase != INSTEAD else None
    if begun is not None and begun.phase == INSTEAD:
        begun = replace(begun, phase=GROW if begun.number else AGAIN)
    for event in chain(task if other is None else other.weighing(settings.effort), settings, begun):
        yield replace(event, lost=lost, fraction=lost + (1.0 - lost) * event.fraction)


def _window_done(now: Progress) -> bool:
    """Whether all chains for a window have been tried, the last one included."""
    return (now.phase == GROW and now.number > 0 and now.part == 0) or (
        now.phase == AGAIN and now.number == 0 and not now.tried
    )


def _to_the_last(
    task: Task, settings: Settings, start: Progress | None, *, last: Last, chain: Chain
) -> Iterator[Progress]:
    """The search for a chain, and its last improvement."""
    now = start
    if now is None or now.phase != LAST:
        for now in chain(task, settings, start):
            if now.phase != DONE:
                yield replace(now, fraction=IMPROVED * now.fraction)
        assert now is not None
        now = replace(now, phase=LAST, number=0, fraction=IMPROVED)
        yield now
    for then in last(in_poses(task, now.contest.best), settings, now):
        assert then.best is not None
        best = weighed(task, settings, then.best.machine, then.best.last) if then.phase == DONE else then.best
        yield replace(then, best=best, contest=now.contest, fraction=IMPROVED + (1.0 - IMPROVED) * then.fraction)


def _practised(task: Task, settings: Settings, now: Progress, *, seen: bool = False) -> Progress:
    """A part of the practice more; seen: the recording comes from video.

    tried: the chain, then the best walk so far.
    """
    assert now.best is not None
    chain, *known = now.tried
    walks = walks_of(task, chain.machine, early=enters_early(task, settings))
    if not walks:
        return replace(now, phase=DONE, number=0, part=0, best=chain)
    practised = now.phase in (PUSH, ENTER) or (now.phase == WALK and now.number > 0)
    if practised and len(now.best.machine.states) != len(walks[0].machine.states):
        raise InputError("this search was begun by another version of the program: begin anew without --resume")
    rng = np.random.default_rng([settings.seed, _SEED[now.phase], now.number])
    if now.phase == ENTER:
        return _entering(task, settings, now, walks, rng)
    if now.phase == FOLLOW:
        return _following(task, settings, now, walks, rng, seen=seen)
    walk = replace(walks[0], bare=True)
    if now.phase == PUSH or now.number > 0:
        walk = replace(walk, machine=now.best.machine)
    done = now.number + 1
    if now.phase == PUSH:
        now = replace(now, disturbed=now.disturbed + 1)
        if (part := endure(walk, rng, now.number, now.critic)) is None:
            return _then(settings, now, done)
        best, bought = weighed_walk(task, settings, part.walk), now.bought + (part.after is not None)
        return _then(settings, replace(now, best=best, bought=bought, critic=part.critic), done)
    better = along(walk, rng, first=now.number == 0).walk if now.number < ALONG else survive(walk, rng)
    last = weighed_walk(task, settings, better)
    ranked = [(worth(replace(walk, machine=stage.machine)), stage) for stage in (*known, last)]
    (stays, like), best = max(ranked, key=lambda one: one[0])
    idle = now.part + 1 if known and stays < GAIN * ranked[0][0][0] else 0
    pushed = settings.pushes > 0 and done >= SOON and stays >= STILL
    now = replace(now, best=best, tried=(chain, best), part=idle)
    if done == MOST or idle == PATIENCE or pushed or (stays >= LONG and (like > -GOOD or done >= USUAL)):
        return _then(settings, now, 0 if stays >= STILL else settings.pushes)
    return replace(now, number=done)


def _then(settings: Settings, now: Progress, done: int) -> Progress:
    """After so many parts under pushes: the next, or the way into the walk."""
    if done < settings.pushes:
        return replace(now, phase=PUSH, number=done, part=0)
    return replace(now, phase=ENTER, number=0, part=0, critic=None)


def _entering(
    task: Task, settings: Settings, now: Progress, walks: Sequence[Walk], rng: np.random.Generator
) -> Progress:
    """Where the walk does not go on from where the chain leads into it, a part of practice from there.

    In the end, where that has not helped, it is entered where it goes on longest.
    """
    assert now.best is not None
    walk = replace(walks[0], machine=now.best.machine)
    if now.number < MOST_ENTERING and worth(walk)[0] < LONG:
        better = weighed_walk(task, settings, max((walk, survive(walk, rng)), key=worth))
        return replace(now, number=now.number + 1, best=better)
    cycle = walk.machine.rows()[walk.first :]
    entry = best_entry(walks, cycle)
    walk = with_cycle(walks[entry], cycle)
    return replace(now, phase=FOLLOW, number=0, part=entry, best=weighed_walk(task, settings, walk))


def _following(
    task: Task, settings: Settings, now: Progress, walks: Sequence[Walk], rng: np.random.Generator, *, seen: bool
) -> Progress:
    """A part of fitting it to the recording, up to where that ends; part: of the walks, the one that is entered.

    seen: the chain has been held against masks, which tell more than the track, and stays as it is.
    """
    assert now.best is not None
    before = replace(walks[now.part], task=task)
    before = with_cycle(before, now.best.machine.rows()[before.first - len(before.machine.states) :])
    walk = unrolled(before) if now.number == 0 else before.led_into_by(now.best.machine)
    parts = len(parts_of(task, early=enters_early(task, settings)))
    if now.number < parts:
        since = before.first if seen else 0
        walk = followed(walk, settings, now.number, rng, keeps=_keeps(before, settings), since=since)
    if now.number + 1 < parts:
        return replace(now, number=now.number + 1, best=weighed_walk(task, settings, walk))
    return replace(now, phase=DONE, number=0, part=0, best=outcome(task, settings, now.tried[0], before, walk))


def _keeps(before: Walk, settings: Settings) -> Callable[[Walk], bool]:
    """Whether a walk may take another's place: where it stays up as long, and one that was pushed is as sure."""
    written = replace(before, machine=as_written(before.machine))
    seconds, sure = upright(written, LONG), sure_of(written) if settings.pushes else None

    def keeps(walk: Walk) -> bool:
        return (sure is None or sure.covered_by(walk)) and stays_up(walk, seconds)

    return keeps
