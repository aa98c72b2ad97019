"""Records of runs, kept beside their takes: a bench that was stopped goes on where it was.

A run is known by its plan, everything that its result depends on but the code and the processor's last digits; the code
is noted beside it, so that a table of runs by several states of the code can say so.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol, TypeVar

import msgspec

from reenact.formats.replace_file import replace_file

RECORD: Final = "record.json"
_CODE: Final = ("geometry", "body", "motion", "world", "physics", "control", "priors", "estimate")


class Kept(Protocol):
    """A record, as a frozen dataclass of plain values."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def plan(self) -> str:
        """Hash of all that the run depends on but its code."""
        ...

    @property
    def code(self) -> str:
        """Hash of that."""
        ...


K = TypeVar("K", bound=Kept)


def read_record(folder: Path, plan: str, kind: type[K]) -> K | None:
    """The record of a finished run in a take's folder, if it was one of this plan."""
    try:
        record = msgspec.json.decode((folder / RECORD).read_bytes(), type=kind)
    except (FileNotFoundError, msgspec.DecodeError):
        return None
    return record if record.plan == plan else None


def write_record(folder: Path, record: Kept) -> None:
    """Keep a record beside its take."""
    replace_file(folder / RECORD, json.dumps(asdict(record), indent=2, ensure_ascii=False) + "\n")


def forget_record(folder: Path) -> None:
    """Before a run is made: what a stopped run leaves is no finished one."""
    (folder / RECORD).unlink(missing_ok=True)


def code_hash(*beside: str) -> str:
    """Hash of the source files that a search runs through, benches aside; `beside`: folders that count too."""
    return source_hash(*_CODE, *beside)


@cache
def source_hash(*folders: str) -> str:
    """Hash of the source files in some folders of the package, benches aside."""
    root = Path(__file__).parents[2]
    files = sorted(path for folder in folders for path in (root / folder).rglob("*.py"))
    total = hashlib.sha256()
    for path in files:
        name = path.relative_to(root).as_posix()
        if "bench" not in name:
            total.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()


def codes_of(records: Iterable[Kept]) -> int:
    """By how many states of the code the records were made."""
    return len({record.code for record in records})
