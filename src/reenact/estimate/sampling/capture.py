"""From a motion to a take: search the control, simulate it once more with everything recorded, judge it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from reenact.control.against import reference_arrays
from reenact.control.displaced import Displaced
from reenact.control.judge import judge
from reenact.control.make_take import make_take, metrics_of, versions
from reenact.control.recipe import recipe_of
from reenact.errors import ReenactError
from reenact.estimate.plan import HASH, PLAN_HASH, PROCESSOR
from reenact.estimate.plan import plan_hash as plan_hash
from reenact.estimate.processor import processor
from reenact.estimate.sampling.checkpoint import Checkpoint
from reenact.estimate.sampling.evaluate import Executor
from reenact.estimate.sampling.sampler import Event, search
from reenact.estimate.sampling.settings import Settings
from reenact.estimate.sampling.so_far import Search, begin, found
from reenact.estimate.sampling.spent import Meter
from reenact.estimate.sampling.task import Task
from reenact.estimate.spent import Spent
from reenact.formats.take import Source, Take, TakeInfo
from reenact.geometry.one_thread import one_thread
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
    plan = {**settings.to_json(), **hashes, "ends": list(task.ends), "versions": versions()}
    return {**plan, PROCESSOR: processor()}


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

    checkpoint: brought up to date every second or so, and when the search ends for whatever reason but a kill; with
    `resume` the search goes on from it. watch: is told of every sampling step.
    """
    with one_thread():
        now = begin(task)
        if resume and checkpoint is not None:
            now = checkpoint.load(now) or now
        meter = Meter(executor, Spent() if checkpoint is None else checkpoint.spent)
        try:
            for event in search(task, settings, meter, now):
                now = event.search
                meter.count()
                if checkpoint is not None:
                    checkpoint.follow(now, meter.spent)
                if watch is not None:
                    watch(event)
        finally:
            if checkpoint is not None and now.sweep + now.done + now.rewinds:
                checkpoint.save(now, meter.spent)
        meter.count()
        if now.done == 0:
            raise SearchError(f"every candidate diverged in the first step of '{task.reference.name}'")
        return _take(task, settings, now, source, meter.spent)


def controller_of(task: Task, now: Search) -> Displaced:
    """The controller of the best path found so far."""
    return Displaced(track=task.track, ends=task.ends[: now.done], displacement=found(now).displacement)


def _take(task: Task, settings: Settings, now: Search, source: Source, spent: Spent) -> Take:
    controller, steps = controller_of(task, now), task.ends[now.done - 1]
    trace = simulate(task.model, controller, task.start, steps=steps, external=task.stage.external)
    aims = reference_arrays(task.reference, task.model)
    verdict = judge(trace, task.reference)
    metrics = metrics_of(trace, aims, verdict.fallen)
    metrics |= {
        "success": verdict.success,
        "samples": settings.samples,
        "saved": settings.save,
        "samples_simulated": spent.samples,
        "sampling_steps": now.done,
        "rewinds": now.rewinds,
        "cost_mean": float(found(now).cost.mean()),
        "compute_s_per_s": spent.wall_seconds / max(float(trace.time[-1]), 1e-9),
        PLAN_HASH: plan_hash(plan_of(task, settings))[:HASH],
    }
    info = TakeInfo(
        input=source,
        method=METHOD,
        seed=settings.seed,
        body=task.reference.body.name,
        world=task.model.world.name,
        versions=versions(),
        wall_seconds=round(spent.wall_seconds, 3),
        core_seconds=round(spent.core_seconds, 3),
        status=verdict.status,
        reason=verdict.reason,
        metrics=metrics,
        pushes=declared_pushes(task.model.world, timestep=task.model.timestep),
    )
    return make_take(trace, info, recipe_of(controller, task.model, task.start, steps), aims, task.reference.name)
