"""`reenact network`: the pose network's weights, whether they are there and how to get them; and what it sees."""

from __future__ import annotations

import importlib.util
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from reenact.cli import terminal
from reenact.errors import InputError, install


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetch:
    """Fetch the weights of the pose network (about 9 MB, out of a 36 MB wheel) into the user's cache.

    They are two files of the package mediapipe 0.10.21 (Apache licence 2.0). Its wheel is downloaded with pip from the
    package index that pip is set to, read, and thrown away; nothing is installed.

    Example: reenact network fetch
    """

    wheel: Annotated[Path | None, tyro.conf.arg(metavar="FILE.whl", help_behavior_hint="")] = None
    """Take the weights from this wheel instead of downloading one, e.g. on a machine that is offline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Say whether the extra is installed and the weights are there.

    Example: reenact network status
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Write what the network sees of a person in a video: 33 landmarks a frame, in pixels and in space, as .npz.

    Example: reenact network keypoints walk.mp4 -o keypoints.npz
    """

    video: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="VIDEO")]
    """A video file."""
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE.npz")] = Path("keypoints.npz")
    """The file to write."""
    begin: Annotated[float | None, tyro.conf.arg(name="from", metavar="SECONDS", help_behavior_hint="")] = None
    """Use the video from this time on."""
    end: Annotated[float | None, tyro.conf.arg(name="to", metavar="SECONDS", help_behavior_hint="")] = None
    """Use the video up to this time."""
    person: Annotated[str | None, tyro.conf.arg(metavar="X,Y[,SECONDS]", help_behavior_hint="")] = None
    """A point on the person meant, as shares of the picture's width and height, and when."""
    size: Annotated[int, tyro.conf.arg(metavar="PIXELS")] = 960
    """Show the network pictures of this many pixels of the longer side at most."""


def network(
    action: Annotated[Fetch, tyro.conf.subcommand("fetch", prefix_name=False)]
    | Annotated[Seen, tyro.conf.subcommand("keypoints", prefix_name=False)]
    | Annotated[Status, tyro.conf.subcommand("status", prefix_name=False)] = Status(),  # noqa: B008  (frozen)
) -> None:
    """Fetch the weights of the optional pose network for video, say whether they are there, or write what it sees.

    Example: reenact network fetch
    """
    match action:
        case Fetch():
            _fetch(action.wheel)
        case Seen():
            _see(action)
        case Status():
            _status()


def _fetch(wheel: Path | None) -> None:
    from reenact.observe.network.weights import PACKAGE, VERSION, fetch, weights_folder

    with terminal.progress("fetching the network's weights") as advance:
        advance(0.0, f"downloading {PACKAGE} {VERSION}" if wheel is None else f"reading {wheel.name}")
        written = fetch(wheel)
    folder = terminal.escape(shlex.quote(str(weights_folder())))
    if not written:
        terminal.say(f"The weights are in [bold]{folder}[/] already.")
        return
    names = " and ".join(path.name for path in written)
    terminal.say(f"{names} written to [bold]{folder}[/].")
    _extra()


def _see(asked: Seen) -> None:
    from reenact.cli.silhouettes import hint_of
    from reenact.observe.network.keypoint_file import save_keypoints
    from reenact.observe.network.look import keypoints_of
    from reenact.observe.watch import Asked

    if asked.output.suffix != ".npz":
        raise InputError(f"expected a name that ends in .npz, not '{asked.output.suffix}'", path=asked.output)
    wanted = Asked(begin=asked.begin, end=asked.end, hint=hint_of(asked.person), long_side=asked.size)
    with terminal.progress(f"looking at {asked.video.name}") as advance:
        found = keypoints_of(asked.video, wanted, progress=advance)
        save_keypoints(asked.output, found)
    terminal.say(f"{found.name}: the person is seen in {int(found.seen.sum())} of {found.frames} frames")
    for remark in found.remarks:
        terminal.say(f"[yellow]warning[/]: {terminal.escape(remark)}")
    terminal.say(f"Written to [bold]{terminal.escape(shlex.quote(str(asked.output)))}[/].")


def _status() -> None:
    from reenact.observe.network.weights import ALL, missing, weights_folder

    absent = missing()
    for each in ALL:
        path = terminal.escape(str(weights_folder() / each.name))
        terminal.say(f"[red]missing[/] {path}" if each in absent else f"[green]ok[/] {path}")
    if absent:
        terminal.say("`reenact network fetch` fetches what is missing.")
    _extra()


def _extra() -> None:
    """Say so where the weights cannot be used yet."""
    if importlib.util.find_spec("ai_edge_litert") is None:
        terminal.say("To use them: " + terminal.escape(install("network")))
