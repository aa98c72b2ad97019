"""`reenact capture --method sampling`: its works, the executor they share, and what is said while they run."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from reenact.cli import terminal
from reenact.cli.capture_run import SEARCHING, partial_of

if TYPE_CHECKING:
    from reenact.cli.asked import Asked
    from reenact.cli.live import LivePage
    from reenact.cli.terminal import Advance
    from reenact.estimate.sampling.checkpoint import Checkpoint
    from reenact.estimate.sampling.evaluate import Executor
    from reenact.estimate.sampling.sampler import Event
    from reenact.estimate.sampling.settings import Effort, Settings
    from reenact.estimate.sampling.task import Task
    from reenact.estimate.video.evidence import Evidence
    from reenact.formats.take import Source, Take

METHOD = "sampling"


def by_sampling(
    seed: int,
    torque: float,
    effort: Effort,
    samples: int | None,
    save: int | None,
    actuation: Literal["motor", "servo"],
    cluster: str | None,
    threads: int | None,
) -> BySampling:
    """The way to search: an effort's settings with what is said otherwise; torque: share of the body's limits."""
    from reenact.estimate.sampling.settings import EFFORTS, Settings

    usual = EFFORTS[effort]
    settings = Settings(
        samples=usual[0] if samples is None else samples,
        save=save if save is not None else usual[1] if samples is None else max(1, samples // 7),
        seed=seed,
        actuation=actuation,
        torque_scale=torque,
    )
    return BySampling(settings=settings, crew=Crew(cluster, threads))


@dataclass(frozen=True, slots=True, kw_only=True)
class BySampling:
    """How open-loop control is searched for, a `Way`."""

    settings: Settings
    crew: Crew  # who simulates
    fitted_to: str | None = "human50"  # the character of [L10]

    def works(self, asked: Asked) -> list[Sampled]:
        """The works of all seeds."""
        from reenact.estimate.sampling.task import task_of
        from reenact.estimate.smooth import check_cutoff
        from reenact.geometry.one_thread import one_thread

        with one_thread():
            task = task_of(asked.motion, asked.world, self.settings)
        if asked.smooth is not None:
            check_cutoff(asked.smooth, 1.0 / task.model.timestep)  # before the work rather than after it
        return [
            Sampled(
                task=task,
                settings=replace(self.settings, seed=seed),
                crew=self.crew,
                output=folder,
                source=asked.source,
                resume=asked.resume,
                smooth=asked.smooth,
                seen=asked.seen,
            )
            for seed, folder in zip(asked.seeds, asked.folders, strict=True)
        ]

    def helpers(self) -> AbstractContextManager[None]:
        """The crew at work."""
        return self.crew.at_work()


@dataclass(frozen=True, kw_only=True)
class Sampled:
    """One capture by sampling, a `Work`."""

    task: Task
    settings: Settings
    crew: Crew
    output: Path
    source: Source
    resume: bool
    smooth: float | None
    seen: Evidence | None = None
    method: str = METHOD

    @cached_property
    def plan(self) -> dict[str, Any]:
        """What the search depends on."""
        from reenact.estimate.sampling.capture import plan_of

        return plan_of(self.task, self.settings)

    @property
    def checkpoint(self) -> Checkpoint:
        """Where its search is kept until it is done."""
        from reenact.estimate.sampling.checkpoint import Checkpoint

        return Checkpoint(partial_of(self.output), self.plan)

    def open(self) -> _Run:
        """Make ready to search."""
        return _Run(self, self.crew.executor_of(self.task))

    def figures(self, take: Take) -> str:
        """How far joints are off, and what that took."""
        metrics = take.info.metrics
        simulated, steps = metrics["samples_simulated"], metrics["sampling_steps"]
        return (
            f"Joints {metrics['joint_error_cm']:.1f} cm from the recorded ones on average; "
            f"{simulated:,} samples simulated, {simulated / steps:.0f} for each of {steps} steps; "
            f"{metrics['compute_s_per_s']:.1f} s of computing per second of motion."
        )


class _Run:
    """A search by sampling."""

    def __init__(self, work: Sampled, executor: Executor) -> None:
        from reenact.cli.live import LivePage

        self._work, self._executor = work, executor
        self.page: LivePage = LivePage(work.checkpoint.folder, work.task, work.output.absolute().name)

    def find(self, advance: Advance) -> Take:
        """Search to the end."""
        from reenact.estimate.sampling.capture import capture

        def watch(event: Event) -> None:
            advance(SEARCHING * event.fraction, describe(event))
            if self.page.follow(event):
                advance.note(f"To see what the character does by now, open {shlex.quote(str(self.page.path))}")

        work = self._work
        return capture(
            work.task,
            work.settings,
            self._executor,
            source=work.source,
            checkpoint=work.checkpoint,
            resume=work.resume,
            watch=watch,
        )

    def so_far(self) -> Take | None:
        """Nothing: half of an open-loop control is no control of the motion."""
        return None


def describe(event: Event) -> str:
    """What a search is doing, in a few words."""
    words = (
        f"sweep {event.search.sweep + 1}, step {event.search.done} of {event.steps}, {event.seconds:.1f} s, "
        f"cost {event.cost:.1f}"
    )
    times = event.search.rewinds
    return words + (f", went back {times} time{'s' if times > 1 else ''}" if times else "")


class Crew:
    """Who simulates: threads of this machine, or a cluster that is there while the crew is at work."""

    def __init__(self, cluster: str | None, threads: int | None) -> None:
        self._cluster, self._threads = cluster, threads
        self._executor_of: Callable[[Task], Executor] | None = None

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Connect, and let go in the end."""
        with _executors(self._cluster, self._threads) as self._executor_of:
            yield

    def executor_of(self, task: Task) -> Executor:
        """Who runs the simulations of a task."""
        assert self._executor_of is not None
        return self._executor_of(task)


@contextmanager
def _executors(cluster: str | None, threads: int | None) -> Iterator[Callable[[Task], Executor]]:
    """From a task to who runs its simulations."""
    from reenact.errors import InputError
    from reenact.estimate.sampling.threads import Threads

    if cluster is None:
        yield lambda task: Threads(task.stage, threads=threads)
        return
    from reenact.execute.cluster import connected

    if threads is not None:
        raise InputError("--threads is for this machine alone; a cluster uses the processors that Ray has")
    with connected(cluster) as cluster_of:

        def executor_of(task: Task) -> Executor:
            executor = cluster_of(task)
            terminal.say(f"Searching on {terminal.escape(executor.describe())}.")
            return executor

        yield executor_of
