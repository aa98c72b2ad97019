"""What a moment is worth: a small network that learns from what came of moments what will come of others.

Two layers of tanh, fitted by Adam (Kingma & Ba 2015) to discounted sums of rewards. Beside it, what came of a moment is
told by generalised advantages (Schulman et al. 2016): how much better it went than such moments usually do.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.geometry.rotation import Array

LAYERS: Final = (128, 64)
EPOCHS, LOT, PACE = 4, 512, 1e-3  # of fitting: times through all moments, how many at once, and Adam's step
SLOWER, FORGETS = 0.9, 0.999  # Adam's memories of slopes and of their squares
LEAST: Final = 1e-3  # what a number's deviation counts for at least
FAR: Final = 5.0  # standard deviations of a number, beyond which it counts as that far
MOVES: Final = 0.05  # by which what is usual moves towards what was seen last
DISCOUNT: Final = 0.97  # of what comes a tenth of a second later
TRUST: Final = 0.9  # λ of the advantages: 1 hears what came alone, 0 the network alone


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Critic:
    """What it has learned of the worth of moments, each a row of F numbers."""

    weights: tuple[Array, ...]  # of the layers
    biases: tuple[Array, ...]
    mean: Array  # (F,) of moments
    std: Array  # (F,)
    slopes: tuple[Array, ...]  # Adam's means, of weights and then biases
    squares: tuple[Array, ...]
    count: int = 0  # of Adam's steps

    def __call__(self, moments: Array) -> Array:
        """Worth (*batch,) of moments (*batch, F)."""
        return np.asarray(_layers(self.weights, self.biases, self._measured(moments))[-1][..., 0])

    def learned(self, moments: Array, worth: Array, rng: np.random.Generator) -> Critic:
        """Fitted to what came (n,) of moments (n, F), too."""
        mean = self.mean + MOVES * (moments.mean(axis=0) - self.mean)
        std = self.std + MOVES * (moments.std(axis=0) + LEAST - self.std)
        out = replace(
            self, mean=mean, std=std, weights=_copies(self.weights), biases=_copies(self.biases),
            slopes=_copies(self.slopes), squares=_copies(self.squares),
        )  # fmt: skip
        seen, count = out._measured(moments), self.count
        for _ in range(EPOCHS):
            for lot in np.array_split(rng.permutation(len(seen)), max(1, len(seen) // LOT)):
                count += 1
                _step(out, count, error_slopes(out.weights, out.biases, seen[lot], worth[lot]))
        return replace(out, count=count)

    def _measured(self, moments: Array) -> Array:
        return np.asarray(np.clip((moments - self.mean) / self.std, -FAR, FAR))


def new_critic(moments: Array, rng: np.random.Generator) -> Critic:
    """One that knows nothing yet; moments (n, F): the first ones, by which numbers are measured."""
    pairs = list(itertools.pairwise([moments.shape[1], *LAYERS, 1]))
    weights = [rng.standard_normal(pair) / math.sqrt(pair[0]) for pair in pairs]
    weights[-1] *= 0.1
    biases = [np.zeros(size) for _, size in pairs]
    none = tuple(np.zeros_like(own) for own in (*weights, *biases))
    mean, std = moments.mean(axis=0), moments.std(axis=0) + LEAST
    return Critic(weights=tuple(weights), biases=tuple(biases), mean=mean, std=std, slopes=none, squares=_copies(none))


def _copies(arrays: Sequence[Array]) -> tuple[Array, ...]:
    return tuple(own.copy() for own in arrays)


def _layers(weights: Sequence[Array], biases: Sequence[Array], seen: Array) -> list[Array]:
    """What each layer says, the first being what is seen."""
    out = [seen]
    for weight, bias in zip(weights[:-1], biases[:-1], strict=True):
        out.append(np.tanh(out[-1] @ weight + bias))
    return [*out, out[-1] @ weights[-1] + biases[-1]]


def error_slopes(weights: Sequence[Array], biases: Sequence[Array], seen: Array, worth: Array) -> list[Array]:
    """Slopes of the mean squared error, by weights and then biases."""
    *layers, said = _layers(weights, biases, seen)
    off = (2.0 / len(seen)) * (said - worth[:, None])
    by_weights, by_biases = [], []
    for k in reversed(range(len(weights))):
        by_weights.append(layers[k].T @ off)
        by_biases.append(off.sum(axis=0))
        if k > 0:
            off = (off @ weights[k].T) * (1.0 - layers[k] ** 2)
    return [*reversed(by_weights), *reversed(by_biases)]


def _step(critic: Critic, count: int, slopes: Sequence[Array]) -> None:
    """Adam's step, in place."""
    known = 1.0 - SLOWER**count, 1.0 - FORGETS**count
    numbers = (*critic.weights, *critic.biases)
    for own, slope, mean, square in zip(numbers, slopes, critic.slopes, critic.squares, strict=True):
        mean += (1.0 - SLOWER) * (slope - mean)
        square += (1.0 - FORGETS) * (slope * slope - square)
        own -= PACE * (mean / known[0]) / (np.sqrt(square / known[1]) + 1e-8)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Course:
    """What was seen of n that go on side by side, for T tenths of a second."""

    moments: Array  # (T, n, F) at the beginning of each
    last: Array  # (n, F) after the last
    rewards: Array  # (T, n)
    fell: NDArray[np.bool_]  # (T, n) in it, wherefore nothing comes after it
    left: NDArray[np.bool_]  # (T, n) after it, to begin elsewhere: what would have come is not known


def advantages(course: Course, critic: Critic) -> tuple[Array, Array]:
    """How much better each went than usual, and what came of each moment, both (T, n)."""
    worth, then = critic(course.moments), critic(course.last)
    better, later = np.zeros_like(worth), np.zeros_like(then)
    for t in reversed(range(len(worth))):
        goes_on = ~course.fell[t]
        then = np.where(course.left[t], worth[t], then)  # about as much as before it
        later = np.where(course.left[t], 0.0, later)
        better[t] = course.rewards[t] + DISCOUNT * goes_on * (then + TRUST * later) - worth[t]
        then, later = worth[t], better[t]
    return better, better + worth
