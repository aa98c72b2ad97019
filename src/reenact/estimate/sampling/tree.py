"""The tree of saved states: one layer per sampling step, each sample with its parent in the layer before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reenact.geometry.rotation import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """The m samples saved at the end of one sampling step."""

    parent: NDArray[np.int64]  # (m,) sample of the layer before
    displacement: Array  # (m, A) of the target angles during the step [rad]
    state: Array  # (m, X) end state rows
    cost: Array  # (m,) of the end state
    total: Array  # (m,) cost of the path up to here

    @property
    def best(self) -> int:
        """The sample whose path cost least."""
        return int(np.argmin(self.total))


def root_layer(state: Array, axes: int) -> Layer:
    """The start of every path: one state row (X,), nothing displaced yet."""
    return Layer(
        parent=np.zeros(1, np.int64),
        displacement=np.zeros((1, axes)),
        state=state[None],
        cost=np.zeros(1),
        total=np.zeros(1),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """One way through the tree, n sampling steps."""

    displacement: Array  # (n, A) [rad]
    state: Array  # (n, X) at the end of each step
    cost: Array  # (n,)


def best_path(layers: Sequence[Layer]) -> Path:
    """Backtrack all paths from the last layer and return the one of least total cost, [L10] Algorithm 1, line 18.

    layers: the root layer first.
    """
    return path_to(layers, layers[-1].best)


def way_to(layers: Sequence[Layer], sample: int) -> list[int]:
    """The way to a sample of the last layer: the number of its sample in every layer, the root's first."""
    way = [sample]
    for layer in reversed(layers[1:]):
        way.append(int(layer.parent[way[-1]]))
    return way[::-1]


def path_to(layers: Sequence[Layer], sample: int) -> Path:
    """What was done on the way to a sample of the last layer."""
    chosen = way_to(layers, sample)[1:]
    pairs = list(zip(layers[1:], chosen, strict=True))
    width, axes = layers[0].state.shape[1], layers[0].displacement.shape[1]
    return Path(
        displacement=np.array([layer.displacement[i] for layer, i in pairs]).reshape(-1, axes),
        state=np.array([layer.state[i] for layer, i in pairs]).reshape(-1, width),
        cost=np.array([layer.cost[i] for layer, i in pairs]),
    )
