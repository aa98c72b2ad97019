"""A search for a chain, and after it the practice under disturbances: one event after each part, as of any search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from reenact.estimate.hardening.harden import ends_standing, harden
from reenact.estimate.states.search import Progress, weighed
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task
from reenact.estimate.walking.work import DONE, HARDEN, chain_work, part_work

_SEED: Final = 15  # in the seeds of random numbers


def then_hardened(
    task: Task, settings: Settings, start: Progress | None, *,
    chain: Callable[[Task, Settings, Progress | None], Iterator[Progress]],
) -> Iterator[Progress]:  # fmt: skip
    """The search for a chain, and its practice where it ends standing and was not lost; from an event on."""
    work = chain_work(task, settings)
    share = work / (work + settings.pushes * part_work(task, settings, HARDEN))
    now = start
    if now is None or now.phase != HARDEN:
        for now in chain(task, settings, start):
            if now.phase != DONE:
                yield replace(now, fraction=share * now.fraction)
        assert now is not None
        assert now.best is not None
        if not ends_standing(now.best.machine) or now.lost:
            yield now
            return
        now = replace(now, phase=HARDEN, number=0, fraction=share)
        yield now
    assert now.best is not None
    while now.phase != DONE:
        rng = np.random.default_rng([settings.seed, _SEED, now.number])
        part, done = harden(task, settings, now.best.machine, rng, now.number), now.number + 1
        best = weighed(task, settings, part.machine, now.best.last)
        now = replace(
            now,
            phase=DONE if done == settings.pushes else HARDEN,
            number=done,
            best=best,
            fraction=share + (1.0 - share) * done / settings.pushes,
            disturbed=done,
            bought=now.bought + (part.after is not None),
        )
        yield now
