"""The greatest force that passes: bisection at every phase from a bracket that grows, then a check of lower forces.

Survival need not fall off evenly with force. So a force counts only if it passed at every phase and no lower force
that was tried failed at any; some lower forces are tried for that alone, and where one fails, the search goes on there.

Forces are whole multiples of the resolution, here called rungs; rung 0 is no push.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping
from typing import Final

FIRST_GUESS: Final = 64.0  # [N]
LOWER: Final = ((1, 4), (1, 2), (3, 4), (7, 8))  # shares of a found rung that are tried too

Cell = tuple[int, int]  # rung and phase
Known = Mapping[Cell, bool]  # whether a cell passed


def climb(known: Known, phases: int, first: int, top: int) -> Generator[list[Cell], None, None]:
    """Yields cells to try, which are to be in `known` when it goes on; at its end `holds` gives the answer.

    first: the rung to begin with. top: the greatest rung that may be tried.
    """
    while True:
        yield from _bisect(known, phases, first, top)
        best = min(limits(known, phases))  # below every failure, but perhaps not yet tried at every phase
        ladder = sorted({best, *(best * a // b for a, b in LOWER)} - {0})
        wanted = [cell for rung in ladder for phase in range(phases) if (cell := (rung, phase)) not in known]
        if not wanted:
            return
        yield wanted


def holds(known: Known, phases: int) -> int:
    """The greatest rung that passed at every phase below every rung that failed at any; 0 where there is none."""
    failed = min((rung for (rung, _), passed in known.items() if not passed), default=math.inf)
    rungs = {rung for rung, _ in known if rung < failed}
    return max((r for r in rungs if all((r, phase) in known for phase in range(phases))), default=0)


def limits(known: Known, phases: int) -> list[int]:
    """At each phase alone, the greatest rung that passed below every rung that failed there."""
    found = []
    for phase in range(phases):
        own = {rung: passed for (rung, p), passed in known.items() if p == phase}
        failed = min((rung for rung, passed in own.items() if not passed), default=math.inf)
        found.append(max((rung for rung in own if rung < failed), default=0))
    return found


def expected_cells(phases: int, first: int) -> int:
    """About how many cells a climb tries."""
    return phases * (3 + math.ceil(math.log2(max(2, first))) + len(LOWER))


def _bisect(known: Known, phases: int, first: int, top: int) -> Generator[list[Cell], None, None]:
    """Find the limit of every phase by itself, all at the same time."""
    while True:
        rungs = [_next_rung(known, phase, low, first, top) for phase, low in enumerate(limits(known, phases))]
        wanted = [(rung, phase) for phase, rung in enumerate(rungs) if rung is not None]
        if not wanted:
            return
        yield wanted


def _next_rung(known: Known, phase: int, low: int, first: int, top: int) -> int | None:
    high = min((rung for (rung, p), passed in known.items() if p == phase and not passed), default=None)
    if high is not None:
        return (low + high) // 2 if high - low > 1 else None
    return min(top, max(first, 2 * low)) if low < top else None
