"""A search on three machines that Ray plays on this one: the same bits as on threads, whatever is lost on the way."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

from reenact.errors import ReenactError
from reenact.estimate.sampling.capture import capture
from reenact.estimate.sampling.evaluate import Executor, Request
from reenact.estimate.sampling.settings import Settings
from reenact.estimate.sampling.task import Task
from reenact.estimate.sampling.threads import Threads
from reenact.execute import bench_cluster, crew
from reenact.execute.cluster import Cluster
from reenact.execute.session import import_ray, session
from reenact.formats.take import Source, Take

ray = pytest.importorskip("ray", reason="the extra 'cluster' is not installed")

NODES = 3
STORE = 80_000_000  # bytes, about the least that Ray takes
PATIENCE = 300.0  # [s] for what a busy machine does slowly


@pytest.fixture(scope="module")
def machines() -> Iterator[Any]:
    """Three machines of one core each, and Ray connected to the first."""
    from ray.cluster_utils import Cluster as Machines

    import_ray()
    logging.getLogger("ray").setLevel(logging.ERROR)
    options = {"num_cpus": 1, "object_store_memory": STORE, "include_dashboard": False}
    with (
        TemporaryDirectory(
            prefix="ray-", dir="/tmp", ignore_cleanup_errors=True
        ) as folder,  # sockets need a short path
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("RAY_TMPDIR", folder)
        patch.setattr(crew, "MUSTER", PATIENCE)
        made = Machines(initialize_head=True, head_node_args=options)
        try:
            for _ in range(NODES - 1):
                made.add_node(num_cpus=1, object_store_memory=STORE)
            with session(made.address):
                yield made
        finally:
            made.shutdown()


@pytest.fixture(scope="module")
def executor(machines: Any, task: Task) -> Iterator[Cluster]:
    with Cluster(task.setup, task.stage) as made:
        until(made, task, lambda: len(made.members) == NODES)
        yield made


def a_request(task: Task, candidates: int = 40) -> Request:
    row = task.start.row(task.model, task.stage.program.memory)
    rng = np.random.default_rng(candidates)
    starts = np.tile(row, (7, 1))
    starts[:, 3] += 0.01 * np.arange(7)  # each a little higher than the last
    return Request(
        starts=starts,
        start_of=rng.integers(0, 7, candidates),
        displacement=rng.uniform(-0.4, 0.4, (candidates, len(task.windows))),
        steps=12,
    )


def until(executor: Cluster, task: Task, holds: Callable[[], bool]) -> None:
    """Work until something holds."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        executor.evaluate(a_request(task, 3))


def found(task: Task, settings: Settings, executor: Executor) -> Take:
    return capture(task, settings, executor, source=Source(name="bend", sha256="0" * 64))


def test_other_versions_are_refused(machines: Any, task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "needed", lambda: {"mujoco": "9.9.9", "no-such-package": "1.0"})
    with pytest.raises(ReenactError) as raised:
        Cluster(task.setup, task.stage)
    said = str(raised.value)
    assert "no-such-package none" in said
    assert "here is mujoco 9.9.9" in said
    assert "\n" not in said


def test_machines_that_compute_other_bits_are_left_out(
    machines: Any, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew, "trial", lambda stage: "another")
    with pytest.raises(ReenactError, match="no machine of the cluster computes the same bits"):
        Cluster(task.setup, task.stage)


def test_three_machines_give_the_bits_of_one_and_two_threads(executor: Cluster, task: Task) -> None:
    assert executor.describe() == "3 cores of 3 machines"
    for candidates in (1, 2, 40, 200):
        request = a_request(task, candidates)
        one, two = (Threads(task.stage, threads=n).evaluate(request) for n in (1, 2))
        np.testing.assert_array_equal(one, two)
        np.testing.assert_array_equal(executor.evaluate(request), one)
    assert executor.evaluate(a_request(task, 0)).shape == (0, one.shape[1])


def test_a_candidate_that_diverges_is_nan_there_too(executor: Cluster, task: Task) -> None:
    request = a_request(task, 20)
    request.starts[2, -1 - task.stage.program.memory :] = 0.0
    request.starts[2, 1 + task.model.mj.nq + 2] = 1e5  # [m/s]
    far = executor.evaluate(request)
    np.testing.assert_array_equal(far, Threads(task.stage).evaluate(request))
    assert np.isnan(far[request.start_of == 2]).all()
    assert np.isfinite(far[request.start_of != 2]).all()


def test_a_whole_capture_has_the_same_bits(executor: Cluster, task: Task, settings: Settings) -> None:
    here, there = found(task, settings, Threads(task.stage, threads=2)), found(task, settings, executor)
    assert here.controller == there.controller
    np.testing.assert_array_equal(here.motion["qpos"], there.motion["qpos"])


def test_the_bench_measures_and_finds_the_same_bits(
    executor: Cluster, task: Task, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_cluster, "SIZES", (20, 40))
    monkeypatch.setattr(bench_cluster, "STORE_BYTES", 1_000_000)
    rows = {r.name: r for r in bench_cluster.rows_of(task, settings, executor, turns=1, progress=lambda f, what: None)}
    assert all(rows[f"cluster.{name}.same_bits"].holds for name in ("request_20", "request_40", "search"))
    words = ("overhead", "assumes")
    assert all(float(row.value) > 0.0 for row in rows.values() if not row.name.endswith(words))


class Disturbed:
    """An executor that suffers a mishap while its third request is under way."""

    def __init__(self, executor: Cluster, mishap: Callable[[], None]) -> None:
        self._executor, self._mishap, self._requests = executor, mishap, 0

    def evaluate(self, request: Request) -> Any:
        self._requests += 1
        if self._requests != 3:
            return self._executor.evaluate(request)
        thread = threading.Timer(0.1, self._mishap)
        thread.start()
        try:
            return self._executor.evaluate(request)
        finally:
            thread.join()


def test_a_worker_killed_in_the_middle_changes_nothing(executor: Cluster, task: Task, settings: Settings) -> None:
    victim = executor.members[0]
    os.kill(victim.process, signal.SIGSTOP)  # so that it surely holds work when it dies
    there = found(task, settings, Disturbed(executor, lambda: os.kill(victim.process, signal.SIGKILL)))
    assert there.controller == found(task, settings, Threads(task.stage)).controller
    until(executor, task, lambda: victim not in executor.members)
    until(executor, task, lambda: len(executor.members) == NODES)  # another takes its place


def test_a_worker_that_hangs_does_not_hold_up_the_others(executor: Cluster, task: Task) -> None:
    victim, request = executor.members[0], a_request(task)
    wanted = Threads(task.stage).evaluate(request)
    os.kill(victim.process, signal.SIGSTOP)
    try:
        np.testing.assert_array_equal(executor.evaluate(request), wanted)
        assert victim.busy
    finally:
        os.kill(victim.process, signal.SIGCONT)
    np.testing.assert_array_equal(executor.evaluate(request), wanted)


def test_a_machine_without_reenact_can_say_so() -> None:
    code = (
        "import sys; sys.modules['reenact'] = None; from ray import cloudpickle; "
        "kind = cloudpickle.loads(sys.stdin.buffer.read()); "
        "print(kind().join(['no-such-package'], b'', {'no-such-package': '1'}, 1)['versions'])"
    )
    sent = ray.cloudpickle.dumps(crew.envelope())
    done = subprocess.run([sys.executable, "-c", code], input=sent, capture_output=True, check=True)
    assert done.stdout.decode().strip() == "{'no-such-package': 'none'}"


def test_a_machine_lost_in_the_middle_changes_nothing(
    machines: Any, executor: Cluster, task: Task, settings: Settings
) -> None:
    """Comes last: one machine less."""
    lost = next(iter(machines.worker_nodes))
    victim = next(member for member in executor.members if member.node == lost.node_id)
    os.kill(victim.process, signal.SIGSTOP)

    held = []

    def mishap() -> None:
        held.append(victim.busy)
        machines.remove_node(lost, allow_graceful=False)
        os.kill(victim.process, signal.SIGKILL)

    there = found(task, settings, Disturbed(executor, mishap))
    assert there.controller == found(task, settings, Threads(task.stage)).controller
    assert held[0] > 0
