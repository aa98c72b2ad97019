"""What a simulated motion is measured against, and how far it is from it."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.control.over_ground import Staged
from reenact.geometry.rotation import Array
from reenact.motion.motion import Motion
from reenact.physics.model import Model
from reenact.physics.trace import Trace

FEWEST = 6  # joints that must be measured in every frame; else the fitted body's own joints are the reference


def reference_arrays(motion: Motion, model: Model) -> dict[str, NDArray[Any]]:
    """What reference.npz of a take holds: measured joint centres where they are known in all frames.

    Where they are not, as with markers on the skin, the joint centres of the fitted body stand in.
    """
    whole = np.flatnonzero(np.isfinite(motion.joints).all(axis=(0, 2)))
    order = sorted(whole, key=lambda j: _from_root(motion.body, motion.joint_names[j]))
    names = np.array(motion.joint_names)[order]
    joints = motion.joints[:, order]
    if len(names) < FEWEST:
        names = np.array(motion.body.segment_names)
        joints = joint_centres(model, motion.qpos, names)
    return {
        "time": np.arange(len(motion.qpos)) / motion.rate,
        "joints": joints,
        "joint_names": names,
        "qpos": _with_things(model, motion.qpos),
        "moved": motion.moved if isinstance(motion, Staged) else np.zeros((motion.frames, 3)),
        **_turned(motion),
    }


def _turned(motion: Motion) -> dict[str, NDArray[Any]]:
    """By what a motion is turned with a slope, where it is."""
    return {"turned": motion.turned} if isinstance(motion, Staged) and motion.turned[0] < 1.0 else {}


def joint_centres(model: Model, qpos: Array, names: NDArray[Any]) -> Array:
    """World positions (T, J, 3) [m] of the named segments' joints to their parents, for poses (T, 7+A) or (T, nq)."""
    data = mujoco.MjData(model.mj)
    ids = [model.mj.body(str(name)).id for name in names]
    centres = np.empty((len(qpos), len(ids), 3))
    for t, pose in enumerate(qpos):
        data.qpos[: len(pose)] = pose
        mujoco.mj_kinematics(model.mj, data)
        centres[t] = data.xpos[ids]
    return centres


def joint_errors(trace: Trace, reference: dict[str, NDArray[Any]]) -> tuple[Array, Array, Array]:
    """Times (F,) of the reference's frames within the simulation, and distances (F, J) [m] of its joint centres.

    In the world, with no alignment [V12] §6; then with each frame's first joint laid on the reference's.
    """
    time = reference["time"]
    inside = (time >= trace.time[0] - 1e-9) & (time <= trace.time[-1] + 1e-9)
    states = np.clip(np.searchsorted(trace.time, time[inside] - 1e-9), 0, trace.steps)
    simulated = joint_centres(trace.model, trace.qpos[states], reference["joint_names"])
    error = simulated - reference["joints"][inside]
    return time[inside], np.linalg.norm(error, axis=-1), np.linalg.norm(error - error[:, :1], axis=-1)


def _from_root(body: Body, name: str) -> tuple[int, int]:
    """Joints between a segment and the root, then its place: the first joint is what root-aligned errors align."""
    depth, at = 0, body.segment(name)
    while at.parent is not None:
        depth, at = depth + 1, body.segment(at.parent)
    return depth, body.segment_names.index(name)


def _with_things(model: Model, qpos: Array) -> Array:
    """Poses (T, 7+A) as positions of the whole model (T, nq), with things where they start."""
    whole = np.tile(model.mj.qpos0, (len(qpos), 1))
    whole[:, : qpos.shape[1]] = qpos
    return whole
