"""The runs of one line of a bench, summed up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reenact.estimate.bench.page import median_of
from reenact.estimate.bench.run import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Summed:
    """Runs that were made of one thing."""

    records: tuple[Record, ...] = ()

    @property
    def successes(self) -> int:
        """Runs that did what they should."""
        return sum(record.success for record in self.records)

    @property
    def honest(self) -> bool:
        """Whether every take passed its audit."""
        return all(record.honest is not False for record in self.records)

    @property
    def audit(self) -> str:
        """How many takes passed, in words; empty where there is none."""
        checked = [record for record in self.records if record.honest is not None]
        passed = sum(record.honest is True for record in checked)
        return f"{passed} of {len(checked)}{'' if self.honest else ' FAILED'}" if checked else ""

    @property
    def faults(self) -> list[str]:
        """What audits found."""
        return sorted({fault for record in self.records for fault in record.faults})

    @property
    def failure(self) -> str:
        """Why a run was no success, in words."""
        return next((record.reason for record in self.records if record.reason and not record.success), "")

    def values(self, name: str) -> list[float]:
        """A figure of all runs that know it, by seed."""
        return [value for record in self.records if (value := record.figure(name)) is not None]

    def median(self, name: str) -> float | None:
        """Its median."""
        return median_of(self.values(name))

    def text(self, name: str, digits: int = 1) -> str:
        """Its median, with the least and the greatest where there are several."""
        values = self.values(name)
        middle = median_of(values)
        if middle is None:
            return ""
        ends = f" ({min(values):.{digits}f}–{max(values):.{digits}f})" if len(values) > 1 else ""
        return f"{middle:.{digits}f}{ends}"

    def spread(self, name: str, unit: str) -> str:
        """A unit with how many seeds the value is the median of, and their range."""
        values = self.values(name)
        if len(values) < 2:
            return f"{unit}, one seed"
        return f"{unit}, median of {len(values)} seeds, {min(values):.1f}–{max(values):.1f}"

    def middle(self, name: str) -> Record | None:
        """The run to be looked at: the middle one of the successful ones by a figure, or of all where none was."""
        with_take = [record for record in self.records if record.honest is not None]
        chosen = [record for record in with_take if record.success] or with_take
        ordered = sorted(chosen, key=lambda record: (record.figure(name) or 0.0, record.seed))
        return ordered[(len(ordered) - 1) // 2] if ordered else None


def of_line(records: Sequence[Record], key: str) -> tuple[Record, ...]:
    """Those of one line, by seed."""
    return tuple(sorted((record for record in records if record.key == key), key=lambda record: record.seed))
