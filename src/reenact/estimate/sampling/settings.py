"""Numbers that say how to search; one set of defaults serves every motion."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from reenact.errors import InputError
from reenact.estimate.sampling import offset, schedule, selection, windows
from reenact.estimate.sampling.cost import Weights

Effort = Literal["fast", "normal", "high"]
EFFORTS: dict[Effort, tuple[int, int]] = {"fast": (180, 60), "normal": (1400, 200), "high": (4000, 400)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How the sampler searches. Names in brackets are those of [L10]."""

    samples: int = 1400  # [nSample] candidates per sampling step, of all visits together
    save: int = 200  # [nSave] of them that live on, of all visits together
    seed: int = 0
    actuation: Literal["motor", "servo"] = "motor"
    alpha: float = 0.2  # of the motor, see `Track`
    torque_scale: float = 1.0
    step: float = schedule.STEP  # [s]
    semantic: bool = True  # sampling steps end at contact switches and limb extremes
    window_scale: float = 1.0
    window_floor: float = windows.FLOOR  # [rad]
    offset_gain: float = 1.0  # of the feed-forward offset; 0 leaves it out
    offset_limit: float = offset.LIMIT  # [rad]
    discard: float = selection.DISCARD
    spread: float = selection.SPREAD
    weights: Weights = field(default_factory=Weights)
    visits: int = 6  # to each sampling step; later ones know what it led to
    horizon: int = 12  # sampling steps in the window that slides over the motion
    lookahead: float = 0.3  # of what is expected to come, beside the cost, when samples are selected
    trust: float = 0.1  # price of departing from the guide by a window in each axis
    discount: float = 0.9  # of what comes one sampling step later
    narrowing: float = 0.8  # of the windows from visit to visit
    narrowest: int = 3  # visits after which they stay
    settled: float = 0.02  # share of the cost: where a sweep gains less, the next one is left out
    rewinds: int = 6  # times that a lost search may go back

    def __post_init__(self) -> None:
        """Refuse numbers with which nothing can be found."""
        if self.samples < 2 or not 1 <= self.save <= self.samples // 2:
            raise InputError(
                f"{self.samples} samples of which {self.save} are saved cannot work: "
                "at least 2 samples, and at most half of them saved"
            )
        if self.visits < 1 or self.horizon < self.visits:
            raise InputError(
                f"{self.visits} visits with a horizon of {self.horizon} steps cannot work: "
                "at least one visit, and a horizon of at least as many steps"
            )
        if self.window_scale <= 0.0 or self.window_floor <= 0.0:
            raise InputError(
                f"windows need a scale and a floor above 0, got {self.window_scale:g}, {self.window_floor:g}"
            )
        for name in ("lookahead", "trust", "discount", "narrowing", "settled", "rewinds"):
            if not getattr(self, name) >= 0:
                raise InputError(f"{name} is {getattr(self, name)!r}, expected a number ≥ 0")
        if self.seed < 0:
            raise InputError(f"seed is {self.seed}, expected a whole number from 0")
        if not 0.02 <= self.step <= 1.0:
            raise InputError(f"sampling step is {self.step:g} s, expected between 0.02 and 1")
        if not 0.0 <= self.discard < 1.0 or self.spread <= 0.0:
            raise InputError("discard must be at least 0 and below 1, spread above 0")

    @property
    def samples_each(self) -> int:
        """Candidates per visit to a sampling step."""
        return max(2, self.samples // self.visits)

    @property
    def saved_each(self) -> int:
        """How many of them live on."""
        return max(1, self.save // self.visits)

    def to_json(self) -> dict[str, Any]:
        """All numbers, as a take and a checkpoint record them."""
        return asdict(self)
