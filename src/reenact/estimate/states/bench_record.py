"""What a run of `reenact bench states` leaves: a take, figures, and a record of how it went."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reenact.formats.take import Take


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Done:
    """What a run came to, before it is written and audited."""

    take: Take
    success: bool
    reason: str = ""  # in words, where it is no success
    figures: dict[str, Any] = field(default_factory=dict)  # plain values; names carry their unit
    files: Mapping[str, str] = field(default_factory=dict)  # texts to keep beside the take, by name


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """How one run went."""

    part: str
    name: str
    seed: int
    plan: str  # sha256 of all that the run depends on but its code
    code: str  # sha256 of that
    versions: dict[str, str]
    status: str
    reason: str
    success: bool
    simulated: float = 0.0  # [s] that the take holds
    wall_seconds: float | None = None  # of computing
    core_seconds: float | None = None
    honest: bool | None = None  # the audit's verdict; None where there is no take
    faults: tuple[str, ...] = ()
    figures: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Of its line."""
        return f"{self.part}/{self.name}"

    def figure(self, name: str) -> float | None:
        """A number among the figures; None where it is not known."""
        value = self.figures.get(name)
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
