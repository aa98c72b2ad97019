"""Candidates on the machines of a Ray cluster, with the same bits as here.

Workers answer parts of a request in any order. A part whose worker is lost is sent to another; one that takes far
longer than the others is sent a second time, and the first answer counts. A worker that says nothing for a minute is
given up, and another is hired in its place. Which worker answers changes nothing.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import numpy as np

from reenact.estimate.sampling.evaluate import Request, Setup, Stage
from reenact.estimate.sampling.task import Task
from reenact.execute.crew import THREADS_EACH, Crew, Member
from reenact.execute.parts import Part, parts_of, size_of_part
from reenact.execute.session import AUTO, ClusterError, import_ray, session
from reenact.execute.worker import packed
from reenact.geometry.rotation import Array

AHEAD = 2  # parts that a worker holds: one at work, and one that has travelled meanwhile
BEAT = 0.1  # [s] between looks at the clock
LATE = 3.0  # times the slowest answer so far, after which a part is sent again
LATE_LEAST = 0.5  # [s]
HUNG = 60.0  # [s] without an answer, and
HUNG_TIMES = 20.0  # times the slowest answer so far, after which a worker is given up
SILENCE = 5.0  # times that without any answer, after which the cluster is
LOSSES = 8  # of one part before it is taken for the cause


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Errand:
    """A part that a worker has been sent."""

    round: _Round
    part: int
    member: Member
    sent: float  # [s] on the clock


class _Round:
    """One request on its way."""

    def __init__(self, request: Request, size: int) -> None:
        self.parts: list[Part] = list(parts_of(request, size))
        self.out = np.empty((len(request.displacement), request.starts.shape[1]))
        self.todo = deque(range(len(self.parts)))
        self.missing = set(self.todo)
        self.slowest = 0.0  # [s] of the answers
        self.heard = time.monotonic()  # of the last one
        self._losses: Counter[int] = Counter()

    def answer(self, number: int, rows: Array, seconds: float) -> None:
        """Put in what a worker found."""
        if number in self.missing:
            self.out[self.parts[number].which] = rows
            self.missing.remove(number)
            self.heard = time.monotonic()
            self.slowest = max(self.slowest, seconds)

    def lose(self, number: int) -> None:
        """Do a part again, its worker was lost."""
        self._losses[number] += 1
        if self._losses[number] >= LOSSES:
            raise ClusterError(f"{LOSSES} workers in a row were lost over the same part of the work")
        if number in self.missing and number not in self.todo:
            self.todo.append(number)


class Cluster:
    """An executor on all machines that Ray is connected to, see `session`."""

    def __init__(self, setup: Setup, stage: Stage, *, threads_each: int = THREADS_EACH) -> None:
        self._ray = import_ray()
        self._errands: dict[Any, _Errand] = {}
        self._slowest = 0.0  # [s] of all answers
        self.core_seconds = 0.0  # processor time that workers have spent on answers
        self._crew = Crew(setup, stage, threads_each=threads_each)
        try:
            self._crew.muster()
        except BaseException:
            self.close()
            raise

    def evaluate(self, request: Request) -> Array:
        """End state rows (n, X); NaN where the simulation diverged."""
        count, row_bytes = len(request.displacement), 8 * request.starts.shape[1]
        if count == 0:
            return np.empty((0, request.starts.shape[1]))
        workers = max(1, len(self._crew.members))
        now = _Round(request, size_of_part(count, row_bytes, workers, max(1, self._crew.threads)))
        while now.missing:
            self._crew.look()
            self._give_up(now)
            self._send(now)
            self._await(now)
        return now.out

    @property
    def members(self) -> tuple[Member, ...]:
        """The workers that are ready."""
        return tuple(self._crew.members)

    def describe(self) -> str:
        """Who works, in words."""
        return self._crew.describe()

    def close(self) -> None:
        """End the workers."""
        self._errands.clear()
        self._crew.dissolve()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _send(self, now: _Round) -> None:
        for depth in range(AHEAD):
            for member in self._crew.members:
                if member.busy > depth:
                    continue
                number = now.todo.popleft() if now.todo else self._late(now, member)
                if number is None:
                    return
                reference = member.actor.evaluate.remote(*now.parts[number].message)
                member.busy += 1
                self._errands[reference] = _Errand(round=now, part=number, member=member, sent=time.monotonic())

    def _late(self, now: _Round, idle: Member) -> int | None:
        """A part that is overdue and may be sent a second time, to a worker that has nothing to do."""
        if idle.busy:
            return None
        copies = Counter(errand.part for errand in self._errands.values() if errand.round is now)
        limit = time.monotonic() - max(LATE_LEAST, LATE * now.slowest)
        late = (e.part for e in self._errands.values() if e.round is now and e.sent < limit)
        return next((number for number in late if number in now.missing and copies[number] == 1), None)

    def _give_up(self, now: _Round) -> None:
        """Let go of workers that hang; what they were sent is to be sent again."""
        clock, patience = time.monotonic(), max(HUNG, HUNG_TIMES * self._slowest)
        overdue = [reference for reference, errand in self._errands.items() if errand.sent < clock - patience]
        if not overdue:
            return
        _, unanswered = self._ray.wait(overdue, num_returns=len(overdue), timeout=BEAT)  # this process may have slept
        hung = {self._errands[reference].member for reference in unanswered}
        if hung and clock - now.heard > SILENCE * patience:
            raise ClusterError(f"no worker of the cluster has answered for {(clock - now.heard) / 60.0:.0f} minutes")
        for reference, errand in list(self._errands.items()):
            if errand.member in hung:
                del self._errands[reference]
                if errand.round is now:
                    now.lose(errand.part)
        for member in hung:
            self._crew.dismiss(member)

    def _await(self, now: _Round) -> None:
        waiting = [*self._errands, *self._crew.joining]
        if not waiting:
            time.sleep(BEAT)
            return
        ready, _ = self._ray.wait(waiting, num_returns=1, timeout=BEAT)
        for reference in ready:
            if reference in self._crew.joining:
                self._crew.welcome(reference)
            else:
                self._receive(now, reference)

    def _receive(self, now: _Round, reference: Any) -> None:
        errand = self._errands.pop(reference)
        errand.member.busy -= 1
        try:
            rows, seconds = self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            raise ClusterError(f"a worker on {errand.member.host} failed: {error.cause!r}") from error
        except self._ray.exceptions.RayError:
            self._crew.dismiss(errand.member)
            if errand.round is now:
                now.lose(errand.part)
        else:
            waited = time.monotonic() - errand.sent
            self._slowest = max(self._slowest, waited)
            self.core_seconds += seconds
            if errand.round is now:
                now.answer(errand.part, rows, waited)


@contextmanager
def connected(address: str = AUTO) -> Iterator[Callable[[Task], Cluster]]:
    """Ray for as long as the context lasts, see `session`: gives a function from a task to its executor.

    Tasks with the same setup, as those of several seeds, share one.
    """
    made: dict[bytes, Cluster] = {}

    def executor_of(task: Task) -> Cluster:
        key = packed(task.setup)
        if key not in made:
            while made:
                made.popitem()[1].close()
            made[key] = Cluster(task.setup, task.stage)
        return made[key]

    with session(address):
        try:
            yield executor_of
        finally:
            for cluster in made.values():
                cluster.close()
