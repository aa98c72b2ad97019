"""What a component of a model does to a pose, in words a person can check."""

from __future__ import annotations

import numpy as np

from reenact.geometry import rotation
from reenact.priors.model import PoseModel


def moves_most(model: PoseModel, component: int, count: int = 4) -> tuple[tuple[str, float], ...]:
    """The hinges that a component moves most, with their change [rad] over one σ about the mean pose.

    The root's tilt counts as "root_tilt_x" and "root_tilt_y", about its own axes.
    """
    s = np.zeros((2, model.size))
    s[:, component] = np.array([-0.5, 0.5]) * model.sigma[component]
    angles, tilt = model.pose(s)
    lean = rotation.to_rotvec(rotation.multiply(rotation.conjugate(tilt[0]), tilt[1]))[:2]
    names = ("root_tilt_x", "root_tilt_y", *model.hinges.names)
    changes = np.concatenate([lean, angles[1] - angles[0]])
    order = np.argsort(-np.abs(changes), kind="stable")[:count]
    return tuple((names[i], float(changes[i])) for i in order)
