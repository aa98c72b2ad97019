"""A stretch of the reference on which machines are tried: from a start state up to a frame, many candidates at once."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reenact.control.machine import layout as at
from reenact.control.machine import watch
from reenact.control.machine.limbs import Limbs
from reenact.control.machine.machine import Machine
from reenact.estimate.states.reference import Clock, Reference
from reenact.estimate.states.scored import Scored, scored
from reenact.estimate.states.sight import Sight
from reenact.estimate.states.task import Task
from reenact.estimate.states.weights import CONTACT, GIVE_UP
from reenact.geometry.rotation import Array
from reenact.physics.effort import rule_bounds
from reenact.physics.model import Model
from reenact.physics.rollout import BatchResult, rollout_batch
from reenact.physics.state import row_width

LIMIT = GIVE_UP  # [m²]
EVERY = 3  # frames between those whose marker offsets are kept
SQUARE_CM = 1e4  # cm² in a m²


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tried:
    """How n candidates did."""

    cost: Array  # (n,) [cm²] of frames from time 0 on, priors aside; infinite where the simulation diverged
    joints: Array  # (n,) mean joint distance [cm]
    offsets: Array  # (n, R) [cm] of markers, then the root of each hinge's effort as weighed; NaN if lost. The squared
    # length is the mean squared distance and the weighed effort
    final: Array  # (n, X) end states
    efforts: Array | None = None  # (n, A) sums of (torque / bound)² over frames from time 0 on, where they count
    squares: Array | None = None  # (n,) [cm²] of frames from time 0 on, where one view tells of them


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Window:
    """Frames up to `last` of a reference, reached from a start row that lies `begin` frames after time 0."""

    model: Model
    limbs: Limbs
    reference: Reference
    start: Array  # (X,) state row with a machine's memory of any length
    begin: int
    last: int
    threads: int | None = None
    effort: float = 0.0  # weight of the mean effort [cm²]
    worked: Array | None = None  # (A,) effort of the frames before `begin`, where it counts
    sight: Sight | None = None  # where the reference is a track from one video
    before: float = 0.0  # [cm²] of the frames before `begin`, with a sight

    @property
    def clock(self) -> Clock:
        """How runs are compared: by time, from the step after the start on.

        Offsets are kept of the same frames wherever a window begins.
        """
        first = self.begin + 1 + -self.begin % EVERY
        if self.sight is not None and self.begin % EVERY == 1:
            first = self.begin  # the frame that a window begins with is weighed in it
        return Clock(last=self.last, limit=LIMIT, first=first, every=EVERY)

    def try_out(
        self, machine: Machine, params: Array, *, steps: int | None = None, starts: Array | None = None
    ) -> Tried:
        """Run candidates with params (n, M·W) of a machine's graph; starts: (n, X) of their own."""
        weighed = scored(machine, self.model, self.limbs, self.reference, self.clock)
        rows = self.start[None] if starts is None else starts
        result = rollout_batch(
            self.model,
            weighed.program,
            np.stack([weighed.start_row(row, self.model) for row in rows]),
            self.last + 1 - self.begin if steps is None else steps,
            params=params,
            start_of=np.zeros(len(params), np.int64) if starts is None else np.arange(len(params)),
            threads=self.threads,
            efforts=self.effort > 0.0,
        )
        return self._weighed(result, weighed)

    def _weighed(self, result: BatchResult, weighed: Scored) -> Tried:
        memory, score, kept = weighed.memory(result.final)
        diverged = ~np.isfinite(result.final).all(axis=1)
        missing = self.last - score[:, watch.COUNTED]
        squared = score[:, watch.SQUARED] + LIMIT * missing
        cost = SQUARE_CM * squared / self.last + CONTACT * memory[:, at.EXCESS]
        joints = 100.0 * (score[:, watch.JOINTS] + 0.5 * missing) / self.last
        lost = diverged | (missing > 0)
        share = np.sqrt(SQUARE_CM * EVERY / (self.last * 3.0 * len(self.model.segment_body)))
        offsets, squares = share * kept, None
        if self.sight is not None:
            numbers = watch.kept_numbers.py_func(len(self.model.segment_body))
            offsets = self.sight.counted(offsets, self.clock, numbers)
            squares = self.before + (offsets**2).sum(axis=1)
            cost += squares - SQUARE_CM * score[:, watch.SQUARED] / self.last
        efforts = result.efforts
        if efforts is not None:
            efforts = efforts if self.worked is None else efforts + self.worked
            shares = (self.model.torque_limit / rule_bounds(self.model.body)) ** 2
            strain = self.effort * efforts * shares / (len(shares) * (self.last + 1))  # [cm²] by hinge
            cost += strain.sum(axis=1)
            offsets = np.concatenate([offsets, np.sqrt(strain)], axis=1)
        offsets[lost] = np.nan
        cost[diverged], joints[diverged] = np.inf, np.inf
        return Tried(cost=cost, joints=joints, offsets=offsets, final=result.final, efforts=efforts, squares=squares)


def entered(row: Array, model: Model, machine: Machine) -> NDArray[np.int64]:
    """Step at which each state was last entered, (M,), as a state row remembers it."""
    fixed = row_width(model)
    return np.asarray(row[fixed + at.ENTRY : fixed + at.ENTRY + len(machine.states)], np.int64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Snapshots:
    """A machine's run up to a frame, with its state at the moment each of its states is entered."""

    windows: tuple[Window, ...]  # per state, from its entry on; where it is not entered that of the state before it
    joints: float  # mean joint distance [cm]

    def window(self, state: int) -> Window:
        """The window that begins where the machine enters a state: nothing before is run again."""
        return self.windows[state]

    def shared(self, since: int, machine: Machine) -> tuple[Window, ...]:
        """Windows of the states up to `since`, where nothing from it on has been at work before it is entered."""
        there = self.windows[since]
        at_work = entered(there.start, there.model, machine)[since + 1 :] > 0
        return () if since == 0 or at_work.any() else self.windows[: since + 1]


def snapshots(task: Task, machine: Machine, last: int, *, known: Snapshots | None = None, since: int = 0) -> Snapshots:
    """Run a machine up to frame `last`; known: of one that does the same up to the entry of state `since`."""
    whole = Window(
        model=task.model, limbs=task.limbs, reference=task.reference, start=task.start, begin=0, last=last,
        threads=task.threads, effort=task.effort, sight=task.sight,
    )  # fmt: skip
    return snapshots_of(whole, machine, () if known is None else known.shared(since, machine))


def snapshots_of(whole: Window, machine: Machine, known: tuple[Window, ...] = ()) -> Snapshots:
    """Run a machine over a window that begins at the start; known: windows of its first states."""
    rows = machine.rows().reshape(1, -1)
    windows = [*known] or [whole]
    for state in range(len(windows), len(machine.states)):
        before = windows[-1]
        step = _first_entry(before, machine, rows, state)
        if step is None:
            windows.append(before)
        else:
            there = before.try_out(machine, rows, steps=step - before.begin)
            worked = None if there.efforts is None else there.efforts[0]
            spent = 0.0 if there.squares is None else float(there.squares[0])
            windows.append(replace(before, start=there.final[0], begin=step, worked=worked, before=spent))
    joints = windows[-1].try_out(machine, rows).joints[0]
    return Snapshots(windows=tuple(windows), joints=float(joints))


def _first_entry(window: Window, machine: Machine, rows: Array, state: int) -> int | None:
    """Step at which a state is entered for the first time after the window begins; None where it is not in time.

    Of a state that is entered again a row remembers the last time alone, so the run is lengthened bit by bit.
    """
    usual = round(machine.states[state - 1].seconds / window.model.timestep)
    left = window.last - window.begin
    for steps in sorted({min(usual + more, left) for more in (2, 8, 24, 64, 1000)}):
        final = window.try_out(machine, rows, steps=steps).final[0]
        if not np.isfinite(final).all():
            return None
        step = int(entered(final, window.model, machine)[state])
        if step > window.begin:
            return step if step < window.last else None
    return None
