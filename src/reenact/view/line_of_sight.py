"""How high a camera must stand so that stairs and boxes do not hide the body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import mujoco
import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

ELEVATIONS_DEG: Final = (-9.0, -18.0, -28.0, -40.0, -55.0)  # the first that will do
ENOUGH: Final = 0.85  # of the bodies in sight, over all looks
NEAR: Final = 0.05  # what a ray meets this close to its aim is the aim [m]


def view_direction(azimuth_deg: float, elevation_deg: float) -> FloatArray:
    """Unit vector (3,) along which a free camera of MuJoCo looks."""
    a, e = np.radians([azimuth_deg, elevation_deg])
    return np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])


def clear_elevation(
    model: mujoco.MjModel,
    states: Sequence[FloatArray],
    aims: Sequence[FloatArray],
    bodies: Sequence[int],
    azimuth_deg: float,
    distance: float,
) -> float:
    """Elevation [degrees] from which enough of `bodies` is seen in all `states` (nq,), looking at `aims` (3,)."""
    seen = [
        _seen(model, states, aims, bodies, distance * view_direction(azimuth_deg, elevation))
        for elevation in ELEVATIONS_DEG
    ]
    good = [i for i, fraction in enumerate(seen) if fraction >= ENOUGH]
    return ELEVATIONS_DEG[good[0] if good else int(np.argmax(seen))]


def _seen(
    model: mujoco.MjModel,
    states: Sequence[FloatArray],
    aims: Sequence[FloatArray],
    bodies: Sequence[int],
    sight: FloatArray,
) -> float:
    """Share of the bodies' centres of mass before which nothing fixed stands; the camera is `sight` behind its aim."""
    data, hit = mujoco.MjData(model), np.zeros(1, np.int32)
    visible = 0
    for state, aim in zip(states, aims, strict=True):
        data.qpos[:] = state
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        eye = np.asarray(aim - sight)
        for body in bodies:
            ray = data.xipos[body] - eye
            length = float(np.linalg.norm(ray))
            met = mujoco.mj_ray(model, data, eye, ray / length, None, 1, -1, hit)
            fixed = hit[0] >= 0 and model.body_weldid[model.geom_bodyid[hit[0]]] == 0
            visible += not (fixed and 0.0 <= met < length - NEAR)
    return visible / (len(states) * len(bodies))
