"""Follow a fitted motion by joint torques alone, without balance, and keep what happens as a take."""

from __future__ import annotations

import hashlib
import platform
import time
from importlib.metadata import version
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from reenact.body.toml import dump_body
from reenact.control.against import joint_errors, reference_arrays
from reenact.control.fall import Tumble, find_fall
from reenact.control.place import staged, start_state
from reenact.control.recipe import recipe_of
from reenact.control.track import track_of
from reenact.errors import InputError
from reenact.formats.bvh_write import format_bvh
from reenact.formats.take import Source, Status, Take, TakeInfo
from reenact.motion.motion import Motion, qvel_of
from reenact.motion.skeleton_of import motion_to_skeleton_clip
from reenact.physics.model import compile_model
from reenact.physics.prepare import wrenches_of
from reenact.physics.simulate import simulate
from reenact.physics.trace import Trace
from reenact.world.external import declared_pushes, heading_of
from reenact.world.toml import dump_world
from reenact.world.world import World

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
    length = check_length(motion.duration if seconds is None else seconds)
    model = compile_model(motion.body, world, actuation=actuation)
    reference = staged(motion, model)
    start = start_state(model, reference.qpos[0], qvel_of(reference)[0])
    steps = max(1, round(length / model.timestep))
    pushes = wrenches_of(model, steps, heading=heading_of(start.qpos[3:7]))
    controller = track_of(reference, model)
    trace = simulate(model, controller, start, steps=steps, external=pushes)
    aims = reference_arrays(reference, model)
    fallen = find_fall(trace, reference)
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
        controller=recipe_of(controller, model, start, steps),
        model_xml=model.audit_xml(),
        motion=trace.arrays(),
        reference=aims,
        motion_bvh=format_bvh(bvh),
        body_toml=dump_body(motion.body),
        world_toml=dump_world(world),
    )


def check_length(seconds: float) -> float:
    """Refuse to simulate no time or too much of it [s]."""
    if not 0.0 < seconds <= LONGEST:
        raise InputError(f"cannot simulate {seconds:g} s, expected more than 0 and at most {LONGEST:g}")
    return seconds


def versions() -> dict[str, str]:
    """Versions of what a result depends on."""
    names = ("reenact", "mujoco", "numpy", "numba")
    return {"python": platform.python_version(), **{name: version(name) for name in names}}


def _ending(trace: Trace, fallen: Tumble | None) -> tuple[Status, str]:
    if trace.status == "diverged":
        return "diverged", trace.reason
    if fallen is not None:
        return "fell", fallen.reason
    return trace.status, trace.reason


def _metrics(trace: Trace, aims: dict[str, NDArray[Any]], fallen: Tumble | None) -> dict[str, Any]:
    time, error, aligned = joint_errors(trace, aims)
    weight = trace.model.mass * float(np.linalg.norm(trace.model.mj.opt.gravity))
    metrics: dict[str, Any] = {
        "joint_error_cm": 100.0 * float(error.mean()),
        "joint_error_root_aligned_cm": 100.0 * float(aligned.mean()),
        "seconds": float(trace.time[-1]),
        "torque_max_Nm": float(np.abs(trace.joint_torque).max(initial=0.0)),
        "ground_force_max_weights": float(trace.ground_force[:, 2].max(initial=0.0)) / weight,
    }
    if fallen is not None:
        metrics["fell_at_s"] = fallen.time
        if (before := time < fallen.time).any():
            metrics["joint_error_before_fall_cm"] = 100.0 * float(error[before].mean())
    return metrics
