"""What a search from video costs, against the same motion's from motion capture: by the records of the other bench."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from reenact.estimate.bench.page import median_of
from reenact.estimate.bench.record import RECORD
from reenact.estimate.bench.run import Record
from reenact.estimate.bench.sheet import Sheet, filled
from reenact.measure import Row
from reenact.view.bench_video.summary import Summary

MOST: Final = 1.4  # times as long as from motion capture: [V12]'s own
STATES: Final = "states"  # folder of the other bench's records, beside that of this one
FIGURE_6: Final = "figure6"  # its part with the same motions
COLUMNS: Final = (
    "motion", "search, core s", "from motion capture, core s", "ratio", "masks and track, core s", "ratio with them",
    "[V12]",
)  # fmt: skip

Cores = Mapping[str, Mapping[int, float]]  # processor time of searches [s], by motion and seed


def from_motion_capture(records: Path | None) -> dict[str, dict[int, float]]:
    """What searches from motion capture took, by the records that lie beside those of this bench; none where none."""
    found: dict[str, dict[int, float]] = {}
    if records is None:
        return found
    for path in sorted((records.absolute().parent / STATES / FIGURE_6).glob(f"*/seed-*/{RECORD}")):
        try:
            record = msgspec.json.decode(path.read_bytes(), type=Record)
        except msgspec.DecodeError:
            continue
        if (core := record.figure("core_seconds")) is not None:
            found.setdefault(record.name, {})[record.seed] = core
    return found


def cost(summaries: Sequence[Summary], recorded: Cores) -> Sheet | None:
    """The table of all motions that both benches have; None where there is none."""
    ran = [one for one in summaries if one.values("core_seconds")]
    both = [(one, recorded[one.line.name]) for one in ran if one.line.name in recorded]
    if not both:
        return None
    cells = [_cells(one, own) for one, own in both]
    rows = [row for one, own in both for row in _rows(one, own)]
    title = "What it costs, against the same clip from motion capture"
    return Sheet(title=title, columns=COLUMNS, cells=tuple(cells), rows=tuple(rows))


def ratios(one: Summary, own: Mapping[int, float], *, whole: bool = False) -> list[float]:
    """Processor time of each run's search as a multiple of the same seed's from motion capture.

    whole: with masks, joints and track, of runs that noted theirs. A seed that was not run there is held against the
    median.
    """
    usual = median_of(list(own.values()))
    out = []
    for record in one.records:
        core, track = record.figure("core_seconds"), record.figure("track_core_s") if whole else 0.0
        there = own.get(record.seed, usual)
        if core is not None and track is not None and there:
            out.append((core + track) / there)
    return out


def _cells(one: Summary, own: Mapping[int, float]) -> tuple[str, ...]:
    theirs = _text(list(own.values()), 0)
    search, track = one.text("core_seconds", 0), one.text("track_core_s", 0)
    known = (one.line.name, search, theirs, _text(ratios(one, own)), track, _text(ratios(one, own, whole=True)))
    return filled(known, COLUMNS, f"{MOST:g}")


def _rows(one: Summary, own: Mapping[int, float]) -> Iterator[Row]:
    name = f"video.{one.line.name}"
    middle = median_of(ratios(one, own))
    if middle is not None:
        unit = f"times the processor time from motion capture, {len(one.records)} seed{'s' * (len(one.records) > 1)}"
        yield Row(
            name=f"{name}.cost", value=middle, unit=unit, goal=f"≤ {MOST:g}", holds=middle <= MOST,
            peer=f"[V12]: {MOST:g}",
        )  # fmt: skip
    whole = median_of(ratios(one, own, whole=True))
    if whole is not None:
        yield Row(name=f"{name}.whole_cost", value=whole, unit="times the same, with masks and track")


def _text(values: Sequence[float], digits: int = 1) -> str:
    """The median, with the least and the greatest where there are several."""
    middle = median_of(list(values))
    if middle is None:
        return ""
    ends = f" ({min(values):.{digits}f}–{max(values):.{digits}f})" if len(values) > 1 else ""
    return f"{middle:.{digits}f}{ends}"
