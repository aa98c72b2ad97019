"""One search of `reenact bench states`: what it found when growing ended and at the end, as a take with figures."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from reenact.control.machine.machine import Machine
from reenact.estimate.bench.run import Done
from reenact.estimate.plan import PLAN_HASH
from reenact.estimate.states.batch import batch
from reenact.estimate.states.bench.methods import Way, grown
from reenact.estimate.states.capture import Capture, Subject, plan_of, subject_elsewhere
from reenact.estimate.states.checkpoint import Checkpoint
from reenact.estimate.states.floor import begins_of, kinematic_floor
from reenact.estimate.states.incremental import Stage, first_machine, window_from
from reenact.estimate.states.search import Progress as Event
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task
from reenact.formats.replace_file import replace_file
from reenact.formats.take import Source, Take
from reenact.geometry.one_thread import one_thread
from reenact.measure import Progress
from reenact.physics.rollout import cores
from reenact.world.world import World

Judge = Callable[[Take], float]
QUICK_SETTINGS: Final = Settings(budget=20.0, walk=False)
# Beside a search that is not finished: its error [cm] when a phase began. What is a walk has been a chain before.
MILESTONES: Final = {"whole": "incremental_cm.json", "walk": "chain_cm.json"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Piece:
    """A motion to re-enact, and the file it comes from."""

    subject: Subject
    source: Source

    @property
    def last(self) -> int:
        """The last frame of the motion."""
        return self.subject.task.reference.frames - 1


def searched(
    piece: Piece, settings: Settings, folder: Path, *, judged: Judge | None = None, progress: Progress | None = None
) -> Done:
    """Algorithms 3 and 4 of [V12]; folder: where the search is kept until it is finished.

    judged: tells the error [cm] of what was found when a phase began; the distance from the reference unless said.
    """
    checkpoint = _checkpoint(folder, piece.subject, settings)
    warm(piece.subject.task, settings)
    history: list[list[float | str]] = []
    clock = time.perf_counter()

    def watch(event: Event) -> None:
        best = event.best
        assert best is not None
        for phase, name in MILESTONES.items():
            if event.phase == phase and not (folder / name).exists():
                replace_file(folder / name, json.dumps(error_of(piece, settings, event, judged)))
        history.append([round(time.perf_counter() - clock, 2), event.phase, best.last, round(best.joints, 3)])
        if progress is not None:
            name = piece.subject.reference.name
            progress(event.fraction, f"{name}, seed {settings.seed}, {best.joints:.1f} cm")

    take = Capture(piece.subject, settings, source=piece.source, checkpoint=checkpoint).run(resume=True, watch=watch)
    passed = {
        name.removesuffix(".json"): json.loads((folder / name).read_text(encoding="utf-8"))
        for name in MILESTONES.values()
        if (folder / name).exists()
    }
    shutil.rmtree(folder)
    return _done(take, {**figures_of(piece, take), **passed, "history": history})


def adapted(
    take: Take, world: World, settings: Settings, folder: Path, *, threads: int | None = None,
    progress: Progress | None = None,
) -> Take:  # fmt: skip
    """The machine of a take fitted again in a new world; folder: where the search is kept until it is finished."""
    subject = subject_elsewhere(take, world, threads=threads)

    def watch(event: Event) -> None:
        if progress is not None and event.best is not None:
            progress(event.fraction, f"{world.name}, seed {settings.seed}, {event.best.joints:.1f} cm")

    checkpoint = _checkpoint(folder, subject, settings)
    found = Capture(subject, settings, source=take.info.input, checkpoint=checkpoint).run(resume=True, watch=watch)
    shutil.rmtree(folder)
    return found


def _checkpoint(folder: Path, subject: Subject, settings: Settings) -> Checkpoint:
    """Where a search is kept; one that cannot be gone on with is cleared away."""
    checkpoint = Checkpoint(folder, plan_of(subject, settings))
    left = checkpoint.left()
    if left is not None and left.hindrance:
        shutil.rmtree(folder)
    return checkpoint


def found_by_batch(piece: Piece, settings: Settings, *, progress: Progress | None = None) -> Done:
    """Algorithm 2 of [V12]: a given structure, its numbers found at once."""
    warm(piece.subject.task, settings)
    wall, core = time.perf_counter(), time.process_time()
    if progress is not None:
        progress(0.0, f"{piece.subject.reference.name} by batch, seed {settings.seed}")
    with one_thread():
        best = batch(piece.subject.task, settings)
    return _made(piece, settings, best, "batch", (time.perf_counter() - wall, time.process_time() - core))


def compared(piece: Piece, settings: Settings, way: Way, motion: str, *, progress: Progress | None = None) -> Done:
    """A chain grown in a way that is in question."""
    warm(piece.subject.task, settings)
    wall, core = time.perf_counter(), time.process_time()

    def watch(fraction: float, best: Stage) -> None:
        if progress is not None:
            progress(fraction, f"{motion}, seed {settings.seed}, {best.joints:.1f} cm")

    with one_thread():
        best = grown(piece.subject.task, settings, way, motion, watch)
    return _made(piece, settings, best, "compared", (time.perf_counter() - wall, time.process_time() - core))


def _made(piece: Piece, settings: Settings, best: Stage, how: str, spent: tuple[float, float]) -> Done:
    """What came of something else than the search; spent: wall and processor time [s]."""
    take = take_of(piece, settings, best)
    metrics = {name: value for name, value in take.info.metrics.items() if name != PLAN_HASH}
    info = replace(take.info, method=f"states, {how}", metrics=metrics)
    info = replace(info, wall_seconds=round(spent[0], 3), core_seconds=round(spent[1], 3))
    take = replace(take, info=info)
    return _done(take, figures_of(piece, take))


def warm(task: Task, settings: Settings) -> None:
    """Have compiled code loaded before the clock runs: a first run in a process would look slower than it is."""
    machine = first_machine(task, settings, 1)
    window_from(task, machine, 0, 1).try_out(machine, machine.rows().reshape(1, -1))


def take_of(piece: Piece, settings: Settings, best: Stage, lost: float = 0.0) -> Take:
    """The take of a machine, made and judged as at the end of a search; lost: as an event says it."""
    capture = Capture(piece.subject, settings, source=piece.source)
    capture.now = Event(phase="done", number=0, best=best, fraction=1.0, lost=lost)
    return capture.run()


def error_of(piece: Piece, settings: Settings, event: Event, judged: Judge | None = None) -> float:
    """Mean distance of joint centres [cm] of an event's machine over the whole motion, as a take of it would say."""
    assert event.best is not None
    take = take_of(piece, settings, replace(event.best, last=piece.last), event.lost)
    return float(take.info.metrics["joint_error_cm"]) if judged is None else judged(take)


def _done(take: Take, figures: dict[str, Any]) -> Done:
    return Done(take=take, success=bool(take.info.metrics["success"]), reason=take.info.reason, figures=figures)


def figures_of(piece: Piece, take: Take) -> dict[str, Any]:
    """What the tables say of a take."""
    machine, metrics = Machine.from_json(take.controller), take.info.metrics
    return {
        "error_cm": metrics["joint_error_cm"],
        "floor_cm": kinematic_floor(piece.subject.task, begins_of(take.motion["state"], piece.last)),
        "states": len(machine.states),
        "structure": metrics["structure"],
        "seconds": take.info.wall_seconds,
        "core_seconds": take.info.core_seconds,
        "threads": piece.subject.task.threads or cores(),
        "frames": piece.last,
        "motion_seconds": piece.last * piece.subject.task.model.timestep,
    }
