"""Follow a fitted motion by joint torques alone, without balance, and keep what happens as a take."""

from __future__ import annotations

import hashlib
import time
from typing import Literal

from reenact.control.against import reference_arrays
from reenact.control.fall import find_fall
from reenact.control.make_take import ending_of, make_take, metrics_of, versions
from reenact.control.place import staged, start_state
from reenact.control.recipe import recipe_of
from reenact.control.track import track_of
from reenact.errors import InputError
from reenact.formats.take import Source, Take, TakeInfo
from reenact.motion.motion import Motion, qvel_of
from reenact.physics.model import compile_model
from reenact.physics.prepare import wrenches_of
from reenact.physics.simulate import simulate
from reenact.world.external import declared_pushes, heading_of
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
    controller = track_of(motion, model)
    trace = simulate(model, controller, start, steps=steps, external=pushes)
    aims = reference_arrays(reference, model)
    fallen = find_fall(trace, reference)
    status, reason = ending_of(trace, fallen)
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
        metrics=metrics_of(trace, aims, fallen),
        pushes=declared_pushes(world, timestep=model.timestep),
    )
    return make_take(trace, info, recipe_of(controller, model, start, steps), aims, motion.name)


def check_length(seconds: float) -> float:
    """Refuse to simulate no time or too much of it [s]."""
    if not 0.0 < seconds <= LONGEST:
        raise InputError(f"cannot simulate {seconds:g} s, expected more than 0 and at most {LONGEST:g}")
    return seconds
