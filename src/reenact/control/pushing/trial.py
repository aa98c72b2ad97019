"""One trial: pushes of one force from one side, at one phase, until the body falls or the time is over.

A direction refers to where the unpushed body faces on average before the first push and stays fixed in the world, as
pushes of a world file do, so that every trial can be replayed and audited as a take. With `follow`, each push instead
comes from that side of the body as it faces then (mean of the last gait cycle) and keeps its direction while it lasts.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from reenact.control.pushing.directions import Direction
from reenact.control.pushing.protocol import Protocol
from reenact.control.pushing.subject import Subject
from reenact.control.pushing.unpushed import Unpushed, mean_heading, progress
from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.physics import loop
from reenact.physics.prepare import Wrenches, wrenches_of
from reenact.physics.rollout import BatchResult, cores, rollout_batch
from reenact.physics.state import State

LEAST_SHARE = 1.0 / 3.0  # of the unpushed speed, below which a walker no longer goes on its way
SAMPLE = 0.1  # [s] between the recorded states of a trial
ANGLE_NOISE, RATE_NOISE, ROOT_NOISE = 0.01, 0.1, 0.02  # of a drawn start [rad], [rad/s], [m/s], standard deviations


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What is tried."""

    direction: Direction
    newtons: float
    delay: float  # of the first push [s]
    draw: tuple[int, ...] | None = None  # seeds of a disturbed start; None: the take's own


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a trial."""

    passed: bool
    seconds: float  # that it stayed up [s]
    reason: str  # in words where it did not pass


def run_trials(
    subject: Subject, protocol: Protocol, base: Unpushed, trials: Sequence[Trial], *, threads: int | None = None
) -> list[Outcome]:
    """Run trials on all cores, or so many threads; each is its own simulation, so the split changes nothing."""
    if threads is not None and threads < 1:
        raise InputError(f"threads is {threads}, expected at least 1")
    if not trials:
        return []
    _ = loop.run.address  # compiled here once, before threads ask for it
    pool = ThreadPoolExecutor(min(threads or cores(), len(trials)))
    try:
        return list(pool.map(lambda trial: run_trial(subject, protocol, base, trial), trials))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)  # Ctrl-C waits for the simulations that run, under a second


def run_trial(subject: Subject, protocol: Protocol, base: Unpushed, trial: Trial) -> Outcome:
    """Run one trial and judge it."""
    result, time, root = _simulated(subject, protocol, base, trial)
    seconds = float(time[-1])
    if result.code[0] != 0:
        return Outcome(passed=False, seconds=seconds, reason=f"{result.reason(0)} at {seconds:.2f} s")
    reason = stalled(time, root, base, first=protocol.every + trial.delay, last=protocol.every)
    return Outcome(passed=not reason, seconds=seconds, reason=reason)


def stalled(time: Array, root: Array, base: Unpushed, *, first: float, last: float) -> str:
    """In words where a walker, upright to the end, no longer goes on its way; empty where it does, or only stands.

    time (n,), root (n, 7): its samples. It must cover a third of the unpushed distance both from the first push on, at
    `first` [s], and over the `last` [s] before the end.
    """
    if not base.walks:
        return ""
    gone = progress(root, base.way)
    for begin, words in ((first, "since the first push"), (time[-1] - last, f"over the last {last:g} s")):
        k = int(np.searchsorted(time, begin - 1e-9))
        speed = float((gone[-1] - gone[k]) / (time[-1] - time[k]))
        if speed < LEAST_SHARE * base.speed:
            return f"went on at {speed:.2f} m/s {words}, less than a third of {base.speed:.2f} m/s"
    return ""


def start_of(subject: Subject, trial: Trial) -> State:
    """The take's own start, or one disturbed a little in every angle and velocity."""
    if trial.draw is None:
        return subject.start
    noise, model = np.random.default_rng(trial.draw), subject.model
    qpos, qvel = subject.start.qpos.copy(), subject.start.qvel.copy()
    qpos[model.hinge_qpos] += ANGLE_NOISE * noise.standard_normal(model.hinges)
    qvel[model.hinge_dof] += RATE_NOISE * noise.standard_normal(model.hinges)
    qvel[:3] += ROOT_NOISE * noise.standard_normal(3)
    return State(qpos=qpos, qvel=qvel)


def push_wrenches(subject: Subject, forces: Sequence[tuple[float, float, Array]], segment: str, steps: int) -> Wrenches:
    """Pushes (start [s], duration [s], force (3,) [N]) on a segment, with what the world itself throws."""
    model, thrown = subject.model, wrenches_of(subject.model, steps)
    body = int(model.segment_body[model.body.segment_names.index(segment)])
    first = [round(start / model.timestep) for start, _, _ in forces]
    last = [a + max(1, round(length / model.timestep)) for a, (_, length, _) in zip(first, forces, strict=True)]
    span = np.array([*zip(first, last, strict=True)], np.int64).reshape(-1, 2)
    wrench = np.array([[*force, 0.0, 0.0, 0.0] for _, _, force in forces]).reshape(-1, 6)
    bodies = np.full(len(forces), body, np.int64)
    if thrown is None:
        return Wrenches(span=span, bodies=bodies, wrench=wrench)
    return Wrenches(
        span=np.concatenate([thrown.span, span]),
        bodies=np.concatenate([thrown.bodies, bodies]),
        wrench=np.concatenate([thrown.wrench, wrench]),
    )


def _simulated(subject: Subject, protocol: Protocol, base: Unpushed, trial: Trial) -> tuple[BatchResult, Array, Array]:
    """The run of a trial: how it ended, and the times (n,) and roots (n, 7) of its samples, the end included."""
    timestep = subject.model.timestep
    steps, starts = round((protocol.seconds + trial.delay) / timestep), protocol.starts(trial.delay)
    run = _Run(subject, start_of(subject, trial))
    if not protocol.follow:
        force = trial.direction.force(trial.newtons, base.heading)
        pushes = [(start, protocol.duration, force) for start in starts]
        run.until(steps, push_wrenches(subject, pushes, protocol.segment, steps))
        return run.samples()
    pushes = []
    for start in starts:
        if not run.until(round(start / timestep), push_wrenches(subject, pushes, protocol.segment, steps)):
            return run.samples()
        force = trial.direction.force(trial.newtons, run.heading(base.cycle))
        pushes.append((start, protocol.duration, force))
    run.until(steps, push_wrenches(subject, pushes, protocol.segment, steps))
    return run.samples()


class _Run:
    """A simulation that goes on stretch by stretch, each from where the last ended."""

    def __init__(self, subject: Subject, start: State) -> None:
        self._subject = subject
        self._row = start.row(subject.model, subject.program.memory)[None]
        self._done = 0
        self._times: list[Any] = []
        self._roots: list[Array] = []
        self._result: BatchResult | None = None

    def until(self, step: int, external: Wrenches) -> bool:
        """Go on up to a step; whether it got there."""
        subject, every = self._subject, max(1, round(SAMPLE / self._subject.model.timestep))
        result = rollout_batch(
            subject.model, subject.program, self._row, step - self._done, threads=1, every=every,
            fall=subject.fall, external=external if len(external.bodies) else None,
        )  # fmt: skip
        steps = int(result.steps[0])
        kept = np.arange(0, steps, every)
        assert result.qpos is not None
        ended = bool(np.isfinite(result.final[0]).all())
        self._times.append((self._done + kept) * subject.model.timestep)
        self._roots.append(result.qpos[0, : len(kept), :7] if ended else np.full((len(kept), 7), np.nan))
        self._done += steps
        self._row, self._result = result.final, result
        return bool(result.ok[0])

    def heading(self, seconds: float) -> float:
        """Where the body faced on average over the last so many seconds [rad]."""
        _, time, root = self.samples()
        return mean_heading(root[time >= time[-1] - seconds - 1e-9])

    def samples(self) -> tuple[BatchResult, Array, Array]:
        """How the last stretch ended, and all samples with the end."""
        assert self._result is not None
        time = np.concatenate([*self._times, [self._done * self._subject.model.timestep]])
        return self._result, time, np.concatenate([*self._roots, self._row[:, 1:8]])
