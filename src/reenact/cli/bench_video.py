"""`reenact bench video`: captures from drawn videos with exact truth, from real ones, and what their machines do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from reenact.cli import bench_page, terminal
from reenact.cli.bench_options import Runs

if TYPE_CHECKING:
    from reenact.estimate.bench.run import Record
    from reenact.measure import Row


def bench_video(asked: Runs, data: Path) -> tuple[list[Row], bool]:
    """Run what is asked, print its tables and write its pages; the rows, and whether all of it was run."""
    from reenact.errors import InputError
    from reenact.estimate.bench.sheet import markdown_of, rows_of
    from reenact.view.bench_video.cost import from_motion_capture
    from reenact.view.bench_video.lines import chosen_lines
    from reenact.view.bench_video.sheets import filled_in, sheets_of

    bench_page.check_outputs(asked, filled_in)
    if asked.walker:
        raise InputError("bench video has no option --walker")
    if asked.videos is not None and not asked.videos.is_dir():
        raise InputError("is no folder of videos", path=asked.videos)
    lines = chosen_lines(parts=asked.part, motions=asked.motion, quick=asked.quick)
    with bench_page.kept(asked) as shelf:
        from reenact.view.bench_video.runs import Bench, seeds_of
        from reenact.view.bench_video.summary import summaries_of

        bench = Bench(shelf, data if data.is_dir() else None, asked.videos)
        ready, refused = bench.prepare(lines)
        for one in refused:
            terminal.say(f"[yellow]skipped[/] {terminal.escape(f'{one.line.key}: {one.reason}')}")
        records: list[Record] = []
        finished = bench_page.collect(
            "video",
            lambda advance: bench.run_all(ready, asked.seeds, advance, only_kept=asked.only_kept),
            records,
        )
        sheets = sheets_of(summaries_of(lines, records, refused), from_motion_capture(asked.records))
        rows = list(rows_of(sheets))
        bench_page.show(sheets)
        bench_page.say_goals(rows)
        if not finished:
            bench_page.say_stopped(asked.keep, len(records), sum(seeds_of(line, asked.seeds) for line in ready))
        bench_page.warn_of_codes(records)
        pictures: dict[str, Path] = {}
        if asked.strips is not None:
            pictures = bench_page.draw(bench_page.strips_of(sheets, shelf), asked.strips)
        if asked.markdown is not None and finished:
            bench_page.write_page(asked.markdown, pictures, lambda near: markdown_of(sheets, near), filled_in)
    return rows, finished
