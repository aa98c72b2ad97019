"""Rows of numbers in text, parsed in bulk and strictly: a bad token is named with its line."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.formats.text_file import shown
from reenact.geometry.rotation import Array

LARGEST: Final = 1e9  # no length, angle, force or time of a human motion comes near; keeps arithmetic from overflow


def parse_number(token: str, *, what: str, path: Path, line: int, largest: float = LARGEST) -> float:
    """One finite number of magnitude at most `largest`."""
    try:
        value = float(token)
    except ValueError:
        raise InputError(f"{what}: got {shown(token)}, expected a number", path=path, line=line) from None
    if not abs(value) <= largest:
        raise InputError(f"{what}: got {shown(token)}, expected a number within ±{largest:g}", path=path, line=line)
    return value


def parse_count(token: str, *, what: str, path: Path, line: int) -> int:
    """A whole number ≥ 0, however large; "12.0" counts as 12."""
    value = parse_number(token, what=what, path=path, line=line, largest=1e300)
    if value < 0 or value != int(value):
        raise InputError(f"{what}: got {shown(token)}, expected a whole number from 0 up", path=path, line=line)
    return int(value)


def parse_rows(
    lines: Sequence[str],
    *,
    width: int,
    path: Path,
    first_line: int,
    separator: str | None = None,
    what: str = "frame",
    missing: bool = False,
    needed: int | None = None,
    largest: float = LARGEST,
) -> Array:
    """Numbers (rows, width) of the non-blank `lines`, the first of which is line `first_line` of the file.

    With `missing`, an empty field (between explicit separators) or "nan" gives NaN, except in the column `needed`;
    otherwise every value is finite.
    """
    values = array("d")
    counted: list[int] = []  # line of each row
    for number, text in enumerate(lines, start=first_line):
        tokens: list[str] | Iterable[str] = text.split(separator)
        if not text.strip():
            continue
        if missing:
            tokens = [token if token.strip() else "nan" for token in tokens]
        before = len(values)
        try:
            values.extend(map(float, tokens))
        except ValueError:
            _name_bad_token(tokens, what=f"{what} {len(counted) + 1}", path=path, line=number)
        if len(values) - before != width:
            raise InputError(
                f"{what} {len(counted) + 1} has {len(values) - before} numbers, expected {width}",
                path=path,
                line=number,
            )
        counted.append(number)
    table = np.frombuffer(values, dtype=float).reshape(len(counted), width) if counted else np.empty((0, width))
    fine = np.abs(table) <= largest
    if missing:
        fine |= np.isnan(table) & (np.arange(width) != needed)
    _refuse_absurd(table, fine, counted, what=what, path=path, largest=largest)
    return table


def _name_bad_token(tokens: Iterable[str], *, what: str, path: Path, line: int) -> None:
    for column, token in enumerate(tokens, start=1):
        try:
            float(token)
        except ValueError:
            raise InputError(
                f"{what}, column {column}: got {shown(token)}, expected a number", path=path, line=line
            ) from None


def _refuse_absurd(
    table: Array, fine: NDArray[np.bool_], counted: Sequence[int], *, what: str, path: Path, largest: float
) -> None:
    if not fine.all():
        row, column = (int(i) for i in np.argwhere(~fine)[0])
        raise InputError(
            f"{what} {row + 1}, column {column + 1}: got {table[row, column]:g}, expected a number within ±{largest:g}",
            path=path,
            line=counted[row],
        )
