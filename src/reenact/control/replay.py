"""A take made again from its controller alone, or put into another world."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.body.toml import parse_body
from reenact.control.against import reference_arrays
from reenact.control.displaced import Displaced
from reenact.control.fall import find_fall
from reenact.control.glide import levelled
from reenact.control.judge import judge
from reenact.control.make_take import ending_of, make_take, metrics_of, versions
from reenact.control.over_ground import Staged, first_frames
from reenact.control.place import staged, start_state
from reenact.control.read import controller_from_json
from reenact.control.recipe import rerun
from reenact.control.track import row_text, rows_from_text
from reenact.errors import InputError
from reenact.formats.take import SMOOTHED_HZ, Status, Take
from reenact.geometry import rotation
from reenact.motion.fit_report import FitReport
from reenact.physics.model import Model, compile_model
from reenact.physics.trace import Trace
from reenact.world.external import declared_pushes
from reenact.world.toml import dump_world, parse_world
from reenact.world.world import World

LONGEST = 600.0  # [s]
SUCCESS = "success"  # a metric of takes that were judged by more than falling


def replay(take: Take, *, world: World | None = None, seconds: float | None = None) -> Take:
    """Simulate a take's controller again; in its own world and for its own length it makes the same bits.

    world: where to instead; start and reference are put onto the ground there, and it is judged against that
    reference as far as that goes. seconds: how long instead; a state machine goes on for as long as it is run, a track
    holds its last pose, and control that sampling found ends where the clip did. A smoothed copy beside the take is not
    made again, so the new take claims none.
    """
    clock = time.perf_counter(), time.process_time()
    recipe = dict(take.controller)
    if seconds is not None:
        recipe["steps"] = _steps(seconds, recipe)
    body, place = parse_body(take.body_toml), parse_world(take.world_toml)
    reference = reference_motion(take, body)
    aims = {name: np.asarray(values) for name, values in take.reference.items()}
    if world is not None and dump_world(world) != dump_world(place):
        place = world
        model = compile_model(body, place)
        own, reference = reference, staged(levelled(reference), model)
        recipe |= _start(recipe, take, own, reference, model)
        aims = reference_arrays(reference, model)
    trace = rerun(recipe, body, place)
    status, reason = take.info.status, take.info.reason
    metrics = {name: value for name, value in take.info.metrics.items() if name != SMOOTHED_HZ}
    if not (_same(trace.qpos, take.motion["qpos"]) and _same(trace.qvel, take.motion["qvel"])):
        status, reason, metrics = _judged(trace, reference, aims, thorough=SUCCESS in take.info.metrics)
    info = replace(
        take.info,
        world=place.name,
        versions=versions(),
        wall_seconds=round(time.perf_counter() - clock[0], 3),
        core_seconds=round(time.process_time() - clock[1], 3),
        status=status,
        reason=reason,
        metrics=metrics,
        pushes=declared_pushes(place, timestep=trace.model.timestep),
    )
    return make_take(trace, info, recipe, aims, take.info.input.name.rsplit(".", 1)[0])


def same_motion(a: Take, b: Take) -> bool:
    """Whether two takes hold the same states, bit for bit."""
    return all(_same(a.motion[name], b.motion[name]) for name in ("time", "qpos", "qvel"))


def reference_motion(take: Take, body: Body) -> Staged:
    """The reference of a take as a motion of its body in the take's world."""
    arrays = take.reference
    if "qpos" not in arrays:
        raise InputError(f"reference.npz: lacks qpos; it holds {', '.join(arrays)}")
    time, frames = arrays["time"], len(arrays["time"])
    return Staged(
        name=take.info.input.name,
        rate=(frames - 1) / float(time[-1] - time[0]) if frames > 1 else 1.0,
        body=body,
        qpos=np.ascontiguousarray(arrays["qpos"][:, : 7 + len(body.axes)]),
        joint_names=tuple(str(name) for name in arrays["joint_names"]),
        joints=np.asarray(arrays["joints"], float),
        lift=np.zeros(frames),
        contacts=(),
        report=FitReport(measured="joint centres", error_cm=0.0, median_error_cm=0.0, greatest_error_cm=0.0),
        moved=np.asarray(arrays.get("moved", np.zeros((frames, 3))), float),
        turned=np.asarray(arrays.get("turned", rotation.IDENTITY), float),
    )


def _start(recipe: dict[str, Any], take: Take, own: Staged, there: Staged, model: Model) -> dict[str, str]:
    """The start of a recipe moved to another world as its reference's first frame is moved, all else at rest there."""
    qpos = rows_from_text([str(recipe.get("start_qpos", ""))], take.motion["qpos"].shape[1], "start_qpos")[0]
    qvel = rows_from_text([str(recipe.get("start_qvel", ""))], take.motion["qvel"].shape[1], "start_qvel")[0]
    qpos, qvel = qpos[: own.qpos.shape[1]], qvel[: own.qpos.shape[1] - 1]
    turn = rotation.multiply(there.qpos[0, 3:7], rotation.conjugate(own.qpos[0, 3:7]))
    qpos[:3] = there.qpos[0, :3] + rotation.rotate(turn, qpos[:3] - own.qpos[0, :3])
    qpos[3:7] = rotation.normalize(rotation.multiply(turn, qpos[3:7]))
    qvel[:3] = rotation.rotate(turn, qvel[:3])
    start = start_state(model, qpos, qvel)
    return {"start_qpos": row_text(start.qpos), "start_qvel": row_text(start.qvel)}


def _judged(
    trace: Trace, reference: Staged, aims: dict[str, NDArray[Any]], *, thorough: bool
) -> tuple[Status, str, dict[str, Any]]:
    """Status, reason and metrics of a trace; thorough: also whether it did the motion.

    What is run for less than the motion's length may be known to fail at it, but not to have done it.
    """
    if not thorough:
        fallen = find_fall(trace, reference)
        return *ending_of(trace, fallen), metrics_of(trace, aims, fallen)
    frames = max(1, int(np.sum(reference.time <= trace.time[-1] + 1e-9)))
    verdict = judge(trace, first_frames(reference, frames))
    metrics = metrics_of(trace, aims, verdict.fallen)
    if verdict.success and trace.time[-1] < reference.time[-1] - 0.5 * trace.model.timestep:
        return verdict.status, verdict.reason, metrics
    return verdict.status, verdict.reason, {**metrics, SUCCESS: verdict.success}


def _same(a: NDArray[Any], b: NDArray[Any]) -> bool:
    return a.shape == b.shape and a.tobytes() == b.tobytes()


def _steps(seconds: float, recipe: dict[str, Any]) -> int:
    timestep = recipe.get("timestep")
    if not isinstance(timestep, float) or timestep <= 0.0:
        raise InputError(f"controller.json: timestep is {timestep!r}, expected a number above 0")
    if not 0.0 < seconds <= LONGEST:
        raise InputError(f"cannot simulate {seconds:g} s, expected more than 0 and at most {LONGEST:g}")
    steps = max(1, round(seconds / timestep))
    controller = controller_from_json(recipe)
    if isinstance(controller, Displaced) and steps > controller.ends[-1]:
        raise InputError(
            f"cannot go on for {seconds:g} s: this control, found by sampling, ends at "
            f"{controller.ends[-1] * timestep:.2f} s; a state machine goes on"
        )
    return steps
