"""Running controllers: one simulation with everything recorded, or thousands of candidates on all cores.

Every candidate starts from its own row and nothing else, so results do not depend on how the work is split.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.physics import guard, loop
from reenact.physics import job as slip
from reenact.physics.controller import Program
from reenact.physics.job import Job
from reenact.physics.model import Model
from reenact.physics.outcome import Fall, Status, reason_of, status_of
from reenact.physics.prepare import Wrenches, borrow_data, fill_scratch, shared_job
from reenact.physics.simulate import simulate
from reenact.physics.state import State, row_width

__all__ = ["BatchResult", "rollout_batch", "simulate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchResult:
    """How n candidates ended. A diverged one holds NaN and is no motion."""

    model: Model
    code: NDArray[np.int64]  # (n,) 0 ok, 1 fell, 2 diverged
    steps: NDArray[np.int64]  # (n,) steps done
    detail: NDArray[np.int64]  # (n,)
    final: Array  # (n, X) state rows, see `State.from_row`; may serve as starts of the next batch
    qpos: Array | None  # (n, R, nq) every k-th state where recorded, NaN after the end
    qvel: Array | None  # (n, R, nv)
    points: Array | None  # (n, S+1, 3) final joint centres and centre of mass, where asked [m]
    efforts: Array | None  # (n, A) sums over steps of (torque / bound)², where asked; see `effort.py`
    messages: dict[int, str]  # the engine's words where it gave up on a candidate

    @property
    def ok(self) -> NDArray[np.bool_]:
        """Which candidates ran to the end, (n,)."""
        return np.asarray(self.code == slip.OK)

    def status(self, candidate: int) -> Status:
        """How a candidate ended."""
        return status_of(int(self.code[candidate]))

    def reason(self, candidate: int) -> str:
        """Why a candidate ended early, in words."""
        if candidate in self.messages:
            return self.messages[candidate]
        return reason_of(self.model, int(self.code[candidate]), int(self.detail[candidate]))


def rollout_batch(
    model: Model,
    program: Program,
    starts: Array | State,
    steps: int,
    *,
    params: Array | None = None,
    start_of: NDArray[np.int64] | None = None,
    threads: int | None = None,
    every: int = 0,
    velocities: bool = False,
    points: bool = False,
    efforts: bool = False,
    fall: Fall | None = None,
    external: Wrenches | Sequence[Wrenches] | None = None,
    external_of: NDArray[np.int64] | None = None,
) -> BatchResult:
    """Run candidates for `steps` steps.

    starts: one State for all, or rows (m, X); start_of (n,): the row of each candidate, in order where not given.
    params: (n, P), a candidate's own numbers. every: record each k-th state, from the start on. threads: all cores.
    external: one plan of forces for all, or several with external_of (n,), the plan of each candidate.
    """
    rows = starts.row(model, program.memory)[None] if isinstance(starts, State) else _rows(model, program, starts)
    params = _params(program, params)
    count = _count(len(rows), None if params is None else len(params), start_of)
    which = np.zeros(count, np.int64) if start_of is None and len(rows) == 1 else start_of
    which = np.arange(count) if which is None else np.ascontiguousarray(which, np.int64)
    if which.shape != (count,) or (count and not (which.min() >= 0 and which.max() < len(rows))):
        raise InputError(f"start_of must be ({count},) with values 0 … {len(rows) - 1}")
    if steps < 0 or every < 0:
        raise InputError(f"steps and every must be ≥ 0, got {steps} and {every}")
    row_count = steps // every + 1 if every else 0
    own = params if params is not None else np.tile(program.params, (count, 1))
    out = _Outputs(model, count, rows.shape[1], row_count, velocities, points, efforts)
    job = shared_job(model, program, rows, which, own, steps, fall, external, external_of)
    out.put(job, every)
    _run(model, job, count, out, threads)
    return out.result(model)


def _rows(model: Model, program: Program, starts: Array) -> Array:
    width = row_width(model, program.memory)
    rows = np.ascontiguousarray(starts, float)
    if rows.ndim != 2 or rows.shape[1] != width:
        raise InputError(f"start rows have shape {rows.shape}, this model and program need (m, {width})")
    if not np.isfinite(rows).all():
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=1))
        raise InputError(f"start row {bad[0]} holds values that are not finite ({len(bad)} such rows)")
    return rows


def _params(program: Program, params: Array | None) -> Array | None:
    if params is None:
        return None
    params = np.ascontiguousarray(params, float)
    if params.ndim != 2 or params.shape[1] != len(program.params):
        raise InputError(f"params have shape {params.shape}, the program needs (n, {len(program.params)})")
    if not np.isfinite(params).all():
        raise InputError("params hold values that are not finite")
    return params


def _count(starts: int, params: int | None, start_of: NDArray[np.int64] | None) -> int:
    given = {len(start_of)} if start_of is not None else set() if starts == 1 and params is not None else {starts}
    if params is not None:
        given.add(params)
    if len(given) != 1:
        raise InputError(f"starts, start_of and params disagree on the number of candidates: {sorted(given)}")
    return given.pop()


class _Outputs:
    """Arrays that the threads fill, each candidate its own rows."""

    def __init__(
        self, model: Model, count: int, width: int, rows: int, velocities: bool, points: bool, efforts: bool
    ) -> None:
        self.final = np.full((count, width), np.nan)
        self.status = np.zeros((count, slip.STATUS_WIDTH), np.int64)
        self.status[:, slip.CODE] = slip.NOT_RUN
        self.qpos = np.full((count, rows, model.mj.nq), np.nan) if rows else None
        self.qvel = np.full((count, rows, model.mj.nv), np.nan) if rows and velocities else None
        self.points = np.full((count, len(model.segment_body) + 1, 3), np.nan) if points else None
        self.efforts = np.zeros((count, model.hinges)) if efforts else None
        self.messages: dict[int, str] = {}
        self.rows = rows

    def put(self, job: Job, every: int) -> None:
        job.put(slip.FINAL, self.final)
        job.put(slip.STATUS, self.status)
        if self.qpos is not None:
            job.put(slip.EVERY, every)
            job.put(slip.ROWS, self.rows)
            job.put(slip.QPOS_OUT, self.qpos)
        if self.qvel is not None:
            job.put(slip.QVEL_OUT, self.qvel)
        if self.points is not None:
            job.put(slip.POINTS_OUT, self.points)
        if self.efforts is not None:
            job.put(slip.EFFORT_OUT, self.efforts)

    def result(self, model: Model) -> BatchResult:
        code = self.status[:, slip.CODE]
        for i in np.flatnonzero(code == slip.DIVERGED):  # what was recorded on the way is no motion either
            for kept in (self.qpos, self.qvel):
                if kept is not None:
                    kept[i] = np.nan
        return BatchResult(
            model=model,
            code=code,
            steps=self.status[:, slip.STEPS_DONE],
            detail=self.status[:, slip.DETAIL],
            final=self.final,
            qpos=self.qpos,
            qvel=self.qvel,
            points=self.points,
            efforts=self.efforts,
            messages=self.messages,
        )


def _run(model: Model, job: Job, count: int, out: _Outputs, threads: int | None) -> None:
    """Share the candidates out in small lots, taken by whichever thread is free."""
    wanted = threads if threads is not None else cores()
    if wanted < 1:
        raise InputError(f"threads must be ≥ 1, got {threads}")
    workers = min(wanted, count)
    lot = max(1, min(32, count // (8 * max(workers, 1))))
    lots = iter(range(0, count, lot))  # next() on it is one operation under Python's lock
    function = loop.run.address  # compiled here once, before threads ask for it
    if workers <= 1:
        _work(model, job, lots, lot, count, out, function)
        return
    errors: list[BaseException] = []

    def work() -> None:
        try:
            _work(model, job, lots, lot, count, out, function)
        except BaseException as error:
            errors.append(error)

    team = [threading.Thread(target=work, daemon=True) for _ in range(workers)]
    for member in team:
        member.start()
    try:
        for member in team:
            member.join()
    except KeyboardInterrupt:
        for _ in lots:  # leave nothing to take
            pass
        raise
    if errors:
        raise errors[0]


def cores() -> int:
    """Processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _work(model: Model, shared: Job, lots: Iterator[int], lot: int, count: int, out: _Outputs, function: int) -> None:
    job = shared.copy()
    fill_scratch(model, job)
    data = borrow_data(model)
    for first in lots:
        last = min(first + lot, count)
        while first < last:
            job.put(slip.DATA, data._address)
            job.put(slip.FIRST, first)
            job.put(slip.LAST, last)
            message = guard.call(function, job.row.ctypes.data)
            if message is None:
                break
            data = mujoco.MjData(model.mj)  # the old one is spoilt
            failed = first + int(np.argmax(out.status[first:last, slip.CODE] == slip.NOT_RUN))
            out.status[failed] = slip.DIVERGED, 0, slip.DETAIL_ENGINE
            out.final[failed] = np.nan
            out.messages[failed] = str(guard.explain(message, model.mj))
            first = failed + 1
    model.spare.append(data)
