"""The search, [L10] Algorithm 1: from saved states draw displacements, simulate, weigh the end states, save again.

Two things that the authors wished for: where every sample has lost the motion, the search goes back some steps and
draws anew; and it learns, see `learning.py`, by passing over the motion several times.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reenact.estimate.sampling.cost import distances, roughness, total
from reenact.estimate.sampling.evaluate import Executor, Request
from reenact.estimate.sampling.features import Features
from reenact.estimate.sampling.learning import around, next_guide
from reenact.estimate.sampling.lost import astray
from reenact.estimate.sampling.offset import offset_of
from reenact.estimate.sampling.selection import select
from reenact.estimate.sampling.settings import Settings
from reenact.estimate.sampling.steering import corrections, effect_of, errors
from reenact.estimate.sampling.task import Task
from reenact.estimate.sampling.tree import Layer, Path, best_path, root_layer
from reenact.estimate.sampling.windows import draw
from reenact.geometry.rotation import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """How far a search has come; all that is needed to go on."""

    layers: tuple[Layer, ...]  # the root's first
    rewinds: int = 0  # returns so far
    failed_at: int = 0  # sampling step of the last one
    turn: int = 0  # passes over the motion made before
    guide: Array | None = None  # (n, A) displacements that the pass before found [rad]

    @property
    def done(self) -> int:
        """Sampling steps that have been made."""
        return len(self.layers) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What to show while searching."""

    search: Search
    steps: int  # sampling steps of the whole motion
    passes: int  # over the motion
    seconds: float  # of the motion reached
    cost: float  # of the best sample
    rewound: bool = False  # the search has just gone back

    @property
    def fraction(self) -> float:
        """Part of the work that is done, returns aside."""
        return (self.search.turn + self.search.done / self.steps) / self.passes


def begin(task: Task) -> Search:
    """A search that has not started."""
    row = task.start.row(task.model, task.stage.program.memory)
    return Search(layers=(root_layer(row, len(task.windows)),))


def search(task: Task, settings: Settings, executor: Executor, start: Search | None = None) -> Iterator[Event]:
    """Search to the end, one event per sampling step; the last event's search holds the whole tree.

    start: where an interrupted search stood; it goes on as if it had not been interrupted.
    """
    now = begin(task) if start is None else start
    while now.done < len(task.ends) or now.turn + 1 < settings.passes:
        if now.done == len(task.ends):
            now = replace(begin(task), turn=now.turn + 1, guide=next_guide(now.layers))
        layer, away = advance(task, settings, executor, now)
        if away > 1.0 and now.guide is None and now.rewinds < settings.rewinds and now.done > 0:
            now = rewound(now, settings)
            yield _event(task, settings, now, rewound=True)
            continue
        if layer is None:
            return
        now = replace(now, layers=(*now.layers, layer))
        yield _event(task, settings, now)


def rewound(now: Search, settings: Settings) -> Search:
    """The search some steps back; farther when it fails again before it got past the last place of failure."""
    failed = now.done
    deeper = now.rewinds + 1 if failed <= now.failed_at + 1 else 1
    back = min(failed, settings.rewind_depth * deeper)
    return replace(
        now,
        layers=now.layers[: len(now.layers) - back],
        rewinds=now.rewinds + 1,
        failed_at=max(failed, now.failed_at),
    )


def found(now: Search) -> Path:
    """The best path of a search."""
    return best_path(now.layers)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    """Samples of one step, simulated and weighed."""

    parent: NDArray[np.int64]  # (n,) sample of the layer before
    displacement: Array  # (n, A) [rad]
    final: Array  # (n, X) end states; all finite
    features: Features  # (n)
    cost: Array  # (n,)


def advance(task: Task, settings: Settings, executor: Executor, now: Search) -> tuple[Layer | None, float]:
    """The next layer, and how far astray its best sample is (lost above 1); no layer where everything diverged.

    Each saved state first follows the reference undisplaced. That shows the feed-forward offset and counts as one of
    the samples; the offset alone is another. Then come random samples, and last such as correct the best of those.
    """
    layer, count = now.layers[-1], len(now.layers[-1].state)
    own, still = np.arange(count), np.zeros((count, len(task.windows)))
    plain = _simulated(task, settings, executor, now, own, still)
    rest = max(settings.samples_each - count, 2 * count)
    steered = int(settings.steered * rest) if now.guide is not None else 0
    drawn = _drawn(task, settings, executor, now, plain, rest - steered)
    tried = _joined(plain, drawn)
    if steered and len(tried.cost):
        tried = _joined(tried, _steered(task, settings, executor, now, tried, steered))
    cost = tried.cost
    if not np.isfinite(cost).any():
        return None, np.inf
    kept = select(cost, settings.saved_each, discard=settings.discard, spread=settings.spread)
    if now.guide is not None:
        kept = _with_guide(kept, cost, count)
    made = Layer(
        parent=tried.parent[kept],
        displacement=tried.displacement[kept],
        state=np.ascontiguousarray(tried.final[kept]),
        cost=cost[kept],
        total=layer.total[tried.parent[kept]] + cost[kept],
        attempt=now.rewinds,
    )
    best = int(kept[np.argmin(cost[kept])])
    return made, float(astray(tried.features.at(best), task.aims.at(now.done), task.anatomy.stature)[0])


def _drawn(task: Task, settings: Settings, executor: Executor, now: Search, plain: _Batch, number: int) -> _Batch:
    """Random samples around the feed-forward offset, and in later passes around what the last one found."""
    step, count, axes = now.done, len(plain.parent), len(task.windows)
    wanted = task.reference.qpos[task.ends[step], 7:]
    reached = plain.final[:, 8 : 8 + axes]
    seeds = offset_of(reached, wanted, gain=settings.offset_gain, limit=settings.offset_limit)
    parent = np.arange(number) % count
    noise = draw(settings.seed, (now.turn, step, now.rewinds), number, axes)
    noise[:count] = 0.0
    window = _window(task, settings, now)
    displacement = seeds[parent] + window * noise
    if now.guide is not None:
        guided = around(now.guide[step], settings.narrowing**now.turn * window, noise, count)
        displacement[guided.which] = guided.displacement
    return _simulated(task, settings, executor, now, parent, displacement)


def _steered(task: Task, settings: Settings, executor: Executor, now: Search, tried: _Batch, number: int) -> _Batch:
    """The best samples so far, displaced against their errors, with some noise."""
    axes = len(task.windows)
    good = np.flatnonzero(np.isfinite(tried.cost))
    error = np.zeros((len(tried.cost), 9))
    stature = task.anatomy.stature
    error[good] = errors(tried.features.of(good), task.aims.at(now.done), settings.weights, stature)
    known = good[np.isfinite(tried.cost[tried.parent[good]])]
    change = error[known] - error[tried.parent[known]]  # against the parent's plain way, whose number is the parent's
    effect = effect_of(tried.displacement[known] / task.windows, change)
    chosen = select(tried.cost, max(1, min(settings.saved_each, number // 2)), spread=settings.spread)
    again = chosen[np.arange(number) % len(chosen)]
    dice = draw(settings.seed, (now.turn, now.done, now.rewinds, 1), number, axes + 1)
    reach = 1.0 + 0.5 * dice[:, :1]
    aimed = reach * corrections(effect, error[again]) + settings.jitter * dice[:, 1:]
    aimed[: len(chosen)] = corrections(effect, error[chosen])[:number]
    displacement = tried.displacement[again] + _window(task, settings, now) * aimed
    return _simulated(task, settings, executor, now, tried.parent[again], displacement)


def _window(task: Task, settings: Settings, now: Search) -> Array:
    """Half widths (A,) [rad], wider where the search has been lost before."""
    return task.windows * (settings.widening if now.rewinds and now.done <= now.failed_at else 1.0)


def _simulated(
    task: Task, settings: Settings, executor: Executor, now: Search, parent: NDArray[np.int64], displacement: Array
) -> _Batch:
    layer, step, axes, nq = now.layers[-1], now.done, len(task.windows), task.model.mj.nq
    frames = task.ends[step] - task.begins[step]
    final = executor.evaluate(Request(starts=layer.state, start_of=parent, displacement=displacement, steps=frames))
    diverged = np.asarray(~np.isfinite(final).all(axis=1))
    whole = np.where(diverged[:, None], layer.state[parent], final)  # stands in, at infinite cost
    features = task.anatomy.features(whole[:, 1 : 8 + axes], whole[:, 1 + nq : 7 + nq + axes])
    cost = total(distances(features, task.aims.at(step), task.anatomy.stature), settings.weights)
    if settings.weights.smooth and step:
        cost += settings.weights.smooth * roughness(displacement, layer.displacement[parent], task.windows)
    cost[diverged] = np.inf
    return _Batch(parent=parent, displacement=displacement, final=whole, features=features, cost=cost)


def _joined(a: _Batch, b: _Batch) -> _Batch:
    return _Batch(
        parent=np.concatenate([a.parent, b.parent]),
        displacement=np.concatenate([a.displacement, b.displacement]),
        final=np.concatenate([a.final, b.final]),
        features=a.features.joined(b.features),
        cost=np.concatenate([a.cost, b.cost]),
    )


def _with_guide(kept: NDArray[np.int64], cost: Array, guide: int) -> NDArray[np.int64]:
    """The samples kept with the guide's own way as the first of them, so that a pass never ends worse than the last.

    The first saved state of a layer is the guide's, and the first sample after the plain ones goes on from it.
    """
    return np.concatenate([[guide], kept[kept != guide]]) if np.isfinite(cost[guide]) else kept


def _event(task: Task, settings: Settings, now: Search, *, rewound: bool = False) -> Event:
    reached = task.ends[now.done - 1] if now.done else 0
    return Event(
        search=now,
        steps=len(task.ends),
        passes=settings.passes,
        seconds=reached * task.model.timestep,
        cost=float(now.layers[-1].cost.min()),
        rewound=rewound,
    )
