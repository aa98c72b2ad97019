"""What the runs of `reenact bench sampling` amount to: rates with their intervals, medians, and tables of them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from reenact.estimate.bench import page as pages
from reenact.estimate.bench.page import marks, median_of, shown, table_lines
from reenact.estimate.sampling.bench.rows import PARTS, SEEDS, Entry, Part
from reenact.estimate.sampling.bench.runs import Record, Refused
from reenact.measure import Row, wilson

COLUMNS: Final = ("motion", "s", "success (95 %)", "s/s", "error cm", "audit", "commonest failure", "[L10]")
BENCH: Final = "sampling"
BEGIN, END = marks(BENCH)
TITLES: Final[dict[Part, str]] = {
    "human": "`human50`, [L10] Table 4",
    "robot": "`robot35`, [L10] Table 5",
    "animal": "A quadruped",
    "worlds": "Other worlds, [L10] §4",
    "fast": "`--effort fast` on `human50`",
    "unseen": "Recordings the search was not made with, on `human50`",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One entry and the runs made of it."""

    entry: Entry
    records: tuple[Record, ...] = ()
    refused: Refused | None = None

    @property
    def runs(self) -> int:
        """How many there are."""
        return len(self.records)

    @property
    def successes(self) -> tuple[Record, ...]:
        """Those in which the body did the motion."""
        return tuple(record for record in self.records if record.success)

    @property
    def interval(self) -> tuple[float, float]:
        """Of the success rate, 95 %."""
        return wilson(len(self.successes), self.runs)

    @property
    def s_per_s(self) -> float | None:
        """Median wall time of computing per second of motion."""
        return median_of(record.wall_s_per_s for record in self.records)

    @property
    def core_s_per_s(self) -> float | None:
        """Median processor time per second of motion."""
        return median_of(record.core_s_per_s for record in self.records)

    @property
    def error_cm(self) -> float | None:
        """Median joint error of the successful runs; of all where none was."""
        return median_of(record.joint_error_cm for record in self.successes or self.records)

    @property
    def honest(self) -> bool:
        """Whether every take passed its audit."""
        return all(record.honest is not False for record in self.records)

    @property
    def failure(self) -> str:
        """The commonest reason of failure with how often it was seen, in the words of the first such run."""
        reasons = [record.reason or record.status for record in self.records if not record.success]
        if not reasons:
            return ""
        kind, count = Counter(_kind(reason) for reason in reasons).most_common(1)[0]
        return f"{count} × " + next(reason for reason in reasons if _kind(reason) == kind)

    @property
    def shown(self) -> Record | None:
        """The run to be looked at: the successful one of median error, or the nearest where none succeeded."""
        if self.successes:
            ordered = sorted(self.successes, key=_error)
            return ordered[(len(ordered) - 1) // 2]
        with_take = [record for record in self.records if record.honest is not None]
        return min(with_take, key=lambda record: (-record.simulated, _error(record)), default=None)


def summaries_of(entries: Sequence[Entry], records: Sequence[Record], refused: Sequence[Refused] = ()) -> list[Summary]:
    """One summary per entry, in their order."""
    why = {one.entry.key: one for one in refused}
    return [
        Summary(
            entry=entry,
            records=tuple(sorted((r for r in records if r.key == entry.key), key=lambda r: r.seed)),
            refused=why.get(entry.key),
        )
        for entry in entries
    ]


def rows_of(summaries: Iterable[Summary]) -> Iterator[Row]:
    """Figures with stable names: success, s_per_s, error_cm and audit of every entry that was run."""
    for summary in summaries:
        entry, paper = summary.entry, summary.entry.paper
        if summary.refused is not None:
            holds = None if summary.refused.skipped or entry.least is None else False
            word = "skipped" if summary.refused.skipped else "refused"
            yield Row(name=f"{entry.row}.success", value=word, unit=summary.refused.reason, holds=holds)
        if not summary.records:
            continue
        low, high = summary.interval
        failed = f"; {summary.failure}" if summary.failure else ""
        yield Row(
            name=f"{entry.row}.success",
            value=len(summary.successes),
            unit=f"of {summary.runs}, 95 % interval {100 * low:.0f}–{100 * high:.0f} %{failed}",
            goal="" if entry.least is None else f"≥ {entry.least} of {SEEDS}",
            holds=_enough(summary),
            peer=f"[L10]: {paper.says}" if paper.says else "",
        )
        if summary.s_per_s is not None:
            yield _speed(summary, summary.s_per_s)
        if summary.error_cm is not None:
            which = "of the successful runs" if summary.successes else "of runs, all failed"
            yield Row(name=f"{entry.row}.error_cm", value=summary.error_cm, unit=f"cm, median {which}")
        faults = sorted({fault for record in summary.records for fault in record.faults})
        yield Row(
            name=f"{entry.row}.audit", value=summary.honest, unit="; ".join(["all takes honest", *faults]), goal="true",
            holds=summary.honest,
        )  # fmt: skip


def cells_of(summary: Summary) -> tuple[str, ...]:
    """One line of the table, see COLUMNS."""
    name, paper = summary.entry.name, _paper(summary.entry)
    if not summary.records:
        why = "not run" if summary.refused is None else summary.refused.reason
        return name, "", "", "", "", "", why, paper
    low, high = summary.interval
    success = f"{len(summary.successes)} of {summary.runs} ({100 * low:.0f}–{100 * high:.0f} %)"
    length = f"{summary.records[0].seconds:.1f}"
    checked = [record for record in summary.records if record.honest is not None]
    audit = f"{sum(record.honest is True for record in checked)} of {len(checked)}{'' if summary.honest else ' FAILED'}"
    figures = shown(summary.s_per_s), shown(summary.error_cm)
    return name, length, success, *figures, audit, summary.failure, paper


def markdown_of(summaries: Sequence[Summary], strips: Mapping[str, str] | None = None) -> str:
    """The tables of all parts; strips: pictures by an entry's key, as paths that the page can use."""
    blocks = []
    for part in PARTS:
        own = [summary for summary in summaries if summary.entry.part == part]
        if not own:
            continue
        lines = [f"### {TITLES[part]}", "", *table_lines(COLUMNS, map(cells_of, own))]
        pictures = [(one, strips[one.entry.key]) for one in own if strips and one.entry.key in strips]
        for summary, path in pictures:
            one = summary.shown
            seed = "" if one is None else f", seed {one.seed}" + ("" if one.success else ", no success")
            lines += ["", f"{summary.entry.name}{seed}:", "", f"![{summary.entry.name}]({path})"]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def filled_in(page: str, tables: str) -> str:
    """A page with the tables between its two marks; an empty page gets them."""
    return pages.filled_in(page, tables, BENCH)


def _speed(summary: Summary, value: float) -> Row:
    entry = summary.entry
    core = summary.core_s_per_s
    rate = entry.paper.s_per_s
    return Row(
        name=f"{entry.row}.s_per_s",
        value=value,
        unit="s of computing per s of motion, median" + ("" if core is None else f"; {core:.1f} s of processor time"),
        goal="" if entry.fastest is None else f"≤ {entry.fastest:g}",
        holds=None if entry.fastest is None else value <= entry.fastest,
        peer="" if rate is None else f"[L10]: {rate:.0f} on 80 cores",
    )


def _enough(summary: Summary) -> bool | None:
    """Whether enough runs succeeded; None where there is no goal, or too few runs to tell."""
    if summary.entry.least is None or summary.runs < SEEDS:
        return None
    return len(summary.successes) * SEEDS >= summary.entry.least * summary.runs


def _paper(entry: Entry) -> str:
    rate = entry.paper.s_per_s
    figures = [] if rate is None else [f"{entry.paper.seconds:g} s, {rate:.0f} s/s on 80 cores"]
    return "; ".join([*figures, *([entry.paper.says] if entry.paper.says else [])])


def _kind(reason: str) -> str:
    return re.sub(r"\d+(\.\d+)?", "…", reason)


def _error(record: Record) -> float:
    return math.inf if record.joint_error_cm is None else record.joint_error_cm
