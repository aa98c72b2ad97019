"""The runs of one line of `reenact bench states`, summed up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from reenact.estimate.bench.run import Record
from reenact.estimate.bench.summed import Summed, of_line
from reenact.estimate.states.bench.lines import Compared, Elsewhere, Gait, Line, Pushed, Search, Shoved, Walk, What
from reenact.estimate.states.bench.runs import Refused

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
class Summary(Summed):
    """One line and the runs made of it."""

    line: Line
    refused: Refused | None = None

    @property
    def why(self) -> str:
        """Why there is no run, or why one failed, in words."""
        return self.failure if self.refused is None else self.refused.reason

    @property
    def clocked(self) -> Summed:
        """The runs whose wall time counts: those on as many cores as any of them had."""
        most = max(self.values("threads"), default=None)
        return replace(self, records=tuple(r for r in self.records if r.figure("threads") == most))

    @property
    def shown(self) -> Record | None:
        """The run to be looked at."""
        return self.middle(MAIN[type(self.line.what)])


def summaries_of(lines: Sequence[Line], records: Sequence[Record], refused: Sequence[Refused] = ()) -> list[Summary]:
    """One summary per line, in their order."""
    why = {one.line.key: one for one in refused}
    return [Summary(line=line, records=of_line(records, line.key), refused=why.get(line.key)) for line in lines]
