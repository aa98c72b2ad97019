"""A walker beside people: the same shoves per kilogram at the same moments of a step, and the detours of both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from reenact.control.pushing.shove import Recovery, Shove
from reenact.formats.pushed_trials import PushedTrial
from reenact.geometry.rotation import Array
from reenact.measure import wilson

WIDTH: Final = 0.1  # of a bin of impulse per mass [N·s/kg]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Trials of about the same impulse per mass."""

    low: float  # [N·s/kg]
    high: float
    trials: tuple[PushedTrial, ...]
    recoveries: tuple[Recovery, ...] = ()  # of the walker, one for each trial where it was shoved

    @property
    def people(self) -> Array:
        """Quartiles of the people's detours (3,) [m]."""
        return quartiles([trial.detour for trial in self.trials])

    @property
    def walker(self) -> Array:
        """Quartiles of the walker's detours where it stayed up (3,) [m]; NaN where it never did."""
        return quartiles([recovery.detour for recovery in self.recoveries if recovery.upright])

    @property
    def upright(self) -> int:
        """How often the walker stayed up."""
        return sum(recovery.upright for recovery in self.recoveries)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the rate at which it does."""
        return wilson(self.upright, len(self.recoveries))


def shove_like(trial: PushedTrial, mass: float) -> Shove:
    """What a person got, for a walker of `mass` [kg], in its left stance: the same impulse per mass and phase."""
    return Shove(
        impulse=trial.impulse_per_mass * mass,
        duration=trial.duration,
        phase=trial.phase,
        stance="left",
        origin="left" if trial.from_stance_side else "right",
    )


def bins_of(trials: Sequence[PushedTrial], recoveries: Sequence[Recovery] = ()) -> Iterator[Bin]:
    """Trials in bins of impulse per mass, lowest first, empty ones left out; recoveries: of each trial, or none."""
    number = np.floor(np.array([trial.impulse_per_mass for trial in trials]) / WIDTH + 1e-9).astype(int)
    for k in sorted(set(number.tolist())):
        own = [i for i, at in enumerate(number.tolist()) if at == k]
        yield Bin(
            low=k * WIDTH,
            high=(k + 1) * WIDTH,
            trials=tuple(trials[i] for i in own),
            recoveries=tuple(recoveries[i] for i in own) if recoveries else (),
        )


def quartiles(values: Sequence[float]) -> Array:
    """Lower quartile, median and upper quartile (3,); NaN of nothing."""
    return np.quantile(values, [0.25, 0.5, 0.75]) if len(values) else np.full(3, np.nan)
