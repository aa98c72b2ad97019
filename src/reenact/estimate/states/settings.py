"""Numbers that say how to search for a state machine; one set of defaults serves every motion."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a state machine is searched for."""

    seed: int = 0
    growth: int = 36  # frames by which the window grows
    reopened: tuple[int, ...] = (1, 2)  # last states that are improved together, each number tried
    rounds: int = 12
    whole_rounds: int = 10  # when all states are improved together
    samples: int = 64
    prior: float = 10.0  # price of numbers outside their priors, per unit
    share: float = 0.3  # of the standing hip's velocity that holds the root
