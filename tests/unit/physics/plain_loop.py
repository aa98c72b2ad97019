"""The closed loop as anyone would write it in Python: the yardstick for the native one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from reenact.body.adult import adult
from reenact.physics import sense as part
from reenact.physics.controller import ANGLE, GAIN, RATE, ROWS, STRENGTH, Controller, Program, control
from reenact.physics.model import Model, compile_model
from reenact.physics.prepare import Wrenches
from reenact.physics.state import State
from reenact.world.world import World


def adult_model(actuation: str = "motor", **options: Any) -> Model:
    """An adult on level ground."""
    return compile_model(adult(), World(), actuation=actuation, **options)  # type: ignore[arg-type]


def standing(model: Model, *, lift: float = 0.0, speed: float = 0.0) -> State:
    """The rest pose, `lift` [m] above the ground, moving forward at `speed` [m/s] with joints astir."""
    qpos, qvel = model.mj.qpos0.copy(), np.zeros(model.mj.nv)
    qpos[2] += lift
    qvel[0] = speed
    qvel[model.hinge_dof] = speed * np.sin(np.arange(model.hinges))
    return State(qpos=qpos, qvel=qvel)


@control
def wave(sense: Any, table: Any, params: Any, memory: Any, target: Any) -> None:
    """Swing all joints, leaning on every sense and on memory, so that a wrong one changes the motion."""
    hinges = int(sense[part.HINGES])
    segments = int(sense[part.SEGMENTS])
    angles, rates, loads = part.angles(sense), part.rates(sense), part.loads(sense)
    borne = 0.0
    for i in range(segments):
        borne += sense[loads + i]
    memory[0] += 1.0
    memory[1] = 0.9 * memory[1] + 0.1 * sense[part.COM_VELOCITY]
    lean = 0.3 * (sense[part.COM] - sense[part.COP]) + 0.05 * memory[1] + 0.01 * sense[part.HEADING]
    lean += 1e-5 * (borne + sense[part.SUPPORT]) + 0.01 * sense[part.SPIN + 1] + 0.02 * sense[part.POSITION + 2]
    lean += 0.01 * sense[part.positions(sense) + 5] + 0.01 * sense[part.rotations(sense) + 9 * (segments - 1) + 2]
    for i in range(hinges):
        swing = params[0] * math.sin(6.0 * sense[part.TIME] + 0.5 * i) + 1e-3 * memory[0]
        target[ANGLE * hinges + i] = swing + lean + 0.01 * sense[angles + i]
        target[RATE * hinges + i] = 0.02 * sense[rates + i]
        target[GAIN * hinges + i] = table[0]
        target[STRENGTH * hinges + i] = table[1]


@dataclass(frozen=True)
class Wave:
    """The controller above."""

    gain: float = 0.15
    swing: float = 0.3
    strength: float = 1.0

    def compile(self, model: Model) -> Program:
        return Program(
            function=wave, table=np.array([self.gain, self.strength]), params=np.array([self.swing]), memory=2
        )

    def to_json(self) -> dict[str, Any]:
        return {"kind": "wave"}


def run_plainly(
    model: Model, controller: Controller, start: State, steps: int, external: Wrenches | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """qpos (steps+1, nq) and qvel (steps+1, nv) by MuJoCo's Python functions and the controller's Python function."""
    mj, data, program = model.mj, mujoco.MjData(model.mj), controller.compile(model)
    data.qpos[:], data.qvel[:], data.time = start.qpos, start.qvel, start.time
    hinges = model.hinges
    memory, target = np.zeros(max(program.memory, 1)), np.zeros(ROWS * hinges)
    target[STRENGTH * hinges :] = 1.0
    touch = np.zeros(4 + len(model.segment_body))
    qpos, qvel = [data.qpos.copy()], [data.qvel.copy()]
    plan = None if external is None else external.dense(0, steps, mj.nbody)
    for k in range(steps):
        mujoco.mj_step1(mj, data)
        sense = _sense(model, data, touch)
        if plan is not None:
            data.xfrc_applied[:] = plan[k]
        program.function.python(sense, program.table, program.params, memory, target)
        (_drive if model.actuation == "motor" else _servo)(model, data, target)
        mujoco.mj_step2(mj, data)
        touch = _touch(model, data)
        qpos.append(data.qpos.copy())
        qvel.append(data.qvel.copy())
    return np.array(qpos), np.array(qvel)


def _drive(model: Model, data: mujoco.MjData, target: np.ndarray) -> None:
    h, n = model.timestep, model.hinges
    for row in range(data.ne, data.ne + data.nf):
        i = model.dof_hinge[data.efc_id[row]]
        q, v = data.qpos[model.hinge_qpos[i]], data.qvel[model.hinge_dof[i]]
        alpha = target[GAIN * n + i]
        share = alpha if abs(120.0 * h - 1.0) < 1e-9 else 1.0 - math.pow(1.0 - alpha, 120.0 * h)
        wanted = share * (target[ANGLE * n + i] - q) / h + target[RATE * n + i]
        data.efc_aref[row] = (wanted - v) / h
        data.efc_frictionloss[row] *= target[STRENGTH * n + i]


def _servo(model: Model, data: mujoco.MjData, target: np.ndarray) -> None:
    n = model.hinges
    for i in range(n):
        q, g = data.qpos[model.hinge_qpos[i]], target[GAIN * n + i]
        wanted = target[ANGLE * n + i]
        if g != 1.0:
            wanted = q + g * (wanted - q)
        lead = model.servo_kd[i] / model.servo_kp[i]
        data.ctrl[model.hinge_actuator[i]] = wanted + lead * target[RATE * n + i]


def _sense(model: Model, data: mujoco.MjData, touch: np.ndarray) -> np.ndarray:
    segments, root = len(model.segment_body), int(model.segment_body[0])
    turn, com = data.xmat[root].reshape(3, 3), data.subtree_com[root]
    cop = touch[:3] if touch[3] > 0.0 else com
    momentum, total = np.zeros(3), 0.0
    for b in range(1, model.mj.nbody):
        if model.body_mass[b]:
            x, w = data.xipos[b] - com, data.cvel[b, :3]
            spun = np.array([w[1] * x[2] - w[2] * x[1], w[2] * x[0] - w[0] * x[2], w[0] * x[1] - w[1] * x[0]])
            momentum += model.body_mass[b] * (data.cvel[b, 3:] + spun)
            total += model.body_mass[b]
    local = data.qvel[3:6]
    spin = [turn[i, 0] * local[0] + turn[i, 1] * local[1] + turn[i, 2] * local[2] for i in range(3)]
    head = [data.time, model.timestep, math.floor(data.time / model.timestep + 0.5), model.hinges, segments]
    heading = math.atan2(turn[1, 0], turn[0, 0])
    return np.concatenate(
        [head, data.qpos[:7], data.qvel[:3], spin, [heading], com, momentum / total, cop, [touch[3]], touch[4:]]
        + [data.qpos[model.hinge_qpos], data.qvel[model.hinge_dof]]
        + [data.xpos[model.segment_body].ravel(), data.xmat[model.segment_body].ravel()]
    )


def _touch(model: Model, data: mujoco.MjData) -> np.ndarray:
    touch, moment = np.zeros(4 + len(model.segment_body)), np.zeros(3)
    force = np.zeros(6)
    for k in range(data.ncon):
        contact = data.contact[k]
        a, b = model.geom_segment[contact.geom]
        if contact.efc_address < 0 or (a >= 0) == (b >= 0):
            continue
        mujoco.mj_contactForce(model.mj, data, k, force)
        f = contact.frame
        up = force[0] * f[2] + force[1] * f[5] + force[2] * f[8]
        up = up if b >= 0 else -up
        touch[4 + max(a, b)] += force[0]
        if up > 0.0:
            touch[3] += up
            moment += up * contact.pos
    if touch[3] > 0.0:
        touch[:3] = moment / touch[3]
    return touch
