"""What a single value of a world may be: each check names the key, what was got and what was expected."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Sequence

from reenact.errors import WorldError


class BadValueError(WorldError):
    """One value of one table that cannot be used; the reader adds the file, the table and the line."""

    def __init__(self, key: str, got: object, expected: str) -> None:
        super().__init__(f"{key} = {_shown(got)}, expected {expected}")
        self.key = key


def within(key: str, value: float, low: float, high: float, unit: str = "") -> None:
    """Refuse a number outside low … high or not finite."""
    if not (math.isfinite(value) and low <= value <= high):
        raise BadValueError(key, value, f"{low:g} to {high:g}{' ' + unit if unit else ''}")


def above_zero(key: str, value: float, high: float, unit: str = "") -> None:
    """Refuse a number that is not finite, not above zero, or above `high`."""
    if not (math.isfinite(value) and 0.0 < value <= high):
        raise BadValueError(key, value, f"more than 0 and at most {high:g}{' ' + unit if unit else ''}")


def all_above_zero(key: str, values: Sequence[float], high: float, unit: str = "") -> None:
    """Refuse a list in which any number is not finite, not above zero, or above `high`."""
    if not all(math.isfinite(v) and 0.0 < v <= high for v in values):
        raise BadValueError(key, list(values), f"each more than 0 and at most {high:g}{' ' + unit if unit else ''}")


def finite_point(key: str, values: Sequence[float], reach: float = 1000.0) -> None:
    """Refuse coordinates that are not finite or lie more than `reach` [m] from the origin."""
    if not all(math.isfinite(v) and abs(v) <= reach for v in values):
        raise BadValueError(key, list(values), f"coordinates within {reach:g} m of the origin")


def one_of(key: str, value: str, known: Iterable[str]) -> None:
    """Refuse a word that is not among `known`, and suggest the nearest."""
    names = list(known)
    if value not in names:
        raise BadValueError(key, value, f"one of: {', '.join(names)}{suggestion(value, names)}")


def suggestion(word: str, known: Iterable[str]) -> str:
    """'; did you mean …?' for the nearest known word, or nothing."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean '{near[0]}'?" if near else ""


def _shown(value: object) -> str:
    text = repr(value) if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."
