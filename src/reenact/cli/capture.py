"""`reenact capture`: find the control behind a clip."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from reenact.cli import terminal
from reenact.cli.inputs import Reading

if TYPE_CHECKING:
    from reenact.estimate.sampling.checkpoint import Checkpoint
    from reenact.estimate.sampling.evaluate import Executor
    from reenact.estimate.sampling.sampler import Event
    from reenact.estimate.sampling.settings import Settings
    from reenact.estimate.sampling.task import Task
    from reenact.formats.take import Take
    from reenact.motion.motion import Motion
    from reenact.world.world import World

BODY = "human50"  # the character of [L10]


def capture(
    clip: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="CLIP|FITTED.npz")],
    /,
    *,
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="TAKE")],
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
    smooth: Annotated[float | None, tyro.conf.arg(metavar="HZ", help_behavior_hint="")] = None,
    threads: Annotated[int | None, tyro.conf.arg(help_behavior_hint="")] = None,
    cluster: Annotated[str | None, tyro.conf.arg(metavar="auto|ADDRESS", help_behavior_hint="")] = None,
    reading: Reading = Reading(),  # noqa: B008  (frozen)
) -> int:
    """Find the control whose simulation follows a clip, and write it with its motion as a take.

    Displacements of the recorded pose are drawn at random, simulated and selected, a tenth of a second at a time. The
    take says whether the body did the motion, and if not, why. Ctrl-C keeps what was found; --resume goes on.

    Example: reenact capture roll -o take/ --effort fast

    Args:
        clip: A clip file, a bundled sample's name, or a motion fitted before.
        output: The take folder to write; an older take there is replaced.
        method: How to search.
        body: Who performs it: a body's name or a TOML file; human50 unless said, or the fitted motion's own.
        world: A bundled world (see `reenact world`) or a TOML file.
        seed: Another number gives another performance.
        effort: How many samples: fast 240, normal 1400, high 4000 a step.
        samples: Samples a step, instead of the effort's.
        save: How many of them live on to the next step.
        actuation: How joints are driven: motor is a velocity constraint within the torque limit, servo a PD spring.
        variations: So many performances with seeds one after the other, written to TAKE-1, TAKE-2, …
        resume: Go on with a capture that was stopped or killed, to the same result.
        smooth: Also write motion.smoothed.bvh, low-pass filtered at this frequency and so no longer simulated.
        threads: Cores to use; all unless said. The result is the same.
        cluster: Search on a Ray cluster, with the same result: HOST:PORT, ray://HOST:PORT, or auto for the one that
            runs here, which is started where there is none.
    """
    from reenact.cli.inputs import source_path
    from reenact.errors import InputError
    from reenact.estimate.sampling.settings import EFFORTS, Settings
    from reenact.formats.take import refuse_foreign
    from reenact.world.load import load_world

    if variations < 1:
        raise InputError(f"--variations is {variations}, expected at least 1")
    folders = [output] if variations == 1 else [_numbered(output, i + 1) for i in range(variations)]
    for folder in folders:
        refuse_foreign(folder)
    usual = EFFORTS[effort]
    settings = Settings(
        samples=usual[0] if samples is None else samples,
        save=save if save is not None else usual[1] if samples is None else max(1, samples // 7),
        seed=seed,
        actuation=actuation,
    )
    place, path = load_world(world), source_path(clip)
    motion = _motion(clip, body, reading)
    with _executors(cluster, threads) as executor_of:
        for i, folder in enumerate(folders):
            own = replace(settings, seed=seed + i)
            code = _capture_one(motion, place, own, folder, path, executor_of, resume=resume, smooth=smooth)
            if code:
                return code
    return 0


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


def _capture_one(
    motion: Motion,
    place: World,
    settings: Settings,
    output: Path,
    path: Path,
    executor_of: Callable[[Task], Executor],
    *,
    resume: bool,
    smooth: float | None,
) -> int:
    from reenact.cli.live import LivePage
    from reenact.estimate.sampling.capture import capture as find
    from reenact.estimate.sampling.capture import plan_of
    from reenact.estimate.sampling.checkpoint import Checkpoint
    from reenact.estimate.sampling.smooth import check_cutoff
    from reenact.estimate.sampling.task import task_of
    from reenact.formats.take import Source, sha256_of, write_take
    from reenact.physics.audit import audit_take
    from reenact.view.report import report_html

    task = task_of(motion, place, settings)
    if smooth is not None:
        check_cutoff(smooth, 1.0 / task.model.timestep)  # before the work rather than after it
    executor = executor_of(task)  # before anything is written: a cluster may not be there
    checkpoint = Checkpoint(partial_of(output), plan_of(task, settings))
    live = LivePage(checkpoint.folder, task, output.absolute().name)
    live.remove()
    if not resume:
        checkpoint.remove()
    source = Source(name=path.name, sha256=sha256_of(path))
    try:
        with terminal.progress("searching") as advance:

            def watch(event: Event) -> None:
                advance(0.98 * event.fraction, describe(event))
                if live.follow(event):
                    advance.note(f"To see what the character does by now, open {shlex.quote(str(live.path))}")

            take = find(
                task,
                settings,
                executor,
                source=source,
                checkpoint=checkpoint,
                resume=resume,
                watch=watch,
            )
            advance(0.98, "writing the report")
            live.found(output / "report.html")
            take = _marked(take, smooth)
            write_take(output, take, report_html=report_html(take, name=output.resolve().name))
            _write_smoothed(take, task, output, smooth)
    except KeyboardInterrupt:
        live.stopped()
        return _stopped(checkpoint)
    live.remove()
    checkpoint.remove()
    verdict = audit_take(output)
    _summary(take, output)
    terminal.say(
        "Audit: [green]honest[/], moved by joint torques and contacts alone."
        if verdict.honest
        else f"Audit: [red]not honest[/]: {terminal.escape('; '.join(verdict.faults))}"
    )
    return 0 if verdict.honest else 1


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
    if not (checkpoint.folder / "state.json").exists():
        raise KeyboardInterrupt
    folder = shlex.quote(str(checkpoint.folder))
    print(
        f"reenact: stopped; what was found is kept in {folder}: the same command with --resume goes on", file=sys.stderr
    )
    return 130


def _marked(take: Take, cutoff: float | None) -> Take:
    """The take, saying that a copy of its motion beside it is filtered and so no longer what was simulated."""
    if cutoff is None:
        return take
    metrics = {**take.info.metrics, "smoothed_copy_not_simulated_hz": cutoff}
    return replace(take, info=replace(take.info, metrics=metrics))


def _write_smoothed(take: Take, task: Task, output: Path, cutoff: float | None) -> None:
    if cutoff is None:
        return
    from reenact.estimate.sampling.smooth import smoothed
    from reenact.formats.bvh_write import format_bvh
    from reenact.formats.replace_file import replace_file
    from reenact.formats.take import SMOOTHED
    from reenact.motion.skeleton_of import motion_to_skeleton_clip

    rate = 1.0 / task.model.timestep
    poses = smoothed(take.motion["qpos"][:, : 7 + task.model.hinges], rate, cutoff)
    name = f"{task.reference.name} smoothed, not simulated"
    replace_file(output / SMOOTHED, format_bvh(motion_to_skeleton_clip(task.model.body, poses, rate, name)))


def _summary(take: Take, output: Path) -> None:
    from reenact.formats.take import SMOOTHED

    info, metrics = take.info, take.info.metrics
    done = "[green]success[/]" if metrics["success"] else f"[yellow]no success[/]: {terminal.escape(info.reason)}"
    terminal.say(
        f"[bold]{terminal.escape(output)}[/]: {take.seconds:.2f} s of {terminal.escape(info.input.name)} on "
        f"{terminal.escape(info.body)} in {terminal.escape(info.world)}, {done}"
    )
    terminal.say(
        f"Joints {metrics['joint_error_cm']:.1f} cm from the recorded ones on average; "
        f"{metrics['samples']} samples in each of {metrics['sampling_steps']} steps, "
        f"{metrics['compute_s_per_s']:.1f} s of computing per second of motion."
    )
    if "smoothed_copy_not_simulated_hz" in metrics:
        terminal.say(f"{SMOOTHED} is a copy for the eye, filtered and so no longer simulated.")
