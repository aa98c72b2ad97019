"""One simulation with everything recorded."""

from __future__ import annotations

import numpy as np

from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.physics import guard, loop, sense
from reenact.physics import job as slip
from reenact.physics.contact_forces import contacts_from_rows
from reenact.physics.controller import ROWS, Controller
from reenact.physics.job import Job
from reenact.physics.model import Model
from reenact.physics.outcome import Fall, reason_of, status_of
from reenact.physics.prepare import Wrenches, borrow_data, fill_scratch, shared_job
from reenact.physics.state import State
from reenact.physics.trace import Trace

_CONTACTS_PER_STEP = 48  # room at first; a run with more is repeated with enough


def simulate(
    model: Model,
    controller: Controller,
    start: State,
    *,
    steps: int | None = None,
    seconds: float | None = None,
    external: Wrenches | None = None,
    fall: Fall | None = None,
    record_senses: bool = False,
) -> Trace:
    """Run a controller from a state for a number of steps or seconds and record what happened.

    A divergence ends the trace at the last good state with status "diverged"; a fatal error of the engine raises
    EngineError.
    """
    if (steps is None) == (seconds is None):
        raise InputError("give either steps or seconds")
    if steps is None:
        assert seconds is not None
        steps = round(seconds / model.timestep)
    if steps < 0:
        raise InputError(f"cannot simulate {steps} steps")
    room = _CONTACTS_PER_STEP * steps
    while True:
        record = _Record(model, steps, room, record_senses)
        row, status = _run(model, controller, start, steps, external, fall, record)
        if record.contact_count[0] <= room:
            return _trace(model, start, row, status, record, external)
        room = int(record.contact_count[0])


class _Record:
    """Arrays that the loop fills."""

    def __init__(self, model: Model, steps: int, room: int, senses: bool) -> None:
        mj = model.mj
        self.qpos, self.qvel = np.zeros((steps + 1, mj.nq)), np.zeros((steps + 1, mj.nv))
        self.torque, self.stop, self.warmstart = (np.zeros((steps, mj.nv)) for _ in range(3))
        self.ctrl = np.zeros((steps, mj.nu))
        self.contacts, self.contact_count = np.zeros((room, slip.CONTACT_WIDTH)), np.zeros(1, np.int64)
        width = sense.width(model.hinges, len(model.segment_body))
        self.senses = np.zeros((steps, width)) if senses else None
        self.targets = np.zeros((steps, ROWS, model.hinges)) if senses else None

    def put(self, job: Job) -> None:
        job.put(slip.EVERY, 1)
        job.put(slip.ROWS, len(self.qpos))
        job.put(slip.QPOS_OUT, self.qpos)
        job.put(slip.QVEL_OUT, self.qvel)
        job.put(slip.TORQUE_OUT, self.torque)
        job.put(slip.STOP_OUT, self.stop)
        job.put(slip.CTRL_OUT, self.ctrl)
        job.put(slip.WARMSTART_OUT, self.warmstart)
        job.put(slip.CONTACT_OUT, self.contacts)
        job.put(slip.CONTACT_ROOM, len(self.contacts))
        job.put(slip.CONTACT_COUNT, self.contact_count)
        if self.senses is not None and self.targets is not None:
            job.put(slip.SENSE_OUT, self.senses)
            job.put(slip.TARGET_OUT, self.targets)


def _run(
    model: Model,
    controller: Controller,
    start: State,
    steps: int,
    external: Wrenches | None,
    fall: Fall | None,
    record: _Record,
) -> tuple[Array, tuple[int, int, int]]:
    program = controller.compile(model)
    row = start.row(model, program.memory)[None]
    job = shared_job(model, program, row, np.zeros(1, np.int64), program.params[None], steps, fall, external)
    record.put(job)
    final, status = np.full_like(row, np.nan), np.zeros((1, slip.STATUS_WIDTH), np.int64)
    job.put(slip.FINAL, final)
    job.put(slip.STATUS, status)
    job.put(slip.LAST, 1)
    fill_scratch(model, job)
    data = borrow_data(model)
    job.put(slip.DATA, data._address)
    message = guard.call(loop.run.address, job.row.ctypes.data)
    if message is not None:
        raise guard.explain(message, model.mj)
    model.spare.append(data)
    return final[0], (int(status[0, 0]), int(status[0, 1]), int(status[0, 2]))


def _trace(
    model: Model, start: State, row: Array, status: tuple[int, int, int], record: _Record, external: Wrenches | None
) -> Trace:
    code, done, detail = status
    first = int(np.floor(start.time / model.timestep + 0.5))
    time = np.add.accumulate(np.concatenate([[start.time], np.full(done, model.timestep)]))
    contacts = record.contacts[: int(record.contact_count[0])]
    qpos, qvel = record.qpos[: done + 1], record.qvel[: done + 1]
    diverged = code == slip.DIVERGED
    final = State(time=float(time[-1]), qpos=qpos[-1], qvel=qvel[-1]) if diverged else State.from_row(row, model)
    reason = reason_of(model, code, detail)
    return Trace(
        model=model,
        time=time,
        qpos=qpos,
        qvel=qvel,
        joint_torque=record.torque[:done],
        stop_torque=record.stop[:done],
        ctrl=record.ctrl[:done],
        warmstart=record.warmstart[:done],
        external=external.dense(first, done, model.mj.nbody) if external is not None else None,
        contacts=contacts_from_rows(contacts, model.geom_segment),
        senses=None if record.senses is None else record.senses[:done],
        targets=None if record.targets is None else record.targets[:done],
        final=final,
        status=status_of(code),
        reason=f"{reason} at {time[-1]:.3f} s" if reason else "",
    )
