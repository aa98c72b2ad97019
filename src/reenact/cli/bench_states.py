"""`reenact bench states`: state machines from recordings, how they walk on, bear pushes and do in new worlds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from reenact.cli import bench_page, terminal
from reenact.cli.bench_options import Runs

if TYPE_CHECKING:
    from reenact.estimate.bench.run import Record
    from reenact.measure import Row


def bench_states(asked: Runs, data: Path) -> tuple[list[Row], bool]:
    """Run what is asked, print its tables and write its pages; the rows, and whether all of it was run."""
    from reenact.estimate.bench.sheet import markdown_of, rows_of
    from reenact.estimate.states.bench.lines import chosen_lines
    from reenact.estimate.states.bench.tables import filled_in, sheets_of

    bench_page.check_outputs(asked, filled_in)
    lines = chosen_lines(parts=asked.part, motions=asked.motion, quick=asked.quick)
    with bench_page.kept(asked) as shelf:
        from reenact.estimate.states.bench.runs import Bench
        from reenact.estimate.states.bench.summary import summaries_of

        records: list[Record] = []
        with terminal.progress("bench states") as advance:
            bench = Bench(shelf, data if data.is_dir() else None, walkers=asked.walker)
            ready, refused = bench.prepare(lines, advance)
        finished = bench_page.collect(
            "states",
            lambda advance: bench.run_all(ready, asked.seeds, advance, only_kept=asked.only_kept),
            records,
        )
        summaries = summaries_of(lines, records, refused)
        sheets = sheets_of(summaries)
        rows = list(rows_of(sheets))
        bench_page.show(sheets)
        bench_page.say_goals(rows)
        if not finished:
            wanted = sum(bench.seeds_of(line, asked.seeds) for line in ready)
            bench_page.say_stopped(asked.keep, len(records), wanted)
        bench_page.warn_of_codes(records)
        pictures: dict[str, Path] = {}
        if asked.strips is not None:
            from reenact.cli.bench_plots import draw_plots

            pictures = draw_plots(summaries, shelf, asked.strips)
            pictures |= bench_page.draw(bench_page.strips_of(sheets, shelf), asked.strips)
        if asked.markdown is not None and finished:
            bench_page.write_page(asked.markdown, pictures, lambda near: markdown_of(sheets, near), filled_in)
    return rows, finished
