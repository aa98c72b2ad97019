"""The whole search of [V12] Algorithm 4: a chain grown with the window, improved as a whole, its structure refined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reenact.control.machine.machine import Machine
from reenact.control.machine.text import as_written
from reenact.estimate.states.incremental import Stage, grow_once, improved, window_ends
from reenact.estimate.states.refine import TOLERANCE, cycles, on_contact, perform
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task

CYCLES_TRIED = 3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Progress:
    """How far a search has come; all that is needed to go on."""

    phase: str  # "grow", "whole", "contact", "cycle", "done"
    number: int  # of the next window while the chain grows
    best: Stage | None
    fraction: float  # of the work, about


def search(task: Task, settings: Settings, start: Progress | None = None) -> Iterator[Progress]:
    """Search to the end, one event after each part of the work; each part depends on what came before and the seed."""
    now = Progress(phase="grow", number=0, best=None, fraction=0.0) if start is None else start
    while now.phase != "done":
        now = _next(task, settings, now)
        yield now


def _next(task: Task, settings: Settings, now: Progress) -> Progress:
    ends = window_ends(task.reference.frames - 1, settings.growth)
    if now.phase == "grow":
        rng = np.random.default_rng([settings.seed, 0, now.number])
        stage = grow_once(task, settings, now.best, ends, now.number, rng)
        done = now.number + 1
        phase = "grow" if done < len(ends) else "whole"
        return Progress(phase=phase, number=done, best=stage, fraction=0.6 * done / len(ends))
    assert now.best is not None
    last = task.reference.frames - 1
    if now.phase == "whole":
        rng = np.random.default_rng([settings.seed, 1])
        best = improved(task, settings, now.best.machine, last, rng, rounds=settings.whole_rounds)
        return Progress(phase="contact", number=0, best=_better(now.best, best), fraction=0.75)
    if now.phase == "contact":
        return Progress(phase="cycle", number=0, best=_contacts(task, settings, now.best), fraction=0.9)
    best = _cycle(task, settings, now.best)
    return Progress(phase="done", number=0, best=_as_text(task, best, last), fraction=1.0)


def _better(a: Stage, b: Stage) -> Stage:
    return b if b.cost < a.cost else a


def _contacts(task: Task, settings: Settings, best: Stage) -> Stage:
    """T⊥, where it costs at most δ more."""
    seen = perform(task, best.machine, best.last)
    changed = on_contact(best.machine, seen, task.limbs, task.model.timestep)
    if all(a.until == b.until for a, b in zip(changed.states, best.machine.states, strict=True)):
        return best
    rng = np.random.default_rng([settings.seed, 2])
    refined = improved(task, settings, changed, best.last, rng, rounds=settings.whole_rounds)
    return refined if refined.cost < best.cost * (1.0 + TOLERANCE) else best


def _cycle(task: Task, settings: Settings, best: Stage) -> Stage:
    """T∞, where it costs at most δ more; the likest pairs of states are tried."""
    for number, closed in enumerate(cycles(best.machine)[:CYCLES_TRIED]):
        rng = np.random.default_rng([settings.seed, 3, number])
        refined = improved(task, settings, closed, best.last, rng, rounds=settings.whole_rounds)
        if refined.cost < best.cost * (1.0 + TOLERANCE):
            return refined
    return best


def _as_text(task: Task, best: Stage, last: int) -> Stage:
    """The machine as its text says it, weighed again."""
    machine: Machine = as_written(best.machine)
    return Stage(machine=machine, last=last, cost=best.cost, joints=best.joints)
