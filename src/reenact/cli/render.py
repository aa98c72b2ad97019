"""`reenact render`: a take as a movie or a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import tyro

from reenact.cli import terminal
from reenact.errors import InputError


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
    overlay: Annotated[bool, tyro.conf.arg(help_behavior_hint="")] = False,
    mask: Annotated[bool, tyro.conf.arg(help_behavior_hint="")] = False,
    video: Annotated[
        tyro.conf.UseAppendAction[tuple[Path, ...]], tyro.conf.arg(metavar="FILE", help_behavior_hint="")
    ] = (),
) -> None:
    """Render a take to an mp4 or gif movie or a png strip of poses; needs no screen.

    A state machine's present state stands below the body. With --overlay, the simulated body is drawn over the video
    that the take was made from, at the video's own size and times; of several videos a file each.

    Example: reenact render take/ -o walk.mp4

    Example: reenact render take/ --overlay -o overlay.mp4

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
        overlay: Draw the body over the video that the take was made from.
        mask: With --overlay, also draw the outline of what was cut out of the video.
        video: With --overlay, where the video is now, if it has moved; once for each video.
    """
    if overlay:
        if size is not None or target or camera != "three-quarter":
            raise InputError("--size, --camera and --target do not go with --overlay, which shows the video as it is")
        _overlay(take, output, video, mask, ghost, speed, fps, poses)
        return
    if mask or video:
        raise InputError("--mask and --video go with --overlay")
    from reenact.formats.take import require_take
    from reenact.view.film import Shot
    from reenact.view.render import render_take

    require_take(take)
    output.parent.mkdir(parents=True, exist_ok=True)
    shot = Shot(camera=camera, ghost=ghost, target=target)
    with terminal.progress(f"rendering {output.name}") as advance:
        render_take(take, output, size=size, fps=fps, speed=speed, poses=poses, shot=shot, progress=advance)
    terminal.say(f"Written to [bold]{terminal.escape(output)}[/].")


def _overlay(
    take: Path, output: Path, videos: tuple[Path, ...], mask: bool, ghost: bool, speed: float, fps: float | None,
    poses: int,
) -> None:  # fmt: skip
    from reenact.formats.take import require_take
    from reenact.view.overlay_frame import OverlayStyle
    from reenact.view.overlay_movie import render_overlay

    require_take(take)
    output.parent.mkdir(parents=True, exist_ok=True)
    style = OverlayStyle(mask=mask, ghost=ghost)
    with terminal.progress(f"drawing over {take.name}") as advance:
        written = render_overlay(
            take, output, videos=videos, style=style, speed=speed, fps=fps, poses=poses, progress=advance
        )
    names = ", ".join(f"[bold]{terminal.escape(path)}[/]" for path in written)
    terminal.say(f"Written to {names}.")
