"""From a motion to a take: search the control, simulate it once more with everything recorded, judge it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import Any

from reenact.control.against import reference_arrays
from reenact.control.displaced import Displaced
from reenact.control.judge import judge
from reenact.control.make_take import make_take, metrics_of, versions
from reenact.control.recipe import recipe_of
from reenact.errors import ReenactError
from reenact.estimate.sampling.checkpoint import Checkpoint
from reenact.estimate.sampling.evaluate import Executor
from reenact.estimate.sampling.sampler import Event, Search, begin, found, search
from reenact.estimate.sampling.settings import Settings
from reenact.estimate.sampling.task import Task
from reenact.formats.take import Source, Take, TakeInfo
from reenact.physics.simulate import simulate
from reenact.world.external import declared_pushes

METHOD = "sampling"


class SearchError(ReenactError):
    """A search in which every candidate diverged at once."""


def plan_of(task: Task, settings: Settings) -> dict[str, Any]:
    """What a search depends on, for a checkpoint."""
    texts = {"body": task.setup.body_toml, "world": task.setup.world_toml}
    hashes = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}
    hashes["motion"] = hashlib.sha256(task.reference.qpos.tobytes()).hexdigest()
    return {**settings.to_json(), **hashes, "ends": list(task.ends), "versions": versions()}


def capture(
    task: Task,
    settings: Settings,
    executor: Executor,
    *,
    source: Source,
    checkpoint: Checkpoint | None = None,
    resume: bool = False,
    watch: Callable[[Event], None] | None = None,
) -> Take:
    """Reconstruct the control of a task's motion and return it as a take, successful or not: the take says which.

    checkpoint: brought up to date after every sampling step; with `resume` the search goes on from it. watch: is told
    of every sampling step.
    """
    clock = time.perf_counter(), time.process_time()
    now = begin(task)
    if resume and checkpoint is not None:
        now = checkpoint.load(now) or now
    before = checkpoint.seconds if checkpoint is not None else 0.0
    for event in search(task, settings, executor, now):
        now = event.search
        if checkpoint is not None:
            checkpoint.save(now, before + time.perf_counter() - clock[0])
        if watch is not None:
            watch(event)
    if now.done == 0:
        raise SearchError(f"every candidate diverged in the first step of '{task.reference.name}'")
    searched = before + time.perf_counter() - clock[0]
    return _take(task, settings, now, source, searched, time.process_time() - clock[1])


def controller_of(task: Task, now: Search) -> Displaced:
    """The controller of the best path found so far."""
    return Displaced(track=task.track, ends=task.ends[: now.done], displacement=found(now).displacement)


def _take(task: Task, settings: Settings, now: Search, source: Source, wall: float, core: float) -> Take:
    controller, steps = controller_of(task, now), task.ends[now.done - 1]
    trace = simulate(task.model, controller, task.start, steps=steps, external=task.stage.external)
    aims = reference_arrays(task.reference, task.model)
    verdict = judge(trace, task.reference)
    metrics = metrics_of(trace, aims, verdict.fallen)
    metrics |= {
        "success": verdict.success,
        "samples": settings.samples,
        "saved": settings.save,
        "sampling_steps": now.done,
        "rewinds": now.rewinds,
        "cost_mean": float(found(now).cost.mean()),
        "compute_s_per_s": wall / max(float(trace.time[-1]), 1e-9),
    }
    info = TakeInfo(
        input=source,
        method=METHOD,
        seed=settings.seed,
        body=task.reference.body.name,
        world=task.model.world.name,
        versions=versions(),
        wall_seconds=round(wall, 3),
        core_seconds=round(core, 3),
        status=verdict.status,
        reason=verdict.reason,
        metrics=metrics,
        pushes=declared_pushes(task.model.world, timestep=task.model.timestep),
    )
    return make_take(trace, info, recipe_of(controller, task.model, task.start, steps), aims, task.reference.name)
