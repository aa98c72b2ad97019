"""A search kept on disk: where, what is known of it before it is gone on with, and how often it is saved."""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import msgspec

from reenact.errors import InputError
from reenact.estimate.spent import Spent

STATE: Final = "state.json"
METHODS: Final = {"reenact-search": "sampling", "reenact-states": "states"}  # by the format that a state says it has
EVERY: Final = 1.0  # [s] between saves at least
SHARE: Final = 0.02  # of the time that goes by, at most, is spent on saving

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What a folder holds of an earlier search."""

    spent: Spent
    hindrance: str  # why it cannot be gone on with, in words; empty where it can


class Kept(Protocol):
    """A folder that follows a search."""

    @property
    def folder(self) -> Path:
        """Where it is kept."""

    def left(self) -> Left | None:
        """What is there to go on with, None where there is nothing."""

    def remove(self) -> None:
        """Clear the folder of what a search puts there; other files stay."""


class Pace:
    """Saves where it is time to; what a kill then costs is a second's work, or fifty saves' time on a slow disk."""

    def __init__(self) -> None:
        self._due = -math.inf

    def save(self, now: Callable[[], None]) -> None:
        """Call `now` where that is due."""
        begun = time.monotonic()
        if begun < self._due:
            return
        now()
        ended = time.monotonic()
        self._due = ended + max(EVERY, (ended - begun) / SHARE)


def read_state(folder: Path, form: str, kind: type[T]) -> T | None:
    """What a folder's state.json says in the format `form`, None where there is none."""
    path = folder / STATE
    if not path.exists():
        return None
    try:
        content = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(f"not the state of a search: {error}", path=path) from None
    found = content.get("format")
    if found != form:
        other = METHODS.get(found) if isinstance(found, str) else None
        here = METHODS[form]
        raise InputError(
            f"format is {found!r}, expected {form!r}"
            if other is None
            else f"holds a search by {other}, this one is by {here}: resume with --method {other}",
            path=path,
        )
    try:
        return msgspec.convert(content, kind)
    except msgspec.ValidationError as error:
        raise InputError(f"not the state of a search: {error}", path=path) from None


def clear(folder: Path) -> None:
    """Remove what a search of any method puts into a folder, and the folder where nothing else is in it."""
    for path in [folder / STATE, *folder.glob("part-*.npz")]:
        path.unlink(missing_ok=True)
    if folder.is_dir() and not any(folder.iterdir()):
        shutil.rmtree(folder)
