"""Whether something can be written to a place, known before the work rather than after it."""

from __future__ import annotations

import tempfile
from pathlib import Path

from reenact.errors import InputError


def refuse_unwritable(path: Path) -> None:
    """Refuse a file or folder that could not be made or replaced, by trying out the nearest folder that there is."""
    near = path.absolute().parent
    while not near.exists():
        near = near.parent
    try:
        with tempfile.TemporaryFile(dir=near):
            pass
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", path=path) from None
