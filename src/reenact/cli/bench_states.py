"""`reenact bench states`: state machines from recordings, how they walk on, bear pushes and do in new worlds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reenact.cli import bench_page, terminal
from reenact.cli.bench_options import Runs
from reenact.cli.bench_page import Strip

if TYPE_CHECKING:
    from reenact.estimate.states.bench_lines import Line
    from reenact.estimate.states.bench_record import Record
    from reenact.estimate.states.bench_runs import Bench
    from reenact.estimate.states.bench_sheet import Sheet
    from reenact.measure import Row


def bench_states(asked: Runs, data: Path) -> tuple[list[Row], bool]:
    """Run what is asked, print its tables and write its pages; the rows, and whether all of it was run."""
    from reenact.estimate.states.bench_lines import chosen_lines
    from reenact.estimate.states.bench_tables import filled_in, markdown_of, rows_of, sheets_of

    bench_page.check_outputs(asked, filled_in)
    lines = chosen_lines(parts=asked.part, motions=asked.motion, quick=asked.quick)
    with bench_page.kept(asked.keep) as folder:
        from reenact.estimate.states.bench_runs import Bench
        from reenact.estimate.states.bench_summary import summaries_of

        records: list[Record] = []
        with terminal.progress("bench states") as advance:
            bench = Bench(folder, data if data.is_dir() else None, walkers=asked.walker)
            ready, refused = bench.prepare(lines, advance)
        finished = _run(bench, ready, asked.seeds, records)
        summaries = summaries_of(lines, records, refused)
        sheets = sheets_of(summaries)
        rows = list(rows_of(sheets))
        _show(sheets)
        bench_page.say_goals(rows)
        if not finished:
            wanted = sum(bench.seeds_of(line, asked.seeds) for line in ready)
            bench_page.say_stopped(asked.keep, len(records), wanted)
        bench_page.warn_of_codes(records)
        pictures: dict[str, Path] = {}
        if asked.strips is not None:
            from reenact.cli.bench_plots import draw_plots

            pictures = draw_plots(summaries, bench, asked.strips)
            pictures |= bench_page.draw(_strips(sheets, bench), asked.strips)
        if asked.markdown is not None and finished:
            bench_page.write_page(asked.markdown, pictures, lambda near: markdown_of(sheets, near), filled_in)
    return rows, finished


def _run(bench: Bench, ready: Sequence[Line], seeds: int | None, records: list[Record]) -> bool:
    """Add records as runs end; False where Ctrl-C stopped them."""
    try:
        with terminal.progress("bench states") as advance:
            for record in bench.run_all(ready, seeds, advance):
                records.append(record)  # noqa: PERF402  (each is there when the next is interrupted)
    except KeyboardInterrupt:
        return False
    return True


def _show(sheets: Sequence[Sheet]) -> None:
    for sheet in sheets:
        table = terminal.table(*map(terminal.escape, sheet.columns))
        for cells in sheet.cells:
            table.add_row(*map(terminal.escape, cells))
        terminal.say(f"[bold]{terminal.escape(sheet.title)}[/]")
        terminal.show(table)
        terminal.say()


def _strips(sheets: Sequence[Sheet], bench: Bench) -> list[Strip]:
    return [
        Strip(
            key=one.line.key,
            take=bench.take_folder(one.line, record.seed),
            file=f"{one.line.part}_{one.line.name.replace('.', '_')}.png",
        )
        for sheet in sheets
        for one in sheet.drawn
        if (record := one.shown) is not None
    ]
