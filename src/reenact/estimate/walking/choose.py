"""What a search for a walk comes to, at its end or where it is stopped: the walk, or the chain where that is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from reenact.control.machine.text import as_written
from reenact.estimate.states.incremental import Stage
from reenact.estimate.states.refine import TOLERANCE
from reenact.estimate.states.search import Progress, weighed
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task
from reenact.estimate.walking.endure import STILL
from reenact.estimate.walking.follow import stays_up
from reenact.estimate.walking.grounds import SECONDS, Terrain, jolts_taken, walked_on
from reenact.estimate.walking.practise import LONG, worth
from reenact.estimate.walking.walk import Walk, enters_early, walks_of
from reenact.estimate.walking.watchful import watchful
from reenact.estimate.walking.work import ENTER, FOLLOW, PUSH, WALK
from reenact.geometry.rotation import Array


def weighed_walk(task: Task, settings: Settings, walk: Walk) -> Stage:
    """A walk with what it costs along the recording."""
    return weighed(task, settings, walk.machine, task.reference.frames - 1)


def with_cycle(walk: Walk, cycle: Array) -> Walk:
    """A walk with other rows of its cycle."""
    rows = np.concatenate([walk.machine.rows()[: walk.first], cycle])
    return replace(walk, machine=walk.machine.with_rows(rows))


def best_entry(walks: Sequence[Walk], cycle: Array) -> int:
    """Which of the ways into a cycle with these rows is the best: the first if it goes on from there, or else any."""
    entered = [with_cycle(walk, cycle) for walk in walks]
    if worth(entered[0])[0] >= LONG:
        return 0
    return max(range(len(walks)), key=lambda number: worth(entered[number]))


def outcome(task: Task, settings: Settings, chain: Stage, walk: Walk, *fitted: Walk) -> Stage:
    """The machine that a search ends with, from the chain and a walk, all numbers as they are written.

    fitted: what has become of the walk, should that be nearer to the recording. A walk takes the chain's place where it
    keeps walking, or else where it costs at most δ more along the recording.
    """
    written = [replace(each, machine=as_written(each.machine)) for each in (walk, *fitted)]
    stages = [weighed_walk(task, settings, each) for each in written]
    first = min(range(len(stages)), key=lambda number: stages[number].cost)
    best, chosen = stages[first], written[first]
    if best.cost > (1.0 + TOLERANCE) * chain.cost and not stays_up(chosen, STILL):
        return chain
    return replace(best, machine=on_guard(chosen).machine) if settings.pushes else best


def on_guard(walk: Walk) -> Walk:
    """A walk as it is written, with ways out of what leads into it."""
    wary = watchful(replace(walk, machine=as_written(walk.machine)))
    return replace(wary, machine=as_written(wary.machine))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sure:
    """What a walk that was pushed takes from time 0 on without falling, with its ways out."""

    grounds: tuple[Terrain, ...]  # other ground, and less strength
    jolts: int  # of starts that are a little disturbed

    def covered_by(self, walk: Walk) -> bool:
        """Whether another walk takes all of these grounds, and as many disturbed starts."""
        guarded = on_guard(walk)
        params, starts = guarded.machine.rows().reshape(1, -1), [guarded.start]
        for ground in self.grounds:
            if ground.upright(guarded, params, starts, SECONDS).min() < 1.0:
                return False
        return jolts_taken(guarded) >= self.jolts


def sure_of(walk: Walk) -> Sure:
    """What a walk takes."""
    guarded = on_guard(walk)
    return Sure(grounds=walked_on(guarded), jolts=jolts_taken(guarded))


def found_so_far(task: Task, settings: Settings, now: Progress) -> Stage | None:
    """What a search that is stopped has found; looks only, so that it goes on as if it had not been stopped."""
    practised = now.phase in (PUSH, ENTER, FOLLOW) or (now.phase == WALK and now.number > 0)
    if not practised or now.best is None:
        return now.best
    task, chain = task.weighing(settings.effort), now.tried[0]
    walks = walks_of(task, chain.machine, early=enters_early(task, settings))
    if not walks:
        return chain
    first = walks[0]
    cycle = now.best.machine.rows()[first.first - len(first.machine.states) :]
    late = walks_of(task, chain.machine) if enters_early(task, settings) else walks
    entered = with_cycle(late[best_entry(late, cycle)], cycle)  # near the recording, also before it was fitted to it
    if now.phase == FOLLOW:
        return outcome(task, settings, chain, entered, walks[now.part].led_into_by(now.best.machine))
    return outcome(task, settings, chain, entered)
