"""`reenact world`: where a body can move."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import tyro

from reenact.cli import terminal


def world(
    name: Annotated[tyro.conf.Positional[str | None], tyro.conf.arg(metavar="NAME|FILE.toml")] = None,
    /,
    *,
    output: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="FILE.toml")] = None,
) -> None:
    """List the bundled worlds, or show one as TOML that you can edit and give to --world.

    Example: reenact world ice -o my_ice.toml

    Args:
        name: A bundled world or a TOML file; without it, all are listed.
        output: Where to write the world; without it, it is printed.
    """
    from reenact.world.load import bundled_worlds, load_world
    from reenact.world.toml import dump_world

    if name is None:
        table = terminal.table("name", "what it is")
        for found in bundled_worlds():
            table.add_row(f"[bold]{found}[/]", terminal.escape(load_world(found).about))
        terminal.show(table)
        return
    text = dump_world(load_world(name))
    if output is None:
        terminal.plain(text)
        return
    from reenact.formats.replace_file import replace_file

    replace_file(output, text)
    path = terminal.escape(shlex.quote(str(output)))
    terminal.say(f"Written to [bold]{path}[/]. Next: reenact simulate walk --world {path} -o take/")
