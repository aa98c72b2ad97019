"""`reenact info`: what is in a file."""

from __future__ import annotations

import tyro

from reenact.cli import terminal
from reenact.cli.inputs import Reading


def info(
    clip: tyro.conf.Positional[str],
    /,
    *,
    reading: Reading = Reading(),  # noqa: B008  (frozen)
) -> None:
    """Say what is in a clip: joints, rate, length, units guessed, stature, problems found.

    Example: reenact info some.bvh

    Args:
        clip: A clip file or the name of a bundled sample.
    """
