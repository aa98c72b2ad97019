"""How a state is off the reference, as one short vector, and what that costs, as a quadratic form.

What joints cannot set directly: where the centre of mass is and heads, how the root turns and spins, where the end
effectors are beside the centre of mass. The joints' own angles are not in it, since a displacement sets those.
"""

from __future__ import annotations

import numpy as np

from reenact.estimate.sampling.cost import AHEAD, Weights
from reenact.estimate.sampling.features import Features
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

_COM, _SPEED, _TURN, _SPIN, _TIPS = 0, 3, 6, 9, 12  # places in the vector
_SPIN_TIME = 0.1  # [s] by which spins are multiplied, as in Eq. 3

# Errors at which the quadratic form is as steep as the cost's plain distances
_NEAR_PLACE = 0.15  # [m]
_NEAR_SPEED = 0.33  # [m/s]
_NEAR_TURN = 0.2  # [rad]
_NEAR_SPIN = 1.5  # [rad/s]
_NEAR_TIP = 0.1  # [m]
_NEAR_HEIGHT = 0.05  # [m]
_NEAR_ANGLE = 0.15  # [rad]


def size_of(effectors: int) -> int:
    """Length of the vector for a body with so many end effectors."""
    return _TIPS + 3 * effectors


def deviation(state: Features, reference: Features) -> Array:
    """The vectors (n, E) of states (n) against a reference (1).

    Centre of mass [m], its velocity × 0.3 s, the root's turn [rad], its spin × 0.1 s, and for each end effector where
    it is as seen from the centre of mass [m]; in the world's axes.
    """
    com = state.com - reference.com
    tips = (state.tips - reference.tips) - com[:, None]
    return np.concatenate(
        [
            com,
            AHEAD * (state.com_velocity - reference.com_velocity),
            rotation.to_rotvec(rotation.multiply(state.root, rotation.conjugate(reference.root))),
            _SPIN_TIME * (state.root_spin - reference.root_spin),
            tips.reshape(len(com), -1),
        ],
        axis=1,
    )


def price_of(weights: Weights, effectors: int, stature: float) -> Array:
    """The form (E, E) that stands in for the cost of a deviation, Eq. 3–5 and the place.

    A distance d becomes d²/2d₀ with a typical error d₀, so that both are equally steep there.
    """
    price = np.zeros((size_of(effectors), size_of(effectors)))
    for axis in range(3):
        place = np.zeros(len(price))
        place[_COM + axis] = 1.0
        place[_SPEED + axis] = axis < 2  # the place is extrapolated on the ground plan
        price += weights.place / stature / (2 * _NEAR_PLACE) * np.outer(place, place)
        price[_SPEED + axis, _SPEED + axis] += weights.balance * 0.1 / (2 * _NEAR_SPEED) / AHEAD**2
        price[_TURN + axis, _TURN + axis] += weights.root / (2 * _NEAR_TURN)
        price[_SPIN + axis, _SPIN + axis] += weights.root / (2 * _NEAR_SPIN * _SPIN_TIME)
    for tip in range(_TIPS, len(price), 3):
        for axis in range(2):
            price[tip + axis, tip + axis] += weights.balance / effectors / stature / (2 * _NEAR_TIP)
        height = np.zeros(len(price))
        height[[_COM + 2, tip + 2]] = 1.0
        price += weights.effectors / effectors / (2 * _NEAR_HEIGHT) * np.outer(height, height)
    return price


def price_of_displacing(weights: Weights, window: Array, joints: int) -> Array:
    """What a displacement of one window costs in pose, Eq. 2, for each axis (A,), of windows (A,) [rad]."""
    return np.asarray(weights.pose / joints * window**2 / (2 * _NEAR_ANGLE))
