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
from reenact.estimate.walking.practise import HORIZONS, along, goes_on, pushed
from reenact.estimate.walking.walk import Walk, stride_of, walk_of

WALK, PUSH, DONE = "walk", "push", "done"
_SEED = {WALK: 10, PUSH: 11}  # in the seeds of random numbers
CHAIN, PUSHED = 0.5, 0.7  # shares of the work after which a gait is practised, and pushed, about
MOST, AT_MOST = 24, 2  # parts along the recording, and of them on average before the next goes farther


def search(task: Task, settings: Settings, start: Progress | None = None) -> Iterator[Progress]:
    """Search to the end, one event after each part of the work; each is all that is needed to go on."""
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
        now = Progress(phase=WALK, number=0, best=now.best, fraction=CHAIN, tried=(now.best,))
        yield now
    while now.phase != DONE:
        now = _practised(task, settings, now)
        yield now


def _practised(task: Task, settings: Settings, now: Progress) -> Progress:
    """A part of the practice more; while it is along the recording, `part` is how far it goes by now."""
    assert now.best is not None
    (chain,) = now.tried
    walk = walk_of(task, chain.machine)
    if walk is None:
        return Progress(phase=DONE, number=0, best=chain, fraction=1.0, tried=now.tried)
    if now.phase == PUSH or now.number > 0:
        walk = replace(walk, machine=now.best.machine)
    rng = np.random.default_rng([settings.seed, _SEED[now.phase], now.number])
    done = now.number + 1
    if now.phase == WALK:
        part = along(walk, now.part, rng)
        best = _stage(task, settings, part.walk)
        farther = min(max(now.part + int(part.good), done // AT_MOST), len(HORIZONS) - 1)
        if done < MOST and not goes_on(part.walk):
            share = max(done / MOST, farther / len(HORIZONS))
            return replace(now, number=done, part=farther, best=best, fraction=CHAIN + (PUSHED - CHAIN) * share)
        return _then(task, settings, now, best, 0)
    pushed_part = pushed(walk, rng)
    return _then(
        task, settings, now, now.best if pushed_part is None else _stage(task, settings, pushed_part.walk), done
    )


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
