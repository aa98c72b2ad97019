"""Which video something was made from: by its name, and by a short hash of its content where that is known.

The hash is of the file's size and of some blocks of its bytes, so that it is there at once however long the video is.
It tells another take of the same name, not a forgery.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from reenact.errors import InputError

BLOCKS: Final = 16  # that are read, the first and the last of the file among them
BLOCK: Final = 1 << 16  # [bytes]
DIGITS: Final = 32  # of the hash, in hexadecimal

Relation = Literal["this", "stale", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The video that something was made from."""

    name: str  # of the file
    content: str = ""  # empty where it is not known

    def relation(self, path: Path) -> Relation:
        """Whether a file is this video, under whatever name; "stale": it has its name, but another content."""
        same_name = self.name == path.name
        if not self.content:
            return "this" if same_name else "other"
        if self.content == content_of(path):
            return "this"
        return "stale" if same_name else "other"


def origin_of(path: Path) -> Origin:
    """A video as the origin of something."""
    return Origin(name=path.name, content=content_of(path))


def content_of(path: Path | str) -> str:
    """A hash of a file's size and of blocks at even distances in it; of all of it where it is small."""
    path = Path(path)
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, 2)
            total = hashlib.sha256(f"{size}:".encode())
            if size <= BLOCKS * BLOCK:
                stream.seek(0)
                total.update(stream.read())
            else:
                for i in range(BLOCKS):
                    stream.seek((size - BLOCK) * i // (BLOCKS - 1))
                    total.update(stream.read(BLOCK))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from None
    return total.hexdigest()[:DIGITS]
