"""The search, [L10] Algorithm 1: from saved states draw displacements, simulate, weigh the end states, save again.

What the authors wished for is in how often that happens: sampling steps are visited several times in sweeps that slide
over the motion (`sweeps.py`). A first visit draws around the feed-forward offset. From the samples tried a step's
response is learned (`response.py`); later visits draw around the best path so far, corrected by a feedback planned from
the responses of the steps ahead (`planning.py`). Where all is lost at the end of a sweep, it is made again, or the
search goes back farther (`lost.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reenact.estimate.sampling.cost import distances, roughness, total
from reenact.estimate.sampling.deviation import deviation, price_of, price_of_displacing
from reenact.estimate.sampling.evaluate import Executor, Request
from reenact.estimate.sampling.features import Features
from reenact.estimate.sampling.learning import Known, nothing_known, shape_of
from reenact.estimate.sampling.lost import astray, off_ground
from reenact.estimate.sampling.offset import offset_of
from reenact.estimate.sampling.planning import Plan, Prices, plans_of
from reenact.estimate.sampling.response import Tried, response_of
from reenact.estimate.sampling.selection import select
from reenact.estimate.sampling.settings import Settings
from reenact.estimate.sampling.sweeps import Sweep, sweeps_of
from reenact.estimate.sampling.task import Task
from reenact.estimate.sampling.tree import Layer, Path, best_path, path_to, root_layer, way_to
from reenact.estimate.sampling.windows import draw
from reenact.geometry.one_thread import libraries, one_thread
from reenact.geometry.rotation import Array

FARTHER = 4  # sweeps that each further attempt begins earlier, after a step beside the ground
FARTHEST = 1.3  # of the planned correction that a sample may carry out


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """How far a search has come; all that is needed to go on."""

    layers: tuple[Layer, ...]  # the root's first; as far as the current sweep has come
    known: tuple[Known, ...]  # (n) of every sampling step
    sweep: int = 0  # number of the current one
    lead: int = 0  # the guide's sample in the layer that the current sweep begins at
    rewinds: int = 0  # sweeps that were made again
    lost_at: int = -1  # the last sweep that ended off the ground
    tries: int = 0  # times that the search has gone back from there

    @property
    def done(self) -> int:
        """Sampling steps that the search stands at the end of."""
        return len(self.layers) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What to show while searching."""

    search: Search
    steps: int  # sampling steps of the whole motion
    seconds: float  # of the motion reached
    cost: float  # of the best sample
    fraction: float  # part of the work that is done, returns aside
    rewound: bool = False  # the search has just gone back


def begin(task: Task) -> Search:
    """A search that has not started."""
    row, axes = task.start.row(task.model, task.stage.program.memory), len(task.windows)
    return Search(layers=(root_layer(row, axes),), known=(nothing_known(axes),) * len(task.ends))


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
        lost = now.rewinds < settings.rewinds and now.done > window.begin and (stuck or _lost(task, now))
        if not lost and (stuck or now.sweep + 1 == len(sweeps)):
            return
        if lost and not stuck and off_ground(_best(task, now), float(task.floors[now.done - 1]))[0] > 1.0:
            now = _gone_back(now, window, sweeps)
        else:
            following = now.sweep if lost else _following(now, window, settings, sweeps)
            now = _swept(now, sweeps[following], following, again=lost)
        if lost:
            yield _event(task, now, sweeps, window, rewound=True)


def found(now: Search) -> Path:
    """The best path of a search."""
    return best_path(now.layers)


def planned(task: Task, settings: Settings, now: Search, window: Sweep) -> dict[int, Plan]:
    """Plans for the steps of a window that are still to come in its sweep and have been visited before."""
    steps = [k for k in range(now.done, window.end) if now.known[k].age]
    guide = np.array([now.known[k].guide for k in steps]).reshape(-1, len(task.windows)) / task.windows
    seed = np.array([now.known[k].seed for k in steps]).reshape(guide.shape) / task.windows
    responses = [response_of(now.known[k].lessons, around) for k, around in zip(steps, guide, strict=True)]
    anatomy = task.anatomy
    prices = Prices(
        deviation=price_of(settings.weights, len(anatomy.effectors), anatomy.stature),
        displacement=price_of_displacing(settings.weights, task.windows, len(anatomy.hinged)),
        trust=settings.trust,
        discount=settings.discount,
    )
    return dict(zip(steps, plans_of(responses, guide, seed, prices), strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    """Samples of one step, simulated and weighed."""

    parent: NDArray[np.int64]  # (n,) sample of the layer before
    displacement: Array  # (n, A) [rad]
    final: Array  # (n, X) end states; all finite
    end: Array  # (n, E) deviation there
    cost: Array  # (n,)


def advanced(
    task: Task, settings: Settings, executor: Executor, now: Search, window: Sweep, plan: Plan | None
) -> Search | None:
    """The search after a visit to the next step; None where every sample diverged.

    plan: None at a first visit.
    """
    step, layer = now.done, now.layers[-1]
    lead = now.lead if step == window.begin else 0
    start = deviation(_features(task, layer.state), task.reference_at(step))
    seed = None
    if plan is None:
        tried, seed = _first(task, settings, executor, now)
        expected: Array | float = 0.0
    else:
        tried = _again(task, settings, executor, now, plan.displacements(start), lead)
        expected = settings.lookahead * plan.to_come(tried.end)
    cost = tried.cost
    if not np.isfinite(cost).any():
        return None
    kept = select(cost + expected, settings.saved_each, discard=settings.discard, spread=settings.spread)
    if plan is not None and np.isfinite(cost[0]):  # the guide's own way, so that nothing found is lost
        kept = np.concatenate([[0], kept[kept != 0]])
    made = Layer(
        parent=tried.parent[kept],
        displacement=tried.displacement[kept],
        state=np.ascontiguousarray(tried.final[kept]),
        cost=cost[kept],
        total=layer.total[tried.parent[kept]] + cost[kept],
    )
    good = np.flatnonzero(np.isfinite(cost))
    lesson = Tried(
        start=start[tried.parent[good]],
        displacement=tried.displacement[good] / task.windows,
        end=tried.end[good],
        cost=cost[good],
    )
    known = list(now.known)
    known[step] = known[step].visited(lesson, seed)
    return replace(now, layers=(*now.layers, made), known=tuple(known))


def _first(task: Task, settings: Settings, executor: Executor, now: Search) -> tuple[_Batch, Array]:
    """Samples of a first visit, and the mean feed-forward offset (A,) [rad].

    Each saved state first follows the reference undisplaced. That shows the offset and counts as one of the samples;
    the offset alone is another; the rest are drawn around it.
    """
    step, axes = now.done, len(task.windows)
    count = len(now.layers[-1].state)
    plain = _simulated(task, settings, executor, now, np.arange(count), np.zeros((count, axes)))
    wanted = task.reference.qpos[task.ends[step], 7:]
    reached = np.where(np.isfinite(plain.cost)[:, None], plain.final[:, 8 : 8 + axes], np.nan)
    seeds = offset_of(reached, wanted, gain=settings.offset_gain, limit=settings.offset_limit)
    number = max(settings.samples_each - count, 2 * count)
    parent = np.arange(number) % count
    noise = draw(settings.seed, (now.known[step].visits, step), number, axes)
    noise[:count] = 0.0
    drawn = _simulated(task, settings, executor, now, parent, seeds[parent] + task.windows * noise)
    return _joined(plain, drawn), seeds.mean(axis=0)


def _again(task: Task, settings: Settings, executor: Executor, now: Search, aimed: Array, lead: int) -> _Batch:
    """Samples of a later visit: around the guide, corrected as planned, with noise of many strengths.

    aimed: (m, A) planned correction of each saved state, in windows. The first sample is the guide's own way, from its
    sample `lead`; the next ones are each state's correction without noise.
    """
    step, axes, count = now.done, len(task.windows), len(aimed)
    number = max(settings.samples_each, count + 1)
    known = now.known[step]
    dice = draw(settings.seed, (known.visits, step), number, axes + 2)
    reach = 0.5 * FARTHEST * (1.0 + dice[:, axes])
    strength = 0.5 * (1.0 + dice[:, axes + 1]) * settings.narrowing ** min(known.age, settings.narrowest)
    reach[: count + 1], strength[: count + 1] = 1.0, 0.0
    reach[0] = 0.0
    parent = (np.arange(number) - 1) % count
    parent[0] = lead
    noise = strength[:, None] * shape_of(known.lessons) * dice[:, :axes]
    shift = reach[:, None] * aimed[parent] + noise
    return _simulated(task, settings, executor, now, parent, known.guide + task.windows * shift)


def _simulated(
    task: Task, settings: Settings, executor: Executor, now: Search, parent: NDArray[np.int64], displacement: Array
) -> _Batch:
    layer, step = now.layers[-1], now.done
    frames = task.ends[step] - task.begins[step]
    final = executor.evaluate(Request(starts=layer.state, start_of=parent, displacement=displacement, steps=frames))
    diverged = np.asarray(~np.isfinite(final).all(axis=1))
    whole = np.where(diverged[:, None], layer.state[parent], final)  # stands in, at infinite cost
    features, aim = _features(task, whole), task.aims.at(step)
    terms = distances(features, aim, task.anatomy.stature, floor=float(task.floors[step]))
    cost = total(terms, settings.weights)
    if settings.weights.smooth and step:
        cost += settings.weights.smooth * roughness(displacement, layer.displacement[parent], task.windows)
    cost[diverged] = np.inf
    end = deviation(features, aim)
    return _Batch(parent=parent, displacement=displacement, final=whole, end=end, cost=cost)


def _features(task: Task, rows: Array) -> Features:
    """Features of state rows (n, X)."""
    axes, nq = len(task.windows), task.model.mj.nq
    return task.anatomy.features(rows[:, 1 : 8 + axes], rows[:, 1 + nq : 7 + nq + axes])


def _joined(a: _Batch, b: _Batch) -> _Batch:
    return _Batch(**{name: np.concatenate([getattr(a, name), getattr(b, name)]) for name in _Batch.__slots__})


def _lost(task: Task, now: Search) -> bool:
    """Whether the best path of a sweep has lost the motion at its end."""
    step = now.done - 1
    return bool(astray(_best(task, now), task.aims.at(step), float(task.floors[step]), task.anatomy.stature)[0] > 1.0)


def _best(task: Task, now: Search) -> Features:
    """Features (1) at the end of the best path."""
    layer = now.layers[-1]
    return _features(task, layer.state[layer.best][None])


def _following(now: Search, window: Sweep, settings: Settings, sweeps: tuple[Sweep, ...]) -> int:
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


def _swept(now: Search, window: Sweep, number: int, *, again: bool) -> Search:
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


def _gone_back(now: Search, window: Sweep, sweeps: tuple[Sweep, ...]) -> Search:
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
