"""`reenact view`: takes in the browser."""

from __future__ import annotations

from pathlib import Path

import tyro

from reenact.cli import terminal


def view(
    takes: tyro.conf.Positional[tuple[Path, ...]],
    /,
    *,
    host: str = "127.0.0.1",
    port: int = 8080,
) -> None:
    """Play takes in the browser: scrub, step, follow, ghost of the reference, forces, plots; several side by side.

    Example: reenact view take/

    Args:
        takes: One or more take folders.
        host: Address to serve on; other machines can connect only where this is not the loopback address.
        port: Port to serve on.
    """
    from reenact.errors import InputError
    from reenact.view.serve import serve

    if not takes:
        raise InputError("no take given; `reenact simulate walk -o take/` makes one")
    terminal.say(f"Open [bold]http://{host}:{port}[/] in a browser; Ctrl-C ends.")
    serve(list(takes), host=host, port=port)
