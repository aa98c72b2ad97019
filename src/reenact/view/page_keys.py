"""The keys of the browser page of takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import viser

KEYS: Final = (
    ("Play or pause", "space"),
    ("One frame back", "J"),
    ("One frame on", "L"),
    ("First frame", "home"),
    ("Last frame", "end"),
    ("Faster", "P"),
    ("Slower", "O"),
    ("Follow the body", "F"),
    ("Ghost of the reference", "G"),
    ("Target pose of a state machine", "T"),
    ("Balance vector of a state machine", "B"),
    ("Contact forces", "C"),
    ("Pressure on the body", "K"),
    ("Centres of mass and pressure", "M"),
    ("Next of video, body, mask, mismatch", "V"),
    ("Reset the view", "R"),
)


def add_keys(server: viser.ViserServer, actions: Sequence[Callable[[], None]]) -> None:
    """Give each key of KEYS, in order, what it does, and list them in a folder."""
    for (label, key), action in zip(KEYS, actions, strict=True):
        command = server.gui.add_command(label, hotkey=key)  # type: ignore[arg-type]
        command.on_trigger(partial(_ignoring_event, action))
    listed = "  \n".join(f"**{key}** {label.lower()}" for label, key in KEYS)
    with server.gui.add_folder("Keys", expand_by_default=False):
        server.gui.add_markdown(listed + "  \n**Ctrl+K** all commands")


def _ignoring_event(action: Callable[[], None], _: Any) -> None:
    action()
