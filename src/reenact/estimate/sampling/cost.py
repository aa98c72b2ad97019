"""How bad a sample is: the distance of its end state from the reference, [L10] Eq. 1–5 and three terms beyond."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reenact.errors import InputError
from reenact.estimate.sampling.features import Features
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

_VELOCITY = 0.1  # [s] weight of every velocity beside its position, in Eq. 2, 3 and 5

_STILL = 0.3  # [m/s]: an end effector much faster than that does not stand
_LOW = 0.08  # [m]: nor does one that is much higher above the floor
AHEAD = 0.3  # [s] √(l/g) of an adult, with which the centre of mass is extrapolated [Hof 2005]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Weights of the terms; the first four are the set that [L10] §4 found to serve every motion.

    Deviation: `place` is not in the paper, whose motions may drift freely and whose character may lie lower than the
    reference at no cost; see docs/notes/sampling.md for what it brings.
    """

    pose: float = 8.0  # w_p, Eq. 2
    root: float = 5.0  # w_r, Eq. 3
    effectors: float = 20.0  # w_e, Eq. 4
    balance: float = 20.0  # w_b, Eq. 5
    place: float = 20.0  # centre of mass against the reference's, in statures
    smooth: float = 0.0  # change of displacement from one sampling step to the next, in windows
    slide: float = 0.0  # horizontal speed of end effectors that the reference holds still on the ground [s/m]

    def __post_init__(self) -> None:
        """Refuse weights that reward errors."""
        for name in self.__slots__:
            value = getattr(self, name)
            if not (np.isfinite(value) and value >= 0.0):
                raise InputError(f"weight '{name}' is {value!r}, expected a number ≥ 0")


def distances(sample: Features, reference: Features, stature: float, *, floor: float = 0.0) -> dict[str, Array]:
    """The unweighted terms (n,) of samples (n) against the reference's state (1), by the names of `Weights`.

    floor: height of the reference's lowest end effector about then [m]. The smoothness term is not here: it is about
    displacements, not states.
    """
    return {
        "pose": _pose(sample, reference),
        "root": _turn(sample.root, reference.root) + _VELOCITY * _length(sample.root_spin - reference.root_spin),
        "effectors": np.abs(sample.tips[..., 2] - reference.tips[..., 2]).mean(axis=-1),
        "balance": _balance(sample, reference, stature),
        "place": _length(place_error(sample, reference)) / stature,
        "slide": _slide(sample, reference, floor),
    }


def total(terms: dict[str, Array], weights: Weights) -> Array:
    """The weighted sum (n,) of terms, Eq. 1; infinite where a term is not a number, as of a diverged sample."""
    cost = np.zeros(len(next(iter(terms.values()))))
    for name, values in terms.items():
        cost += getattr(weights, name) * values
    return np.where(np.isfinite(cost), cost, np.inf)


def roughness(displacement: Array, before: Array, window: Array) -> Array:
    """Mean change (n,) of displacements (n, A) [rad] from those of the step before, in windows (A,)."""
    return np.asarray(np.abs((displacement - before) / np.maximum(window, 1e-9)).mean(axis=-1))


def _pose(sample: Features, reference: Features) -> Array:
    """Eq. 2 with all w_i = 1."""
    turn = _turn(sample.turns, reference.turns)
    return np.asarray((turn + _VELOCITY * _length(sample.spins - reference.spins)).mean(axis=-1))


def _balance(sample: Features, reference: Features, stature: float) -> Array:
    """Eq. 5: where the centre of mass is on the ground plan as seen from each end effector, and how it moves."""
    seen, wanted = (f.com[:, None, :2] - f.tips[..., :2] for f in (sample, reference))
    velocity = _length(sample.com_velocity - reference.com_velocity)
    return np.asarray(_length(seen - wanted).mean(axis=-1) / stature + _VELOCITY * velocity)


def place_error(sample: Features, reference: Features) -> Array:
    """How far (n, 3) [m] the extrapolated centre of mass, x + v·√(l/g) on the ground plan, is from the reference's.

    Where it is and where it is heading at once: a jump is decided when the feet leave the ground.
    """
    ahead = AHEAD * np.array([1.0, 1.0, 0.0])
    there, wanted = (f.com + ahead * f.com_velocity for f in (sample, reference))
    return there - wanted


def _slide(sample: Features, reference: Features, floor: float) -> Array:
    """Mean horizontal speed of the end effectors, each as far as the reference's own is slow and low."""
    slow = _length(reference.tip_velocities) / _STILL
    low = np.maximum(reference.tips[..., 2] - floor, 0.0) / _LOW
    held = np.exp(-(slow**2) - low**2)
    return np.asarray((held * _length(sample.tip_velocities[..., :2])).mean(axis=-1))


def _turn(a: Array, b: Array) -> Array:
    """d_q: angle [rad] of the rotation between quaternions (…, 4)."""
    return np.asarray(_length(rotation.to_rotvec(rotation.multiply(a, rotation.conjugate(b)))))


def _length(vectors: Array) -> Array:
    """d_v: Euclidean length over the last axis."""
    return np.asarray(np.sqrt(np.sum(vectors * vectors, axis=-1)))
