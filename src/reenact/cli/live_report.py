"""The report of the best controller so far, beside what its search keeps on disk: to be looked at while it runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reenact.cli.live import PAGE

if TYPE_CHECKING:
    from reenact.formats.take import Take

SHARE: Final = 0.02  # of the time that goes by, at most, is spent on pages
PATIENCE: Final = 5.0  # a search that is shorter has no page [s]
RUNNING: Final = "the search is not done; load this page anew to see what it has found since"
STOPPED: Final = "the search was stopped by hand; the same command with --resume goes on"


class LiveReport:
    """Told of every event of a search, writes a page now and then; only looks, so the result is the same."""

    def __init__(self, folder: Path, name: str, so_far: Callable[[str], Take | None]) -> None:
        self.path = folder / PAGE
        self._name, self._so_far = name, so_far
        self._due = time.monotonic() + PATIENCE
        self._told = False

    def follow(self) -> bool:
        """Write the page where it is time to; says whether that was the first one."""
        begun = time.monotonic()
        if begun < self._due:
            return False
        self._write(RUNNING)
        ended = time.monotonic()
        self._due = ended + (ended - begun) / SHARE
        first, self._told = not self._told, True
        return first

    def found(self, report: Path) -> None:
        """The report proper takes its place; this page goes with the search."""

    def stopped(self) -> None:
        """The search was ended by hand."""
        if self.path.exists():
            self._write(STOPPED)

    def remove(self) -> None:
        """Take the page away."""
        self.path.unlink(missing_ok=True)

    def _write(self, why: str) -> None:
        from reenact.formats.replace_file import replace_file
        from reenact.view.report import report_html

        take = self._so_far(why)
        if take is None:
            return
        with suppress(OSError):  # a full disk is the search's own affair; the page is not worth ending it for
            replace_file(self.path, report_html(take, name=self._name))
