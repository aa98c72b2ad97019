"""What benches of many captures leave: takes that are kept, strips of poses, a page with their tables."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from reenact.cli import terminal
from reenact.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from reenact.cli.bench_options import Runs
    from reenact.estimate.bench.record import Kept
    from reenact.estimate.bench.sheet import Sheet
    from reenact.estimate.bench.shelf import Shelf
    from reenact.measure import Progress, Row

K = TypeVar("K")

POSES = 8
STRIP = (8 * 160, 220)  # [px]
CLOSE = 1.2  # [m]: the camera comes nearer to smaller bodies than this


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """A take to be drawn."""

    key: str
    take: Path
    file: str
    stature: float = CLOSE  # of its body [m]


def check_outputs(asked: Runs, filled_in: Callable[[str, str], str]) -> None:
    """Refuse now what could not be written after hours; filled_in: puts tables into a page."""
    if asked.seeds is not None and asked.seeds < 1:
        raise InputError(f"--seeds is {asked.seeds}, expected at least 1")
    if asked.markdown is not None:
        try:
            filled_in(_page(asked.markdown), "")
        except InputError as error:
            raise InputError(error.cause, path=asked.markdown) from None
    if asked.strips is not None:
        try:
            import PIL.Image  # noqa: F401
        except ImportError:
            raise MissingExtraError("video", "drawing strips") from None


@contextmanager
def kept(asked: Runs) -> Iterator[Shelf]:
    """Where runs are kept: in the folders given, takes otherwise in one that is gone afterwards."""
    from reenact.estimate.bench.shelf import Shelf

    if asked.keep is not None:
        yield Shelf(takes=asked.keep, records=asked.records)
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Shelf(takes=Path(folder), records=asked.records)


def collect(bench: str, run: Callable[[Progress], Iterable[K]], records: list[K]) -> bool:
    """Add records as runs end; False where Ctrl-C stopped them."""
    try:
        with terminal.progress(f"bench {bench}") as advance:
            for record in run(advance):
                records.append(record)  # noqa: PERF402  (each is there when the next is interrupted)
    except KeyboardInterrupt:
        return False
    return True


def show(sheets: Sequence[Sheet]) -> None:
    """Print tables."""
    for sheet in sheets:
        table = terminal.table(*map(terminal.escape, sheet.columns))
        for cells in sheet.cells:
            table.add_row(*map(terminal.escape, cells))
        terminal.say(f"[bold]{terminal.escape(sheet.title)}[/]")
        terminal.show(table)
        terminal.say()


def strips_of(sheets: Sequence[Sheet], shelf: Shelf) -> list[Strip]:
    """What tables have drawn."""
    return [
        Strip(
            key=one.line.key,
            take=shelf.take(one.line.key, record.seed),
            file=f"{one.line.part}_{one.line.name.replace('.', '_')}_{record.seed}.png",
        )
        for sheet in sheets
        for one in sheet.drawn
        if (record := one.shown) is not None
    ]


def say_goals(rows: Sequence[Row]) -> None:
    """How many goals hold, and which do not."""
    judged = [row for row in rows if row.holds is not None]
    terminal.say(f"{sum(row.holds is True for row in judged)} of {len(judged)} goals hold.")
    for row in judged:
        if row.holds is False:
            value = f"{row.value:.3g}" if isinstance(row.value, float) else str(row.value)
            terminal.say(f"[red]falls short[/] {terminal.escape(f'{row.name}: {value} {row.unit}, goal {row.goal}')}")


def say_stopped(keep: Path | None, done: int, wanted: int) -> None:
    """After Ctrl-C."""
    advice = "nothing is kept without --keep" if keep is None else "the same command goes on"
    print(f"reenact: stopped after {done} of {wanted} runs; {advice}", file=sys.stderr)


def warn_of_codes(records: Sequence[Kept]) -> None:
    """Say so where runs of several states of the code stand side by side."""
    from reenact.estimate.bench.record import codes_of

    if (states := codes_of(records)) > 1:
        terminal.say(
            f"[yellow]These runs were made by {states} states of the code[/]; an empty --keep makes them anew."
        )


def draw(strips: Sequence[Strip], out: Path) -> dict[str, Path]:
    """Pictures by key; one whose take is not here stays as it was drawn before, if it was."""
    from reenact.view.film import Shot
    from reenact.view.render import render_take

    out.mkdir(parents=True, exist_ok=True)
    drawn: dict[str, Path] = {}
    with terminal.progress("drawing") as advance:
        for i, strip in enumerate(strips):
            advance(i / len(strips), f"drawing {strip.key}")
            if not strip.take.is_dir():
                drawn |= {strip.key: out / strip.file} if (out / strip.file).is_file() else {}
                continue
            shot = Shot(contacts=False, zoom=max(1.0, CLOSE / strip.stature))
            drawn[strip.key] = render_take(strip.take, out / strip.file, size=STRIP, poses=POSES, shot=shot)
    terminal.say(f"{len(drawn)} strips drawn to [bold]{terminal.escape(out)}[/].")
    return drawn


def write_page(
    page: Path,
    strips: dict[str, Path],
    tables_of: Callable[[dict[str, str]], str],
    filled_in: Callable[[str, str], str],
) -> None:
    """Put tables into a page; tables_of: makes them from the pictures' paths as the page can use them."""
    from reenact.formats.replace_file import replace_file

    near = {key: Path(os.path.relpath(path, page.parent)).as_posix() for key, path in strips.items()}
    replace_file(page, filled_in(_page(page), tables_of(near)))
    terminal.say(f"Tables written to [bold]{terminal.escape(page)}[/].")


def _page(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""
