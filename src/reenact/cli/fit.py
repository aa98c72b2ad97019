"""`reenact fit`: put a body on a recorded motion."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import tyro

from reenact.cli import terminal
from reenact.cli.inputs import Fitting, Reading


def fit(
    clip: tyro.conf.Positional[str],
    /,
    *,
    output: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="FILE.npz")] = None,
    reading: Reading = Reading(),  # noqa: B008  (frozen)
    fitting: Fitting = Fitting(),  # noqa: B008  (frozen)
) -> None:
    """Fit a body to a recorded motion; prints how far its joints are from the recorded ones, in cm.

    Example: reenact fit some.bvh -o some.npz

    Args:
        clip: A clip file or the name of a bundled sample.
        output: Where to keep the fitted motion; without it only the figures are printed.
    """
    from reenact.cli.inputs import fit_now
    from reenact.errors import InputError
    from reenact.formats.motion_npz import save_motion

    if output is not None and output.suffix != ".npz":
        raise InputError("a fitted motion is kept as .npz", path=output)
    motion = fit_now(clip, reading, fitting)
    report(motion)
    if output is not None:
        save_motion(output, motion)
        terminal.say(f"Written to [bold]{output}[/]. Next: reenact simulate {output} -o take/")
