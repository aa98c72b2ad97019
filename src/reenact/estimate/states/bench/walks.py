"""Machines that go on: how long a trained walk stays up in a world."""

from __future__ import annotations

from dataclasses import replace

from reenact.body.toml import parse_body
from reenact.control.pushing.subject import fall_of
from reenact.control.recipe import open_recipe
from reenact.control.replay import SUCCESS, replay
from reenact.estimate.bench.run import Done
from reenact.formats.take import Status, Take
from reenact.geometry.rotation import Array
from reenact.physics.prepare import wrenches_of
from reenact.physics.simulate import simulate
from reenact.world.external import heading_of
from reenact.world.toml import dump_world, parse_world
from reenact.world.world import World

SHORTEST = 1.0 / 60.0  # [s] of a take


def walked(walker: Take, world: World, seconds: float) -> Done:
    """A walk in a world until it falls or the time is over."""
    take = until_fall(put_into(walker, world), seconds)
    info, gone = take.info, _distance(take.motion["qpos"])
    figures = {"seconds_upright": info.metrics["seconds_upright"], "distance_m": gone}
    return Done(take=take, success=info.status == "ok", reason=info.reason, figures=figures)


def put_into(walker: Take, world: World) -> Take:
    """The walker at the start in another world, on its ground; only a moment of it is run."""
    return replay(walker, world=world, seconds=SHORTEST)


def with_pushes(walker: Take, world: World) -> Take:
    """The walker in its own world with other pushes, from its own start to the last bit."""
    return replace(walker, world_toml=dump_world(world))


def until_fall(take: Take, seconds: float) -> Take:
    """A take run until it falls, as the push test tells a fall, or the time is over; its status says which."""
    run = open_recipe(take.controller, parse_body(take.body_toml), parse_world(take.world_toml))
    steps = round(seconds / run.model.timestep)
    external = wrenches_of(run.model, steps, heading=heading_of(run.start.qpos[3:7]))
    fall = fall_of(run.model, run.start)
    trace = simulate(run.model, run.controller, run.start, steps=steps, external=external, fall=fall)
    upright = float(trace.time[-1])
    again = replay(take, seconds=max(upright, SHORTEST))
    status: Status = trace.status
    reason = "" if status == "ok" else trace.reason
    metrics = {name: value for name, value in again.info.metrics.items() if name != SUCCESS}
    metrics["seconds_upright"] = upright
    return replace(again, info=replace(again.info, status=status, reason=reason, metrics=metrics))


def _distance(qpos: Array) -> float:
    """How far the root came on the floor plan [m]."""
    way = qpos[-1, :2] - qpos[0, :2]
    return float((way @ way) ** 0.5)
