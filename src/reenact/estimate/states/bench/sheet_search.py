"""Tables of searches: [V12] Figure 6 again, held-back clips, error against time, and methods side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from reenact.estimate.bench.sheet import Sheet, filled
from reenact.estimate.states.bench.lines import (
    BUDGETS,
    COMPARED,
    FIGURE_6_PAPER,
    TIMED,
    Search,
    method_line,
)
from reenact.estimate.states.bench.methods import QUESTIONS
from reenact.estimate.states.bench.rows import audit_row, refusals
from reenact.estimate.states.bench.summary import Summary
from reenact.measure import Row

FIGURE_6_COLUMNS: Final = (
    "motion", "s", "batch cm", "incremental cm", "refined cm", "floor cm", "states", "structure", "seconds", "core s",
    "done", "audit", "[V12] batch, incremental, refined; states",
)  # fmt: skip
HELD_COLUMNS: Final = (
    "motion", "s", "refined cm", "floor cm", "states", "structure", "seconds", "core s", "done", "audit", "",
)  # fmt: skip
FIVE_MINUTES: Final = 300.0  # [s] that are hoped for on 200 frames
SECONDS_EACH: Final = FIVE_MINUTES / 200.0  # of computing for a frame at 120 Hz that are hoped for
THEIR_TIME: Final = "[V12] §6.2: about 3 h for 200 frames on eight cores"


def figure6(summaries: Sequence[Summary], batch: Sequence[Summary], title: str) -> Sheet:
    """Figure 6; batch: the batch runs of the same names, where there are any."""
    beside = {one.line.name: one for one in batch}
    rows = [row for one in summaries for row in _figure6_rows(one, beside.get(one.line.name))]
    cells = [_figure6_cells(one, beside.get(one.line.name)) for one in summaries]
    return Sheet(title=title, columns=FIGURE_6_COLUMNS, cells=tuple(cells), rows=tuple(rows), drawn=tuple(summaries))


def _figure6_cells(one: Summary, batch: Summary | None) -> tuple[str, ...]:
    paper = FIGURE_6_PAPER[one.line.paper]
    theirs = f"{_or_dash(paper.batch)}, {paper.incremental:g}, {paper.refined:g}; {paper.states}"
    if not one.records:
        return filled((one.line.name,), FIGURE_6_COLUMNS, f"{one.why or 'not run'}; {theirs}")
    tried = "" if batch is None else batch.text("error_cm")
    return one.line.name, *_length(one), tried, one.text("incremental_cm"), *_common(one), theirs


def _or_dash(value: float | None) -> str:
    return "–" if value is None else f"{value:g}"


def _length(one: Summary) -> tuple[str]:
    seconds = one.median("motion_seconds")
    return ("" if seconds is None else f"{seconds:.2f}",)


def _common(one: Summary) -> tuple[str, ...]:
    shown = one.shown
    structure = "" if shown is None else str(shown.figures.get("structure", ""))
    done = f"{one.successes} of {len(one.records)}"
    return (
        one.text("error_cm"), one.text("floor_cm"), one.text("states", 0), structure, one.clocked.text("seconds", 0),
        one.text("core_seconds", 0), done, one.audit,
    )  # fmt: skip


def _figure6_rows(one: Summary, batch: Summary | None) -> Iterator[Row]:
    name, paper = f"states.{one.line.name}", FIGURE_6_PAPER[one.line.paper]
    yield from refusals(one, f"{name}.refined_cm")
    if not one.records:
        return
    tried = None if batch is None else batch.median("error_cm")
    if batch is not None and tried is not None:
        peer = "[V12] Figure 6: did not converge" if paper.batch is None else f"[V12] Figure 6: {paper.batch:g}"
        yield Row(name=f"{name}.batch_cm", value=tried, unit=batch.spread("error_cm", "cm"), peer=peer)
    grown = one.median("incremental_cm")
    if grown is not None:
        yield Row(
            name=f"{name}.incremental_cm",
            value=grown,
            unit=one.spread("incremental_cm", "cm"),
            goal="" if tried is None else f"< batch, {tried:.1f}",
            holds=None if tried is None else grown < tried,
            peer=f"[V12] Figure 6: {paper.incremental:g}",
        )
    yield from _refined_rows(one, name, paper.refined)


def _refined_rows(one: Summary, name: str, paper: float | None = None) -> Iterator[Row]:
    error = one.median("error_cm")
    if error is not None:
        yield Row(
            name=f"{name}.refined_cm",
            value=error,
            unit=one.spread("error_cm", "cm"),
            goal="" if paper is None else f"≤ {paper:g}",
            holds=None if paper is None else error <= paper,
            peer="" if paper is None else f"[V12] Figure 6: {paper:g}",
        )
    chain = one.median("chain_cm")
    if chain is not None:
        yield Row(name=f"{name}.chain_cm", value=chain, unit=one.spread("chain_cm", "cm, the chain before the walk"))
    floor = one.median("floor_cm")
    if floor is not None:
        yield Row(name=f"{name}.floor_cm", value=floor, unit="cm, kinematic floor of its states")
    seconds, frames = one.clocked.median("seconds"), one.median("frames")
    if seconds is not None and frames is not None:
        most = SECONDS_EACH * frames
        goal = "" if paper is None else f"≤ {most:.0f}, 300 for 200 frames"
        core = one.median("core_seconds")
        unit = one.clocked.spread("seconds", f"s of computing for {frames:.0f} frames")
        unit += "" if core is None else f"; {core:.0f} s of processor time"
        holds = None if paper is None else seconds <= most
        yield Row(name=f"{name}.seconds", value=seconds, unit=unit, goal=goal, holds=holds, peer=THEIR_TIME)
    shown = one.shown
    if shown is not None:
        yield Row(name=f"{name}.structure", value=str(shown.figures.get("structure", "")), unit=f"seed {shown.seed}")
    states = one.median("states")
    if states is not None:
        yield Row(name=f"{name}.states", value=states, unit="states, median")
    why = f"; {one.why}" if one.why else ""
    yield Row(name=f"{name}.success", value=one.successes, unit=f"of {len(one.records)} did the motion{why}")
    yield audit_row(one, name)


def held(summaries: Sequence[Summary]) -> Sheet:
    """Clips that were not looked at while the search was made."""
    cells: list[tuple[str, ...]] = []
    rows: list[Row] = []
    for one in summaries:
        name = f"states.held.{one.line.name}"
        rows += [*refusals(one, f"{name}.refined_cm"), *(_refined_rows(one, name) if one.records else ())]
        known = (one.line.name, *_length(one), *_common(one)) if one.records else (one.line.name,)
        cells.append(filled(known, HELD_COLUMNS, one.why))
    return Sheet(
        title="Clips held back while the search was made", columns=HELD_COLUMNS, cells=tuple(cells), rows=tuple(rows),
        drawn=tuple(summaries),
    )  # fmt: skip


def timed(summaries: Sequence[Summary]) -> Sheet:
    """Error against time."""
    by_key = {one.line.key: one for one in summaries}
    columns = ("budget s", *(part for name in TIMED for part in (f"{name} cm", f"{name} took s")))
    cells: list[tuple[str, ...]] = []
    rows: list[Row] = []
    for budget in BUDGETS:
        own = [by_key.get(f"time/{name}_{budget}s") for name in TIMED]
        if all(one is None for one in own):
            continue
        cells.append((str(budget), *(cell for one in own for cell in _timed_cells(one))))
        rows += [row for one in own if one is not None for row in _timed_rows(one)]
    title = "Error against time"
    return Sheet(title=title, columns=columns, cells=tuple(cells), rows=tuple(rows), plots=("time",))


def _timed_cells(one: Summary | None) -> tuple[str, str]:
    if one is None or not one.records:
        return ("" if one is None else one.why), ""
    return one.text("error_cm"), one.text("seconds", 0)


def _timed_rows(one: Summary) -> Iterator[Row]:
    what, paper = one.line.what, FIGURE_6_PAPER[one.line.paper]
    assert isinstance(what, Search)
    assert what.budget is not None
    name = f"states.time.{one.line.name}_cm"
    yield from refusals(one, name)
    error = one.median("error_cm")
    if error is None:
        return
    judged = what.budget == FIVE_MINUTES
    yield Row(
        name=name,
        value=error,
        unit=one.spread("error_cm", "cm"),
        goal=f"≤ {paper.refined:g}" if judged else "",
        holds=error <= paper.refined if judged else None,
        peer=f"[V12]: {paper.refined:g} after about 3 h on eight cores",
    )


def methods(summaries: Sequence[Summary]) -> list[Sheet]:
    """Ways to do the same, side by side: a table for each question."""
    by_key = {one.line.key: one for one in summaries}
    columns = ("", *(part for name in COMPARED for part in (f"{name} cm", f"{name} s")))
    sheets = []
    for question, answers in QUESTIONS.items():
        own = {answer: [by_key.get(method_line(question, answer, name).key) for name in COMPARED] for answer in answers}
        cells = [
            (answer, *(cell for one in ones for cell in _timed_cells(one)))
            for answer, ones in own.items()
            if any(one is not None for one in ones)
        ]
        rows = [row for ones in own.values() for one in ones if one is not None for row in _method_rows(one)]
        if cells:
            sheets.append(Sheet(title=f"Methods: {question}", columns=columns, cells=tuple(cells), rows=tuple(rows)))
    return sheets


def _method_rows(one: Summary) -> Iterator[Row]:
    name = f"states.methods.{one.line.name}_cm"
    yield from refusals(one, name)
    error = one.median("error_cm")
    if error is not None:
        yield Row(name=name, value=error, unit=one.spread("error_cm", "cm"))
        yield audit_row(one, name.removesuffix("_cm"))
