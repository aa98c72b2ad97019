"""`reenact fit`: put a body on a recorded motion, or one body's motion on another body."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from reenact.cli import terminal
from reenact.cli.inputs import FITTED, Fitting, Reading
from reenact.errors import InputError

if TYPE_CHECKING:
    from reenact.motion.motion import Motion

MOVER = "human50"  # who a recording is fitted to where another body takes over the angles, as in [L10]


def fit(
    clip: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="CLIP|FITTED.npz")],
    /,
    *,
    by: Literal["position", "angles"] = "position",
    output: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="FILE.npz", help_behavior_hint="")] = None,
    reading: Reading = Reading(),  # noqa: B008  (frozen)
    fitting: Fitting = Fitting(),  # noqa: B008  (frozen)
) -> None:
    """Fit a body to a recorded motion; prints how far its joints are from the recorded ones, in cm.

    Example: reenact fit some.bvh -o some.npz

    Args:
        clip: A clip file, a bundled sample's name, or a motion fitted before, which --body puts on another body.
        by: What the body takes over: position of the joints, by inverse kinematics; or angles, those of joints of the
            same name of human50 or of the motion fitted before, with the root's path scaled by stature.
        output: Where to keep the fitted motion; without it only the figures are printed.
    """
    if output is not None and output.suffix != FITTED:
        raise InputError(f"a fitted motion is kept as {FITTED}", path=output)
    mover, motion = _fitted(clip, by, reading, fitting)
    if output is not None:  # before anything is said: whoever reads along may stop reading
        from reenact.formats.motion_npz import save_motion

        output.parent.mkdir(parents=True, exist_ok=True)
        save_motion(output, motion)
    if mover is None:
        describe(motion)
    else:
        if Path(clip).suffix != FITTED:
            describe(mover)
        _describe_taken_over(motion, mover)
    if output is not None:
        path = terminal.escape(shlex.quote(str(output)))
        command = "simulate" if mover is None else "capture"
        terminal.say(f"Written to [bold]{path}[/]. Next: reenact {command} {path} -o take/")


def _fitted(clip: str, by: str, reading: Reading, fitting: Fitting) -> tuple[Motion | None, Motion]:
    """Whose angles were taken over, if any were, and the motion to keep."""
    from reenact.cli.inputs import body_of, fit_now, motion_of

    before = Path(clip).suffix == FITTED
    if before and fitting.body is None:
        raise InputError("is fitted already: say with --body which other body is to do it", path=Path(clip))
    if by == "position":
        return None, motion_of(clip, reading, fitting) if before else fit_now(clip, reading, fitting)
    from reenact.motion.same_angles import with_same_angles

    body = body_of(fitting.body)
    if body is None:
        raise InputError("--by angles needs --body: who takes over the angles")
    if fitting.size == "person":
        raise InputError("--by angles keeps the body's own size, so --size person cannot be had with it")
    if before:
        mover = motion_of(clip, reading, replace(fitting, body=None))
    else:
        mover = fit_now(clip, reading, replace(fitting, body=MOVER))
    return mover, with_same_angles(mover, body)


def _describe_taken_over(motion: Motion, mover: Motion) -> None:
    terminal.say(
        f"[bold]{terminal.escape(motion.body.name)}[/], {motion.body.stature:.2f} m, takes over the joint angles of "
        f"{terminal.escape(mover.body.name)}; the root's path times {motion.body.stature / mover.body.stature:.2f}"
    )
    for note in motion.report.notes[1:]:  # the first one says what was just said
        if note not in mover.report.notes:
            terminal.say(f"[yellow]note[/]: {terminal.escape(note)}")


def describe(motion: Motion) -> None:
    """Say what was fitted and how well."""
    report = motion.report
    way = "scaled to the person" if report.scaled else "of its own size"
    touched = sorted({contact.segment for contact in motion.contacts})
    terminal.say(
        f"[bold]{terminal.escape(motion.name)}[/]: {motion.duration:.2f} s at {motion.rate:g} Hz on "
        f"{terminal.escape(motion.body.name)}, {way}: {report.stature:.2f} m, {report.mass:.1f} kg"
    )
    terminal.say(
        f"{report.measured}: [bold]{report.error_cm:.2f} cm[/] off on average, median {report.median_error_cm:.2f}, "
        f"greatest {report.greatest_error_cm:.1f}; {report.limit_violations} angles beyond their limits; "
        f"{report.penetration_after_mm:.1f} mm into the floor, {report.penetration_before_mm:.1f} before lifting"
    )
    terminal.say(f"touching the ground: {', '.join(touched) or 'nothing'} ({len(motion.contacts)} contacts)")
    for note in report.notes:
        terminal.say(f"[yellow]note[/]: {terminal.escape(note)}")
