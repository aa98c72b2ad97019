"""`reenact contacts`: where the body touches and how hard, by body part."""

from __future__ import annotations

import io
from csv import writer as table_writer
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from reenact.cli import terminal
from reenact.errors import InputError

if TYPE_CHECKING:
    from reenact.physics.part_loads import PartSummary

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
    take: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="TAKE")],
    /,
    *,
    csv: Annotated[Path | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None,
    summary: Annotated[Path | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None,
) -> None:
    """Say which parts of the body touched, how hard and how long; with --csv, write their forces over time.

    Example: reenact contacts take/ --csv forces.csv

    Args:
        take: A take folder.
        csv: Write a row per step: of each part fx, fy, fz and normal load [N], point of application x, y, z [m].
        summary: Write the table as CSV, with the impulse's components.
    """
    from reenact.body.toml import parse_body
    from reenact.formats.csv_table import write_csv
    from reenact.formats.replace_file import replace_file
    from reenact.formats.take import read_take
    from reenact.physics.part_loads import load_table, part_loads, summaries

    for path in (csv, summary):
        if path is not None and path.is_dir():
            raise InputError("is a folder, expected a file to write", path=path)
    recorded = read_take(take)
    body = parse_body(recorded.body_toml, take / "body.toml")
    loads = part_loads(recorded.motion, [segment.name for segment in body.segments])
    found = summaries(loads, body.mass * GRAVITY)
    if csv is not None:
        if not len(loads.load):
            raise InputError("the take has a single frame, so no step has forces", path=take)
        write_csv(csv, load_table(loads, csv.stem))
    if summary is not None:
        replace_file(summary, _summary_csv(found))
    _show(found)
    for path in (csv, summary):
        if path is not None:
            terminal.say(f"Written to [bold]{terminal.escape(path)}[/].")


def _show(found: tuple[PartSummary, ...]) -> None:
    if not found:
        terminal.say("Nothing was touched.")
        return
    columns = ("peak N", "body weights", "at s", "impulse N·s", "in contact s")
    table = terminal.table("part", *columns, numbers=columns)
    for part in found:
        size = sum(component**2 for component in part.impulse) ** 0.5
        figures = (f"{part.peak_force:.0f}", f"{part.peak_weights:.2f}", f"{part.peak_time:.2f}")
        table.add_row(terminal.escape(part.name), *figures, f"{size:.1f}", f"{part.contact_seconds:.2f}")
    terminal.show(table)


def _summary_csv(found: tuple[PartSummary, ...]) -> str:
    buffer = io.StringIO()
    writer = table_writer(buffer, lineterminator="\n")
    writer.writerow(SUMMARY_COLUMNS)
    for part in found:
        figures = (part.peak_force, part.peak_weights, part.peak_time, *part.impulse, part.contact_seconds)
        writer.writerow([part.name, *(f"{float(figure):.6g}" for figure in figures)])
    return buffer.getvalue()
