"""`reenact view`: takes in the browser."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import tyro

from reenact.cli import terminal


def view(
    takes: Annotated[tyro.conf.Positional[tuple[Path, ...]], tyro.conf.arg(metavar="TAKE …")],
    /,
    *,
    host: str = "127.0.0.1",
    port: int = 8080,
    video: Annotated[
        tyro.conf.UseAppendAction[tuple[Path, ...]], tyro.conf.arg(metavar="FILE", help_behavior_hint="")
    ] = (),
) -> None:
    """Play takes in the browser: scrub, step, follow, ghost of the reference, forces, plots; several side by side.

    A take from video shows the video too, with the simulated body over it.

    Example: reenact view take/

    Args:
        takes: One or more take folders.
        host: Address to serve on; other machines can connect only where this is not the loopback address.
        port: Port to serve on; the next free one where it is taken.
        video: Where the video of a take is now, if it has moved; once for each video.
    """
    from reenact.formats.take import require_take
    from reenact.view.serve import scenes_of, serve

    for take in takes:
        require_take(take)
    with suppress(KeyboardInterrupt):  # the way to end it
        with terminal.progress("reading") as advance:
            scenes = scenes_of(takes, video, progress=advance)
        serve(scenes, host, port, ready=_announce)


def _announce(address: str) -> None:
    terminal.say(f"Open [bold]{terminal.escape(address)}[/] in a browser; Ctrl-C ends.")
