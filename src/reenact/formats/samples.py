"""The clips that come with the package, by name."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from reenact.errors import InputError

FOLDER: Final = Path(__file__).parent.parent / "samples"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One bundled clip."""

    name: str
    file: str  # in the samples folder
    seconds: float
    shows: str
    source: str
    licence: str

    @property
    def path(self) -> Path:
        """Where it lies."""
        return FOLDER / self.file


@cache
def list_samples() -> tuple[Sample, ...]:
    """All bundled clips in the order of the index."""
    with (FOLDER / "index.toml").open("rb") as stream:
        index = tomllib.load(stream)
    return tuple(Sample(name=name, **entry) for name, entry in index.items())


def find_clip(name_or_path: str | Path) -> Path:
    """The file behind a sample's name or a path; a file of that name goes before a sample."""
    path = Path(name_or_path)
    if path.is_file():
        return path
    samples = {sample.name: sample for sample in list_samples()}
    if str(name_or_path) in samples:
        return samples[str(name_or_path)].path
    if path.is_dir():
        raise InputError("is a folder, expected a clip file or the name of a sample", path=path)
    close = difflib.get_close_matches(str(name_or_path), samples, n=1)
    hint = f"did you mean '{close[0]}'? " if close else ""
    raise InputError(f"no such file, nor a sample of that name; {hint}samples are: {', '.join(samples)}", path=path)
