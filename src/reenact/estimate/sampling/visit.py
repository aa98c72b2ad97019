"""A visit to a sampling step: draw displacements around what is known, simulate, weigh the end states, save some.

A first visit draws around the feed-forward offset. From the samples tried the step's response is learned
(`response.py`); later visits draw around the best path so far, corrected by a feedback planned from the responses of
the steps ahead (`planning.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reenact.estimate.sampling.cost import distances, roughness, total
from reenact.estimate.sampling.deviation import deviation, price_of, price_of_displacing
from reenact.estimate.sampling.evaluate import Executor, Request
from reenact.estimate.sampling.learning import shape_of
from reenact.estimate.sampling.offset import offset_of
from reenact.estimate.sampling.planning import Plan, Prices, plans_of
from reenact.estimate.sampling.response import Tried, response_of
from reenact.estimate.sampling.selection import select
from reenact.estimate.sampling.settings import Settings
from reenact.estimate.sampling.so_far import Search, features_of
from reenact.estimate.sampling.sweeps import Sweep
from reenact.estimate.sampling.task import Task
from reenact.estimate.sampling.tree import Layer
from reenact.estimate.sampling.windows import draw
from reenact.geometry.rotation import Array

FARTHEST = 1.3  # of the planned correction that a sample may carry out


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
    start = deviation(features_of(task, layer.state), task.reference_at(step))
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
    features, aim = features_of(task, whole), task.aims.at(step)
    terms = distances(features, aim, task.anatomy.stature, floor=float(task.floors[step]))
    cost = total(terms, settings.weights)
    if settings.weights.smooth and step:
        cost += settings.weights.smooth * roughness(displacement, layer.displacement[parent], task.windows)
    cost[diverged] = np.inf
    end = deviation(features, aim)
    return _Batch(parent=parent, displacement=displacement, final=whole, end=end, cost=cost)


def _joined(a: _Batch, b: _Batch) -> _Batch:
    return _Batch(**{name: np.concatenate([getattr(a, name), getattr(b, name)]) for name in _Batch.__slots__})
