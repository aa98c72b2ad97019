"""`reenact capture`: find the control behind a clip."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from reenact.cli import earlier, terminal
from reenact.cli.ending import ending_of
from reenact.cli.inputs import Reading

if TYPE_CHECKING:
    from reenact.estimate.sampling.checkpoint import Checkpoint
    from reenact.estimate.sampling.evaluate import Executor
    from reenact.estimate.sampling.sampler import Event
    from reenact.estimate.sampling.settings import Settings
    from reenact.estimate.sampling.task import Task
    from reenact.formats.take import Source, Take
    from reenact.motion.motion import Motion

BODY = "human50"  # the character of [L10]
STOPPED = 130  # exit code after Ctrl-C


def capture(
    clip: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="CLIP|FITTED.npz")],
    /,
    *,
    output: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="TAKE", help_behavior_hint="")] = None,
    method: Literal["sampling"] = "sampling",
    body: Annotated[str | None, tyro.conf.arg(metavar="NAME|FILE", help_behavior_hint="")] = None,
    world: Annotated[str, tyro.conf.arg(metavar="NAME|FILE")] = "flat",
    seed: int = 0,
    effort: Literal["fast", "normal", "high"] = "normal",
    samples: Annotated[int | None, tyro.conf.arg(help_behavior_hint="")] = None,
    save: Annotated[int | None, tyro.conf.arg(help_behavior_hint="")] = None,
    actuation: Literal["motor", "servo"] = "motor",
    variations: int = 1,
    resume: bool = False,
    strict: bool = False,
    smooth: Annotated[float | None, tyro.conf.arg(metavar="HZ", help_behavior_hint="")] = None,
    threads: Annotated[int | None, tyro.conf.arg(help_behavior_hint="")] = None,
    cluster: Annotated[str | None, tyro.conf.arg(metavar="auto|ADDRESS", help_behavior_hint="")] = None,
    reading: Reading = Reading(),  # noqa: B008  (frozen)
) -> int:
    """Find the control whose simulation follows a clip, and write it with its motion as a take.

    Displacements of the recorded pose are drawn at random, simulated and selected, a tenth of a second at a time. The
    take says whether the body did the motion, and if not, why. Ctrl-C keeps what was found; --resume goes on. The exit
    code is 0 where a take was made and is honest, also of a body that did not do the motion; 1 where the audit found a
    fault, or with --strict where the motion was not done.

    Example: reenact capture roll -o take/ --effort fast

    Args:
        clip: A clip file, a bundled sample's name, or a motion fitted before.
        output: The take folder to write; an older take there is replaced. CLIP-take in this folder unless said.
        method: How to search.
        body: Who performs it: a body's name or a TOML file; human50 unless said, or the fitted motion's own.
        world: A bundled world (see `reenact world`) or a TOML file.
        seed: Another number gives another performance.
        effort: How many samples: fast 180, normal 1400, high 4000 a step.
        samples: Samples a step, instead of the effort's.
        save: How many of them live on to the next step.
        actuation: How joints are driven: motor is a velocity constraint within the torque limit, servo a PD spring.
        variations: So many performances with seeds one after the other, written to TAKE-1, TAKE-2, …
        resume: Go on with a capture that was stopped or killed, to the same result; variations that are finished are
            kept.
        strict: End with exit code 1 where the body did not do the motion.
        smooth: Also write motion.smoothed.bvh, low-pass filtered at this frequency and so no longer simulated.
        threads: Cores to use; all unless said. The result is the same.
        cluster: Search on a Ray cluster, with the same result: HOST:PORT, ray://HOST:PORT, or auto for the one that
            runs here, which is started where there is none.
    """
    from reenact.cli.inputs import source_path
    from reenact.errors import InputError
    from reenact.estimate.sampling.settings import EFFORTS, Settings
    from reenact.estimate.sampling.smooth import check_cutoff
    from reenact.estimate.sampling.task import task_of
    from reenact.formats.take import Source, refuse_foreign, sha256_of
    from reenact.geometry.one_thread import one_thread
    from reenact.world.load import load_world

    if variations < 1:
        raise InputError(f"--variations is {variations}, expected at least 1")
    place, path = load_world(world), source_path(clip)
    chosen = output or Path(f"{path.stem}-take")
    folders = [chosen] if variations == 1 else [_numbered(chosen, i + 1) for i in range(variations)]
    for folder in folders:
        refuse_foreign(folder)
    usual = EFFORTS[effort]
    settings = Settings(
        samples=usual[0] if samples is None else samples,
        save=save if save is not None else usual[1] if samples is None else max(1, samples // 7),
        seed=seed,
        actuation=actuation,
    )
    with one_thread():
        task = task_of(_motion(clip, body, reading), place, settings)
    if smooth is not None:
        check_cutoff(smooth, 1.0 / task.model.timestep)  # before the work rather than after it
    source = Source(name=path.name, sha256=sha256_of(path))
    each = [replace(settings, seed=seed + i) for i in range(variations)]
    works = [
        _Work(task=task, settings=own, output=folder, source=source, resume=resume, smooth=smooth)
        for own, folder in zip(each, folders, strict=True)
    ]
    code = _capture_all(works, cluster, threads, strict=strict)
    if output is None and code < STOPPED:
        terminal.say(f"Written to {terminal.escape(', '.join(f'{folder}/' for folder in folders))}; -o names another.")
    return code


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """One capture."""

    task: Task
    settings: Settings
    output: Path
    source: Source
    resume: bool
    smooth: float | None

    @property
    def checkpoint(self) -> Checkpoint:
        """Where its search is kept until it is done."""
        from reenact.estimate.sampling.capture import plan_of
        from reenact.estimate.sampling.checkpoint import Checkpoint

        return Checkpoint(partial_of(self.output), plan_of(self.task, self.settings))

    @property
    def finished(self) -> Take | None:
        """The take that an earlier run of the same search left, where it is to be kept."""
        from reenact.estimate.sampling.capture import plan_of

        return earlier.finished(self.output, plan_of(self.task, self.settings), self.smooth) if self.resume else None


def _capture_all(works: Sequence[_Work], cluster: str | None, threads: int | None, *, strict: bool) -> int:
    """One after the other; the exit code."""
    for work in works:
        if not work.resume:
            earlier.refuse_to_lose(work.checkpoint)
    code = 0
    with _executors(cluster, threads) as executor_of:
        for work in works:
            if (take := work.finished) is not None:
                terminal.say(f"[bold]{terminal.escape(work.output)}[/] is finished, and kept: {ending_of(take.info)}")
                earlier.tidy(work.checkpoint)
                own = 0
            else:
                take, own = _capture_one(work, executor_of)
            if take is None:
                return own
            code = max(code, own, int(strict and not take.info.done))
    return code


@contextmanager
def _executors(cluster: str | None, threads: int | None) -> Iterator[Callable[[Task], Executor]]:
    """From a task to who runs its simulations."""
    from reenact.errors import InputError
    from reenact.execute.threads import Threads

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


def _motion(clip: str, body: str | None, reading: Reading) -> Motion:
    from reenact.cli.inputs import FITTED, Fitting, motion_of

    own = None if Path(clip).suffix == FITTED else BODY
    return motion_of(clip, reading, Fitting(body=body or own))


def _capture_one(work: _Work, executor_of: Callable[[Task], Executor]) -> tuple[Take | None, int]:
    """The take, None where the search was stopped, and the exit code."""
    from reenact.cli.live import LivePage
    from reenact.cli.smoothed_copy import marked, write_smoothed
    from reenact.estimate.sampling.capture import capture as find
    from reenact.execute.session import ClusterError
    from reenact.formats.take import write_take
    from reenact.physics.audit import audit_take
    from reenact.view.report import report_html

    task, output = work.task, work.output
    executor = executor_of(task)  # before anything is written: a cluster may not be there
    checkpoint = work.checkpoint
    earlier.clear_for(checkpoint, resume=work.resume)
    live = LivePage(checkpoint.folder, task, output.absolute().name)
    live.remove()
    try:
        with terminal.progress("searching") as advance:

            def watch(event: Event) -> None:
                advance(0.98 * event.fraction, describe(event))
                if live.follow(event):
                    advance.note(f"To see what the character does by now, open {shlex.quote(str(live.path))}")

            take = find(
                task,
                work.settings,
                executor,
                source=work.source,
                checkpoint=checkpoint,
                resume=work.resume,
                watch=watch,
            )
            advance(0.98, "writing the report")
            live.found(output / "report.html")
            take = marked(take, work.smooth)
            write_take(output, take, report_html=report_html(take, name=output.resolve().name))
            write_smoothed(take, task, output, work.smooth)
    except KeyboardInterrupt:
        live.stopped()
        return None, _stopped(checkpoint)
    except ClusterError as error:
        live.stopped()
        if kept := _kept(checkpoint):
            raise ClusterError(f"{error}; {kept}") from error
        raise
    live.remove()
    checkpoint.remove()
    verdict = audit_take(output)
    _summary(take, output)
    terminal.say(
        "Audit: [green]honest[/], moved by joint torques and contacts alone."
        if verdict.honest
        else f"Audit: [red]not honest[/]: {terminal.escape('; '.join(verdict.faults))}"
    )
    return take, 0 if verdict.honest else 1


def describe(event: Event) -> str:
    """What a search is doing, in a few words."""
    words = (
        f"sweep {event.search.sweep + 1}, step {event.search.done} of {event.steps}, {event.seconds:.1f} s, "
        f"cost {event.cost:.1f}"
    )
    times = event.search.rewinds
    return words + (f", went back {times} time{'s' if times > 1 else ''}" if times else "")


def partial_of(output: Path) -> Path:
    """The folder beside a take in which its search is kept until it is done."""
    folder = output.absolute()
    return folder.with_name(f"{folder.name}.partial")


def _numbered(output: Path, number: int) -> Path:
    folder = output.absolute()
    return output.parent / f"{folder.name}-{number}"


def _stopped(checkpoint: Checkpoint) -> int:
    if not (kept := _kept(checkpoint)):
        raise KeyboardInterrupt
    earlier.note(f"stopped; {kept}")
    return STOPPED


def _kept(checkpoint: Checkpoint) -> str:
    """Where a search that has ended too soon is, and what to do; empty where nothing was found."""
    if checkpoint.left() is None:
        return ""
    folder = shlex.quote(str(checkpoint.folder))
    return f"what was found is kept in {folder}: the same command with --resume goes on"


def _summary(take: Take, output: Path) -> None:
    from reenact.formats.take import SMOOTHED, SMOOTHED_HZ

    info, metrics = take.info, take.info.metrics
    terminal.say(
        f"[bold]{terminal.escape(output)}[/]: {take.seconds:.2f} s of {terminal.escape(info.input.name)} on "
        f"{terminal.escape(info.body)} in {terminal.escape(info.world)}, {ending_of(take.info)}"
    )
    simulated, steps = metrics["samples_simulated"], metrics["sampling_steps"]
    terminal.say(
        f"Joints {metrics['joint_error_cm']:.1f} cm from the recorded ones on average; "
        f"{simulated:,} samples simulated, {simulated / steps:.0f} for each of {steps} steps; "
        f"{metrics['compute_s_per_s']:.1f} s of computing per second of motion."
    )
    if SMOOTHED_HZ in metrics:
        terminal.say(f"{SMOOTHED} is a copy for the eye, filtered and so no longer simulated.")
