"""A small honest take to look at: the adult stands on a floor by its servos, bends its knees and lifts an arm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from reenact.body.adult import adult
from reenact.body.mjcf import add_body
from reenact.formats.take import Source, Take, TakeInfo, write_take

TIMESTEP = 1 / 120


def standing_model() -> tuple[mujoco.MjModel, str]:
    spec = mujoco.MjSpec()
    add_body(spec, adult(), actuation="servo")
    spec.option.timestep = TIMESTEP
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.worldbody.add_geom(name="ground", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1])
    spec.compile()
    xml = spec.to_xml()
    return mujoco.MjModel.from_xml_string(xml), xml  # as written, digits rounded, so that an audit finds the same


def standing_take(seconds: float = 1.5, name: str = "stand.bvh", **info: Any) -> Take:
    model, xml = standing_model()
    steps = round(seconds / TIMESTEP)
    targets = _targets(model, steps)
    motion = _simulate(model, targets)
    joints, names = _joint_centres(model, targets)
    reference = {"time": motion["time"], "qpos": targets, "joints": joints, "joint_names": np.array(names)}
    facts: dict[str, Any] = {
        "input": Source(name=name, sha256="0" * 64),
        "method": "track",
        "seed": 0,
        "body": "adult",
        "world": "flat",
        "versions": {"reenact": "0.1.0", "mujoco": mujoco.__version__},
        "wall_seconds": 0.2,
        "core_seconds": 0.2,
        "status": "ok",
        "metrics": {"joint_error_cm": 1.25, "duration_s": seconds},
        "pushes": [],
    }
    return Take(
        info=TakeInfo(**{**facts, **info}),
        controller={"kind": "track"},
        model_xml=xml,
        motion=motion,
        reference=reference,
        motion_bvh="",
        body_toml="",
        world_toml="",
    )


def write_standing_take(folder: Path, **options: Any) -> Path:
    write_take(folder, standing_take(**options))
    return folder


def _targets(model: mujoco.MjModel, steps: int) -> np.ndarray[Any, Any]:
    """Reference poses (steps+1, nq): an arm goes up to the side, the elbow bends; the feet stay."""
    phase = 0.5 - 0.5 * np.cos(np.linspace(0, np.pi, steps + 1))
    qpos = np.tile(model.qpos0, (steps + 1, 1))
    for joint, angle in (("shoulder_left_abduction", 1.5), ("elbow_left_flexion", 0.8), ("elbow_right_flexion", 0.5)):
        qpos[:, model.joint(joint).qposadr[0]] = angle * phase
    return qpos


def _simulate(model: mujoco.MjModel, targets: np.ndarray[Any, Any]) -> dict[str, np.ndarray[Any, Any]]:
    data = mujoco.MjData(model)
    columns = model.jnt_qposadr[model.actuator_trnid[:, 0]]
    rows: dict[str, list[Any]] = {name: [] for name in ("time", "qpos", "qvel", "ctrl", "joint_torque", "com", "cop")}
    contacts: dict[str, list[Any]] = {name: [] for name in ("step", "segment", "point", "normal", "force")}
    mujoco.mj_forward(model, data)
    for step in range(len(targets)):
        for key, value in (("time", data.time), ("qpos", data.qpos), ("qvel", data.qvel), ("com", data.subtree_com[1])):
            rows[key].append(np.array(value))
        if step == len(targets) - 1:
            break
        data.ctrl[:] = targets[step + 1][columns]
        mujoco.mj_step(model, data)
        rows["ctrl"].append(data.ctrl.copy())
        rows["joint_torque"].append(data.qfrc_actuator.copy())
        rows["cop"].append(_contacts(model, data, step, contacts))
    kinds = {"step": np.int32, "segment": np.int16}
    arrays = {f"contact_{key}": np.array(value, kinds.get(key, float)) for key, value in contacts.items()}
    return {**{key: np.array(value) for key, value in rows.items()}, **arrays}


def _contacts(model: mujoco.MjModel, data: mujoco.MjData, step: int, out: dict[str, list[Any]]) -> np.ndarray[Any, Any]:
    """Note the contact forces of a step; returns the centre of pressure."""
    weighted, total = np.zeros(3), 0.0
    for i, contact in enumerate(data.contact):
        local = np.zeros(6)
        mujoco.mj_contactForce(model, data, i, local)
        force = contact.frame.reshape(3, 3).T @ local[:3]  # on the second geom's body, the floor comes first
        body = int(model.geom_bodyid[contact.geom[1]])
        values = (step, body - 1, contact.pos.copy(), contact.frame[:3].copy(), force)
        for key, value in zip(out, values, strict=True):
            out[key].append(value)
        weighted, total = weighted + force[2] * contact.pos, total + force[2]
    return weighted / total if total > 1 else np.full(3, np.nan)


def _joint_centres(model: mujoco.MjModel, qpos: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], list[str]]:
    data = mujoco.MjData(model)
    centres = np.zeros((len(qpos), model.nbody - 1, 3))
    for i, q in enumerate(qpos):
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        centres[i] = data.xpos[1:]
    return centres, [model.body(i).name for i in range(1, model.nbody)]
