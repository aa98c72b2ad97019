"""The runs of one line of `reenact bench states`, summed up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reenact.estimate.bench.page import median_of
from reenact.estimate.states.bench_lines import Compared, Elsewhere, Gait, Line, Pushed, Search, Shoved, Walk, What
from reenact.estimate.states.bench_record import Record
from reenact.estimate.states.bench_runs import Refused

# The figure by which runs of each kind are compared.
MAIN: Final[dict[type[What], str]] = {
    Search: "error_cm",
    Compared: "error_cm",
    Gait: "seconds_upright",
    Walk: "seconds_upright",
    Elsewhere: "sway",
    Pushed: "newtons",
    Shoved: "upright",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One line and the runs made of it."""

    line: Line
    records: tuple[Record, ...] = ()
    refused: Refused | None = None

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
        """How many takes passed, in words."""
        checked = [record for record in self.records if record.honest is not None]
        passed = sum(record.honest is True for record in checked)
        return f"{passed} of {len(checked)}{'' if self.honest else ' FAILED'}"

    @property
    def why(self) -> str:
        """Why there is no run, or why one failed, in words."""
        if self.refused is not None:
            return self.refused.reason
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

    @property
    def shown(self) -> Record | None:
        """The run to be looked at: the middle one of the successful ones, or of all where none was."""
        with_take = [record for record in self.records if record.honest is not None]
        chosen = [record for record in with_take if record.success] or with_take
        ordered = sorted(chosen, key=lambda record: (record.figure(MAIN[type(self.line.what)]) or 0.0, record.seed))
        return ordered[(len(ordered) - 1) // 2] if ordered else None


def summaries_of(lines: Sequence[Line], records: Sequence[Record], refused: Sequence[Refused] = ()) -> list[Summary]:
    """One summary per line, in their order."""
    why = {one.line.key: one for one in refused}
    return [
        Summary(
            line=line,
            records=tuple(sorted((r for r in records if r.key == line.key), key=lambda r: r.seed)),
            refused=why.get(line.key),
        )
        for line in lines
    ]
