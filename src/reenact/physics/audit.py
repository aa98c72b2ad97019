"""Is a take honest? Every recorded step is simulated again, by plain MuJoCo, from what the take's files say.

A take claims that a body, moved by its own joints and contacts alone, made this motion. A hidden force on the root, a
weld to the world, lowered gravity or an edited frame shows up as a force or torque that the step leaves unexplained.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.formats.take import Take
from reenact.geometry.rotation import Array
from reenact.physics.audit_model import free_dofs, model_faults

RESIDUAL_N = 0.5  # greatest force on the root [N] a step may leave unexplained; an honest one leaves < 1e-3
RESIDUAL_NM = 0.1  # the same for the root's torque and every joint [N·m]
TORQUE_ON_ROOT_NM = 1e-9
TIME_ERROR_S = 1e-6

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditResult:
    """What an audit found; names carry their units."""

    honest: bool
    faults: tuple[str, ...]
    residual_root_force_max_N: float
    residual_torque_max_Nm: float
    residual_velocity_max: float
    duration_s: float
    joint_error_cm: float  # mean distance of simulated from reference joint centres, in the world
    joint_error_root_aligned_cm: float  # the same with the first joint of each frame laid on the reference's
    frames_compared: int
    frames_of_reference: int
    penetration_mean_mm: float
    penetration_max_mm: float
    contact_slide_median_mm_s: float | None
    torque_max_Nm: float | None


def audit_take(folder: Path | str) -> AuditResult:
    """Audit a take folder."""
    folder = Path(folder)
    model = _model(folder / "model.xml")
    motion, reference = _arrays(folder / "motion.npz"), _arrays(folder / "reference.npz")
    return audit_motion(model, motion, reference, declared=bool(_head(folder / "take.json").get("pushes")), path=folder)


def audit_recording(take: Take) -> AuditResult:
    """Audit a take that is not on disk yet."""
    model = mujoco.MjModel.from_xml_string(take.model_xml)
    return audit_motion(model, take.motion, take.reference, declared=bool(take.info.pushes))


def audit_motion(
    model: mujoco.MjModel, motion: Arrays, reference: Arrays, *, declared: bool, path: Path | None = None
) -> AuditResult:
    """Audit recorded arrays against a model; `declared`: external forces were applied on purpose and are said so."""
    _check_shapes(model, motion, reference, path)
    faults = model_faults(model) + _record_faults(model, motion, declared)
    finite = all(np.isfinite(v).all() for v in motion.values())
    residuals = step_residuals(model, motion) if finite else np.full((1, 3), np.inf)
    force, torque, velocity = residuals.max(axis=0) if len(residuals) else np.zeros(3)
    if force > RESIDUAL_N:
        faults.append(f"step {int(residuals[:, 0].argmax())} leaves {force:.3g} N on the root unexplained")
    if torque > RESIDUAL_NM:
        worst = int(residuals[:, 1].argmax())
        faults.append(f"step {worst} leaves {torque:.3g} N·m on the root or a joint unexplained")
    return AuditResult(
        honest=not faults,
        faults=tuple(faults),
        residual_root_force_max_N=float(force),
        residual_torque_max_Nm=float(torque),
        residual_velocity_max=float(velocity),
        duration_s=float(motion["time"][-1] - motion["time"][0]),
        torque_max_Nm=float(np.abs(motion["torque"]).max(initial=0.0)) if "torque" in motion else None,
        **_tracking(model, motion, reference),
        **_ground(model, motion),
    )


def step_residuals(model: mujoco.MjModel, motion: Arrays) -> Array:
    """What each step leaves unexplained: root force [N], greatest root or joint torque [N·m], velocity; (N, 3)."""
    data = mujoco.MjData(model)
    root = free_dofs(model)[:3]
    mass = np.zeros((model.nv, model.nv))
    out = np.zeros((len(motion["qpos"]) - 1, 3))
    inputs = {"torque": data.qfrc_applied, "ctrl": data.ctrl, "external": data.xfrc_applied}
    inputs["warmstart"] = data.qacc_warmstart
    for k in range(len(out)):
        mujoco.mj_resetData(model, data)
        data.time = motion["time"][k]
        data.qpos[:], data.qvel[:] = motion["qpos"][k], motion["qvel"][k]
        for name, field in inputs.items():
            if name in motion:
                field[:] = motion[name][k]
        mujoco.mj_step(model, data)
        error = motion["qvel"][k + 1] - data.qvel
        mujoco.mj_fullM(model, data, mass)
        unexplained = mass @ error / model.opt.timestep
        others = np.delete(unexplained, root)
        out[k] = np.linalg.norm(unexplained[root]), np.abs(others).max(initial=0.0), np.abs(error).max()
    return out


def _record_faults(model: mujoco.MjModel, motion: Arrays, declared: bool) -> list[str]:
    faults = []
    if np.abs(np.diff(motion["time"]) - model.opt.timestep).max(initial=0.0) > TIME_ERROR_S:
        faults.append("recorded times are not the model's steps")
    bad = [name for name, values in motion.items() if not np.isfinite(values).all()]
    if bad:
        faults.append(f"non-finite values in motion.npz: {', '.join(bad)}")
    if "torque" in motion and np.abs(motion["torque"][:, free_dofs(model)]).max(initial=0.0) > TORQUE_ON_ROOT_NM:
        faults.append("torque applied to a free joint")
    if "external" in motion and np.any(motion["external"]) and not declared:
        faults.append("external forces that take.json does not declare as pushes")
    return faults


def _tracking(model: mujoco.MjModel, motion: Arrays, reference: Arrays) -> dict[str, Any]:
    """Simulated joint centres against the reference's, at the reference's times that were simulated."""
    data = mujoco.MjData(model)
    ids = [model.body(str(name)).id for name in reference["joint_names"]]
    time, simulated = reference["time"], motion["time"]
    inside = (time >= simulated[0] - 1e-9) & (time <= simulated[-1] + 1e-9)
    frames = np.clip(np.searchsorted(simulated, time[inside] - 1e-9), 0, len(simulated) - 1)
    joints = np.zeros((len(frames), len(ids), 3))
    for i, k in enumerate(frames):
        data.qpos[:] = motion["qpos"][k]
        mujoco.mj_kinematics(model, data)
        joints[i] = data.xpos[ids]
    error = joints - reference["joints"][inside]
    aligned = error - error[:, :1]
    return {
        "joint_error_cm": 100.0 * _mean_length(error),
        "joint_error_root_aligned_cm": 100.0 * _mean_length(aligned),
        "frames_compared": len(frames),
        "frames_of_reference": len(time),
    }


def _ground(model: mujoco.MjModel, motion: Arrays) -> dict[str, Any]:
    """How deep contacts with the world sink in [mm], and how fast contact points slide [mm/s]."""
    data = mujoco.MjData(model)
    depth, slide = [], []
    jacobian = np.zeros((3, model.nv))
    for qpos, qvel in zip(motion["qpos"], motion["qvel"], strict=True):
        data.qpos[:], data.qvel[:] = qpos, qvel
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)
        deepest = 0.0
        for contact in data.contact[: data.ncon]:
            bodies = model.geom_bodyid[contact.geom]
            if 0 in bodies and contact.dist <= 0.0:
                deepest = max(deepest, -contact.dist)
                mujoco.mj_jac(model, data, jacobian, None, contact.pos, int(bodies.max()))
                slide.append(float(np.linalg.norm((jacobian @ data.qvel)[:2])))
        depth.append(deepest)
    return {
        "penetration_mean_mm": 1000.0 * float(np.mean(depth)),
        "penetration_max_mm": 1000.0 * float(np.max(depth)),
        "contact_slide_median_mm_s": 1000.0 * float(np.median(slide)) if slide else None,
    }


def _mean_length(vectors: Array) -> float:
    return float(np.linalg.norm(vectors, axis=-1).mean()) if vectors.size else float("nan")


def _check_shapes(model: mujoco.MjModel, motion: Arrays, reference: Arrays, path: Path | None) -> None:
    frames = len(motion.get("time", ()))
    shapes: dict[str, tuple[int, ...]] = {"time": (frames,), "qpos": (frames, model.nq), "qvel": (frames, model.nv)}
    optional: dict[str, tuple[int, ...]] = {"torque": (frames - 1, model.nv), "ctrl": (frames - 1, model.nu)}
    optional |= {"external": (frames - 1, model.nbody, 6), "warmstart": (frames - 1, model.nv)}
    for name, shape in {**shapes, **optional}.items():
        if name in shapes and name not in motion:
            raise InputError(f"motion.npz lacks '{name}'; it holds {', '.join(motion) or 'nothing'}", path=path)
        if name in motion and (motion[name].shape != shape or frames < 1):
            raise InputError(f"motion.npz: '{name}' has shape {motion[name].shape}, the model needs {shape}", path=path)
    for name in ("time", "joints", "joint_names"):
        if name not in reference:
            raise InputError(f"reference.npz lacks '{name}'; it holds {', '.join(reference) or 'nothing'}", path=path)
    bodies = {model.body(b).name for b in range(model.nbody)}
    strangers = [str(name) for name in reference["joint_names"] if str(name) not in bodies]
    if strangers:
        raise InputError(f"reference.npz names joints that model.xml lacks: {', '.join(strangers)}", path=path)
    expected = (len(reference["time"]), len(reference["joint_names"]), 3)
    if reference["joints"].shape != expected:
        got = reference["joints"].shape
        raise InputError(f"reference.npz: 'joints' has shape {got}, expected {expected}", path=path)


def _model(path: Path) -> mujoco.MjModel:
    if not path.is_file():
        raise InputError("missing: not a take, or not a whole one", path=path)
    try:
        return mujoco.MjModel.from_xml_path(str(path))
    except ValueError as error:
        raise InputError(f"cannot be compiled by MuJoCo: {error}", path=path) from None


def _arrays(path: Path) -> Arrays:
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (OSError, ValueError, EOFError, KeyError, AttributeError, zipfile.BadZipFile) as error:
        raise InputError(f"not a readable npz archive: {error}", path=path) from None


def _head(path: Path) -> dict[str, Any]:
    try:
        head = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise InputError(f"not readable as JSON: {error}", path=path) from None
    if not isinstance(head, dict):
        raise InputError("expected a JSON object", path=path)
    return head
