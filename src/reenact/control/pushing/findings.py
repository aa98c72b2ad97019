"""How hard a controller may be pushed from every side: the whole test, round by round."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from reenact.control.pushing.directions import Direction, paper_newtons
from reenact.control.pushing.protocol import Protocol, check_segment
from reenact.control.pushing.search import FIRST_GUESS, climb, expected_cells, holds, limits
from reenact.control.pushing.subject import Subject
from reenact.control.pushing.trial import Outcome, Trial, run_trials
from reenact.control.pushing.unpushed import Unpushed, unpushed
from reenact.measure import wilson

Runner = Callable[[Sequence[Trial]], list[Outcome]]
ALMOST: Final = 0.95  # of its share: as much progress as a side shows that has not ended


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """What is known of one direction."""

    direction: Direction
    newtons: float  # greatest force that passed at every phase, with no lower one failing [N]; 0: none did
    by_phase: tuple[float, ...]  # the same at each phase alone [N]
    trials: tuple[tuple[Trial, Outcome], ...]  # all that were run, draws excluded
    draws: tuple[tuple[Trial, Outcome], ...]  # at that force, at random phases and from disturbed starts
    finished: bool

    @property
    def drawn_passes(self) -> int:
        """How many of the draws passed."""
        return sum(outcome.passed for _, outcome in self.draws)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the rate at which draws pass."""
        return wilson(self.drawn_passes, len(self.draws))

    @property
    def weakest(self) -> tuple[Trial, Outcome] | None:
        """The trial of the least force that failed."""
        failed = [pair for pair in self.trials if not pair[1].passed]
        return min(failed, key=lambda pair: pair[0].newtons, default=None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Findings:
    """What a test has found, whether it is over or not."""

    subject: Subject
    protocol: Protocol
    base: Unpushed
    limits: tuple[Limit, ...]
    finished: bool
    fraction: float  # done, 0 … 1

    def impulse(self, limit: Limit) -> float:
        """Of one push at the greatest force [N·s]."""
        return limit.newtons * self.protocol.duration

    def paper(self, limit: Limit) -> float | None:
        """The paper's figure beside it [N]; None where the test is not the paper's."""
        same = (self.protocol.seconds, self.protocol.every, self.protocol.duration) == (40.0, 4.0, 0.4)
        return paper_newtons(limit.direction, self.subject.torque) if same else None

    @property
    def count(self) -> int:
        """Trials run, draws included."""
        return sum(len(limit.trials) + len(limit.draws) for limit in self.limits)


def push_test(
    subject: Subject, protocol: Protocol, directions: Sequence[Direction], *, threads: int | None = None
) -> Iterator[Findings]:
    """Yields what is known at first and after every round of trials; the last one is the answer.

    A controller that falls without a push is refused at once. The answer depends on neither threads nor their timing.
    """
    check_segment(subject.model.body, protocol.segment)
    base = unpushed(subject, protocol)
    return rounds(
        subject, protocol, base, directions, lambda t: run_trials(subject, protocol, base, t, threads=threads)
    )


def rounds(
    subject: Subject, protocol: Protocol, base: Unpushed, directions: Sequence[Direction], run: Runner
) -> Iterator[Findings]:
    """The rounds of a test whose trials are run by `run`."""
    sides = [_Side(protocol, base, direction, number) for number, direction in enumerate(directions)]
    known = Findings(
        subject=subject,
        protocol=protocol,
        base=base,
        limits=tuple(s.limit() for s in sides),
        finished=False,
        fraction=0.0,
    )
    yield known
    while wanted := [(side, trial) for side in sides for trial in side.wanted]:
        outcomes = run([trial for _, trial in wanted])
        for (side, trial), outcome in zip(wanted, outcomes, strict=True):
            side.note(trial, outcome)
        for side in sides:
            side.advance()
        fraction = max(known.fraction, float(np.mean([side.fraction for side in sides])))
        found = tuple(side.limit() for side in sides)
        known = Findings(
            subject=subject, protocol=protocol, base=base, limits=found,
            finished=all(limit.finished for limit in found), fraction=fraction,
        )  # fmt: skip
        yield known


class _Side:
    """The search in one direction: the climb, then the draws."""

    def __init__(self, protocol: Protocol, base: Unpushed, direction: Direction, number: int) -> None:
        self._protocol, self._direction, self._number = protocol, direction, number
        self._cycle, self._delays = base.cycle, protocol.delays(base.cycle)
        self._known: dict[tuple[int, int], bool] = {}
        self._trials: list[tuple[Trial, Outcome]] = []
        self._draws: list[tuple[Trial, Outcome]] = []
        first, top = self._rung(FIRST_GUESS), self._rung(protocol.greatest)
        self._expected = expected_cells(protocol.phases, first) + protocol.draws
        self._climb = climb(self._known, protocol.phases, min(first, top), top)
        self._drawing = self._finished = False
        self._cells: list[tuple[int, int]] = []
        self.wanted: list[Trial] = []
        self.advance()

    @property
    def fraction(self) -> float:
        done = len(self._trials) + len(self._draws)
        return 1.0 if self._finished else min(ALMOST, done / self._expected)

    def note(self, trial: Trial, outcome: Outcome) -> None:
        """Keep what came of a trial; in the order in which they were wanted."""
        if self._drawing:
            self._draws.append((trial, outcome))
            return
        self._trials.append((trial, outcome))
        self._known[self._cells.pop(0)] = outcome.passed

    def advance(self) -> None:
        """Say what is wanted next, once all that was wanted is noted."""
        self.wanted = []
        if self._drawing or self._finished:
            self._finished = True
            return
        self._cells = next(self._climb, [])
        self.wanted = [
            Trial(direction=self._direction, newtons=self._newtons(rung), delay=self._delays[phase])
            for rung, phase in self._cells
        ]
        if not self._cells:
            self._drawing = True
            self.wanted = self._drawn()
            self._finished = not self.wanted

    def limit(self) -> Limit:
        phases = self._protocol.phases
        return Limit(
            direction=self._direction,
            newtons=self._newtons(holds(self._known, phases)),
            by_phase=tuple(self._newtons(rung) for rung in limits(self._known, phases)),
            trials=tuple(self._trials),
            draws=tuple(self._draws),
            finished=self._finished,
        )

    def _drawn(self) -> list[Trial]:
        newtons = self._newtons(holds(self._known, self._protocol.phases))
        if newtons == 0.0:
            return []
        trials = []
        for i in range(self._protocol.draws):
            draw = (self._protocol.seed, self._number, i)
            delay = self._cycle * float(np.random.default_rng((*draw, 1)).random())
            trials.append(Trial(direction=self._direction, newtons=newtons, delay=delay, draw=draw))
        return trials

    def _rung(self, newtons: float) -> int:
        return max(1, math.floor(newtons / self._protocol.resolution + 1e-9))

    def _newtons(self, rung: int) -> float:
        return round(rung * self._protocol.resolution, 9)
