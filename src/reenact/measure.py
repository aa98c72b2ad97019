"""One line of a benchmark table, the same for every bench, on the terminal and in JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Progress = Callable[[float, str], None]  # fraction done 0 … 1, and what is being done


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A measured figure beside its goal and its peer's figure."""

    name: str  # stable and dotted: "loop.closed_ratio"
    value: float | bool | str
    unit: str
    goal: str = ""  # in words: "≥ 0.90"
    holds: bool | None = None  # None: no goal was set
    peer: str = ""  # published or measured figure to compare with, and its source
