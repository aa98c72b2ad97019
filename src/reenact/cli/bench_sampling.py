"""`reenact bench sampling`: many captures with many seeds, which may be stopped and gone on with."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from reenact.cli import terminal
from reenact.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from reenact.estimate.sampling.bench_runs import Ready, Record
    from reenact.estimate.sampling.bench_table import Summary
    from reenact.measure import Row

POSES = 8
STRIP = (8 * 160, 220)  # [px]
CLOSE = 1.2  # [m]: the camera comes nearer to smaller bodies than this


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """For `bench sampling` alone."""

    quick: bool = False
    """Two seeds of a few short motions, in about two minutes."""
    part: tuple[Literal["human", "robot", "animal", "worlds", "fast", "unseen"], ...] = ()
    """Only these parts."""
    motion: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME …")] = ()
    """Only the lines of these names."""
    seeds: Annotated[int | None, tyro.conf.arg(help_behavior_hint="")] = None
    """So many runs of each line; ten unless said, of clips the search was not made with three."""
    keep: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="")] = None
    """Keep the takes there; what is there already and unchanged is not run again."""
    markdown: Annotated[Path | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None
    """Also write the tables to this page, between its marks where it has them."""
    strips: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="")] = None
    """Also draw a strip of poses of each line there."""


def bench_sampling(asked: Sampling, data: Path) -> tuple[list[Row], bool]:
    """Run what is asked, print its table and write its pages; the rows, and whether all of it was run."""
    from reenact.estimate.sampling.bench_rows import QUICK_SEEDS, chosen_entries
    from reenact.estimate.sampling.bench_table import rows_of, summaries_of

    seeds = asked.seeds if asked.seeds is not None else QUICK_SEEDS if asked.quick else None
    if seeds is not None and seeds < 1:
        raise InputError(f"--seeds is {seeds}, expected at least 1")
    entries = chosen_entries(parts=asked.part, motions=asked.motion, quick=asked.quick)
    _check_outputs(asked)
    with _kept(asked.keep) as folder:
        from reenact.estimate.sampling.bench_runs import prepare

        records: list[Record] = []
        with terminal.progress("bench sampling") as advance:
            ready, refused = prepare(entries, data if data.is_dir() else None, advance)
        finished = _run(ready, seeds, folder, records)
        summaries = summaries_of(entries, records, refused)
        rows = list(rows_of(summaries))
        _show(summaries, rows)
        if not finished:
            _stopped(asked.keep, len(records), sum(one.entry.seeds if seeds is None else seeds for one in ready))
        _warn(records)
        strips = _draw(summaries, folder, asked.strips) if asked.strips is not None else {}
        if asked.markdown is not None and finished:
            _write_page(asked.markdown, summaries, strips)
    return rows, finished


def _run(ready: Sequence[Ready], seeds: int | None, folder: Path, records: list[Record]) -> bool:
    """Add records as runs end; False where Ctrl-C stopped them."""
    from reenact.estimate.sampling.bench_runs import run_all
    from reenact.execute.threads import Threads

    try:
        with terminal.progress("bench sampling") as advance:
            for record in run_all(ready, seeds, folder, Threads, advance):
                records.append(record)  # noqa: PERF402  (each is there when the next is interrupted)
    except KeyboardInterrupt:
        return False
    return True


def _check_outputs(asked: Sampling) -> None:
    """Refuse now what could not be written after hours."""
    if asked.markdown is not None:
        from reenact.estimate.sampling.bench_table import filled_in

        try:
            filled_in(_page(asked.markdown), "")
        except InputError as error:
            raise InputError(error.cause, path=asked.markdown) from None
    if asked.strips is not None:
        try:
            import PIL.Image  # noqa: F401
        except ImportError:
            raise MissingExtraError("video", "drawing strips") from None


def _page(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


@contextmanager
def _kept(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        yield keep
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def _show(summaries: Sequence[Summary], rows: Sequence[Row]) -> None:
    from reenact.estimate.sampling.bench_table import COLUMNS, TITLES, cells_of

    for part, title in TITLES.items():
        own = [summary for summary in summaries if summary.entry.part == part]
        if not own:
            continue
        table = terminal.table(*map(terminal.escape, COLUMNS), numbers=("s", "s/s", "error cm"))
        for summary in own:
            table.add_row(*map(terminal.escape, cells_of(summary)))
        terminal.say(f"[bold]{terminal.escape(title)}[/]")
        terminal.show(table)
        terminal.say()
    judged = [row for row in rows if row.holds is not None]
    terminal.say(f"{sum(row.holds is True for row in judged)} of {len(judged)} goals hold.")
    for row in judged:
        if row.holds is False:
            value = f"{row.value:.3g}" if isinstance(row.value, float) else str(row.value)
            terminal.say(f"[red]falls short[/] {terminal.escape(f'{row.name}: {value} {row.unit}, goal {row.goal}')}")


def _stopped(keep: Path | None, done: int, wanted: int) -> None:
    advice = "nothing is kept without --keep" if keep is None else "the same command goes on"
    print(f"reenact: stopped after {done} of {wanted} runs; {advice}", file=sys.stderr)


def _warn(records: Sequence[Record]) -> None:
    from reenact.estimate.sampling.bench_table import codes_of

    if (states := codes_of(records)) > 1:
        terminal.say(
            f"[yellow]These runs were made by {states} states of the code[/]; an empty --keep makes them anew."
        )


def _draw(summaries: Sequence[Summary], folder: Path, out: Path) -> dict[str, Path]:
    """Strips by entry."""
    from reenact.body.load import load_body
    from reenact.estimate.sampling.bench_runs import take_folder
    from reenact.view.film import Shot
    from reenact.view.render import render_take

    out.mkdir(parents=True, exist_ok=True)
    drawn = {}
    with terminal.progress("drawing") as advance:
        for i, summary in enumerate(summaries):
            advance(i / len(summaries), f"drawing {summary.entry.key}")
            if (record := summary.shown) is None:
                continue
            take = take_folder(folder, summary.entry, record.seed)
            path = out / f"{summary.entry.part}_{summary.entry.name}.png"
            shot = Shot(contacts=False, zoom=max(1.0, CLOSE / load_body(summary.entry.body).stature))
            drawn[summary.entry.key] = render_take(take, path, size=STRIP, poses=POSES, shot=shot)
    terminal.say(f"{len(drawn)} strips drawn to [bold]{terminal.escape(out)}[/].")
    return drawn


def _write_page(page: Path, summaries: Sequence[Summary], strips: dict[str, Path]) -> None:
    from reenact.estimate.sampling.bench_table import filled_in, markdown_of
    from reenact.formats.replace_file import replace_file

    near = {key: Path(os.path.relpath(path, page.parent)).as_posix() for key, path in strips.items()}
    replace_file(page, filled_in(_page(page), markdown_of(summaries, near)))
    terminal.say(f"Tables written to [bold]{terminal.escape(page)}[/].")
