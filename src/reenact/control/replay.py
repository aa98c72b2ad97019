"""A take made again from its controller alone, or put into another world."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.body.toml import parse_body
from reenact.control.fall import find_fall
from reenact.control.make_take import ending_of, make_take, metrics_of, versions
from reenact.control.recipe import rerun
from reenact.errors import InputError
from reenact.formats.take import Take
from reenact.motion.fit_report import FitReport
from reenact.motion.motion import Motion
from reenact.world.external import declared_pushes
from reenact.world.toml import parse_world
from reenact.world.world import World

LONGEST = 600.0  # [s]


def replay(take: Take, *, world: World | None = None, seconds: float | None = None) -> Take:
    """Simulate a take's controller again; in its own world and for its own length it makes the same bits.

    world: where to instead; seconds: how long instead, the last target held beyond the controller's end. A fall is
    judged against the take's own reference, which knows nothing of another world's ground.
    """
    clock = time.perf_counter(), time.process_time()
    recipe = dict(take.controller)
    if seconds is not None:
        recipe["steps"] = _steps(seconds, recipe)
    place = parse_world(take.world_toml) if world is None else world
    trace = rerun(recipe, parse_body(take.body_toml), place)
    aims = {name: np.asarray(values) for name, values in take.reference.items()}
    fallen = find_fall(trace, _reference(take, trace.model.body))
    metrics = metrics_of(trace, aims, fallen)
    status, reason = ending_of(trace, fallen)
    if _same(trace.qpos, take.motion["qpos"]) and _same(trace.qvel, take.motion["qvel"]):
        status, reason = take.info.status, take.info.reason
        metrics = dict(take.info.metrics)
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


def _reference(take: Take, body: Body) -> Motion:
    """The reference of a take as a motion of its body."""
    time, qpos = take.reference["time"], take.reference["qpos"]
    return Motion(
        name=take.info.input.name,
        rate=(len(time) - 1) / float(time[-1] - time[0]) if len(time) > 1 else 1.0,
        body=body,
        qpos=np.ascontiguousarray(qpos[:, : 7 + len(body.axes)]),
        joint_names=(),
        joints=np.zeros((len(qpos), 0, 3)),
        lift=np.zeros(len(qpos)),
        contacts=(),
        report=FitReport(measured="joint centres", error_cm=0.0, median_error_cm=0.0, greatest_error_cm=0.0),
    )


def _same(a: NDArray[Any], b: NDArray[Any]) -> bool:
    return a.shape == b.shape and a.tobytes() == b.tobytes()


def _steps(seconds: float, recipe: dict[str, object]) -> int:
    timestep = recipe.get("timestep")
    if not isinstance(timestep, float) or timestep <= 0.0:
        raise InputError(f"controller.json: timestep is {timestep!r}, expected a number above 0")
    if not 0.0 < seconds <= LONGEST:
        raise InputError(f"cannot simulate {seconds:g} s, expected more than 0 and at most {LONGEST:g}")
    return max(1, round(seconds / timestep))
