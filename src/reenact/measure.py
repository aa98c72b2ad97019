"""One line of a benchmark table, the same for every bench, on the terminal and in JSON; and how sure a rate is."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

Progress = Callable[[float, str], None]  # fraction done 0 … 1, and what is being done
Z95: Final = 1.959964  # of the normal distribution, 95 % two-sided


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A measured figure beside its goal and its peer's figure."""

    name: str  # stable and dotted: "loop.closed_ratio"
    value: float | bool | str
    unit: str
    goal: str = ""  # in words: "≥ 0.90"
    holds: bool | None = None  # None: no goal was set
    peer: str = ""  # published or measured figure to compare with, and its source


def wilson(successes: int, runs: int, z: float = Z95) -> tuple[float, float]:
    """Wilson's score interval of a success rate, 0 … 1; runs may be few and rates 0 or 1 (E. B. Wilson 1927)."""
    if not 0 <= successes <= runs:
        raise ValueError(f"{successes} successes of {runs} runs")
    if runs == 0:
        return 0.0, 1.0
    rate, square = successes / runs, z * z
    middle = (rate + square / (2 * runs)) / (1 + square / runs)
    half = z * math.sqrt(rate * (1 - rate) / runs + square / (4 * runs * runs)) / (1 + square / runs)
    return min(rate, max(0.0, middle - half)), max(rate, min(1.0, middle + half))  # rounding
