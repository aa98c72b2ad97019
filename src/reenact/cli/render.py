"""`reenact render`: a take as a movie or a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import tyro

from reenact.cli import terminal


def render(
    take: tyro.conf.Positional[Path],
    /,
    *,
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE.mp4|gif|png")],
    size: tuple[int, int] = (1280, 720),
) -> None:
    """Render a take to an mp4 or gif movie or a png strip of poses; needs no screen.

    Example: reenact render take/ -o walk.mp4

    Args:
        take: A take folder.
        output: The file to write; its ending chooses the kind.
        size: Width and height in pixels.
    """
    from reenact.view.render import render_take

    with terminal.progress(f"rendering {output.name}") as advance:
        render_take(take, output, size=size, progress=advance)
    terminal.say(f"Written to [bold]{output}[/].")
