"""Where in a body file the thing stands that a message names."""

from __future__ import annotations

import re
from typing import Final

from reenact.body.mirror import other_side

_LABEL: Final = re.compile(r"(segment|axis|shape|landmark) '([^']*)'(?=:)")
_FIELD: Final = re.compile(r"(?:^|: )(?:unknown field '(\w+)'|(\w+) (?:is|are|has|pair|names)\b)")
_REPEATED: Final = re.compile(r"(\w+) name '([^']*)' (?:stands twice|is taken)")


def line_of(text: str, cause: str) -> int | None:
    """Line of "segment 'head': shape 'skull': size has 1 numbers …" in the TOML text, None where it tells no place.

    Names narrow the search one after the other; the field is looked for before the next segment begins.
    """
    lines = text.splitlines()
    if repeated := _REPEATED.search(cause):
        return _last(lines, repeated[1], repeated[2])
    at: int | None = None
    for kind, name in _LABEL.findall(cause):
        found = _named(lines, kind, name, at or 0)
        if found is None:
            break
        at = found
    field = _FIELD.search(cause)
    within = _field(lines, field[1] or field[2], at) if field else None
    best = at if within is None else within
    return None if best is None else best + 1


def _named(lines: list[str], kind: str, name: str, start: int) -> int | None:
    """Index of the line that gives a table this name; a right segment may stand as its mirrored left one."""
    for spelt in (name, other_side(name)):
        key = rf"^\s*[\"']?{re.escape(spelt)}[\"']?\s*=" if kind == "landmark" else _name_is(spelt)
        found = next((i for i in range(start, len(lines)) if re.search(key, lines[i])), None)
        if found is not None:
            return found
    return None


def _last(lines: list[str], kind: str, name: str) -> int | None:
    """Number of the last line that gives this name to a table of the kind: the one too many."""
    key = _name_is(name, "joint" if kind == "joint" else "name")
    table = ""
    last = None
    for number, line in enumerate(lines, start=1):
        if header := re.match(r"\s*\[\[\s*(?:segment\.)?(\w+)\s*\]\]|\s*(axis|shape)\s*=\s*\[", line):
            table = header[1] or header[2]
        if re.search(key, line) and (kind == "joint" or kind == table):
            last = number
    return last


def _name_is(name: str, key: str = "name") -> str:
    return rf"\b{key}\s*=\s*[\"']{re.escape(name)}[\"']"


def _field(lines: list[str], key: str, at: int | None) -> int | None:
    """Index of the line with `key = …`: from a name's line on, or at the top of the file."""
    pattern = re.compile(rf"(?:^|[\s{{,]){re.escape(key)}\s*=")
    start = at or 0
    for i in range(start, len(lines)):
        if i > start and re.match(r"\s*\[\[\s*segment\s*\]\]", lines[i]):
            return None
        if pattern.search(lines[i]):
            return i
    return None
