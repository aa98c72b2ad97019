"""The search, [L10] Algorithm 1: from saved states draw displacements, simulate, weigh the end states, save again.

What the authors wished for is in how often that happens: sampling steps are visited several times in sweeps that slide
over the motion (`visit.py`, `sweeps.py`). Where all is lost at the end of a sweep, it is made again, or the search goes
back farther (`onward.py`, `lost.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reenact.estimate.sampling.evaluate import Executor
from reenact.estimate.sampling.lost import off_ground
from reenact.estimate.sampling.onward import following, gone_back, is_lost, swept
from reenact.estimate.sampling.settings import Settings
from reenact.estimate.sampling.so_far import Search, begin, best_of
from reenact.estimate.sampling.sweeps import Sweep, sweeps_of
from reenact.estimate.sampling.task import Task
from reenact.estimate.sampling.visit import advanced, planned
from reenact.geometry.one_thread import libraries, one_thread


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What to show while searching."""

    search: Search
    steps: int  # sampling steps of the whole motion
    seconds: float  # of the motion reached
    cost: float  # of the best sample
    fraction: float  # part of the work that is done, returns aside
    rewound: bool = False  # the search has just gone back


def search(task: Task, settings: Settings, executor: Executor, start: Search | None = None) -> Iterator[Event]:
    """Search to the end, one event per visit to a sampling step; the last event's search holds the whole tree.

    start: where an interrupted search stood; it goes on as if it had not been interrupted. Linear algebra has one
    thread while it computes, so that the bits are the same on any machine with the same processor.
    """
    algebra = libraries()
    now = begin(task) if start is None else start
    sweeps = sweeps_of(len(task.ends), settings.horizon, settings.visits)
    while True:
        window = sweeps[now.sweep]
        with one_thread(algebra):
            plans = planned(task, settings, now, window)
        while now.done < window.end:
            with one_thread(algebra):
                after = advanced(task, settings, executor, now, window, plans.get(now.done))
            if after is None:
                break
            now = after
            yield _event(task, now, sweeps, window)
        stuck = now.done < window.end
        lost = now.rewinds < settings.rewinds and now.done > window.begin and (stuck or is_lost(task, now))
        if not lost and (stuck or now.sweep + 1 == len(sweeps)):
            return
        if lost and not stuck and off_ground(best_of(task, now), float(task.floors[now.done - 1]))[0] > 1.0:
            now = gone_back(now, window, sweeps)
        else:
            number = now.sweep if lost else following(now, window, settings, sweeps)
            now = swept(now, sweeps[number], number, again=lost)
        if lost:
            yield _event(task, now, sweeps, window, rewound=True)


def _event(task: Task, now: Search, sweeps: tuple[Sweep, ...], window: Sweep, *, rewound: bool = False) -> Event:
    made = sum(s.end - s.begin for s in sweeps[: now.sweep]) + now.done - window.begin
    reached = task.ends[now.done - 1] if now.done else 0
    return Event(
        search=now,
        steps=len(task.ends),
        seconds=reached * task.model.timestep,
        cost=float(now.layers[-1].cost.min()),
        fraction=made / sum(s.end - s.begin for s in sweeps),
        rewound=rewound,
    )
