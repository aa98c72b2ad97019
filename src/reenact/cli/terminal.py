"""How the commands speak: results on stdout, progress with time left on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as RichProgress
    from rich.table import Table

PATIENCE = 1.0  # [s] before a bar appears, so that quick work shows none
QUIET_INTERVAL = 10.0  # [s] between lines where stderr is not a terminal
_UNBOUNDED = 1000  # columns, where no terminal sets the width


def say(text: str = "") -> None:
    """Print a result, with rich's markup."""
    _console().print(text, highlight=False, soft_wrap=True)


def plain(text: str) -> None:
    """Print text as it is, e.g. a file's content."""
    print(text)


def show(table: Table) -> None:
    """Print a table; where stdout is not a terminal, as wide as its content."""
    _console().print(table)


def table(*columns: str, numbers: Sequence[str] = ()) -> Table:
    """An empty table; columns in `numbers` are aligned to the right."""
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in columns:
        made.add_column(column, justify="right" if column in numbers else "left", overflow="fold")
    return made


def escape(text: object) -> str:
    """Text from outside (a path, a name) made safe to stand in markup."""
    from rich.markup import escape as escape_markup

    return escape_markup(str(text))


class Advance(Protocol):
    """What long work is told to call as it goes on."""

    def __call__(self, fraction: float, what: str, /) -> None:
        """Show how far it is, 0 to 1, and what is being done."""

    def note(self, text: str) -> None:
        """Print a line of its own, as it is."""


@contextmanager
def progress(title: str) -> Iterator[Advance]:
    """A callable for long work, `advance(fraction, what)`; shows time left once the work takes a while."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines(title)
        return
    bar = _Bar(console, title)
    try:
        yield bar
    finally:
        bar.close()


class _Bar:
    """A bar on a terminal."""

    def __init__(self, console: Console, title: str) -> None:
        self._console = console
        self._title = title
        self._begun = time.monotonic()
        self._bar: RichProgress | None = None

    def __call__(self, fraction: float, what: str) -> None:
        if self._bar is None:
            if time.monotonic() - self._begun < PATIENCE:
                return
            self._bar = self._open()
        self._bar.update(self._bar.task_ids[0], completed=fraction, description=what or self._title)

    def note(self, text: str) -> None:
        """Print above the bar."""
        self._console.print(text, highlight=False, markup=False, soft_wrap=True)

    def _open(self) -> RichProgress:
        from rich import progress as parts
        from rich.table import Column

        bar = parts.Progress(
            parts.BarColumn(bar_width=20),
            parts.TaskProgressColumn(),
            parts.TimeRemainingColumn(),
            parts.TextColumn("{task.description}", table_column=Column(ratio=1, no_wrap=True, overflow="ellipsis")),
            console=self._console,
            expand=True,
            transient=True,
        )
        bar.add_task(self._title, total=1.0)
        bar.start()
        return bar

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()


class _Lines:
    """A line now and then where nobody watches a terminal."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._last = time.monotonic()
        self._first: tuple[float, float] | None = None  # when work was first told of, and the part done by then

    def __call__(self, fraction: float, what: str) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first = now, fraction
        if now - self._last < QUIET_INTERVAL or fraction <= 0.0:
            return
        self._last = now
        begun, share = self._first
        made = fraction - share  # of work that is gone on with, only what was done in this run took this run's time
        left = f", about {(now - begun) * (1.0 - fraction) / made:.0f} s left" if made > 0.0 else ""
        self.note(f"{what or self._title}: {fraction:.0%}{left}")

    def note(self, text: str) -> None:
        """Print at once."""
        print(text, file=sys.stderr, flush=True)


def _console() -> Console:
    from rich.console import Console

    class Passing(Console):
        """Leaves a closed pipe to `main`, where rich would end the process with the code of a failed audit."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    console = Passing()
    return console if console.is_terminal else Passing(width=_UNBOUNDED)
