"""`reenact show`: a take's controller as text, and its graph as a picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import tyro

from reenact.cli import terminal
from reenact.cli.controller_file import ControllerFile, read_controller
from reenact.errors import InputError


def show(
    take: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="TAKE|controller.json")],
    /,
    *,
    svg: Annotated[Path | None, tyro.conf.arg(metavar="FILE.svg", help_behavior_hint="")] = None,
    body: Annotated[str | None, tyro.conf.arg(metavar="NAME|FILE", help_behavior_hint="")] = None,
    as_json: Annotated[bool, tyro.conf.arg(name="json", help_behavior_hint="")] = False,
) -> None:
    """Show a controller: its states and transitions, target poses by joint, gains and feedback.

    Other kinds of controllers are summed up in a few lines.

    Example: reenact show walk/ --svg walk.svg

    Args:
        take: A take folder or a controller file.
        svg: Draw the graph of states, each with its target pose, into this file.
        body: Who it is for, where the file lies in no take: a body by name or its file.
        as_json: Print a state machine's description, or what is told of another kind, as JSON instead.
    """
    from reenact.cli.show_machine import show_machine
    from reenact.control.machine.machine import Machine
    from reenact.control.summary import summary_of

    file = read_controller(take)
    if body is not None or (file.path.parent / "body.toml").is_file():
        file.for_body(file.body(body))  # or else it is refused
    if svg is not None:
        _draw(file, svg, body)
    if as_json:
        machine = isinstance(file.controller, Machine)
        told = file.controller.to_json() if machine else summary_of(file.controller)
        terminal.plain(json.dumps(told, indent=2, ensure_ascii=False))
        return
    if file.note:
        terminal.say(f"[yellow]{terminal.escape(file.note)}[/]")
    if isinstance(file.controller, Machine):
        show_machine(file.controller)
    else:
        for name, value in summary_of(file.controller).items():
            terminal.say(f"[bold]{name.replace('_', ' ')}[/]: {terminal.escape(value)}")
    if svg is not None:
        terminal.say(f"Written to [bold]{terminal.escape(svg)}[/].")


def _draw(file: ControllerFile, path: Path, body: str | None) -> None:
    from reenact.control.machine.machine import Machine
    from reenact.formats.replace_file import replace_file
    from reenact.view.graph import graph_svg
    from reenact.view.target_figures import figures_of

    if not isinstance(file.controller, Machine):
        raise InputError(
            f"only a state machine has a graph to draw, this controller is a '{file.kind}'", path=file.path
        )
    figures = figures_of(file.body(body), file.controller)
    replace_file(path, graph_svg(file.controller, figures))
