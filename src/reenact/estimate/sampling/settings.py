"""Numbers that say how to search; one set of defaults serves every motion."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from reenact.errors import InputError
from reenact.estimate.sampling import offset, schedule, selection, windows
from reenact.estimate.sampling.cost import Weights

Effort = Literal["fast", "normal", "high"]
EFFORTS: dict[Effort, tuple[int, int]] = {"fast": (240, 40), "normal": (1400, 200), "high": (4000, 400)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How the sampler searches. Names in brackets are those of [L10]."""

    samples: int = 1400  # [nSample] candidates per sampling step, of all passes together
    save: int = 200  # [nSave] of them that live on, of all passes together
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
    steered: float = 0.0  # share of later passes' samples that correct others, see `steering.py`
    jitter: float = 0.3  # noise of those, in windows
    rewinds: int = 2  # times that a lost search may go back
    rewind_depth: int = 3  # sampling steps of the first return; later ones go farther
    widening: float = 1.3  # of the windows after a return
    passes: int = 4  # over the whole motion; later ones sample around what the one before found
    narrowing: float = 0.7  # of the windows from pass to pass

    def __post_init__(self) -> None:
        """Refuse numbers with which nothing can be found."""
        if self.samples < 2 or not 1 <= self.save <= self.samples // 2:
            raise InputError(
                f"{self.samples} samples of which {self.save} are saved cannot work: "
                "at least 2 samples, and at most half of them saved"
            )
        if self.passes < 1:
            raise InputError(f"passes is {self.passes}, expected at least 1")
        if not 0.0 <= self.steered < 1.0:
            raise InputError(f"steered is {self.steered:g}, expected at least 0 and below 1")
        if self.seed < 0:
            raise InputError(f"seed is {self.seed}, expected a whole number from 0")
        if not 0.02 <= self.step <= 1.0:
            raise InputError(f"sampling step is {self.step:g} s, expected between 0.02 and 1")
        if not 0.0 <= self.discard < 1.0 or self.spread <= 0.0:
            raise InputError("discard must be at least 0 and below 1, spread above 0")

    @property
    def samples_each(self) -> int:
        """Candidates per sampling step in each pass."""
        return max(2, self.samples // self.passes)

    @property
    def saved_each(self) -> int:
        """How many of them live on."""
        return max(1, self.save // self.passes)

    def to_json(self) -> dict[str, Any]:
        """All numbers, as a take and a checkpoint record them."""
        return asdict(self)
