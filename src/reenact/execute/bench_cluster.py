"""What Ray costs against threads on this machine, and from that what more machines would give."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reenact.body.load import load_body
from reenact.estimate.sampling.evaluate import Executor, Request
from reenact.estimate.sampling.sampler import search
from reenact.estimate.sampling.settings import Settings
from reenact.estimate.sampling.so_far import Search, begin, found
from reenact.estimate.sampling.task import Task, task_of
from reenact.estimate.sampling.threads import Threads
from reenact.execute.cluster import Cluster
from reenact.execute.parts import parts_of, size_of_part
from reenact.execute.scaling import Costs, Machines, engine_seconds, search_seconds
from reenact.execute.session import import_ray, session
from reenact.formats.read import read_clip
from reenact.formats.samples import find_clip
from reenact.geometry.rotation import Array
from reenact.measure import Progress, Row
from reenact.motion.clip import SkeletonClip
from reenact.motion.cut import cut_motion
from reenact.motion.fit import fit
from reenact.physics.rollout import cores
from reenact.world.world import World

CLIP, BODY, SECONDS = "walk", "human50", 1.0
SIZES = (350, 1400)  # candidates of a request
STEPS = 12  # of a candidate: 0.1 s
SAVED = 50  # start states of a request
STORE_BYTES = 20_000_000
NETWORKS = (1, 10)  # [Gbit/s]
DELAY = 0.0002  # [s] of a network call and its answer
CORES_EACH = 16
ASSUMED = f"{CORES_EACH} cores a machine as fast as these, {1000 * DELAY:g} ms more per call, nothing overlaps"
PAPER = "25 s on 80 cores of 2010, [L10] §4"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """Seconds of the same work on threads and on Ray, the least of several turns."""

    threads: float
    ray: float
    ratio: float  # of the two in the same turn, median
    same: bool  # bits
    work: float = float("nan")  # processor time on Ray ÷ on threads


class Recorder:
    """An executor that notes what is asked and how much processor time of this process it takes."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self.requests: list[tuple[int, int]] = []  # candidates, steps
        self.seconds = 0.0

    def evaluate(self, request: Request) -> Array:
        """See `Executor`."""
        begun = time.process_time()
        out = self._executor.evaluate(request)
        self.seconds += time.process_time() - begun
        self.requests.append((len(request.displacement), request.steps))
        return out


def bench_cluster(*, quick: bool = False, progress: Progress | None = None) -> Iterator[Row]:
    """All rows; quick: fewer turns."""
    say = progress or (lambda fraction, what: None)
    say(0.0, "fitting the clip")
    settings = Settings(samples=240, save=40) if quick else Settings()
    task = _task(settings)
    say(0.1, "starting Ray")
    begun = time.perf_counter()
    with session(), Cluster(task.setup, task.stage) as cluster:
        yield Row(name="cluster.start", value=time.perf_counter() - begun, unit="s until Ray and its workers stand")
        yield from rows_of(task, settings, cluster, turns=3 if quick else 15, progress=say)


def rows_of(task: Task, settings: Settings, cluster: Cluster, *, turns: int, progress: Progress) -> Iterator[Row]:
    """Everything measured with a cluster that stands."""
    threads = Threads(task.stage)
    for i, size in enumerate(SIZES):
        progress(0.2 + 0.2 * i, f"requests of {size}")
        request = a_request(task, threads, size)
        timed = compared(request, threads, cluster, turns)
        yield from _compared_rows(f"cluster.request_{size}", timed, "ms per request", 1000.0)
    yield from _sizes(task, threads, cluster)
    progress(0.6, "messages")
    latency, message, bandwidth = _messages(cluster, threads, task, turns)
    yield Row(name="cluster.latency", value=1000.0 * latency, unit="ms, an empty call and its answer")
    yield Row(name="cluster.message", value=1000.0 * message, unit="ms per part and its answer, many under way")
    yield Row(name="cluster.store", value=bandwidth / 1e6, unit="MB/s into the store, to a worker and back")
    progress(0.7, "a search")
    recorder, between, searched = _searches(task, settings, threads, cluster, 1 if turns < 5 else 2)
    yield from _compared_rows("cluster.search", searched, "s per s of motion", 1.0 / SECONDS)
    work = sum(n * steps for n, steps in recorder.requests)
    row = a_request(task, threads, 1)
    costs = Costs(
        engine=recorder.seconds / work,
        latency=latency,
        message=message,
        between=between / len(recorder.requests),
        bytes_out=_bytes_out(task, threads),
        row_bytes=8 * int(row.starts.shape[1]),
    )
    yield from model_rows(costs, recorder.requests, searched)


def model_rows(costs: Costs, requests: Sequence[tuple[int, int]], searched: Timed) -> Iterator[Row]:
    """What the model says, first of this machine, then of clusters."""
    yield Row(name="model.assumes", value="", unit=ASSUMED)
    yield Row(name="model.requests", value=len(requests), unit="one after the other per s of motion")
    yield Row(name="model.engine", value=engine_seconds(costs, requests), unit="s of one core per s of motion")
    yield Row(name="model.between", value=1000.0 * costs.between, unit="ms of the search itself per request")
    here = Machines(cores=cores(), cores_each=cores(), bandwidth=np.inf, delay=0.0)
    value = search_seconds(costs, here, requests)
    yield Row(name="model.here", value=value, unit="s per s of motion", peer=f"measured: {searched.ray:.2f}")
    for count in (80, 1000):
        for gigabits in NETWORKS:
            there = Machines(cores=count, cores_each=CORES_EACH, bandwidth=gigabits * 1e9 / 8, delay=DELAY)
            value = search_seconds(costs, there, requests)
            busy = 100.0 * engine_seconds(costs, requests) / (count * value)
            unit = f"s per s of motion, {gigabits} Gbit/s, {busy:.2g} % of the cores at work"
            name = f"model.cores_{count}.{gigabits}_gbit"
            yield Row(name=name, value=value, unit=unit, peer=PAPER if count == 80 else "")
        alone = engine_seconds(costs, requests) / cores() + costs.between * len(requests)
        side = alone / (count // cores())
        unit = f"s per s of motion, {count // cores()} seeds side by side on {cores()} cores each, no cluster needed"
        yield Row(name=f"model.cores_{count}.seeds", value=side, unit=unit)


def compared(request: Request, threads: Threads, cluster: Cluster, turns: int) -> Timed:
    """The same request to both in turns; the least time of each counts, and all processor time."""
    executors: tuple[Executor, Executor] = (threads, cluster)
    seconds, work = np.zeros((2, turns)), np.zeros((2, turns))
    results = [executor.evaluate(request).tobytes() for executor in executors]
    for turn in range(turns):
        for i, executor in enumerate(executors):
            begun, before = time.perf_counter(), _processor_seconds(cluster)
            executor.evaluate(request)
            seconds[i, turn] = time.perf_counter() - begun
            work[i, turn] = _processor_seconds(cluster) - before
    return _timed(seconds, same=results[0] == results[1], work=float(work[1].sum() / work[0].sum()))


def _timed(seconds: Array, *, same: bool, work: float = float("nan")) -> Timed:
    """Summary of times (2, turns) on threads and on Ray."""
    threads, ray = seconds.min(axis=1)
    ratio = float(np.median(seconds[1] / seconds[0]))
    return Timed(threads=float(threads), ray=float(ray), ratio=ratio, same=same, work=work)


def _processor_seconds(cluster: Cluster) -> float:
    """Processor time so far [s] of this process and of the workers; NaN where those cannot be seen."""
    total = time.process_time()
    for member in cluster.members:
        try:
            fields = Path(f"/proc/{member.process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return float("nan")
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def a_request(task: Task, threads: Threads, candidates: int) -> Request:
    """Random displacements from start states that are spread as in a search."""
    rng, axes = np.random.default_rng(0), len(task.windows)
    start = task.start.row(task.model, task.stage.program.memory)[None]
    spread = task.windows * rng.uniform(-1.0, 1.0, (SAVED, axes))
    starts = threads.evaluate(
        Request(starts=start, start_of=np.zeros(SAVED, np.int64), displacement=spread, steps=STEPS)
    )
    displacement = task.windows * rng.uniform(-1.0, 1.0, (candidates, axes))
    return Request(starts=starts, start_of=np.arange(candidates) % SAVED, displacement=displacement, steps=STEPS)


def _task(settings: Settings) -> Task:
    clip = read_clip(find_clip(CLIP))
    assert isinstance(clip, SkeletonClip)
    motion = fit(clip, load_body(BODY))
    return task_of(cut_motion(motion, 0, round(SECONDS * motion.rate)), World(), settings)


def _compared_rows(name: str, timed: Timed, unit: str, scale: float) -> Iterator[Row]:
    yield Row(name=f"{name}.threads", value=scale * timed.threads, unit=unit)
    yield Row(name=f"{name}.ray", value=scale * timed.ray, unit=unit)
    yield Row(name=f"{name}.overhead", value=100.0 * (timed.ratio - 1.0), unit="% of the time on threads")
    if np.isfinite(timed.work):
        yield Row(name=f"{name}.work", value=timed.work, unit="× processor time on threads, of all processes")
    yield Row(name=f"{name}.same_bits", value=timed.same, unit="", goal="yes", holds=timed.same)


def _sizes(task: Task, threads: Threads, cluster: Cluster) -> Iterator[Row]:
    workers, width = len(cluster.members), sum(member.threads for member in cluster.members)
    for size in SIZES:
        request = a_request(task, threads, size)
        row_bytes = 8 * int(request.starts.shape[1])
        parts = list(parts_of(request, size_of_part(size, row_bytes, workers, width)))
        out, back = sum(p.bytes_out for p in parts), sum(p.bytes_back for p in parts)
        unit = f"kB out, {back / 1e3:.0f} kB back, in {len(parts)} parts"
        yield Row(name=f"cluster.request_{size}.bytes", value=out / 1e3, unit=unit)


def _bytes_out(task: Task, threads: Threads) -> float:
    parts = list(parts_of(a_request(task, threads, SIZES[0]), 64))
    return sum(part.bytes_out for part in parts) / SIZES[0]


def _messages(cluster: Cluster, threads: Threads, task: Task, turns: int) -> tuple[float, float, float]:
    """Latency and cost of a message [s], and bandwidth of the store [bytes/s]."""
    ray, actor = import_ray(), cluster.members[0].actor
    part = next(parts_of(a_request(task, threads, SIZES[0]), 64))
    back = np.zeros(part.bytes_back // 8)
    many = 20

    def empty() -> None:
        ray.get(actor.echo.remote(None))

    def stream() -> None:  # out and back as large as a part's answer, the larger of its two ways
        ray.get([actor.echo.remote(back) for _ in range(many)])

    def store() -> None:
        ray.get(actor.echo.remote(ray.put(np.zeros(STORE_BYTES // 8))))

    least = [min(_times(work, 3 * turns)) for work in (empty, stream, store)]
    return least[0], least[1] / many, 2 * STORE_BYTES / least[2]


def _times(work: Callable[[], None], turns: int) -> list[float]:
    times = []
    for _ in range(turns):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return times


def _searches(
    task: Task, settings: Settings, threads: Threads, cluster: Cluster, turns: int
) -> tuple[Recorder, float, Timed]:
    """A whole search on both: what it asked of threads, its own processor time between requests [s], and its times."""
    seconds, paths = np.zeros((2, turns)), set()
    recorder, between = Recorder(threads), np.inf
    for turn in range(turns):
        for i, executor in enumerate((Recorder(threads), Recorder(cluster))):
            begun, processor = time.perf_counter(), time.process_time()
            paths.add(found(_searched(task, settings, executor)).displacement.tobytes())
            seconds[i, turn] = time.perf_counter() - begun
            own = time.process_time() - processor - executor.seconds
            if i == 0 and own < between:
                recorder, between = executor, own
    return recorder, between, _timed(seconds, same=len(paths) == 1)


def _searched(task: Task, settings: Settings, executor: Executor) -> Search:
    now = begin(task)
    for event in search(task, settings, executor):
        now = event.search
    return now
