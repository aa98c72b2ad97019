"""Samples that correct: what the first samples of a step did tells how displacements move the body.

A linear model, fitted to the samples just simulated, says how displacements change where the centre of mass is and
heads, and how the root turns: what joints cannot control directly and random samples hit only by luck. Good samples
are then displaced against the errors they have left.
"""

from __future__ import annotations

import numpy as np

from reenact.estimate.sampling.cost import Weights, place_error
from reenact.estimate.sampling.features import Features
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

SHRINK = 0.1  # of the fit, in samples per sample
PRICE = 1.0  # of displacing one axis by its window, in units of cost squared
FARTHEST = 1.0  # correction per axis, in windows
NEAR = 0.05  # of stature: more of an error in place is not corrected at once, lest the body throw itself after it
FACING = 0.3  # [rad]: the same for the root's turn
_VELOCITY = 0.1  # [s] as in the cost


def errors(sample: Features, reference: Features, weights: Weights, stature: float) -> Array:
    """What is to be corrected, (n, 9) in units of cost: extrapolated centre of mass, root's turn, root's spin."""
    place = _limited(place_error(sample, reference), NEAR * stature)
    turn = _limited(rotation.to_rotvec(rotation.multiply(sample.root, rotation.conjugate(reference.root))), FACING)
    spin = _VELOCITY * (sample.root_spin - reference.root_spin)
    scale = (weights.place + weights.balance) / stature
    return np.concatenate([scale * place, weights.root * turn, weights.root * spin], axis=1)


def effect_of(displacement: Array, change: Array) -> Array:
    """The linear map (A, 9) from displacements (n, A), in windows, to changes of the errors (n, 9), by ridge."""
    gram = np.einsum("na,nb->ab", displacement, displacement)
    gram += SHRINK * len(displacement) * np.eye(len(gram))
    return np.asarray(np.linalg.solve(gram, np.einsum("na,ne->ae", displacement, change)))


def corrections(effect: Array, error: Array) -> Array:
    """Displacements (n, A), in windows, that best undo errors (n, 9): least squares at a price per displacement."""
    inner = np.einsum("ae,af->ef", effect, effect) + PRICE * np.eye(effect.shape[1])
    wanted = -np.linalg.solve(inner, error.T)  # (9, n)
    return np.asarray(np.clip(np.einsum("ae,en->na", effect, wanted), -FARTHEST, FARTHEST))


def _limited(vectors: Array, longest: float) -> Array:
    """Vectors (n, 3), shortened to at most `longest`."""
    length = np.sqrt(np.sum(vectors * vectors, axis=1, keepdims=True))
    return np.asarray(vectors * np.minimum(1.0, longest / np.maximum(length, 1e-12)))
