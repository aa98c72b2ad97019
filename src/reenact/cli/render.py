"""`reenact render`: a take as a movie or a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import tyro

from reenact.cli import terminal


def render(
    take: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="TAKE")],
    /,
    *,
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE.mp4|gif|png")],
    size: Annotated[tuple[int, int] | None, tyro.conf.arg(metavar="WIDTH HEIGHT", help_behavior_hint="")] = None,
    camera: Literal["side", "front", "three-quarter", "back"] = "three-quarter",
    ghost: Annotated[bool, tyro.conf.arg(help_behavior_hint="")] = False,
    target: Annotated[bool, tyro.conf.arg(help_behavior_hint="")] = False,
    speed: float = 1.0,
    fps: Annotated[float | None, tyro.conf.arg(metavar="FPS", help_behavior_hint="")] = None,
    poses: int = 6,
) -> None:
    """Render a take to an mp4 or gif movie or a png strip of poses; needs no screen.

    A state machine's present state stands below the body.

    Example: reenact render take/ -o walk.mp4

    Args:
        take: A take folder.
        output: The file to write; its ending chooses the kind.
        size: Width and height in pixels.
        camera: From where the body is seen.
        ghost: Also draw the reference.
        target: Also draw the pose that a state machine aims at, and its balance vector.
        speed: Below 1 is slow motion.
        fps: Frames per second of a movie.
        poses: Number of poses in a png strip.
    """
    from reenact.formats.take import require_take
    from reenact.view.film import Shot
    from reenact.view.render import render_take

    require_take(take)
    output.parent.mkdir(parents=True, exist_ok=True)
    shot = Shot(camera=camera, ghost=ghost, target=target)
    with terminal.progress(f"rendering {output.name}") as advance:
        render_take(take, output, size=size, fps=fps, speed=speed, poses=poses, shot=shot, progress=advance)
    terminal.say(f"Written to [bold]{terminal.escape(output)}[/].")
