"""A finished simulation as a take: how it ended, how far it is from its reference, what makes it again."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reenact.body.toml import dump_body
from reenact.control.against import joint_errors
from reenact.control.fall import Tumble
from reenact.control.machine.performance import performance_of
from reenact.control.machine.text import KIND, machine_from
from reenact.control.recipe import rerun
from reenact.formats.bvh_write import format_bvh
from reenact.formats.take import Status, Take, TakeInfo
from reenact.motion.skeleton_of import motion_to_skeleton_clip
from reenact.physics.trace import Trace
from reenact.world.toml import dump_world


def make_take(trace: Trace, info: TakeInfo, recipe: dict[str, Any], aims: dict[str, NDArray[Any]], name: str) -> Take:
    """The take of a trace; recipe: see `recipe_of`; aims: see `reference_arrays`; name: of the motion."""
    model = trace.model
    poses = trace.qpos[:, : 7 + model.hinges]
    bvh = motion_to_skeleton_clip(model.body, poses, 1.0 / model.timestep, name)
    return Take(
        info=info,
        controller=recipe,
        model_xml=model.audit_xml(),
        motion={**trace.arrays(), **_performed(trace, recipe)},
        reference=aims,
        motion_bvh=format_bvh(bvh),
        body_toml=dump_body(model.body),
        world_toml=dump_world(model.world),
    )


def _performed(trace: Trace, recipe: dict[str, Any]) -> dict[str, NDArray[Any]]:
    """What a state machine did at each step, see `performance_of`; nothing for other controllers."""
    if recipe.get("kind") != KIND:
        return {}
    machine, model = machine_from(recipe), trace.model
    felt = trace if trace.senses is not None else rerun(recipe, model.body, model.world)
    if not np.array_equal(felt.qpos, trace.qpos):  # a recipe that does not make this trace knows nothing of it
        return {}
    return performance_of(machine, felt)


def versions() -> dict[str, str]:
    """Versions of what a result depends on."""
    names = ("reenact", "mujoco", "numpy", "numba")
    return {"python": platform.python_version(), **{name: version(name) for name in names}}


def ending_of(trace: Trace, fallen: Tumble | None) -> tuple[Status, str]:
    """Status of a take and the reason in words."""
    if trace.status == "diverged":
        return "diverged", trace.reason
    if fallen is not None:
        return "fell", fallen.reason
    return trace.status, trace.reason


def metrics_of(trace: Trace, aims: dict[str, NDArray[Any]], fallen: Tumble | None) -> dict[str, Any]:
    """Figures that every take has; names carry their unit."""
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
