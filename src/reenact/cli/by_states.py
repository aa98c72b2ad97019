"""`reenact capture --method states`: its works, and what is said while they run."""

from __future__ import annotations

import shlex
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reenact.cli.capture_run import SEARCHING, partial_of

if TYPE_CHECKING:
    from reenact.cli.asked import Asked
    from reenact.cli.terminal import Advance
    from reenact.estimate.states.capture import Subject
    from reenact.estimate.states.checkpoint import Checkpoint
    from reenact.estimate.states.search import Progress
    from reenact.estimate.states.settings import Settings
    from reenact.estimate.video.evidence import Evidence
    from reenact.formats.take import Source, Take

METHOD = "states"
BY_HAND = "the search was stopped by hand"
NOW = {
    "poses": "trying pose models",
    "grow": "growing the chain",
    "again": "fitting the chain again",
    "whole": "improving all states together",
    "contact": "trying transitions on contact",
    "cycle": "trying cycles",
    "polish": "improving the new structure",
    "hold": "learning to stand at the end",
    "stay": "practising to stand",
    "last": "holding the chain against the masks",
    "instead": "the chain was lost: finding by sampling what a body can do near the track",
    "walk": "practising to walk on",
    "push": "practising under pushes",
    "enter": "leading into the walk",
    "follow": "fitting the walk to the recording's end",
    "harden": "practising under disturbances",
    "done": "done",
}  # what a search does next, by the phase it names


def by_states(
    seed: int,
    torque: float,
    budget: float | None,
    pushes: int = 0,
    poses: str | None = None,
    ease: float | None = None,
) -> ByStates:
    """The way to search; torque: share of the body's limits; pushes: parts of a walk's practice under pushes.

    poses: what target poses are made of, as `Settings` has it; a name that means nothing is refused at once. ease: the
    price of effort [cm²]. Both are the usual ones where None.
    """
    settings = settings_of(seed, budget, pushes)
    if poses is not None:
        from reenact.estimate.states.pose_choice import refuse_unknown

        refuse_unknown(poses)
        settings = replace(settings, poses=poses)
    if ease is not None:
        settings = replace(settings, effort=ease)
    return ByStates(settings=settings, torque=torque)


def settings_of(seed: int, budget: float | None, pushes: int = 0) -> Settings:
    """The usual settings with a seed and, where one is given, a budget [s]."""
    from reenact.estimate.states.settings import Settings

    return Settings(seed=seed, budget=budget, pushes=pushes)


@dataclass(frozen=True, slots=True, kw_only=True)
class ByStates:
    """How state machines are searched for, a `Way`."""

    settings: Settings
    torque: float
    fitted_to: str | None = None  # an adult of the person's size

    def works(self, asked: Asked) -> list[Searched]:
        """The works of all seeds."""
        from reenact.estimate.smooth import check_cutoff
        from reenact.estimate.states.pose_choice import contest_of
        from reenact.geometry.one_thread import one_thread

        with one_thread():
            contest_of(self.settings.poses, asked.motion.body)  # what does not fit is refused before the work
            subject = self._subject(asked)
        if asked.seen is not None:
            _say_budget(subject, self.settings)
        if self.settings.pushes:
            _refuse_hopeless(subject)
        if asked.smooth is not None:
            check_cutoff(asked.smooth, 1.0 / subject.task.model.timestep)  # before the work rather than after it
        return [
            Searched(
                subject=subject,
                settings=replace(self.settings, seed=seed),
                output=folder,
                source=asked.source,
                resume=asked.resume,
                smooth=asked.smooth,
                seen=asked.seen,
            )
            for seed, folder in zip(asked.seeds, asked.folders, strict=True)
        ]

    def helpers(self) -> AbstractContextManager[None]:
        """None: the search has its own threads."""
        return nullcontext()

    def _subject(self, asked: Asked) -> Subject:
        """What is searched for: a recorded motion, or one that was seen."""
        if asked.seen is None:
            from reenact.estimate.states.capture import subject_of

            return subject_of(asked.motion, asked.world, torque_scale=self.torque, threads=asked.threads)
        from reenact.estimate.video.subject import subject_seen

        settings = replace(self.settings, seed=asked.seeds[0])  # of a video each seed is asked for by itself
        seen = replace(asked.seen, motion=asked.motion)
        return subject_seen(seen, asked.world, settings, torque_scale=self.torque, threads=asked.threads)


@dataclass(frozen=True, kw_only=True)
class Searched:
    """One capture of a state machine, a `Work`."""

    subject: Subject
    settings: Settings
    output: Path
    source: Source
    resume: bool
    smooth: float | None
    seen: Evidence | None = None
    method: str = METHOD

    @cached_property
    def plan(self) -> dict[str, Any]:
        """What the search depends on."""
        from reenact.estimate.states.capture import plan_of

        return plan_of(self.subject, self.settings)

    @property
    def checkpoint(self) -> Checkpoint:
        """Where its search is kept until it is done."""
        from reenact.estimate.states.checkpoint import Checkpoint

        return Checkpoint(partial_of(self.output), self.plan)

    def open(self) -> _Run:
        """Make ready to search."""
        return _Run(self)

    def figures(self, take: Take) -> str:
        """How far joints are off, what was found, and what that took."""
        from reenact.cli import terminal

        metrics = take.info.metrics
        on_contact = metrics["transitions_on_contact"]
        what = "recorded ones" if self.seen is None else "track's"
        return (
            f"Joints {metrics['joint_error_cm']:.1f} cm from the {what} on average, by "
            f"{metrics['states']} states: {terminal.escape(metrics['structure'])}; {on_contact} "
            f"transition{'' if on_contact == 1 else 's'} on contact{_of_poses(metrics)}; "
            f"{take.info.wall_seconds:.0f} s of searching.\n{_bought(metrics)}{_going_on(metrics)}"
            f"Read it with: reenact show {terminal.escape(shlex.quote(str(self.output)))}"
        )


class _Run:
    """A search for a state machine."""

    def __init__(self, work: Searched) -> None:
        from reenact.cli.live_report import LiveReport
        from reenact.estimate.states.capture import Capture

        self._work = work
        checkpoint = work.checkpoint
        self._capture = Capture(work.subject, work.settings, source=work.source, checkpoint=checkpoint)
        self.page = LiveReport(checkpoint.folder, work.output.absolute().name, self._capture.so_far)

    def find(self, advance: Advance) -> Take:
        """Search to the end."""

        def watch(now: Progress) -> None:
            advance(SEARCHING * now.fraction, self.describe(now))
            if self.page.follow():
                advance.note(f"To see what the character does by now, open {shlex.quote(str(self.page.path))}")

        return self._capture.run(resume=self._work.resume, watch=watch)

    def so_far(self) -> Take | None:
        """The best controller so far."""
        return self._capture.so_far(BY_HAND)

    def describe(self, now: Progress) -> str:
        """What a search is doing, in a few words."""
        words = NOW.get(now.phase, now.phase)
        if now.best is None:
            return words
        step, count = self._work.subject.task.model.timestep, len(now.best.machine.states)
        return (
            f"{words}: {count} state{'s' if count > 1 else ''}, {now.best.last * step:.1f} of "
            f"{self._work.subject.reference.duration:.1f} s, joints {now.best.joints:.1f} cm off"
        )


def _refuse_hopeless(subject: Subject) -> None:
    """Refuse to practise under disturbances what is neither a gait nor ends standing."""
    from reenact.errors import InputError
    from reenact.estimate.states.rest import rest_of
    from reenact.estimate.walking.walk import stride_of

    if stride_of(subject.task.to_practise) is None and rest_of(subject.task) is None:
        raise InputError(
            f"--robust practises walks, and motions that end at rest on two feet; '{subject.reference.name}' is "
            "neither: feet do not strike in turn for a whole stride, and in this world it does not end so; leave it out"
        )


def _say_budget(subject: Subject, settings: Settings) -> None:
    """That a budget is too small for a video: what is lost early is never found again."""
    from reenact.cli import terminal
    from reenact.estimate.states.effort import sound

    least = sound(subject.task, settings)
    if settings.budget is not None and settings.budget < least:
        terminal.say(
            f"[yellow]warning[/]: --budget {settings.budget:g} is little for {subject.reference.duration:.1f} s of "
            f"video: below about {least:.0f} the simulation often loses its track. Give more, or a shorter part by "
            "--from and --to"
        )


def _going_on(metrics: dict[str, Any]) -> str:
    """How long the body is up after the clip's end."""
    from reenact.estimate.states.capture import STAYS_UP, TRIED

    if STAYS_UP not in metrics:
        return ""
    seconds = float(metrics[STAYS_UP])
    if seconds >= TRIED - 1e-6:
        return f"After the clip's end it stays up for the {TRIED:g} s that were tried.\n"
    return f"After the clip's end it stays up for {seconds:.1f} s, then falls.\n"


def _bought(metrics: dict[str, Any]) -> str:
    """What the practice under disturbances was good for, where it was asked for."""
    from reenact.estimate.states.capture import ROBUST_KEPT, ROBUST_PARTS

    if ROBUST_PARTS not in metrics:
        return ""
    done, kept = metrics[ROBUST_PARTS], metrics[ROBUST_KEPT]
    if not done:
        return "It was not practised under disturbances: as it was found it does not stay up by itself.\n"
    parts = "one part" if done == 1 else f"{done} parts"
    if not kept:
        return f"Practised under disturbances in {parts}; nothing was gained, it is as it was found.\n"
    return f"Practised under disturbances in {parts}; what {kept} of them taught was kept.\n"


def _of_poses(metrics: dict[str, Any]) -> str:
    """Which pose model was used, where one was asked for."""
    from reenact.estimate.states.pose_space import PLAIN

    tried = sum(name.startswith("poses_") for name in metrics)
    if metrics["poses"] == PLAIN and not tried:
        return ""
    return f"; target poses {metrics['poses']}" + (f", the best of {tried}" if tried else "")
