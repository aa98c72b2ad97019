"""The model as if its root could be driven: only ever solved, never simulated, to learn what torque that would take."""

from __future__ import annotations

import copy

import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.physics.model import Model

ROOT_LIMIT = 1e4  # [N·m]: more than any body needs
_SPINS = slice(3, 6)  # the root's rotational dofs


def driven_twin(model: Model) -> mujoco.MjModel:
    """A copy of the model whose root has motors for its three rotations; the model itself stays as it is."""
    if model.actuation != "motor":
        raise InputError(f"only a body with motors can be solved as if its root were driven, not '{model.actuation}'")
    if not model.twin:
        twin = copy.deepcopy(model.mj)
        first = int(model.hinge_dof[0])
        twin.dof_frictionloss[_SPINS] = ROOT_LIMIT
        twin.dof_solimp[_SPINS] = twin.dof_solimp[first]
        twin.dof_solref[_SPINS] = twin.dof_solref[first]
        model.twin.append(twin)
    return model.twin[0]


def hinge_joints(model: Model) -> NDArray[np.int64]:
    """The engine's joint of each hinge, (A,)."""
    out = np.zeros(model.hinges, np.int64)
    for joint, hinge in enumerate(model.joint_hinge):
        if hinge >= 0:
            out[hinge] = joint
    return out
