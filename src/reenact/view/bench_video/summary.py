"""The runs of one line of `reenact bench video`, summed up, and rows of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reenact.estimate.bench.run import Record
from reenact.estimate.bench.summed import Summed, of_line
from reenact.measure import Row
from reenact.view.bench_video.lines import Line
from reenact.view.bench_video.runs import Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Summed):
    """One line and the runs made of it."""

    line: Line
    refused: str = ""  # why it was not run, in words

    @property
    def why(self) -> str:
        """Why there is no run, or why one failed, in words."""
        return self.refused or self.failure

    @property
    def done(self) -> str:
        """How many runs did what they should, in words."""
        return f"{self.successes} of {len(self.records)}"

    @property
    def explained(self) -> list[bool]:
        """Of runs that could tell, whether physics explains the video."""
        return [told for record in self.records if (told := record.figures.get("explains_video")) is not None]

    @property
    def explains(self) -> str:
        """In how many of them it does, in words; empty where none could tell."""
        return f"{sum(self.explained)} of {len(self.explained)}" if self.explained else ""

    @property
    def shown(self) -> Record | None:
        """The run to be looked at."""
        return self.middle("error_cm")


def summaries_of(lines: Sequence[Line], records: Sequence[Record], refused: Sequence[Refused] = ()) -> list[Summary]:
    """One summary per line, in their order."""
    why = {one.line.key: one.reason for one in refused}
    return [Summary(line=line, records=of_line(records, line.key), refused=why.get(line.key, "")) for line in lines]


def figure_row(
    one: Summary, figure: str, name: str, unit: str, *, goal: str = "", holds: bool | None = None, peer: str = ""
) -> Iterator[Row]:
    """The median of a figure as a row, where it is known."""
    value = one.median(figure)
    if value is not None:
        yield Row(name=name, value=value, unit=one.spread(figure, unit), goal=goal, holds=holds, peer=peer)


def common_rows(one: Summary, name: str) -> Iterator[Row]:
    """What every line says: why it was not run, whether it did the motion, and whether its takes are honest."""
    if one.refused:
        yield Row(name=name, value="skipped", unit=one.refused)
    if not one.records:
        return
    why = f"; {one.why}" if one.why else ""
    yield Row(name=f"{name}.success", value=one.successes, unit=f"of {len(one.records)} did it{why}")
    if told := one.explained:
        yield Row(name=f"{name}.explains", value=sum(told), unit=f"of {len(told)} explain the video by physics")
    if any(record.honest is not None for record in one.records):
        unit = "; ".join(["all takes honest", *one.faults])
        yield Row(name=f"{name}.audit", value=one.honest, unit=unit, goal="true", holds=one.honest)
