"""`reenact contacts`: where the body touches and how hard, by body part, in one take or in several side by side."""

from __future__ import annotations

import io
from csv import writer as table_writer
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from reenact.cli import terminal
from reenact.errors import InputError

if TYPE_CHECKING:
    from reenact.physics.part_loads import PartLoads, PartSummary

    Summaries = tuple[PartSummary, ...]

GRAVITY = 9.81  # [m/s²] in which body weights are counted
SUMMARY_COLUMNS = (
    "part",
    "peak_force_N",
    "peak_weights",
    "peak_time_s",
    "impulse_x_Ns",
    "impulse_y_Ns",
    "impulse_z_Ns",
    "contact_s",
)


def contacts(
    takes: Annotated[tyro.conf.Positional[tuple[Path, ...]], tyro.conf.arg(metavar="TAKE …")],
    /,
    *,
    csv: Annotated[Path | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None,
    summary: Annotated[Path | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None,
    figure: Annotated[Path | None, tyro.conf.arg(metavar="FILE.html", help_behavior_hint="")] = None,
) -> None:
    """Say which parts of the body touched, how hard and how long; several takes side by side.

    Example: reenact contacts floor/ pad/ --figure pressure.html

    Args:
        takes: One or more take folders.
        csv: Of one take, write a row per step: of each part fx, fy, fz and normal load [N], its point x, y, z [m].
        summary: Write the table as CSV, with the impulse's components.
        figure: Write a page with poses coloured by pressure at the same instants of each take, and each part's load.
    """
    from reenact.formats.csv_table import write_csv
    from reenact.formats.replace_file import replace_file
    from reenact.physics.part_loads import load_table

    _check(takes, csv, summary, figure)
    read = [_read(take) for take in takes]
    found = [each for _, each in read]
    if csv is not None:
        loads = read[0][0]
        if not len(loads.load):
            raise InputError("the take has a single frame, so no step has forces", path=takes[0])
        write_csv(csv, load_table(loads, csv.stem))
    names = [take.resolve().name for take in takes]
    if summary is not None:
        replace_file(summary, _summary_csv(names, found))
    if figure is not None:
        from reenact.view.comparison import comparison_html

        replace_file(figure, comparison_html(takes))
    if len(takes) == 1:
        _show(found[0])
    else:
        _show_beside(names, found)
    for path in (csv, summary, figure):
        if path is not None:
            terminal.say(f"Written to [bold]{terminal.escape(path)}[/].")


def _check(takes: tuple[Path, ...], csv: Path | None, summary: Path | None, figure: Path | None) -> None:
    if not takes:
        raise InputError("no take was named; expected one or more take folders")
    for path in (csv, summary, figure):
        if path is not None and path.is_dir():
            raise InputError("is a folder, expected a file to write", path=path)
    if figure is not None and figure.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"cannot write a figure to '{figure.suffix}'; it is a page, .html", path=figure)
    if csv is not None and len(takes) != 1:
        raise InputError(
            f"--csv holds the forces of one take, got {len(takes)} takes; --summary and --figure take more"
        )


def _read(take: Path) -> tuple[PartLoads, Summaries]:
    from reenact.body.toml import parse_body
    from reenact.formats.take import read_take
    from reenact.physics.part_loads import part_loads, summaries

    recorded = read_take(take)
    body = parse_body(recorded.body_toml, take / "body.toml")
    loads = part_loads(recorded.motion, [segment.name for segment in body.segments])
    return loads, summaries(loads, body.mass * GRAVITY)


def _show(found: Summaries) -> None:
    if not found:
        terminal.say("Nothing was touched.")
        return
    columns = ("peak N", "body weights", "at s", "impulse N·s", "in contact s")
    table = terminal.table("part", *columns, numbers=columns)
    for part in found:
        figures = (f"{part.peak_force:.0f}", f"{part.peak_weights:.2f}", f"{part.peak_time:.2f}")
        table.add_row(terminal.escape(part.name), *figures, f"{_size(part):.1f}", f"{part.contact_seconds:.2f}")
    terminal.show(table)


def _show_beside(names: list[str], found: list[Summaries]) -> None:
    """Peaks of all takes, then impulses, then times in contact, so that like stands beside like."""
    by_name = [{part.name: part for part in each} for each in found]
    parts = sorted({name for each in by_name for name in each}, key=lambda name: -max(_sizes(by_name, name)))
    if not parts:
        terminal.say("Nothing was touched.")
        return
    columns = [f"{what}\n{terminal.escape(name)}" for what in ("peak N", "impulse N·s", "contact s") for name in names]
    table = terminal.table("part", *columns, numbers=columns)
    for name in parts:
        chosen = [each.get(name) for each in by_name]
        peaks = ["–" if part is None else f"{part.peak_force:.0f}" for part in chosen]
        impulses = ["–" if part is None else f"{_size(part):.1f}" for part in chosen]
        seconds = ["–" if part is None else f"{part.contact_seconds:.2f}" for part in chosen]
        table.add_row(terminal.escape(name), *peaks, *impulses, *seconds)
    terminal.show(table)


def _sizes(by_name: list[dict[str, PartSummary]], name: str) -> list[float]:
    return [_size(each[name]) for each in by_name if name in each]


def _size(part: PartSummary) -> float:
    """Of the impulse [N·s]."""
    return float(sum(component**2 for component in part.impulse) ** 0.5)


def _summary_csv(names: list[str], found: list[Summaries]) -> str:
    """A row per part; where there are several takes, per take and part, the take's name first."""
    buffer = io.StringIO()
    writer = table_writer(buffer, lineterminator="\n")
    several = len(names) > 1
    writer.writerow((*(("take",) if several else ()), *SUMMARY_COLUMNS))
    for name, each in zip(names, found, strict=True):
        for part in each:
            figures = (part.peak_force, part.peak_weights, part.peak_time, *part.impulse, part.contact_seconds)
            row = [part.name, *(f"{float(figure):.6g}" for figure in figures)]
            writer.writerow([name, *row] if several else row)
    return buffer.getvalue()
