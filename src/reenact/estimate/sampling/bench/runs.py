"""The runs of `reenact bench sampling`: each a capture, its take and audit, and a record of how it went.

A run is known by everything its search depends on, so that a bench that was stopped goes on where it was and runs again
only what has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from reenact.control.make_take import versions
from reenact.errors import ReenactError
from reenact.estimate.bench import record as kept_record
from reenact.estimate.bench.record import code_hash, forget_record, write_record
from reenact.estimate.bench.share import stretch
from reenact.estimate.sampling.bench.rows import Entry, reference_of
from reenact.estimate.sampling.capture import SearchError, capture, plan_hash, plan_of
from reenact.estimate.sampling.evaluate import Executor, Request, Stage
from reenact.estimate.sampling.sampler import Event
from reenact.estimate.sampling.task import Task, task_of
from reenact.formats.take import Source, Take, write_take
from reenact.measure import Progress
from reenact.physics.audit import audit_take
from reenact.world.load import load_world


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """How one run went."""

    part: str
    name: str
    seed: int
    plan: str  # sha256 of all that the search depends on but its code
    code: str  # sha256 of that
    settings: dict[str, Any]
    versions: dict[str, str]
    status: str
    reason: str
    success: bool
    seconds: float  # of the reference
    simulated: float  # seconds of it that the take holds
    wall_s_per_s: float | None = None  # of computing per second simulated
    core_s_per_s: float | None = None
    joint_error_cm: float | None = None
    drift_end_m: float | None = None  # of the root on the ground plan from the reference's
    drift_max_m: float | None = None
    cost_mean: float | None = None
    rewinds: int = 0
    honest: bool | None = None  # the audit's verdict; None where there is no take
    faults: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Of its entry."""
        return f"{self.part}/{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ready:
    """An entry whose reference stands in its world."""

    entry: Entry
    task: Task
    source: Source

    @property
    def seconds(self) -> float:
        """Length of the motion."""
        return self.task.reference.duration

    def plan(self, seed: int) -> str:
        """Hash of all that a run depends on but the code."""
        return plan_hash(plan_of(self.task, self.entry.settings(seed)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """An entry that cannot be run."""

    entry: Entry
    reason: str
    skipped: bool  # its recording is not here; otherwise something is wrong with it


def prepare(
    entries: Sequence[Entry], data: Path | None, progress: Progress | None = None
) -> tuple[list[Ready], list[Refused]]:
    """Fit and stage every entry's reference; data: the folder of recordings, None where there is none."""
    ready, refused = [], []
    for entry in entries:
        if progress is not None:
            progress(0.0, f"preparing {entry.name}")
        if reason := entry.missing(data):
            refused.append(Refused(entry=entry, reason=reason, skipped=True))
            continue
        try:
            motion, source = reference_of(entry, data)
            task = task_of(motion, load_world(entry.world), entry.settings(0))
        except ReenactError as error:
            refused.append(Refused(entry=entry, reason=str(error), skipped=False))
        else:
            ready.append(Ready(entry=entry, task=task, source=source))
    return ready, refused


def run_all(
    ready: Sequence[Ready],
    seeds: int | None,
    folder: Path,
    executor_of: Callable[[Stage], Executor],
    progress: Progress | None = None,
) -> Iterator[Record]:
    """Records of all entries and seeds 0 … seeds−1: first those kept in `folder`, then what is run now, seed by seed.

    seeds: as many as each entry asks for, where not given.
    After each seed every entry has been run as often, so that a bench that is stopped has seen them all.
    """
    pending: list[tuple[int, Ready]] = []
    wanted = [one.entry.seeds if seeds is None else seeds for one in ready]
    for seed in range(max(wanted, default=0)):
        for one in (one for one, count in zip(ready, wanted, strict=True) if seed < count):
            kept = read_record(take_folder(folder, one.entry, seed), one.plan(seed))
            if kept is None:
                pending.append((seed, one))
            else:
                yield kept
    work = np.cumsum([0.0, *(one.seconds * one.entry.settings(seed).samples for seed, one in pending)])
    for i, (seed, one) in enumerate(pending):
        share = stretch(progress, work[i] / work[-1], work[i + 1] / work[-1])
        yield run_one(one, seed, take_folder(folder, one.entry, seed), executor_of(one.task.stage), share)


def run_one(ready: Ready, seed: int, folder: Path, executor: Executor, progress: Progress | None = None) -> Record:
    """Capture, write the take to `folder`, audit it and keep the record beside it."""
    forget_record(folder)
    _warm(ready.task, executor)

    def watch(event: Event) -> None:
        if progress is not None:
            progress(event.fraction, f"{ready.entry.key}, seed {seed}, cost {event.cost:.1f}")

    try:
        take = capture(ready.task, ready.entry.settings(seed), executor, source=ready.source, watch=watch)
    except SearchError as error:
        record = _record(ready, seed, status="diverged", reason=str(error), success=False, simulated=0.0)
    else:
        write_take(folder, take)
        record = _record(ready, seed, **_figures(take, ready.task, folder))
    write_record(folder, record)
    return record


def take_folder(folder: Path, entry: Entry, seed: int) -> Path:
    """Where a run's take is kept."""
    return folder / entry.part / entry.name / f"seed-{seed}"


def read_record(folder: Path, plan: str) -> Record | None:
    """The record of a finished run in a take's folder, if it was one of this plan."""
    return kept_record.read_record(folder, plan, Record)


def _record(ready: Ready, seed: int, **outcome: Any) -> Record:
    return Record(
        part=ready.entry.part,
        name=ready.entry.name,
        seed=seed,
        plan=ready.plan(seed),
        code=code_hash(),
        settings=ready.entry.settings(seed).to_json(),
        versions=versions(),
        seconds=ready.seconds,
        **outcome,
    )


def _figures(take: Take, task: Task, folder: Path) -> dict[str, Any]:
    info, metrics, verdict = take.info, take.info.metrics, audit_take(folder)
    frames = min(len(take.motion["qpos"]), task.reference.frames)
    away = np.linalg.norm(take.motion["qpos"][:frames, :2] - task.reference.qpos[:frames, :2], axis=-1)
    seconds = max(take.seconds, 1e-9)
    return {
        "status": info.status,
        "reason": info.reason,
        "success": bool(metrics["success"]),
        "simulated": take.seconds,
        "wall_s_per_s": info.wall_seconds / seconds,
        "core_s_per_s": info.core_seconds / seconds,
        "joint_error_cm": metrics["joint_error_cm"],
        "drift_end_m": float(away[-1]),
        "drift_max_m": float(away.max()),
        "cost_mean": metrics["cost_mean"],
        "rewinds": metrics["rewinds"],
        "honest": verdict.honest,
        "faults": verdict.faults,
    }


def _warm(task: Task, executor: Executor) -> None:
    """Have compiled code loaded before the clock runs: a first run in a process would look slower than it is."""
    row = task.start.row(task.model, task.stage.program.memory)[None]
    displacement = np.zeros((1, len(task.windows)))
    executor.evaluate(Request(starts=row, start_of=np.zeros(1, np.int64), displacement=displacement, steps=1))
