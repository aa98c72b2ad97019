"""How hard a body works: its joint torques against their bounds."""

from __future__ import annotations

import numpy as np

from reenact.body.adult import rule_torque
from reenact.body.body import Body
from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.physics.trace import Trace


def effort_of(trace: Trace) -> float:
    """Mean over steps and hinges of (torque / bound)²: 0 at rest in the air, 1 where every joint pulls all it can.

    Of human bounds (`body/human_strength.py`) it says how tired a person would be; of γ = 120, hardly anything.
    """
    return float(np.mean(efforts(trace.joint_torque[:, trace.model.hinge_dof], trace.model.torque_limit)))


def rule_bounds(body: Body) -> Array:
    """Torque bounds (A,) [N·m] by the rule of [V12] Eq. 15, whatever the body's own are.

    Against these a weight of the effort means the same of a strong body and of a weak one.
    """
    mass = {segment.name: segment.mass for segment in body.segments}
    pairs = ((segment, mass[segment.parent]) for segment in body.segments if segment.parent is not None)
    return np.array([rule_torque(above, segment.mass) for segment, above in pairs for _ in segment.axes])


def efforts(torque: Array, limit: Array) -> Array:
    """(torque / bound)² per step and hinge, (N, A), of torques (N, A) and bounds (A,) [N·m]."""
    if torque.ndim != 2 or torque.shape[1:] != limit.shape or not (limit > 0.0).all():
        raise InputError(f"torques {torque.shape} need a bound above 0 for each hinge, got bounds {limit.shape}")
    if not len(torque):
        raise InputError("no step was simulated: nothing to weigh")
    return np.asarray((torque / limit) ** 2)
