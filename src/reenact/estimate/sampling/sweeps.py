"""The order in which sampling steps are visited: a window slides over the motion, and each step is visited often.

Every sweep goes through a window of consecutive steps; the next window begins a few steps later. So a step is first
reached when those before it have been visited several times, and it is visited again when it is known what it led to.
"""

from __future__ import annotations

from typing import NamedTuple


class Sweep(NamedTuple):
    """Sampling steps begin … end − 1."""

    begin: int
    end: int


def sweeps_of(steps: int, horizon: int, visits: int) -> tuple[Sweep, ...]:
    """Windows of `horizon` steps over a motion of `steps`, such that each step is visited about `visits` times."""
    stride = max(1, round(horizon / visits))
    sweeps = []
    end = stride
    while end - horizon < steps:
        sweeps.append(Sweep(max(0, end - horizon), min(steps, end)))
        end += stride
    return tuple(sweeps)
