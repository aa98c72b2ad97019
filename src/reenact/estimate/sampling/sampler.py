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
from reenact.estimate.sampling.learning import around, next_guide
from reenact.estimate.sampling.lost import astray
from reenact.estimate.sampling.offset import offset_of
from reenact.estimate.sampling.selection import select
from reenact.estimate.sampling.settings import Settings
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
class _Candidates:
    """What one sampling step tries, and where it ends."""

    parent: NDArray[np.int64]  # (n,) sample of the layer before
    displacement: Array  # (n, A) [rad]
    final: Array  # (n, X)


def advance(task: Task, settings: Settings, executor: Executor, now: Search) -> tuple[Layer | None, float]:
    """The next layer, and how far astray its best sample is (lost above 1); no layer where everything diverged."""
    layer, step = now.layers[-1], now.done
    tried = _try(task, settings, executor, now)
    good = np.flatnonzero(np.isfinite(tried.final).all(axis=1))
    if not len(good):
        return None, np.inf
    nq, axes = task.model.mj.nq, len(task.windows)
    features = task.anatomy.features(tried.final[good, 1 : 8 + axes], tried.final[good, 1 + nq : 7 + nq + axes])
    aim = task.aims.at(step)
    cost = np.full(len(tried.parent), np.inf)
    cost[good] = total(distances(features, aim, task.anatomy.stature), settings.weights)
    if settings.weights.smooth and step:
        cost += settings.weights.smooth * roughness(tried.displacement, layer.displacement[tried.parent], task.windows)
    kept = select(cost, settings.saved_each, discard=settings.discard, spread=settings.spread)
    if now.guide is not None:
        kept = _with_guide(kept, cost, len(layer.state))
    made = Layer(
        parent=tried.parent[kept],
        displacement=tried.displacement[kept],
        state=np.ascontiguousarray(tried.final[kept]),
        cost=cost[kept],
        total=layer.total[tried.parent[kept]] + cost[kept],
        attempt=now.rewinds,
    )
    best = int(np.searchsorted(good, kept[np.argmin(cost[kept])]))
    return made, float(astray(features, aim, task.anatomy.stature)[best])


def _try(task: Task, settings: Settings, executor: Executor, now: Search) -> _Candidates:
    """Draw and simulate the samples of the next step.

    Each saved state first follows the reference undisplaced. That shows the feed-forward offset and counts as one of
    the samples; the offset alone is another. In a later pass most samples are drawn around what the last one found.
    """
    layer, step = now.layers[-1], now.done
    frames = task.ends[step] - task.begins[step]
    count, axes = len(layer.state), len(task.windows)
    own, still = np.arange(count), np.zeros((count, axes))
    plain = executor.evaluate(Request(starts=layer.state, start_of=own, displacement=still, steps=frames))
    wanted = task.reference.qpos[task.ends[step], 7:]
    seeds = offset_of(plain[:, 8 : 8 + axes], wanted, gain=settings.offset_gain, limit=settings.offset_limit)
    parent = np.arange(max(settings.samples_each - count, count)) % count
    noise = draw(settings.seed, (now.turn, step, now.rewinds), len(parent), axes)
    noise[:count] = 0.0
    window = task.windows * (settings.widening if now.rewinds and step <= now.failed_at else 1.0)
    displacement = seeds[parent] + window * noise
    if now.guide is not None:
        guided = around(now.guide[step], settings.narrowing**now.turn * window, noise, count)
        displacement[guided.which] = guided.displacement
    tried = executor.evaluate(Request(starts=layer.state, start_of=parent, displacement=displacement, steps=frames))
    return _Candidates(
        parent=np.concatenate([own, parent]),
        displacement=np.concatenate([still, displacement]),
        final=np.concatenate([plain, tried]),
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
