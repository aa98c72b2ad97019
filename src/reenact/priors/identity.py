"""The model that knows no activity: every angle is its own coefficient, [V12] §4.1.2, U₀ = I and b₀ = 0."""

from __future__ import annotations

from typing import Final

import numpy as np

from reenact.body.body import Body
from reenact.priors.encoding import feature_names
from reenact.priors.hinges import hinges_of
from reenact.priors.model import REACH, PoseModel

IDENTITY: Final = "identity"
LEAST: Final = np.deg2rad(1.0)  # reach of a hinge that can hardly move [rad]


def identity(body: Body) -> PoseModel:
    """The activity-independent model of a body: s is the root's tilt about x and y, then the angles [rad].

    The ∓4σ that are likely reach as far as each hinge's farther limit, and half a turn for the tilt.
    """
    hinges = hinges_of(body)
    size = len(feature_names(hinges, "plain"))
    farthest = np.maximum(np.abs(hinges.limits).max(axis=1, initial=0.0), LEAST)
    return PoseModel(
        name=IDENTITY,
        body=body.name,
        hinges=hinges,
        encoding="plain",
        basis=np.eye(size),
        weights=np.ones(size),
        offset=np.zeros(size),
        sigma=np.concatenate([[np.pi, np.pi], farthest]) / REACH,
        variance=1.0,
        mirrored=False,
        clips=(),
    )
