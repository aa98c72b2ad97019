"""How fast the closed loop is, each figure a ratio within one run, and whether its results are the same bits anywhere.

The body is the adult, standing and swaying on level ground at 1/120 s with a controller that reads its senses.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from reenact.body.adult import adult
from reenact.geometry.rotation import Array
from reenact.measure import Progress, Row
from reenact.physics import guard, loop
from reenact.physics import job as slip
from reenact.physics import sense as part
from reenact.physics.controller import ANGLE, GAIN, RATE, STRENGTH, Program, control
from reenact.physics.model import Actuation, Model, compile_model
from reenact.physics.plain import simulate_plainly
from reenact.physics.prepare import fill_scratch, shared_job
from reenact.physics.rollout import cores, rollout_batch
from reenact.physics.simulate import simulate
from reenact.physics.state import State
from reenact.physics.trace import Trace
from reenact.world.world import World

STEPS = 240  # of one run
RUNS = 12  # in one timing
ROUNDS = 21  # timings, those to be compared taking turns; the least counts
CANDIDATES = 240
WINDOW = 48  # steps of a candidate


@control
def _sway(sense: Any, table: Any, params: Any, memory: Any, target: Any) -> None:
    hinges = int(sense[part.HINGES])
    lean = params[0] + 0.2 * (sense[part.COM] - sense[part.COP]) + 0.05 * sense[part.COM_VELOCITY]
    for i in range(hinges):
        target[ANGLE * hinges + i] = lean * table[i]
        target[RATE * hinges + i] = 0.0
        target[GAIN * hinges + i] = table[hinges]
        target[STRENGTH * hinges + i] = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sway:
    """Stand in the rest pose and give way a little with the centre of mass."""

    gain: float

    def compile(self, model: Model) -> Program:
        """The program for this model."""
        ankles = [1.0 if axis.name.startswith("ankle") else 0.0 for axis in model.body.axes]
        return Program(function=_sway, table=np.array([*ankles, self.gain]), params=np.zeros(1))

    def to_json(self) -> dict[str, Any]:
        """A readable description."""
        return {"kind": "sway", "gain": self.gain}


def bench_loop(progress: Progress | None = None) -> Iterator[Row]:
    """Rows of the loop's bench."""
    tell = progress or (lambda fraction, what: None)
    tell(0.0, "compiling")
    servo, motor = _Case("servo", 1.0), _Case("motor", 0.2)
    tell(0.1, "closed loop against the bare engine")
    bare_s, closed_s, replay_s = _least([servo.bare, servo.closed, servo.python_replay])
    plain_s = RUNS * _least([servo.python_closed], rounds=2)[0]
    bare_m, closed_m = _least([motor.bare, motor.closed])
    work = STEPS * RUNS
    yield _closed("loop.closed_ratio", min(bare_s / closed_s, bare_m / closed_m), "the lesser of the two below")
    yield _closed("loop.closed_ratio_servo", bare_s / closed_s, "mj_step with the recorded control values")
    yield _closed("loop.closed_ratio_motor", bare_m / closed_m, "mj_step1, recorded rows, mj_step2, on the same model")
    yield Row(name="loop.python_ratio", value=bare_s / plain_s, unit="× bare engine, the same controller in Python")
    yield Row(name="loop.python_replay_ratio", value=bare_s / replay_s, unit="× bare engine, no controller, in Python")
    yield Row(name="loop.steps_per_s", value=work / closed_m, unit="1/s, motor, one thread")
    yield Row(name="loop.steps_per_s_servo", value=work / closed_s, unit="1/s, servo, one thread")
    yield Row(name="loop.motor_over_servo", value=closed_s / closed_m, unit="× speed")
    tell(0.5, "two threads against one")
    yield _threads(motor)
    tell(0.7, "same bits on 1, 2, 7 threads and in plain Python")
    same = _identical(servo, motor)
    yield Row(name="loop.bit_identical", value=same, unit="1, 2, 7 threads and plain Python", goal="true", holds=same)
    tell(0.8, "first run")
    yield from _start_up()
    tell(1.0, "done")


class _Case:
    """One actuation: the closed loop, and its recorded controls for a replay without any of our work."""

    def __init__(self, actuation: Actuation, gain: float) -> None:
        self.model = compile_model(adult(), World(), actuation=actuation)
        self.controller = Sway(gain=gain)
        self.start = State(qpos=self.model.mj.qpos0.copy(), qvel=np.zeros(self.model.mj.nv))
        self.trace = simulate(self.model, self.controller, self.start, steps=STEPS, record_senses=True)
        program = self.controller.compile(self.model)
        row = self.start.row(self.model)[None]
        which, params = np.zeros(1, np.int64), program.params[None]
        self.final = np.zeros_like(row)
        self.job = shared_job(self.model, program, row, which, params, STEPS, None, None)
        self.data = mujoco.MjData(self.model.mj)
        for place, value in ((slip.FINAL, self.final), (slip.STATUS, np.zeros((1, slip.STATUS_WIDTH), np.int64))):
            self.job.put(place, value)
        self.job.put(slip.DATA, self.data._address)
        self.job.put(slip.LAST, 1)
        fill_scratch(self.model, self.job)
        self.again = self.job.copy()
        place, controls = (slip.CTRL_OUT, self.trace.ctrl) if actuation == "servo" else (slip.TARGET_OUT, self._rows())
        self.again.put(place, np.ascontiguousarray(controls))
        self._check()

    def _rows(self) -> Array:
        """Reference accelerations that the motors' rows were aimed at, (N, A)."""
        assert self.trace.senses is not None
        assert self.trace.targets is not None
        felt, target, h = part.named(self.trace.senses), self.trace.targets, self.model.timestep
        wanted = target[:, GAIN] * (target[:, ANGLE] - felt["angles"]) / h + target[:, RATE]
        return np.asarray((wanted - felt["rates"]) / h)

    def _check(self) -> None:
        """The replay must do the same work: it ends in the same bits."""
        self.bare()
        end = State.from_row(self.final[0], self.model)
        if not np.array_equal(end.qpos, self.trace.qpos[-1]):
            raise RuntimeError("the replay does not reproduce the closed loop, so their speeds cannot be compared")

    def closed(self) -> None:
        """The loop with senses, controller, actuation and touch."""
        self._call(loop.run.address, self.job.row)

    def bare(self) -> None:
        """The engine alone with the same controls."""
        self._call(loop.replay.address, self.again.row)

    def python_closed(self) -> None:
        """One run of the same loop written in Python."""
        simulate_plainly(self.model, self.controller, self.start, STEPS)

    def python_replay(self) -> None:
        """A Python loop that sets the recorded control values and calls MuJoCo's step, open loop."""
        mj, data, ctrl = self.model.mj, self.data, self.trace.ctrl
        for _ in range(RUNS):
            mujoco.mj_resetData(mj, data)
            for k in range(STEPS):
                data.ctrl[:] = ctrl[k]
                mujoco.mj_step(mj, data)

    def _call(self, function: int, row: Any) -> None:
        for _ in range(RUNS):
            message = guard.call(function, row.ctypes.data)
            if message is not None:
                raise guard.explain(message, self.model.mj)


def _least(
    tasks: list[Callable[[], None]], rounds: int = ROUNDS, clock: Callable[[], float] = time.thread_time
) -> list[float]:
    """The least time of each task [s] over rounds in which they take turns.

    Work on one thread is timed by the processor time of that thread, so that a busy machine does not blur a ratio.
    """
    best = [float("inf")] * len(tasks)
    for _ in range(rounds):
        for i, task in enumerate(tasks):
            begun = clock()
            task()
            best[i] = min(best[i], clock() - begun)
    return best


def _closed(name: str, ratio: float, against: str) -> Row:
    peer = f"1 is the bare engine: {against}"
    return Row(name=name, value=ratio, unit="× bare engine, one thread", goal="≥ 0.90", holds=ratio >= 0.9, peer=peer)


def _threads(case: _Case) -> Row:
    program = case.controller.compile(case.model)
    params = np.linspace(-0.05, 0.05, CANDIDATES)[:, None]

    def on(threads: int) -> Callable[[], None]:
        def task() -> None:
            rollout_batch(case.model, program, case.start, WINDOW, params=params, threads=threads)

        return task

    one, two = _least([on(1), on(2)], rounds=2 * ROUNDS, clock=time.perf_counter)
    holds = one / two >= 1.8 if cores() > 1 else None
    unit = f"× one thread, {CANDIDATES} candidates of {WINDOW} steps, {cores()} cores"
    return Row(name="loop.two_threads_ratio", value=one / two, unit=unit, goal="≥ 1.8", holds=holds)


def _identical(*cases: _Case) -> bool:
    for case in cases:
        program = case.controller.compile(case.model)
        params = np.linspace(-0.05, 0.05, 29)[:, None]
        runs = [
            rollout_batch(case.model, program, case.start, WINDOW, params=params, threads=threads).final
            for threads in (1, 2, 7)
        ]
        trace: Trace = case.trace
        qpos, qvel = simulate_plainly(case.model, case.controller, case.start, WINDOW)
        same = all(np.array_equal(run, runs[0]) for run in runs) and np.isfinite(runs[0]).all()
        if not (
            same and np.array_equal(qpos, trace.qpos[: WINDOW + 1]) and np.array_equal(qvel, trace.qvel[: WINDOW + 1])
        ):
            return False
    return True


def _start_up() -> Iterator[Row]:
    """Seconds of a whole Python process that makes one simulation: with nothing compiled yet, and after."""
    code = "from reenact.physics.bench_loop import one_run; one_run()"
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "REENACT_CACHE_DIR": folder}

        def task() -> None:
            subprocess.run([sys.executable, "-c", code], env=environment, check=True)

        for name, goal, rounds in (("loop.first_run_s", 10.0, 1), ("loop.warm_run_s", 1.0, 3)):
            seconds = _least([task], rounds, time.perf_counter)[0]
            yield Row(name=name, value=seconds, unit="s, whole process", goal=f"< {goal:g}", holds=seconds < goal)


def one_run() -> None:
    """One short simulation, imports and compilation included."""
    model = compile_model(adult(), World())
    simulate(model, Sway(gain=0.2), State(qpos=model.mj.qpos0.copy(), qvel=np.zeros(model.mj.nv)), steps=2)
