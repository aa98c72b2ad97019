"""The whole search for a controller: a chain or what becomes of it; where the recording is a gait, a walk that goes on.

The chain's structure is refined as in [V12] Algorithm 4. Deviation: a gait is not closed into a cycle by likeness of
states alone, which falls within seconds; where feet strike in turn, their stride is made a cycle and practised until it
keeps walking (`practise.py`), and where asked, until it withstands pushes. The walk takes the chain's place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from reenact.control.machine.machine import Machine
from reenact.control.machine.text import as_written
from reenact.estimate.states.incremental import Stage
from reenact.estimate.states.search import Progress, weighed
from reenact.estimate.states.search import search as search_chain
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task
from reenact.estimate.walking.endure import endure
from reenact.estimate.walking.practise import LONG, along, worth
from reenact.estimate.walking.walk import Walk, stride_of, walk_of

WALK, PUSH, DONE = "walk", "push", "done"
_SEED = {WALK: 10, PUSH: 11}  # in the seeds of random numbers
CHAIN, PUSHED = 0.5, 0.7  # shares of the work after which a gait is practised, and pushed, about
MOST, USUAL = 24, 2  # parts along the recording, and how many are enough for a walk that goes on
GOOD = 40.0  # [cm²] from the recording by phase, below which fewer are enough


def search(task: Task, settings: Settings, start: Progress | None = None) -> Iterator[Progress]:
    """Search to the end, one event after each part of the work; each is all that is needed to go on."""
    task = task.weighing(settings.effort)
    gait = settings.walk and stride_of(task) is not None
    now = start
    if now is None or now.phase not in (WALK, PUSH, DONE):
        for now in search_chain(task, settings, start):
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


def _practised(task: Task, settings: Settings, now: Progress) -> Progress:
    """A part of the practice more.

    tried: the chain, then the best walk so far. One that falls is practised from where the last part left it, which may
    cost what another had brought; one that goes on, from the best.
    """
    assert now.best is not None
    chain, *known = now.tried
    walk = walk_of(task, chain.machine)
    if walk is None:
        return Progress(phase=DONE, number=0, best=chain, fraction=1.0, tried=now.tried)
    if now.phase == PUSH or now.number > 0:
        walk = replace(walk, machine=now.best.machine)
    rng = np.random.default_rng([settings.seed, _SEED[now.phase], now.number])
    done = now.number + 1
    if now.phase == WALK:
        last = _stage(task, settings, along(walk, rng, first=now.number == 0).walk)
        best = max((*known, last), key=lambda stage: worth(replace(walk, machine=stage.machine)))
        upright, like = worth(replace(walk, machine=best.machine))
        if done == MOST or (upright >= LONG and (like > -GOOD or done >= USUAL)):
            return _then(task, settings, now, best, 0)
        return replace(
            now,
            number=done,
            best=best if upright >= LONG else last,
            fraction=CHAIN + (PUSHED - CHAIN) * done / (done + USUAL),
            tried=(chain, best),
        )
    part = endure(walk, rng)
    return _then(task, settings, now, now.best if part is None else _stage(task, settings, part.walk), done)


def _then(task: Task, settings: Settings, now: Progress, best: Stage, done: int) -> Progress:
    """After so many parts under pushes: the next, or the end."""
    if done < settings.pushes:
        fraction = PUSHED + (1.0 - PUSHED) * done / settings.pushes
        return Progress(phase=PUSH, number=done, best=best, fraction=fraction, tried=now.tried)
    written = weighed(task, settings, as_written(best.machine), best.last)
    return Progress(phase=DONE, number=0, best=written, fraction=1.0, tried=now.tried)


def _stage(task: Task, settings: Settings, walk: Walk) -> Stage:
    machine: Machine = walk.machine
    return weighed(task, settings, machine, task.reference.frames - 1)
