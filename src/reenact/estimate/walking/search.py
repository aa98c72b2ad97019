"""The whole search for a controller: a chain or what becomes of it; where the recording is a gait, a walk that goes on.

The chain's structure is refined as in [V12] Algorithm 4. Deviation: a gait is not closed into a cycle by likeness of
states alone, which falls within seconds; where feet strike in turn, their stride is made a cycle and practised until it
keeps walking (`practise.py`), and where asked, until it withstands pushes. The walk takes the chain's place.

The walk is practised by itself, from the recorded strike on, and the chain leads into it in the end: where the chain
arrives is off the cycle, and to learn both at once may end in neither (docs/notes/walking.md). Along the recording
first; what then still falls, by how long it stays up (`survive.py`). Of a walk that was pushed: where a foot does not
come down as it should on the way in, the cycle begins at once (`watchful.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from reenact.control.machine.machine import Machine
from reenact.control.machine.text import as_written
from reenact.estimate.states.first_windows import in_poses
from reenact.estimate.states.incremental import Stage
from reenact.estimate.states.search import Progress, weighed
from reenact.estimate.states.search import search as search_chain
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task
from reenact.estimate.walking.endure import STILL, endure
from reenact.estimate.walking.practise import LONG, along, worth
from reenact.estimate.walking.survive import survive
from reenact.estimate.walking.walk import Walk, stride_of, walks_of
from reenact.estimate.walking.watchful import watchful
from reenact.geometry.rotation import Array

# A last improvement of a chain: of a task whose poses are settled, from an event on, one event after each part of it.
Last = Callable[[Task, Settings, Progress], Iterator[Progress]]
LAST, WALK, PUSH, ENTER, DONE = "last", "walk", "push", "enter", "done"
IMPROVED = 0.85  # share of the work on a chain after which it is improved for the last time, about
_SEED = {WALK: 10, PUSH: 11, ENTER: 12}  # in the seeds of random numbers
CHAIN, PUSHED, ENTERED = 0.5, 0.7, 0.95  # shares of the work after which a gait is practised, pushed, led into, about
ALONG, MOST = 2, 24  # parts along the recording, and with those by staying up
USUAL = 2  # parts that are enough for a walk that goes on
MOST_ENTERING = 4  # parts from where the chain leads into the walk
GOOD = 40.0  # [cm²] from the recording by phase, below which fewer are enough
SOON = 4  # parts after which a walk is pushed that stays up for as long as `endure.STILL`


def search(
    task: Task, settings: Settings, start: Progress | None = None, last: Last | None = None
) -> Iterator[Progress]:
    """Search to the end, one event after each part of the work; each is all that is needed to go on."""
    task = task.weighing(settings.effort)
    gait = settings.walk and stride_of(task) is not None
    now = start
    if now is None or now.phase not in (WALK, PUSH, ENTER, DONE):
        for now in search_chain(task, settings, start) if last is None else _to_the_last(task, settings, start, last):
            if not gait:
                yield now
            elif now.phase != DONE:
                yield replace(now, fraction=CHAIN * now.fraction)
        if not gait:
            return
        assert now is not None
        assert now.best is not None
        now = Progress(phase=WALK, number=0, best=now.best, fraction=CHAIN, tried=(now.best,), contest=now.contest)
        yield now
    while now.phase != DONE:
        now = replace(_practised(task, settings, now), contest=now.contest)
        yield now


def _to_the_last(task: Task, settings: Settings, start: Progress | None, last: Last) -> Iterator[Progress]:
    """The search for a chain, and its last improvement."""
    now = start
    if now is None or now.phase != LAST:
        for now in search_chain(task, settings, start):
            if now.phase != DONE:
                yield replace(now, fraction=IMPROVED * now.fraction)
        assert now is not None
        now = replace(now, phase=LAST, number=0, fraction=IMPROVED)
        yield now
    for then in last(in_poses(task, now.contest.best), settings, now):
        assert then.best is not None
        best = weighed(task, settings, then.best.machine, then.best.last) if then.phase == DONE else then.best
        yield replace(then, best=best, contest=now.contest, fraction=IMPROVED + (1.0 - IMPROVED) * then.fraction)


def _practised(task: Task, settings: Settings, now: Progress) -> Progress:
    """A part of the practice more.

    tried: the chain, then the best walk so far.
    """
    assert now.best is not None
    chain, *known = now.tried
    walks = walks_of(task, chain.machine)
    if not walks:
        return Progress(phase=DONE, number=0, best=chain, fraction=1.0, tried=now.tried)
    rng = np.random.default_rng([settings.seed, _SEED[now.phase], now.number])
    if now.phase == ENTER:
        return _entering(task, settings, now, walks, rng)
    walk = replace(walks[0], bare=True)
    if now.phase == PUSH or now.number > 0:
        walk = replace(walk, machine=now.best.machine)
    done = now.number + 1
    if now.phase == PUSH:
        part = endure(walk, rng)
        best = now.best if part is None else _stage(task, settings, part.walk)
        return _then(task, settings, replace(now, best=best), walks, done)
    better = along(walk, rng, first=now.number == 0).walk if now.number < ALONG else survive(walk, rng)
    last = _stage(task, settings, better)
    ranked = [(worth(replace(walk, machine=stage.machine)), stage) for stage in (*known, last)]
    (upright, like), best = max(ranked, key=lambda one: one[0])
    pushed = settings.pushes > 0 and done >= SOON and upright >= STILL
    now = replace(now, best=best, tried=(chain, best))
    if done == MOST or pushed or (upright >= LONG and (like > -GOOD or done >= USUAL)):
        return _then(task, settings, now, walks, 0 if upright >= STILL else settings.pushes)
    return replace(now, number=done, fraction=CHAIN + (PUSHED - CHAIN) * done / (done + USUAL))


def _then(task: Task, settings: Settings, now: Progress, walks: Sequence[Walk], done: int) -> Progress:
    """After so many parts under pushes: the next, or the way into the walk."""
    assert now.best is not None
    if done < settings.pushes:
        fraction = PUSHED + (ENTERED - PUSHED) * done / settings.pushes
        return replace(now, phase=PUSH, number=done, fraction=fraction)
    return replace(now, phase=ENTER, number=0, fraction=ENTERED)


def _entering(
    task: Task, settings: Settings, now: Progress, walks: Sequence[Walk], rng: np.random.Generator
) -> Progress:
    """Where the walk does not go on from where the chain leads into it last, a part of practice from there.

    In the end, where that has not helped, it is entered where it goes on longest.
    """
    assert now.best is not None
    walk = replace(walks[0], machine=now.best.machine)
    upright = worth(walk)[0]
    if upright < LONG and now.number < MOST_ENTERING:
        better = _stage(task, settings, max((walk, survive(walk, rng)), key=worth))
        fraction = ENTERED + (1.0 - ENTERED) * (now.number + 1) / (MOST_ENTERING + 1)
        return replace(now, number=now.number + 1, best=better, fraction=fraction)
    if upright < LONG:
        cycle = walk.machine.rows()[walk.first :]
        walk = max((_with_cycle(each, cycle) for each in walks), key=worth)
    written = replace(walk, machine=as_written(walk.machine))
    best = _stage(task, settings, written)
    if settings.pushes:
        best = replace(best, machine=as_written(watchful(written).machine))
    return Progress(phase=DONE, number=0, best=best, fraction=1.0, tried=now.tried)


def _with_cycle(walk: Walk, cycle: Array) -> Walk:
    """A walk with other rows of its cycle."""
    rows = np.concatenate([walk.machine.rows()[: walk.first], cycle])
    return replace(walk, machine=walk.machine.with_rows(rows))


def _stage(task: Task, settings: Settings, walk: Walk) -> Stage:
    machine: Machine = walk.machine
    return weighed(task, settings, machine, task.reference.frames - 1)
