"""What a run needs before it starts: the shared part of a job, a thread's own part, forces applied on purpose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.physics import job as slip
from reenact.physics import sense
from reenact.physics.controller import ROOT_NUMBERS, ROWS, Program
from reenact.physics.driven import driven_twin, hinge_joints
from reenact.physics.job import Job
from reenact.physics.model import Model
from reenact.physics.outcome import Fall
from reenact.world.external import external_forces, plan_arrays


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrenches:
    """P declared external forces on the engine's bodies, each constant over a span of steps counted from time 0."""

    span: NDArray[np.int64]  # (P, 2) first step, and the one after the last
    bodies: NDArray[np.int64]  # (P,)
    wrench: Array  # (P, 6) force and torque in the world [N], [N·m]

    def dense(self, first: int, steps: int, nbody: int) -> Array:
        """As MuJoCo's xfrc_applied for steps first … first+steps−1, (steps, nbody, 6)."""
        out = np.zeros((steps, nbody, 6))
        for (begin, end), body, wrench in zip(self.span, self.bodies, self.wrench, strict=True):
            out[max(begin - first, 0) : max(end - first, 0), body] += wrench
        return out


def wrenches_of(model: Model, steps: int, *, heading: float = 0.0) -> Wrenches | None:
    """All pushes and launches of the model's world over `steps` steps from time 0; None where there are none.

    heading: where the body faces at the start [rad], which pushes "from the front" refer to.
    """
    plan = external_forces(model.world, model.body, model.timestep, steps, heading=heading)
    if not plan.forces:
        return None
    ids = {model.mj.body(b).name: b for b in range(1, model.mj.nbody)}
    first, last, bodies, wrench = plan_arrays(plan, ids)
    return Wrenches(span=np.stack([first, last], axis=1), bodies=bodies, wrench=wrench)


def shared_job(
    model: Model,
    program: Program,
    rows: Array,
    which: NDArray[np.int64],
    params: Array,
    steps: int,
    fall: Fall | None,
    external: Wrenches | Sequence[Wrenches] | None,
    external_of: NDArray[np.int64] | None = None,
) -> Job:
    """The parts of a job that all threads share."""
    job, mj = Job(), model.mj
    sizes = {slip.NQ: mj.nq, slip.NV: mj.nv, slip.NU: mj.nu, slip.NBODY: mj.nbody, slip.MODEL: mj._address}
    sizes |= {slip.MOTOR: int(model.actuation == "motor"), slip.HINGE_COUNT: model.hinges}
    sizes |= {slip.SEGMENT_COUNT: len(model.segment_body), slip.ROOT_BODY: int(model.segment_body[0])}
    sizes |= {slip.CONTROL: program.function.address, slip.PARAM_COUNT: len(program.params)}
    sizes |= {slip.MEMORY_COUNT: program.memory, slip.STATE_COUNT: rows.shape[1], slip.STEPS: steps}
    for place, number in sizes.items():
        job.put(place, number)
    arrays: dict[int, NDArray[Any]] = {
        slip.HINGE_QPOS: model.hinge_qpos,
        slip.HINGE_DOF: model.hinge_dof,
        slip.HINGE_ACTUATOR: model.hinge_actuator,
        slip.HINGE_MIDDLE: model.hinge_middle,
        slip.JOINT_HINGE: model.joint_hinge,
        slip.DOF_HINGE: model.dof_hinge,
        slip.GEOM_SEGMENT: model.geom_segment,
        slip.SEGMENT_BODY: model.segment_body,
        slip.SERVO_KP: model.servo_kp,
        slip.SERVO_KD: model.servo_kd,
        slip.BODY_MASS: model.body_mass,
        slip.TABLE: np.ascontiguousarray(program.table),
        slip.PARAMS: params,
        slip.STARTS: rows,
        slip.START_OF: which,
        slip.TIMESTEP: np.array([model.timestep]),
        slip.TORQUE_LIMIT: model.torque_limit,
    }
    if external is not None:
        arrays |= _push_arrays(model, external, external_of, len(which))
    if fall is not None:
        arrays |= fall.arrays(model)
        job.put(slip.FALL_AFTER, fall.after)
    if program.drives_root:
        arrays |= {slip.HINGE_JOINT: hinge_joints(model)}
        job.put(slip.TWIN_MODEL, driven_twin(model)._address)
    for place, values in arrays.items():
        job.put(place, values)
    return job


def _push_arrays(
    model: Model, external: Wrenches | Sequence[Wrenches], external_of: NDArray[np.int64] | None, count: int
) -> dict[int, NDArray[Any]]:
    """Plans of external forces one after the other, and which one each candidate feels."""
    plans = [external] if isinstance(external, Wrenches) else list(external)
    if not plans or (external_of is None and len(plans) > 1):
        raise InputError(f"{len(plans)} plans of external forces need external_of, the plan of each candidate")
    for plan in plans:
        _check_wrenches(model, plan)
    of = np.zeros(count, np.int64) if external_of is None else np.ascontiguousarray(external_of, np.int64)
    if of.shape != (count,) or (count and not 0 <= of.min() <= of.max() < len(plans)):
        raise InputError(f"external_of must be ({count},) with values 0 … {len(plans) - 1}")
    return {
        slip.PUSH_PLAN: of,
        slip.PUSH_FIRST: np.cumsum([0, *[len(plan.bodies) for plan in plans]]),
        slip.PUSH_BODY: np.concatenate([plan.bodies for plan in plans]).astype(np.int64),
        slip.PUSH_SPAN: np.ascontiguousarray(np.concatenate([plan.span for plan in plans]), np.int64),
        slip.PUSH_WRENCH: np.ascontiguousarray(np.concatenate([plan.wrench for plan in plans]), float),
    }


def _check_wrenches(model: Model, external: Wrenches) -> None:
    count = len(external.bodies)
    if external.wrench.shape != (count, 6) or external.span.shape != (count, 2):
        raise InputError(f"{count} external forces need wrenches ({count}, 6) and spans ({count}, 2)")
    if not np.isfinite(external.wrench).all():
        raise InputError("an external force is not finite")
    if count and (external.bodies.min() < 1 or external.bodies.max() >= model.mj.nbody):
        raise InputError(f"external forces act on bodies 1 … {model.mj.nbody - 1}, got {external.bodies.tolist()}")


def fill_scratch(model: Model, job: Job) -> None:
    """Give a job the rows that one thread works in."""
    width = sense.width(model.hinges, len(model.segment_body))
    job.put(slip.SENSE, np.zeros(width))
    job.put(slip.MEMORY, np.zeros(int(job.row[slip.MEMORY_COUNT]) + 1))
    job.put(slip.TARGET, np.zeros(ROWS * model.hinges + ROOT_NUMBERS))  # the first is read even without hinges
    if job.row[slip.TWIN_MODEL] != 0:
        twin = mujoco.MjData(driven_twin(model))
        job.held.append(twin)
        job.put(slip.TWIN_DATA, twin._address)


def borrow_data(model: Model) -> mujoco.MjData:
    """Engine data for one thread; give it back to `model.spare`."""
    try:
        return model.spare.pop()
    except IndexError:
        return mujoco.MjData(model.mj)
