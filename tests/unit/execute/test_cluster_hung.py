"""Workers that hang for ever, played by a stand-in for Ray on a clock of its own: given up, replaced, or an error."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from reenact.estimate.sampling.evaluate import Request
from reenact.estimate.sampling.task import Task
from reenact.estimate.sampling.threads import Threads
from reenact.execute import cluster, crew
from reenact.execute.cluster import Cluster
from reenact.execute.session import ClusterError
from reenact.execute.trial import needed, trial
from reenact.geometry.rotation import Array

SECONDS = 0.02  # of processor time that every answer is said to have taken


class Actor:
    """A worker process; hangs where it is told to."""

    def __init__(self, ray: StandIn, hangs: bool) -> None:
        self.ray, self.hangs, self.dead = ray, hangs, False
        self.join = SimpleNamespace(remote=self._join)
        self.evaluate = SimpleNamespace(remote=self._evaluate)

    def _join(self, *_: object) -> str:
        said = {"versions": needed(), "host": "there", "process": 1, "trial": self.ray.trial}
        return self.ray.promise(self, lambda: said)

    def _evaluate(self, starts: Array, start_of: Any, displacement: Array, steps: int) -> str:
        part = Request(starts=starts, start_of=start_of.astype(np.int64), displacement=displacement, steps=steps)
        if self.hangs:
            return self.ray.promise(self, None)
        return self.ray.promise(self, lambda: (self.ray.threads.evaluate(part), SECONDS))


class StandIn:
    """As much of Ray as the executor uses. A worker is hired on each machine that has none."""

    def __init__(self, task: Task, machines: int, hangs: Callable[[int], bool], rehires: bool) -> None:
        self.now, self.trial, self.threads = 0.0, trial(task.stage), Threads(task.stage)
        self.machines, self.hangs, self.rehires = machines, hangs, rehires
        self.actors: list[Actor] = []
        self.promises: dict[str, tuple[Actor, Callable[[], Any] | None]] = {}
        self.exceptions = SimpleNamespace(RayError=LostError, RayTaskError=FailedError)

    def promise(self, actor: Actor, answer: Callable[[], Any] | None) -> str:
        name = f"promise {len(self.promises)}"
        self.promises[name] = actor, answer
        return name

    def remote(self, kind: type) -> Any:
        return SimpleNamespace(options=lambda **_: SimpleNamespace(remote=self._hire))

    def _hire(self) -> Actor:
        actor = Actor(self, self.hangs(len(self.actors)))
        self.actors.append(actor)
        return actor

    def put(self, thing: Any) -> Any:
        return thing

    def nodes(self) -> list[dict[str, Any]]:
        room = float(self.rehires or len(self.actors) < self.machines)
        return [{"NodeID": str(i), "Alive": True, "Resources": {"CPU": room}} for i in range(self.machines)]

    def wait(self, waiting: list[str], num_returns: int, timeout: float) -> tuple[list[str], list[str]]:
        ready = [name for name in waiting if self.promises[name][0].dead or self.promises[name][1] is not None]
        ready = ready[:num_returns]
        if len(ready) < num_returns:
            self.now += timeout
        return ready, [name for name in waiting if name not in ready]

    def get(self, name: str) -> Any:
        actor, answer = self.promises[name]
        if actor.dead or answer is None:
            raise LostError
        return answer()

    def kill(self, actor: Actor) -> None:
        actor.dead = True

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class LostError(Exception):
    """As Ray's when a worker is gone."""


class FailedError(Exception):
    """As Ray's when a worker raised."""


@pytest.fixture
def stand_in(task: Task, monkeypatch: pytest.MonkeyPatch) -> Callable[..., StandIn]:
    def make(*, machines: int, hangs: Callable[[int], bool], rehires: bool = True) -> StandIn:
        made = StandIn(task, machines, hangs, rehires)
        module: Any = ModuleType("ray.util.scheduling_strategies")
        module.NodeAffinitySchedulingStrategy = SimpleNamespace
        for name, thing in (("ray", made), ("ray.util", ModuleType("ray.util")), (module.__name__, module)):
            monkeypatch.setitem(sys.modules, name, thing)
        for place in (cluster, crew):
            monkeypatch.setattr(place, "time", made)
        return made

    return make


def a_request(task: Task) -> Request:
    row = task.start.row(task.model, task.stage.program.memory)
    displacement = np.random.default_rng(1).uniform(-0.3, 0.3, (24, len(task.windows)))
    return Request(starts=row[None], start_of=np.zeros(24, np.int64), displacement=displacement, steps=6)


@pytest.mark.parametrize(("machines", "hung"), [(1, {0}), (2, {0, 1}), (2, {1}), (1, {0, 1, 2})])
def test_hung_workers_are_replaced(task: Task, stand_in: Callable[..., StandIn], machines: int, hung: set[int]) -> None:
    ray = stand_in(machines=machines, hangs=lambda number: number in hung)
    request = a_request(task)
    with Cluster(task.setup, task.stage) as executor:
        np.testing.assert_array_equal(executor.evaluate(request), Threads(task.stage).evaluate(request))
        assert all(ray.actors[i].dead for i in hung) or len(hung) < machines
        parts = round(executor.core_seconds / SECONDS)
        assert 0 < parts <= 24, "workers say how long they computed"
        assert ray.now < (len(hung) + 1) * cluster.HUNG + 10.0
    assert all(actor.dead for actor in ray.actors)


def test_a_cluster_on_which_every_worker_hangs_ends_in_an_error(task: Task, stand_in: Callable[..., StandIn]) -> None:
    ray = stand_in(machines=2, hangs=lambda _: True)
    executor = Cluster(task.setup, task.stage)
    with pytest.raises(ClusterError, match="no worker of the cluster has answered for 5 minutes"):
        executor.evaluate(a_request(task))
    assert ray.now < (cluster.SILENCE + 2) * cluster.HUNG
    executor.close()


def test_a_cluster_that_gives_no_other_worker_ends_in_an_error(task: Task, stand_in: Callable[..., StandIn]) -> None:
    ray = stand_in(machines=1, hangs=lambda _: True, rehires=False)
    executor = Cluster(task.setup, task.stage)
    with pytest.raises(ClusterError, match="none came back within a minute"):
        executor.evaluate(a_request(task))
    assert ray.now < cluster.HUNG + crew.MUSTER + 20.0
    executor.close()


def test_a_worker_that_answered_while_this_process_slept_is_not_given_up(
    task: Task, stand_in: Callable[..., StandIn]
) -> None:
    ray = stand_in(machines=1, hangs=lambda _: False)
    request = a_request(task)
    with Cluster(task.setup, task.stage) as executor:
        real, slept = executor._send, []

        def sleepy(now: Any) -> None:
            real(now)
            if not slept:
                slept.append(1)
                ray.now += 10.0 * cluster.HUNG

        executor._send = sleepy  # type: ignore[method-assign]
        np.testing.assert_array_equal(executor.evaluate(request), Threads(task.stage).evaluate(request))
        assert len(ray.actors) == 1
