"""Captures one after the other: searched, written, audited and told of; stopped ones kept as far as they came."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from reenact.cli import earlier, terminal
from reenact.cli.ending import ending_of

if TYPE_CHECKING:
    from reenact.cli.asked import Asked
    from reenact.cli.terminal import Advance
    from reenact.estimate.kept import Kept
    from reenact.estimate.video.evidence import Evidence
    from reenact.formats.take import Take

STOPPED: Final = 130  # exit code after Ctrl-C
SEARCHING: Final = 0.98  # of the work; the rest is the report


class Page(Protocol):
    """What follows a search for the eye."""

    def found(self, report: Path) -> None:
        """The search is done: whoever looks is led to the report."""

    def stopped(self) -> None:
        """The search was ended by hand."""

    def remove(self) -> None:
        """Take it away."""


class Run(Protocol):
    """A search that is about to begin."""

    @property
    def page(self) -> Page:
        """What follows it for the eye."""

    def find(self, advance: Advance) -> Take:
        """Search to the end."""

    def so_far(self) -> Take | None:
        """What is worth a take of a search that was stopped, if anything is."""


class Work(Protocol):
    """One capture."""

    @property
    def method(self) -> str:
        """By which it searches."""

    @property
    def plan(self) -> dict[str, Any]:
        """What it depends on."""

    @property
    def output(self) -> Path:
        """The take folder to write."""

    @property
    def resume(self) -> bool:
        """Whether to go on with what is there."""

    @property
    def smooth(self) -> float | None:
        """Frequency [Hz] at which a copy for the eye is filtered."""

    @property
    def seen(self) -> Evidence | None:
        """The video that it is of, if it is of one."""

    @property
    def checkpoint(self) -> Kept:
        """Where its search is kept until it is done."""

    def open(self) -> Run:
        """Make ready to search, before anything is written."""

    def figures(self, take: Take) -> str:
        """What is to be said of the take in numbers."""


class Way(Protocol):
    """A method with its settings."""

    @property
    def fitted_to(self) -> str | None:
        """Who a clip is fitted to where no body is said; None for an adult of the person's size."""

    def works(self, asked: Asked) -> Sequence[Work]:
        """The captures that were asked for."""

    def helpers(self) -> AbstractContextManager[None]:
        """Who is needed while they run."""


def refuse_losses(works: Sequence[Work]) -> None:
    """Refuse to begin anew beside searches that could be gone on with."""
    for work in works:
        if not work.resume:
            earlier.refuse_to_lose(work.checkpoint)


def run_all(works: Sequence[Work], *, strict: bool) -> int:
    """One after the other; the exit code."""
    code = 0
    for work in works:
        if (take := _finished(work)) is not None:
            terminal.say(f"[bold]{terminal.escape(work.output)}[/] is finished, and kept: {ending_of(take.info)}")
            earlier.tidy(work.checkpoint)
            own = 0
        else:
            take, own = _run_one(work)
        if take is None:
            return own
        code = max(code, own, int(strict and not take.info.done))
    return code


def partial_of(output: Path) -> Path:
    """The folder beside a take in which its search is kept until it is done."""
    folder = output.absolute()
    return folder.with_name(f"{folder.name}.partial")


def _finished(work: Work) -> Take | None:
    """The take that an earlier run of the same search left, where it is to be kept."""
    return earlier.finished(work.output, work.plan, work.method, work.smooth) if work.resume else None


def _run_one(work: Work) -> tuple[Take | None, int]:
    """The take, None where the search was stopped, and the exit code."""
    from reenact.execute.session import ClusterError
    from reenact.physics.audit import audit_take
    from reenact.view.report import write_report

    run = work.open()  # before anything is written: a cluster may not be there
    checkpoint = work.checkpoint
    earlier.clear_for(checkpoint, resume=work.resume)
    run.page.remove()
    try:
        with terminal.progress("searching") as advance:
            take = run.find(advance)
            advance(SEARCHING, "writing the report")
            run.page.found(work.output / "report.html")
            take = _written(take, work)
    except KeyboardInterrupt:
        try:
            return None, _stopped(work, run)  # before all else: who is impatient presses again
        finally:
            run.page.stopped()
    except ClusterError as error:
        run.page.stopped()
        if kept := _kept(checkpoint):
            raise ClusterError(f"{error}; {kept}") from error
        raise
    run.page.remove()
    checkpoint.remove()
    verdict = audit_take(work.output)
    write_report(work.output, audit=verdict)  # the page says so, too
    _summary(take, work)
    terminal.say(
        "Audit: [green]honest[/], moved by joint torques and contacts alone."
        if verdict.honest
        else f"Audit: [red]not honest[/]: {terminal.escape('; '.join(verdict.faults))}"
    )
    return take, 0 if verdict.honest else 1


def _written(take: Take, work: Work) -> Take:
    """The take as it is on disk, its report and copy for the eye beside it."""
    from reenact.cli.smoothed_copy import marked, write_smoothed
    from reenact.formats.take import write_take
    from reenact.view.report import report_html

    take = marked(take, work.smooth)
    observed = None
    if work.seen is not None:
        take = work.seen.judged(take)
        observed = work.seen.observed(take)
    page = report_html(take, name=work.output.resolve().name, observed=observed)
    write_take(work.output, take, report_html=page, observed=observed)
    write_smoothed(take, work.output, work.smooth)
    return take


def _stopped(work: Work, run: Run) -> int:
    """Keep what there is, and say where."""
    take = run.so_far()
    kept = _kept(work.checkpoint)
    if take is None and not kept:
        raise KeyboardInterrupt
    if take is not None and kept and earlier.whole(work.output):
        shown = shlex.quote(str(work.output))
        earlier.note(f"stopped; the finished take in {shown} stays as it was, and {kept}")
    elif take is not None:
        _written(take, work)
        error = take.info.metrics["joint_error_cm"]
        earlier.note(
            f"stopped; the best so far is in {shlex.quote(str(work.output))}, joints {error:.1f} cm off over "
            f"{take.seconds:.2f} s: the same command with --resume goes on"
        )
    else:
        earlier.note(f"stopped; {kept}")
    return STOPPED


def _kept(checkpoint: Kept) -> str:
    """Where a search that has ended too soon is, and what to do; empty where nothing was found."""
    if checkpoint.left() is None:
        return ""
    folder = shlex.quote(str(checkpoint.folder))
    return f"what was found is kept in {folder}: the same command with --resume goes on"


def _summary(take: Take, work: Work) -> None:
    from reenact.formats.take import SMOOTHED, SMOOTHED_HZ

    info = take.info
    terminal.say(
        f"[bold]{terminal.escape(work.output)}[/]: {take.seconds:.2f} s of {terminal.escape(info.input.name)} on "
        f"{terminal.escape(info.body)} in {terminal.escape(info.world)}, {ending_of(info)}"
    )
    terminal.say(work.figures(take))
    if work.seen is not None:
        from reenact.cli.by_video_say import say_explained

        say_explained(work.seen.explained(take), work.output, work.seen.start)
    if SMOOTHED_HZ in info.metrics:
        terminal.say(f"{SMOOTHED} is a copy for the eye, filtered and so no longer simulated.")
