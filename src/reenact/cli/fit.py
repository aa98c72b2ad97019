"""`reenact fit`: put a body on a recorded motion."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from reenact.cli import terminal
from reenact.cli.inputs import FITTED, Fitting, Reading
from reenact.errors import InputError

if TYPE_CHECKING:
    from reenact.motion.motion import Motion


def fit(
    clip: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="CLIP")],
    /,
    *,
    output: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="FILE.npz", help_behavior_hint="")] = None,
    reading: Reading = Reading(),  # noqa: B008  (frozen)
    fitting: Fitting = Fitting(),  # noqa: B008  (frozen)
) -> None:
    """Fit a body to a recorded motion; prints how far its joints are from the recorded ones, in cm.

    Example: reenact fit some.bvh -o some.npz

    Args:
        clip: A clip file or the name of a bundled sample.
        output: Where to keep the fitted motion; without it only the figures are printed.
    """
    if output is not None and output.suffix != FITTED:
        raise InputError(f"a fitted motion is kept as {FITTED}", path=output)
    from reenact.cli.inputs import fit_now

    motion = fit_now(clip, reading, fitting)
    if output is not None:  # before anything is said: whoever reads along may stop reading
        from reenact.formats.motion_npz import save_motion

        output.parent.mkdir(parents=True, exist_ok=True)
        save_motion(output, motion)
    describe(motion)
    if output is not None:
        path = terminal.escape(shlex.quote(str(output)))
        terminal.say(f"Written to [bold]{path}[/]. Next: reenact simulate {path} -o take/")


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
