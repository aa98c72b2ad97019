"""Worlds as TOML text: one table per entry, keys in plain words, every mistake named with its file, line and remedy."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from reenact.errors import WorldError
from reenact.world.parts import MOST_CELLS, Ground, HeightField
from reenact.world.values import BadValueError, suggestion
from reenact.world.world import ATTACHMENTS, NAME, PARTS, PUSHES, THINGS, World, kind_of

KINDS: Final[dict[str, type]] = {**PARTS, **ATTACHMENTS, **THINGS, **PUSHES}
SPELT: Final = {"origin": "from", "target": "to"}  # fields whose key in a file is another word
FIELDS: Final = {key: field for field, key in SPELT.items()}
TOP_KEYS: Final = ("name", "about", "ground", *KINDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where in a file an entry stands."""

    text: str
    path: Path | None
    table: str  # "ground" or a kind
    index: int | None  # among the tables of its kind; None for a single table

    def error(self, cause: str, key: str | None = None) -> WorldError:
        label = f"[{self.table}]" if self.index is None else f"[[{self.table}]] {self.index + 1}"
        return WorldError(f"{label}: {cause}", path=self.path, line=_line(self.text, self.table, self.index or 0, key))


def parse_world(text: str, path: Path | str | None = None) -> World:
    """A world from TOML text; `path` is named in messages and is where files it refers to are looked for."""
    path = None if path is None else Path(path)
    tables = _tables(text, path)
    for key in tables:
        if key not in TOP_KEYS:
            known = f"{', '.join(TOP_KEYS)}{suggestion(key, TOP_KEYS)}"
            raise WorldError(
                f"unknown table or key '{key}'; there are: {known}", path=path, line=_line(text, key, 0, None)
            )
    ground = tables.get("ground", {})
    if not isinstance(ground, dict):
        raise WorldError(f"ground must be a table [ground], got {type(ground).__name__}", path=path)
    entries = {kind: list(_entries(tables.get(kind, []), kind, text, path)) for kind in KINDS}
    label = {key: tables[key] for key in ("name", "about") if key in tables}
    if path is not None and "name" not in label and NAME.fullmatch(path.stem):
        label["name"] = path.stem
    for key, value in label.items():
        if not isinstance(value, str):
            raise WorldError(f"{key} = {value}, expected text in quotes", path=path, line=_line(text, key, 0, None))
    try:
        return World(
            **label,
            ground=_convert(ground, Ground, _Place(text=text, path=path, table="ground", index=None)),
            parts=tuple(entry for kind in PARTS for entry in entries[kind]),
            attachments=tuple(entry for kind in ATTACHMENTS for entry in entries[kind]),
            things=tuple(entry for kind in THINGS for entry in entries[kind]),
            pushes=tuple(entry for kind in PUSHES for entry in entries[kind]),
            source="" if path is None else str(path),
        )
    except WorldError as error:
        if error.path is not None or path is None:
            raise
        raise WorldError(error.cause, path=path, line=error.line) from None


def dump_world(world: World) -> str:
    """TOML text that parses to an equal world; values that equal their default are left out."""
    lines = [f"name = {_value(world.name)}"]
    if world.about:
        lines.append(f"about = {_value(world.about)}")
    ground = list(_keys(world.ground))
    if ground:
        lines += ["", "[ground]", *ground]
    for entry in (*world.parts, *world.attachments, *world.things, *world.pushes):
        lines += ["", f"[[{kind_of(entry)}]]", *_keys(entry)]
    return "\n".join(lines) + "\n"


def _tables(text: str, path: Path | None) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r" \(at line (\d+), column (\d+)\)$", str(error))
        cause = str(error)[: at.start()] + f" in column {at[2]}" if at else str(error)
        raise WorldError(f"not TOML: {cause}", path=path, line=int(at[1]) if at else None) from None
    except RecursionError:
        raise WorldError("not a world: values are nested too deeply", path=path) from None


def _entries(value: object, kind: str, text: str, path: Path | None) -> Iterator[Any]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise WorldError(
            f"'{kind}' must be written as a table [[{kind}]] with double brackets",
            path=path,
            line=_line(text, kind, 0, None),
        )
    for index, item in enumerate(value):
        place = _Place(text=text, path=path, table=kind, index=index)
        if kind == "heightfield" and "file" in item:
            item = _with_heights(item, place)
        yield _convert(item, KINDS[kind], place)


def _convert(item: dict[str, Any], cls: type, place: _Place) -> Any:
    known = [SPELT.get(f.name, f.name) for f in fields(cls)]
    for key in item:
        if key not in known:
            also = ["file"] if cls is HeightField else []
            raise place.error(f"unknown key '{key}'; there are: {', '.join(known + also)}{suggestion(key, known)}", key)
    try:
        return msgspec.convert({FIELDS.get(key, key): value for key, value in item.items()}, cls)
    except BadValueError as error:
        raise place.error(error.cause, error.key) from None
    except (msgspec.ValidationError, OverflowError) as error:
        raise _type_error(error, item, place) from None


def _type_error(error: Exception, item: dict[str, Any], place: _Place) -> WorldError:
    """What msgspec found wrong, in the file's own words."""
    cause, _, at = str(error).partition(" - at `$")
    missing = re.search(r"missing required field `(\w+)`", cause)
    if missing:
        return place.error(f"the key '{SPELT.get(missing[1], missing[1])}' is missing")
    field = re.match(r"\.(\w+)", at)
    if not field:
        return place.error(f"a value cannot be used: {cause}")
    key = SPELT.get(field[1], field[1])
    expected = re.search(r"Expected (.*?)(?:, got .*)?$", cause)
    wanted = expected[1].replace("`", "").replace(" | null", "") if expected else cause
    return place.error(f"{key} = {item.get(key)!r}, expected {wanted}", key)


def _with_heights(item: dict[str, Any], place: _Place) -> dict[str, Any]:
    """A height field's table with the heights of its .npy file in place of the file's name."""
    name = item["file"]
    if "heights" in item or not isinstance(name, str) or not name.endswith(".npy"):
        raise place.error(f"file = {name!r}, expected the name of a .npy file, and no 'heights' beside it", "file")
    file = (place.path.parent if place.path else Path()) / name
    try:
        stored = np.load(file, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise place.error(f"file = {name!r} cannot be read as an array: {error}", "file") from None
    if stored.ndim != 2 or stored.dtype.kind not in "iuf" or stored.size > MOST_CELLS:
        got = f"{stored.dtype} of shape {stored.shape}"
        raise place.error(f"file = {name!r} holds {got}, expected a table of at most {MOST_CELLS} numbers", "file")
    return {key: value for key, value in item.items() if key != "file"} | {"heights": stored.astype(float).tolist()}


def _line(text: str, table: str, index: int, key: str | None) -> int | None:
    """Line of a key in the index-th table of that name, or of its header; of a top-level key where there is none."""
    header = re.compile(rf"^\s*\[\[?\s*{re.escape(table)}\s*\]\]?")
    found, seen, inside = None, -1, False
    for number, line in enumerate(text.splitlines(), start=1):
        if header.match(line):
            seen += 1
            inside = seen == index
            found = number if inside else found
        elif re.match(r"^\s*\[", line) and not line.strip().endswith(","):
            inside = False
        elif inside and key is not None and re.match(rf"^\s*[\"']?{re.escape(key)}[\"']?\s*=", line):
            return number
        elif seen < 0 and found is None and re.match(rf"^\s*{re.escape(table)}\s*=", line):
            found = number
    return found


def _keys(entry: Any) -> Iterator[str]:
    for f in fields(entry):
        value = getattr(entry, f.name)
        if value is None or (f.default is not MISSING and value == f.default):
            continue
        yield f"{SPELT.get(f.name, f.name)} = {_value(value)}"


def _value(value: object) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, tuple):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    return repr(float(value)) if isinstance(value, float) else str(value)
