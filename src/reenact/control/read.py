"""Controllers from their readable description."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reenact.control.displaced import Displaced
from reenact.control.machine.machine import Machine
from reenact.control.ragdoll import Ragdoll
from reenact.control.track import Track
from reenact.errors import InputError
from reenact.physics.controller import Controller

_KINDS: dict[str, Callable[[dict[str, Any]], Controller]] = {
    "track": Track.from_json,
    "ragdoll": Ragdoll.from_json,
    "displaced": Displaced.from_json,
    "machine": Machine.from_json,
}


def controller_from_json(description: dict[str, Any]) -> Controller:
    """The controller that controller.json describes."""
    kind = description.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise InputError(f"controller kind is {kind!r}, expected one of: {', '.join(_KINDS)}")
    return _KINDS[kind](description)
