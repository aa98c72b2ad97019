"""Serve takes to a browser, on this machine alone unless told otherwise."""

from __future__ import annotations

import io
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reenact.errors import InputError, MissingExtraError
from reenact.measure import Progress

if TYPE_CHECKING:
    from reenact.view.page import Page
    from reenact.view.scene import Scene

LOOPBACK: Final = "127.0.0.1"
PORT: Final = 8080
PORTS_TRIED: Final = 20


def serve(
    takes: Sequence[Path | str | Scene],
    host: str = LOOPBACK,
    port: int = PORT,
    *,
    ready: Callable[[str], None] | None = None,
    until: threading.Event | None = None,
) -> None:
    """Show takes in the browser until interrupted or `until` is set.

    `ready` is called with the page's address once it answers: the next free port is used where `port` is taken.
    """
    with page_of(takes, host, port) as (_, address):
        if ready is not None:
            ready(address)
        (until or threading.Event()).wait()


def scenes_of(
    takes: Sequence[Path | str], videos: Sequence[Path] = (), *, progress: Progress | None = None
) -> list[Scene]:  # fmt: skip
    """Takes ready to be served; `videos` says where the videos of takes are that have moved."""
    from reenact.view.scene import scene_of

    def told(i: int) -> Progress | None:
        return None if progress is None else lambda done, what: progress((i + done) / len(takes), what)

    if videos and len(takes) != 1:
        raise InputError(f"--video goes with one take, got {len(takes)}")
    return [scene_of(take, videos=videos, progress=told(i)) for i, take in enumerate(takes)]


@contextmanager
def page_of(takes: Sequence[Path | str | Scene], host: str = LOOPBACK, port: int = PORT) -> Iterator[tuple[Page, str]]:
    """A running page and its address."""
    if not takes:
        raise InputError("no take given, expected one or more take folders")
    try:
        import viser
    except ImportError:
        raise MissingExtraError("view", "the browser page") from None
    from reenact.view.page import Page
    from reenact.view.scene import Scene, scene_of

    scenes = [take if isinstance(take, Scene) else scene_of(take) for take in takes]
    with _silence():
        server = viser.ViserServer(host=host, port=free_port(host, port), verbose=False)
    try:
        page = Page(server, scenes)
        try:
            yield page, f"http://{_reachable(host)}:{server.get_port()}"
        finally:
            page.close()
    finally:
        with _silence():
            server.stop()


@contextmanager
def _silence() -> Iterator[None]:
    """Keep viser's banner off the terminal; the caller is told the address."""
    with redirect_stdout(io.StringIO()):
        yield


def free_port(host: str, port: int) -> int:
    """The first port from `port` on that this machine can serve at `host`; 0 lets the system choose."""
    if not 0 <= port <= 65535:
        raise InputError(f"port {port} is not between 0 and 65535")
    try:
        family, *_ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError:
        raise InputError(f"host '{host}' is not known; use {LOOPBACK}, 0.0.0.0 or an address of this machine") from None
    last = min(port + PORTS_TRIED, 65536)
    for candidate in range(port, last):
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, candidate))
            except OSError as error:
                cause = error
                continue
            return candidate
    tried = f"ports {port} to {last - 1}"
    raise InputError(f"cannot serve at {host}, {tried}: {cause.strerror}; choose another with --port")


def _reachable(host: str) -> str:
    """What to type into a browser on this machine."""
    return {"0.0.0.0": LOOPBACK, "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
