"""All tables of `reenact bench video`, and the page that they stand in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from reenact.estimate.bench import page as pages
from reenact.estimate.bench.sheet import Sheet, filled
from reenact.estimate.states.bench.worlds import PAPER as WORLDS_PAPER
from reenact.measure import Row
from reenact.view.bench_video import open_air
from reenact.view.bench_video.cost import Cores, cost
from reenact.view.bench_video.elsewhere import places
from reenact.view.bench_video.lines import BATCH, FIGURE_7_PAPER, QUICK, Elsewhere, Network
from reenact.view.bench_video.summary import Summary, common_rows, figure_row

BENCH: Final = "video"
TRACK: Final = "track_"  # how the names of figures begin that are of the poses before any physics
FIGURE_7_COLUMNS: Final = (
    "motion", "s", "batch cm", "incremental cm", "refined cm", "root-aligned cm", "track cm", "Eq. 9, track",
    "Eq. 9", "explains it", "states", "structure", "track s", "search s", "done", "audit",
    "[V12] batch, incremental, refined",
)  # fmt: skip
REAL_COLUMNS: Final = (
    "from", "error cm", "root-aligned cm", "feet slide cm/s", "sink cm", "at most cm", "jerk m/s³", "Eq. 9",
    "explains it", "states", "done", "audit", "why not",
)  # fmt: skip
OPEN_COLUMNS: Final = (
    "from", "feet come down in frames", "off ms", "found", "step m", "speed m/s", "feet slide cm/s", "sink cm",
    "Eq. 9, track", "Eq. 9", "explains it", "states", "structure", "done", "audit", "why not",
)  # fmt: skip
WORLD_COLUMNS: Final = ("motion", "world", "stands", "done", "audit", "why not", "[V12]")


def sheets_of(summaries: Sequence[Summary], recorded: Cores | None = None) -> list[Sheet]:
    """The tables of what was run, in order; recorded: what searches from motion capture took."""

    def own(part: str) -> list[Summary]:
        return [one for one in summaries if one.line.part == part]

    sheets: list[Sheet] = []
    if lines := own("figure7"):
        sheets.append(figure7(lines, own(f"figure7{BATCH}"), "[V12] Figure 7 again, on drawn videos"))
        beside = cost(lines, recorded or {})
        sheets += [] if beside is None else [beside]
    if lines := own(QUICK):
        sheets.append(figure7(lines, [], "A bundled walk on a drawn video, with a small budget"))
    if lines := own("real"):
        sheets.append(real(lines))
    if lines := own("open"):
        sheets.append(in_the_open(lines))
    if lines := own("worlds"):
        sheets.append(worlds(lines))
    return sheets


def figure7(summaries: Sequence[Summary], batch: Sequence[Summary], title: str) -> Sheet:
    """Figure 7; batch: the batch runs of the same names, where there are any."""
    beside = {one.line.name: one for one in batch}
    cells = [_figure7_cells(one, beside.get(one.line.name)) for one in summaries]
    rows = [row for one in summaries for row in _figure7_rows(one, beside.get(one.line.name))]
    return Sheet(title=title, columns=FIGURE_7_COLUMNS, cells=tuple(cells), rows=tuple(rows), drawn=tuple(summaries))


def _figure7_cells(one: Summary, batch: Summary | None) -> tuple[str, ...]:
    paper = FIGURE_7_PAPER[one.line.paper]
    theirs = f"{paper.batch:g}, {paper.incremental:g}, {paper.refined:g}"
    if not one.values("error_cm"):
        return filled((one.line.name,), FIGURE_7_COLUMNS, f"{one.why or 'not run'}; {theirs}")
    return (
        one.line.name, one.text("motion_seconds", 2), "" if batch is None else batch.text("error_cm"),
        one.text("incremental_cm"), one.text("error_cm"), one.text("aligned_cm"), one.text("track_cm"),
        one.text("track_mismatch", 2), one.text("silhouette_mismatch", 2), one.explains, one.text("states", 0),
        _structure(one), one.text("track_s", 0), one.text("seconds", 0), one.done, one.audit, theirs,
    )  # fmt: skip


def _structure(one: Summary) -> str:
    return "" if one.shown is None else str(one.shown.figures.get("structure", ""))


def _figure7_rows(one: Summary, batch: Summary | None) -> Iterator[Row]:
    paper, name = FIGURE_7_PAPER[one.line.paper], f"video.{one.line.name}"
    judged = one.line.part != QUICK
    source = "[V12] Figure 7"
    if batch is not None:
        yield from figure_row(batch, "error_cm", f"{name}.batch_cm", "cm", peer=f"{source}: {paper.batch:g}")
    yield from figure_row(
        one, "incremental_cm", f"{name}.incremental_cm", "cm", peer=f"{source}: {paper.incremental:g}"
    )
    error = one.median("error_cm")
    yield from figure_row(
        one, "error_cm", f"{name}.refined_cm", "cm", peer=f"{source}: {paper.refined:g}",
        goal=f"≤ {paper.refined:g}" if judged else "",
        holds=error <= paper.refined if judged and error is not None else None,
    )  # fmt: skip
    yield from figure_row(one, "aligned_cm", f"{name}.aligned_cm", "cm, roots aligned")
    yield from figure_row(one, "track_cm", f"{name}.track_cm", "cm, the track before any physics")
    yield from figure_row(one, "silhouette_mismatch", f"{name}.mismatch", "of 2, mean of [V12] Eq. 9")
    yield from figure_row(one, "track_mismatch", f"{name}.track_mismatch", "of 2, the same of the track")
    yield from figure_row(one, "track_s", f"{name}.track_seconds", "s, masks and track")
    yield from figure_row(one, "seconds", f"{name}.seconds", "s of searching")
    yield from common_rows(one, name)


def real(summaries: Sequence[Summary]) -> Sheet:
    """Against triangulated points, ours beside the network's landmarks."""
    network = next((one for one in summaries if isinstance(one.line.what, Network)), None)
    cells: list[tuple[str, ...]] = []
    rows: list[Row] = []
    for one in summaries:
        name = f"video.real.{one.line.name}"
        known = (one.line.name, *_real_cells(one)) if one.values("error_cm") else (one.line.name,)
        if one.values("error_cm") and one is not network:
            seen = (one.text("silhouette_mismatch", 2), one.explains)
            known = (*known, *seen, one.text("states", 0), one.done, one.audit)
        cells.append(filled(known, REAL_COLUMNS, one.why))
        if one.values("track_error_cm"):
            beside = (*_real_cells(one, TRACK), one.text("track_mismatch", 2))
            cells.append(filled((f"{one.line.name}, the track", *beside), REAL_COLUMNS, ""))
        rows += _real_rows(one, network if one is not network else None, name)
    reference = next((one for one in summaries if one.values("reference_jerk")), None)
    if reference is not None:
        slide, rough = reference.text("reference_slide_cm_s"), reference.text("reference_jerk", 0)
        cells.append(filled(("the reference itself", "0", "0", slide, "", "", rough), REAL_COLUMNS, ""))
    title = "A real video against points triangulated from four views"
    return Sheet(title=title, columns=REAL_COLUMNS, cells=tuple(cells), rows=tuple(rows), drawn=tuple(summaries))


def _real_cells(one: Summary, of: str = "") -> tuple[str, ...]:
    return (
        one.text(f"{of}error_cm"), one.text(f"{of}aligned_cm"), one.text(f"{of}slide_cm_s"), one.text(f"{of}sunk_cm"),
        one.text(f"{of}sunk_most_cm"), one.text(f"{of}jerk", 0),
    )  # fmt: skip


def _real_rows(one: Summary, network: Summary | None, name: str) -> Iterator[Row]:
    for figure, unit in (
        ("error_cm", "cm, in the world"), ("aligned_cm", "cm, hips aligned"), ("slide_cm_s", "cm/s of resting feet"),
        ("sunk_cm", "cm, mean depth of the lowest foot point"), ("jerk", "m/s³"),
    ):  # fmt: skip
        peer = None if network is None else network.median(figure)
        value = one.median(figure)
        least = one.median("reference_slide_cm_s") if figure == "slide_cm_s" and peer is not None else peer
        better = None if least is None or value is None or figure == "sunk_cm" else value <= least
        goal = "" if better is None else f"≤ {least:.3g}"
        theirs = "" if peer is None else f"the network's landmarks: {peer:.3g}"
        yield from figure_row(one, figure, f"{name}.{figure}", unit, goal=goal, holds=better, peer=theirs)
    yield from common_rows(one, name)


def in_the_open(summaries: Sequence[Summary]) -> Sheet:
    """Against what an eye sees."""
    cells: list[tuple[str, ...]] = []
    rows: list[Row] = []
    for one in summaries:
        known: tuple[str, ...] = (one.line.name,)
        if one.values("speed_m_s"):
            after = (
                one.text("track_mismatch", 2), one.text("silhouette_mismatch", 2), one.explains, one.text("states", 0),
                _structure(one), one.done, one.audit,
            )  # fmt: skip
            known = (one.line.name, *_open_cells(one), *after)
        cells.append(filled(known, OPEN_COLUMNS, one.why))
        if one.values("track_speed_m_s"):
            cells.append(filled((f"{one.line.name}, the track", *_open_cells(one, TRACK)), OPEN_COLUMNS, ""))
        rows += _open_rows(one, f"video.open.{one.line.name}")
    eye = open_air.by_eye()
    frames = " ".join(f"{frame}{side[0].upper()}" for frame, side, _ in open_air.SEEN)
    seen = ("by eye", frames, "0", str(len(open_air.SEEN)), f"{eye['step_m']:.2f}", f"{eye['speed_m_s']:.2f}")
    cells.append(filled((*seen, "0", "0"), OPEN_COLUMNS, ""))
    title = "A real video in the open, against what an eye sees"
    return Sheet(title=title, columns=OPEN_COLUMNS, cells=tuple(cells), rows=tuple(rows), drawn=tuple(summaries))


def _open_cells(one: Summary, of: str = "") -> tuple[str, ...]:
    frames = "" if one.shown is None else str(one.shown.figures.get(f"{of}contacts_frames", ""))
    found = f"{one.text(f'{of}contacts_found', 0)} of {one.text(f'{of}contacts_seen', 0)}"
    return (
        frames, one.text(f"{of}contact_ms", 0), found, one.text(f"{of}step_m", 2), one.text(f"{of}speed_m_s", 2),
        one.text(f"{of}slide_cm_s"), one.text(f"{of}sunk_cm"),
    )  # fmt: skip


def _open_rows(one: Summary, name: str) -> Iterator[Row]:
    eye = open_air.by_eye()
    yield from figure_row(one, "contact_ms", f"{name}.contact_ms", "ms, strikes against those seen by eye")
    yield from figure_row(
        one, "contacts_found", f"{name}.contacts_found", "strikes found", peer=f"by eye: {len(open_air.SEEN)}"
    )
    yield from figure_row(one, "step_m", f"{name}.step_m", "m", peer=f"by eye: {eye['step_m']:.2f}")
    yield from figure_row(one, "speed_m_s", f"{name}.speed_m_s", "m/s", peer=f"by eye: {eye['speed_m_s']:.2f}")
    yield from figure_row(one, "slide_cm_s", f"{name}.slide_cm_s", "cm/s of resting feet")
    yield from figure_row(one, "silhouette_mismatch", f"{name}.mismatch", "of 2, mean of [V12] Eq. 9")
    yield from common_rows(one, name)


def worlds(summaries: Sequence[Summary]) -> Sheet:
    """Machines from video in new worlds."""
    cells: list[tuple[str, ...]] = []
    rows: list[Row] = []
    for one in summaries:
        assert isinstance(one.line.what, Elsewhere)
        new = places()[one.line.what.world]
        theirs = "" if new.change else WORLDS_PAPER.get(new.name, "")
        stands = f"{sum(one.values('stands')):.0f} of {len(one.records)}" if one.records else ""
        done = one.done if one.records else ""
        cells.append(
            (
                new.name,
                new.change or ("as the paper tells it" if theirs else ""),
                stands,
                done,
                one.audit,
                one.why,
                theirs,
            )
        )
        rows += common_rows(one, f"video.worlds.{one.line.name}")
    title = "Machines captured from video, in new worlds"
    return Sheet(title=title, columns=WORLD_COLUMNS, cells=tuple(cells), rows=tuple(rows), drawn=tuple(summaries))


def filled_in(page: str, tables: str) -> str:
    """A page with the tables between its two marks; an empty page gets them."""
    return pages.filled_in(page, tables, BENCH)
