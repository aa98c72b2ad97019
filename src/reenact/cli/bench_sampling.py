"""`reenact bench sampling`: many captures with many seeds, which may be stopped and gone on with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from reenact.cli import bench_page, terminal
from reenact.cli.bench_options import Runs
from reenact.cli.bench_page import Strip
from reenact.errors import InputError

if TYPE_CHECKING:
    from reenact.estimate.sampling.bench.rows import Part
    from reenact.estimate.sampling.bench.runs import Ready, Record
    from reenact.estimate.sampling.bench.table import Summary
    from reenact.measure import Row


def bench_sampling(asked: Runs, data: Path) -> tuple[list[Row], bool]:
    """Run what is asked, print its table and write its pages; the rows, and whether all of it was run."""
    from reenact.estimate.sampling.bench.rows import QUICK_SEEDS, chosen_entries
    from reenact.estimate.sampling.bench.table import filled_in, markdown_of, rows_of, summaries_of

    parts = _parts(asked)
    seeds = asked.seeds if asked.seeds is not None else QUICK_SEEDS if asked.quick else None
    bench_page.check_outputs(asked, filled_in)
    entries = chosen_entries(parts=parts, motions=asked.motion, quick=asked.quick)
    with bench_page.kept(asked) as shelf:
        folder = shelf.takes
        from reenact.estimate.sampling.bench.runs import prepare

        records: list[Record] = []
        with terminal.progress("bench sampling") as advance:
            ready, refused = prepare(entries, data if data.is_dir() else None, advance)
        finished = _run(ready, seeds, folder, records)
        summaries = summaries_of(entries, records, refused)
        rows = list(rows_of(summaries))
        _show(summaries)
        bench_page.say_goals(rows)
        if not finished:
            wanted = sum(one.entry.seeds if seeds is None else seeds for one in ready)
            bench_page.say_stopped(asked.keep, len(records), wanted)
        bench_page.warn_of_codes(records)
        strips = {} if asked.strips is None else bench_page.draw(_strips(summaries, folder), asked.strips)
        if asked.markdown is not None and finished:
            bench_page.write_page(asked.markdown, strips, lambda near: markdown_of(summaries, near), filled_in)
    return rows, finished


def _parts(asked: Runs) -> tuple[Part, ...]:
    from reenact.estimate.sampling.bench.rows import PARTS

    if asked.walker:
        raise InputError("--walker is for bench states")
    if asked.records is not None or asked.only_kept:
        raise InputError("--records and --only-kept are for bench states and bench video")
    for part in asked.part:
        if part not in PARTS:
            raise InputError(f"bench sampling has no part '{part}'; there are: {', '.join(PARTS)}")
    return cast("tuple[Part, ...]", asked.part)


def _run(ready: Sequence[Ready], seeds: int | None, folder: Path, records: list[Record]) -> bool:
    """Add records as runs end; False where Ctrl-C stopped them."""
    from reenact.estimate.sampling.bench.runs import run_all
    from reenact.estimate.sampling.threads import Threads

    try:
        with terminal.progress("bench sampling") as advance:
            for record in run_all(ready, seeds, folder, Threads, advance):
                records.append(record)  # noqa: PERF402  (each is there when the next is interrupted)
    except KeyboardInterrupt:
        return False
    return True


def _show(summaries: Sequence[Summary]) -> None:
    from reenact.estimate.sampling.bench.table import COLUMNS, TITLES, cells_of

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


def _strips(summaries: Sequence[Summary], folder: Path) -> list[Strip]:
    from reenact.body.load import load_body
    from reenact.estimate.sampling.bench.runs import take_folder

    return [
        Strip(
            key=one.entry.key,
            take=take_folder(folder, one.entry, record.seed),
            file=f"{one.entry.part}_{one.entry.name}.png",
            stature=load_body(one.entry.body).stature,
        )
        for one in summaries
        if (record := one.shown) is not None
    ]
