"""From a motion to a take by the search of a state machine: also of one that was stopped, as far as it came."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from reenact.body.toml import dump_body, parse_body
from reenact.control.against import reference_arrays
from reenact.control.glide import levelled
from reenact.control.judge import Verdict, judge
from reenact.control.machine.machine import TIME, Machine
from reenact.control.machine.notation import notation
from reenact.control.machine.text import as_written
from reenact.control.make_take import make_take, metrics_of, versions
from reenact.control.over_ground import Staged, first_frames
from reenact.control.place import staged
from reenact.control.pushing.subject import fall_of
from reenact.control.recipe import recipe_of
from reenact.control.replay import reference_motion
from reenact.errors import InputError
from reenact.estimate.check import check_start
from reenact.estimate.plan import HASH, PLAN_HASH, PROCESSOR, plan_hash
from reenact.estimate.processor import processor
from reenact.estimate.spent import Clock, Spent
from reenact.estimate.states.check import check
from reenact.estimate.states.checkpoint import Checkpoint
from reenact.estimate.states.floor import begins_of, kinematic_floor
from reenact.estimate.states.incremental import Stage
from reenact.estimate.states.pose_choice import contents, contest_of
from reenact.estimate.states.search import Progress
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task, task_of
from reenact.estimate.walking.again import as_chain, leaning, search_again
from reenact.estimate.walking.choose import found_so_far
from reenact.estimate.walking.search import INSTEAD, Instead, Last, search
from reenact.formats.take import Source, Take, TakeInfo
from reenact.geometry.one_thread import one_thread
from reenact.motion.motion import Motion
from reenact.motion.resample import resample
from reenact.physics.effort import effort_of
from reenact.physics.model import Model
from reenact.physics.prepare import wrenches_of
from reenact.physics.simulate import simulate
from reenact.physics.state import State
from reenact.world.external import declared_pushes, heading_of
from reenact.world.toml import dump_world
from reenact.world.world import World

METHOD: Final = "states"
STAYS_UP: Final = "stays_up_s"  # a metric
FOLLOWED: Final = "followed"  # a metric of takes whose chain was lost along the input
BY_SAMPLING: Final = "a simulated motion near the input, found by sampling"  # what it says then
ROBUST_PARTS: Final = "robust_parts"  # parts of practice under disturbances, where it was asked for
ROBUST_KEPT: Final = "robust_parts_kept"  # of those, whose lesson was kept
TRIED: Final = 20.0  # [s] after the recording's end in which it may fall


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Subject:
    """What is captured: the search's task, and the motion that its result is judged by."""

    task: Task
    reference: Staged  # in the world, at the model's rate
    seen: str = ""  # a hash of what else it is held against, where it comes from video
    last: Last | None = None  # the last improvement of a chain, where there is one
    instead: Instead | None = None  # what is followed where a chain is lost, where there is something
    begin: Machine | None = None  # a machine that was found elsewhere, where the search goes on from one

    @property
    def start(self) -> State:
        """The state at time 0."""
        return replace(State.from_row(self.task.start, self.task.model), memory=None)

    def followed(self, now: Progress) -> Subject:
        """The subject as what a search has found so far has it: with another task where that is followed instead."""
        other = self.instead() if now.lost and now.phase != INSTEAD and self.instead is not None else None
        return self if other is None else replace(self, task=other)


def subject_of(motion: Motion, world: World, *, torque_scale: float = 1.0, threads: int | None = None) -> Subject:
    """Make a motion ready for the search; one that cannot work is refused in a line."""
    check(motion)
    task = task_of(motion, world, torque_scale=torque_scale, threads=threads)
    reference = staged(resample(motion, 1.0 / task.model.timestep), task.model)
    check_start(task.model, reference)
    return Subject(task=task, reference=reference)


def subject_elsewhere(take: Take, world: World, *, threads: int | None = None) -> Subject:
    """A take's motion in another world, the search to go on from its machine; what cannot be is refused."""
    if take.controller.get("kind") != "machine":
        raise InputError(f"is driven by {take.controller.get('kind')!r}; only a state machine can be fitted again")
    body = parse_body(take.body_toml)
    reference = reference_motion(take, body)
    motion = levelled(reference)
    scale = float(take.controller.get("torque_scale", 1.0))
    machine = as_chain(Machine.from_json(take.controller).ordered(body))
    subject = subject_of(motion, world, torque_scale=scale, threads=threads)
    return replace(subject, begin=leaning(machine, subject.task, reference.turned))


def plan_of(subject: Subject, settings: Settings) -> dict[str, Any]:
    """What a search depends on, for a checkpoint."""
    model = subject.task.model
    texts = {"body": dump_body(model.body), "world": dump_world(model.world)}
    hashes = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}
    hashes["motion"] = hashlib.sha256(subject.reference.qpos.tobytes()).hexdigest()
    if subject.seen:
        hashes["seen"] = subject.seen
    if subject.begin is not None:
        hashes["begin"] = hashlib.sha256(json.dumps(subject.begin.to_json()).encode()).hexdigest()
    if models := contents(contest_of(settings.poses, model.body), model.body):
        hashes["pose_models"] = models
    plan = {**asdict(settings), **hashes, "torque_scale": model.torque_scale, "versions": versions()}
    return {**plan, "method": METHOD, PROCESSOR: processor()}


class Capture:
    """A search that is followed: by a checkpoint, by whoever watches, and by what it has found so far."""

    def __init__(
        self, subject: Subject, settings: Settings, *, source: Source, checkpoint: Checkpoint | None = None
    ) -> None:
        self._subject, self._settings, self._source, self._checkpoint = subject, settings, source, checkpoint
        self._clock = Clock(Spent())
        self.now: Progress | None = None  # the last event

    def run(self, *, resume: bool = False, watch: Callable[[Progress], None] | None = None) -> Take:
        """Search to the end, with `resume` from where the checkpoint is; the take says whether the motion was done."""
        with one_thread():
            if resume and self._checkpoint is not None:
                self.now = self._checkpoint.load()
                self._clock = Clock(self._checkpoint.spent)
            try:
                for event in self._search():
                    self.now = event
                    if self._checkpoint is not None:
                        self._checkpoint.follow(event, self._clock.spent())
                    if watch is not None:
                        watch(event)
            finally:
                if self._checkpoint is not None and self.now is not None:
                    self._checkpoint.save(self.now, self._clock.spent())
            assert self.now is not None
            assert self.now.best is not None
            return self._take(self.now.best, stopped="")

    def _search(self) -> Iterator[Progress]:
        """The search, from where it is."""
        subject = self._subject
        if subject.begin is not None:
            return search_again(subject.task, self._settings, subject.begin, self.now)
        return search(subject.task, self._settings, self.now, subject.last, subject.instead)

    def so_far(self, why: str) -> Take | None:
        """The best controller so far as a take that says it was stopped, and why; None where nothing was found."""
        if self.now is None or self.now.best is None:
            return None
        with one_thread():
            best = found_so_far(self._subject.followed(self.now).task, self._settings, self.now)
            return None if best is None else self._take(best, stopped=why)

    def _take(self, best: Stage, *, stopped: str) -> Take:
        """Simulate the machine as its text says it, judge it, and tell of it."""
        assert self.now is not None
        subject = self._subject.followed(self.now)
        task, reference = subject.task, subject.reference
        model, start, steps = task.model, subject.start, best.last
        machine = as_written(best.machine)
        pushes = wrenches_of(model, steps, heading=heading_of(start.qpos[3:7]))
        trace = simulate(model, machine, start, steps=steps, external=pushes, record_senses=True)
        aims = reference_arrays(reference, model)
        verdict = judge(trace, first_frames(reference, steps + 1))
        if stopped:
            length = f"{steps * model.timestep:.2f} of {reference.duration:.2f} s"
            verdict = Verdict(status="stopped", reason=f"{stopped}, {length} of the motion explained", fallen=None)
        spent = self._clock.spent()
        metrics = {
            **metrics_of(trace, aims, verdict.fallen),
            "success": verdict.success,
            **machine_metrics(machine),
            **self._poses(),
            "cost_cm2": best.cost,
            "effort": effort_of(trace),
            "compute_s_per_s": spent.wall_seconds / max(float(trace.time[-1]), 1e-9),
        }
        if subject is not self._subject:
            metrics[FOLLOWED] = BY_SAMPLING
        if self._settings.pushes:
            metrics |= {ROBUST_PARTS: self.now.disturbed, ROBUST_KEPT: self.now.bought}
        if trace.status == "ok":
            metrics[STAYS_UP] = _stays_up(model, machine, trace.final)
        if not stopped:
            metrics[PLAN_HASH] = plan_hash(plan_of(self._subject, self._settings))[:HASH]
        info = TakeInfo(
            input=self._source,
            method=METHOD,
            seed=self._settings.seed,
            body=model.body.name,
            world=model.world.name,
            versions=versions(),
            wall_seconds=round(spent.wall_seconds, 3),
            core_seconds=round(spent.core_seconds, 3),
            status=verdict.status,
            reason=verdict.reason,
            metrics=metrics,
            pushes=declared_pushes(model.world, timestep=model.timestep),
        )
        take = make_take(trace, info, recipe_of(machine, model, start, steps), aims, reference.name)
        return take if stopped or trace.status != "ok" else _with_floor(take, task)

    def _poses(self) -> dict[str, Any]:
        """What target poses are made of, and where that was settled by a contest, what each has cost."""
        assert self.now is not None
        contest = self.now.contest
        costs = {f"poses_{name}_cm2": cost for name, cost in contest.table.items() if math.isfinite(cost)}
        return {"poses": Path(contest.best).name, **costs}


def _stays_up(model: Model, machine: Machine, end: State) -> float:
    """How long the body is up after the recording's end [s]; as long as is tried where it does not fall."""
    steps = round(TRIED / model.timestep)
    return simulate(model, machine, end, steps=steps, fall=fall_of(model, end)).steps * model.timestep


def _with_floor(take: Take, task: Task) -> Take:
    """The take with how near states of those lengths could have come if physics were no obstacle."""
    state = take.motion["state"]
    floor = kinematic_floor(task, begins_of(state, len(state)))
    return replace(take, info=replace(take.info, metrics={**take.info.metrics, "kinematic_floor_cm": floor}))


def machine_metrics(machine: Machine) -> dict[str, Any]:
    """Figures of a machine for a take: how many states, how they follow each other, how many wait for a contact."""
    return {
        "states": len(machine.states),
        "structure": notation(machine),
        "transitions_on_contact": sum(s.until != TIME and s.then is not None for s in machine.states),
    }
