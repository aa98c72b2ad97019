"""Where the runs of a bench are kept: takes with their records, and where asked the records once more without them.

Takes are large and stay with whoever made them; records and what is named beside them, such as certificates, are small
enough to be published with the tables. A run whose record is published is not made again to tell of it, only to start
another one from its take.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from reenact.estimate.bench.record import Kept, forget_record, read_record, write_record
from reenact.formats.replace_file import replace_file

K = TypeVar("K", bound=Kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """Two folders that are laid out alike: PART/LINE/seed-N."""

    takes: Path
    records: Path | None = None

    def take(self, key: str, seed: int) -> Path:
        """Where a run's take is kept; key: of its line, PART/LINE."""
        return self.takes / key / f"seed-{seed}"

    def find(self, key: str, seed: int, plan: str, kind: type[K], *, whole: bool = False) -> K | None:
        """The record of a finished run of a plan; whole: only where its take is here too."""
        found = read_record(self.take(key, seed), plan, kind)
        if found is not None or whole or self.records is None:
            return found
        return read_record(self.records / key / f"seed-{seed}", plan, kind)

    def text(self, key: str, seed: int, name: str) -> Path:
        """A text beside a run's take, or beside its published record where the take is not here."""
        own = self.take(key, seed) / name
        return own if own.exists() else self.published(key, seed) / name

    def forget(self, key: str, seed: int) -> None:
        """Before a run is made: what a stopped run leaves is no finished one."""
        forget_record(self.take(key, seed))

    def published(self, key: str, seed: int) -> Path:
        """Where a run is for others to see: its take where no records are published."""
        return self.take(key, seed) if self.records is None else self.records / key / f"seed-{seed}"

    def keep(self, key: str, seed: int, record: Kept, files: tuple[str, ...] = ()) -> None:
        """Keep a record beside its take, and publish it with the files of these names beside it."""
        folder = self.take(key, seed)
        folder.mkdir(parents=True, exist_ok=True)
        write_record(folder, record)
        if self.records is None:
            return
        published = self.published(key, seed)
        published.mkdir(parents=True, exist_ok=True)
        for name in files:
            replace_file(published / name, (folder / name).read_bytes())
        write_record(published, record)
