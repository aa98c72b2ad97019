"""What in a model would move a body by other means than its joints and contacts."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

GRAVITY = (0.0, 0.0, -9.81)  # [m/s²]
GRAVITY_ERROR = 0.02
_TIES = (mujoco.mjtEq.mjEQ_WELD, mujoco.mjtEq.mjEQ_CONNECT)
_OFF = mujoco.mjtDisableBit


def free_dofs(model: mujoco.MjModel) -> NDArray[np.int64]:
    """Dofs of all free joints, the body's root first: nothing may drive these."""
    free = model.jnt_dofadr[model.jnt_type == mujoco.mjtJoint.mjJNT_FREE]
    return np.asarray(free[:, None] + np.arange(6), np.int64).ravel()


def model_faults(model: mujoco.MjModel) -> list[str]:
    """Everything in the model that a take must not have, in words."""
    faults = []
    if np.abs(model.opt.gravity - GRAVITY).max() > GRAVITY_ERROR:
        faults.append(f"gravity is {model.opt.gravity.tolist()}, expected {list(GRAVITY)}")
    if model.opt.density or model.opt.viscosity or np.any(model.opt.wind):
        faults.append("the medium is not air-less (density, viscosity or wind set)")
    switches = (_OFF.mjDSBL_CONTACT, _OFF.mjDSBL_GRAVITY, _OFF.mjDSBL_CONSTRAINT)
    faults += [f"{bit.name} is set" for bit in switches if model.opt.disableflags & int(bit)]
    if np.any(model.body_gravcomp):
        faults.append("gravity compensation on a body")
    faults += _ties(model)
    root = free_dofs(model)
    if not len(root):
        faults.append("no free joint: the body is bolted to the world")
    for name in ("dof_damping", "dof_frictionloss", "dof_armature"):
        if np.any(getattr(model, name)[root]):
            faults.append(f"{name} on a free joint")
    if _driven(model, root):
        faults.append("an actuator drives a free joint")
    return faults


def _ties(model: mujoco.MjModel) -> list[str]:
    faults = []
    for i in range(model.neq):
        if mujoco.mjtEq(model.eq_type[i]) not in _TIES or not model.eq_active0[i]:
            continue
        pair = (int(model.eq_obj1id[i]), int(model.eq_obj2id[i]))
        if model.eq_objtype[i] == mujoco.mjtObj.mjOBJ_SITE:
            pair = (int(model.site_bodyid[pair[0]]), int(model.site_bodyid[pair[1]]))
        if 0 in pair or any(model.body_mocapid[b] >= 0 for b in pair):
            faults.append(f"equality {i} ties a body to the world")
    return faults


def _driven(model: mujoco.MjModel, root: NDArray[np.int64]) -> bool:
    """Whether an actuator has a moment on a free joint in the model's first pose."""
    if not model.nu:
        return False
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    moment = np.zeros((model.nu, model.nv))
    for i in range(model.nu):
        rows = slice(i, i + 1)
        mujoco.mju_sparse2dense(
            moment[rows], data.actuator_moment, data.moment_rownnz[rows], data.moment_rowadr[rows], data.moment_colind
        )
    return bool(np.abs(moment[:, root]).max(initial=0.0) > 1e-9)
