"""How far a search has come: all that is needed to go on."""

from __future__ import annotations

from dataclasses import dataclass

from reenact.estimate.sampling.features import Features
from reenact.estimate.sampling.learning import Known, nothing_known
from reenact.estimate.sampling.task import Task
from reenact.estimate.sampling.tree import Layer, Path, best_path, root_layer
from reenact.geometry.rotation import Array


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


def begin(task: Task) -> Search:
    """A search that has not started."""
    row, axes = task.start.row(task.model, task.stage.program.memory), len(task.windows)
    return Search(layers=(root_layer(row, axes),), known=(nothing_known(axes),) * len(task.ends))


def found(now: Search) -> Path:
    """The best path of a search."""
    return best_path(now.layers)


def features_of(task: Task, rows: Array) -> Features:
    """Features of state rows (n, X)."""
    axes, nq = len(task.windows), task.model.mj.nq
    return task.anatomy.features(rows[:, 1 : 8 + axes], rows[:, 1 + nq : 7 + nq + axes])


def best_of(task: Task, now: Search) -> Features:
    """Features (1) at the end of the best path."""
    layer = now.layers[-1]
    return features_of(task, layer.state[layer.best][None])
