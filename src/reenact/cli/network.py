"""`reenact network`: the weights of the pose network: fetch them, say whether they are there."""

from __future__ import annotations

import importlib.util
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from reenact.cli import terminal


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


def network(
    action: Annotated[Fetch, tyro.conf.subcommand("fetch", prefix_name=False)]
    | Annotated[Status, tyro.conf.subcommand("status", prefix_name=False)] = Status(),  # noqa: B008  (frozen)
) -> None:
    """Fetch the weights of the optional pose network for video, or say whether they are there.

    Example: reenact network fetch
    """
    match action:
        case Fetch():
            _fetch(action.wheel)
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
        terminal.say("To use them: " + terminal.escape("pip install 'reenact[network]'"))
