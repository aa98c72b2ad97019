"""What a run of a bench of captures leaves: a take, figures, and a record of how it went."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reenact.formats.replace_file import replace_file
from reenact.formats.take import Take
from reenact.physics.audit import audit_take


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


def outcome_of(folder: Path, done: Done, spent: tuple[float, float]) -> dict[str, Any]:
    """What the record says of a run whose take is in the folder, after an audit; spent: seconds, of all cores too."""
    for name, text in done.files.items():
        replace_file(folder / name, text)
    verdict = audit_take(folder)
    return {
        "status": done.take.info.status,
        "reason": done.reason or done.take.info.reason,
        "success": done.success,
        "simulated": done.take.seconds,
        "wall_seconds": round(spent[0], 3),
        "core_seconds": round(spent[1], 3),
        "honest": verdict.honest,
        "faults": verdict.faults,
        "figures": done.figures,
    }
