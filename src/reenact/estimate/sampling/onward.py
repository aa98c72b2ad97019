"""Where a search goes after a sweep: on to the next, through the same again, or back to an earlier one."""

from __future__ import annotations

from dataclasses import replace

from reenact.estimate.sampling.lost import astray
from reenact.estimate.sampling.settings import Settings
from reenact.estimate.sampling.so_far import Search, best_of
from reenact.estimate.sampling.sweeps import Sweep
from reenact.estimate.sampling.task import Task
from reenact.estimate.sampling.tree import path_to, way_to

FARTHER = 4  # sweeps that each further attempt begins earlier, after a step beside the ground


def is_lost(task: Task, now: Search) -> bool:
    """Whether the best path of a sweep has lost the motion at its end."""
    step = now.done - 1
    return bool(astray(best_of(task, now), task.aims.at(step), float(task.floors[step]), task.anatomy.stature)[0] > 1.0)


def following(now: Search, window: Sweep, settings: Settings, sweeps: tuple[Sweep, ...]) -> int:
    """Number of the sweep that comes next.

    One is left out where the last one brought next to nothing, unless the one after it begins beyond what was reached.
    """
    later = min(now.sweep + 2, len(sweeps) - 1)
    skip = 0.0 <= gain(now, window) < settings.settled and sweeps[later].begin <= now.done
    return later if skip else now.sweep + 1


def gain(now: Search, window: Sweep) -> float:
    """By how much a sweep made the guide's way cheaper, as a share of its cost in the window; 1 where all was new.

    The guide's own way is the first sample of each layer, as far as it led. The gain is negative where the way had to
    become dearer for the sake of steps beyond.
    """
    led = [step for step in range(window.begin, window.end) if now.known[step].age > 1]
    if not led:
        return 1.0
    layer, way = now.layers[led[-1] + 1], way_to(now.layers, now.layers[-1].best)
    before = float(now.layers[window.begin].total[now.lead])
    guided, found = float(layer.total[0]), float(layer.total[way[led[-1] + 1]])
    return (guided - found) / max(guided - before, 1e-9)


def swept(now: Search, window: Sweep, number: int, *, again: bool) -> Search:
    """The search at the start of sweep `number`, which goes through `window`, with the best path as guide."""
    last = now.layers[-1].best
    way, path = way_to(now.layers, last), path_to(now.layers, last)
    known = list(now.known)
    for step, displacement in enumerate(path.displacement):
        known[step] = replace(known[step], guide=displacement)
    return Search(
        layers=now.layers[: window.begin + 1],
        known=tuple(known),
        sweep=number,
        lead=way[window.begin],
        rewinds=now.rewinds + again,
        lost_at=now.lost_at,
        tries=now.tries,
    )


def gone_back(now: Search, window: Sweep, sweeps: tuple[Sweep, ...]) -> Search:
    """The search at the start of an earlier sweep, as it was then; what lies beyond is forgotten.

    It follows the guide that led to this window, up to where the earlier one ended.
    """
    tries = now.tries + 1 if now.sweep <= now.lost_at else 1
    lost_at = max(now.lost_at, now.sweep)
    number = max(0, lost_at - FARTHER * tries)
    fresh = sweeps[number - 1].end if number else 0
    way = way_to(now.layers[: window.begin + 1], now.lead)
    return Search(
        layers=now.layers[: sweeps[number].begin + 1],
        known=tuple(known.forget() if step >= fresh else known for step, known in enumerate(now.known)),
        sweep=number,
        lead=way[sweeps[number].begin],
        rewinds=now.rewinds + 1,
        lost_at=lost_at,
        tries=tries,
    )
