"""Follow a fitted motion by joint torques alone, without balance, and keep what happens as a take."""

from __future__ import annotations

import hashlib
import math
import platform
import time
from dataclasses import replace
from importlib.metadata import version
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from reenact.body.toml import dump_body
from reenact.control.against import fall_time, joint_errors, reference_arrays
from reenact.control.place import lift_onto, start_state
from reenact.control.track import track_of
from reenact.errors import InputError
from reenact.formats.bvh_write import format_bvh
from reenact.formats.take import Source, Status, Take, TakeInfo
from reenact.motion.motion import Motion
from reenact.motion.resample import qvel_of
from reenact.motion.skeleton_of import motion_to_skeleton_clip
from reenact.physics.model import compile_model
from reenact.physics.prepare import wrenches_of
from reenact.physics.simulate import simulate
from reenact.physics.trace import Trace
from reenact.world.external import declared_pushes, heading_of
from reenact.world.toml import dump_world
from reenact.world.world import World

FALL_DROP = 0.2  # of stature: a root that far below the reference's counts as fallen
LONGEST = 600.0  # [s]


def follow(
    motion: Motion,
    world: World | None = None,
    *,
    actuation: Literal["motor", "servo"] = "motor",
    seconds: float | None = None,
    source: Source | None = None,
) -> Take:
    """Simulate `motion.body` in a world (level ground unless given) driven towards the motion's poses.

    The root is free and nothing balances it, so it may fall; the take's status says so and the run goes on to its end:
    `seconds`, or the motion's length. Beyond the motion its last pose is held.
    """
    clock = time.perf_counter(), time.process_time()
    world = World() if world is None else world
    length = (len(motion.qpos) - 1) / motion.rate if seconds is None else seconds
    if not 0.0 < length <= LONGEST or not math.isfinite(length):
        raise InputError(f"cannot simulate {length:g} s, expected more than 0 and at most {LONGEST:g}")
    model = compile_model(motion.body, world, actuation=actuation)
    reference = lifted(motion, lift_onto(model, motion.qpos[0]))
    start = start_state(model, reference.qpos[0], qvel_of(reference)[0])
    steps = max(1, round(length / model.timestep))
    pushes = wrenches_of(model, steps, heading=heading_of(start.qpos[3:7]))
    controller = track_of(reference, model)
    trace = simulate(model, controller, start, steps=steps, external=pushes)
    aims = reference_arrays(reference, model)
    fallen = fall_time(trace, reference, FALL_DROP * motion.body.stature)
    status, reason = _ending(trace, fallen)
    info = TakeInfo(
        input=source or Source(name=motion.name, sha256=hashlib.sha256(motion.qpos.tobytes()).hexdigest()),
        method="track",
        seed=0,
        body=motion.body.name,
        world=world.name,
        versions=versions(),
        wall_seconds=round(time.perf_counter() - clock[0], 3),
        core_seconds=round(time.process_time() - clock[1], 3),
        status=status,
        reason=reason,
        metrics=_metrics(trace, aims, fallen),
        pushes=declared_pushes(world, timestep=model.timestep),
    )
    bvh = motion_to_skeleton_clip(motion.body, trace.qpos[:, : motion.qpos.shape[1]], 1.0 / model.timestep, motion.name)
    return Take(
        info=info,
        controller=controller.to_json(),
        model_xml=model.audit_xml(),
        motion=trace.arrays(),
        reference=aims,
        motion_bvh=format_bvh(bvh),
        body_toml=dump_body(motion.body),
        world_toml=dump_world(world),
    )


def lifted(motion: Motion, height: float) -> Motion:
    """The same motion `height` [m] higher."""
    qpos, up = motion.qpos.copy(), np.array([0.0, 0.0, height])
    qpos[:, 2] += height
    return replace(motion, qpos=qpos, joints=motion.joints + up)


def versions() -> dict[str, str]:
    """Versions of what a result depends on."""
    names = ("reenact", "mujoco", "numpy", "numba")
    return {"python": platform.python_version(), **{name: version(name) for name in names}}


def _ending(trace: Trace, fallen: float | None) -> tuple[Status, str]:
    if trace.status == "diverged":
        return "diverged", trace.reason
    if fallen is not None:
        return "fell", f"the {trace.model.body.segments[0].name} sank far below the reference at {fallen:.2f} s"
    return trace.status, trace.reason


def _metrics(trace: Trace, aims: dict[str, NDArray[Any]], fallen: float | None) -> dict[str, Any]:
    time, errors = joint_errors(trace, aims)
    weight = trace.model.mass * float(np.linalg.norm(trace.model.mj.opt.gravity))
    metrics: dict[str, Any] = {
        "joint_error_cm": 100.0 * float(errors.mean()),
        "seconds": float(trace.time[-1]),
        "torque_max_Nm": float(np.abs(trace.joint_torque).max()),
        "ground_force_max_weights": float(trace.ground_force[:, 2].max()) / weight,
    }
    if fallen is not None:
        metrics["fell_at_s"] = fallen
        if (before := time < fallen).any():
            metrics["joint_error_before_fall_cm"] = 100.0 * float(errors[before].mean())
    return metrics
