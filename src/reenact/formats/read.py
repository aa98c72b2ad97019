"""Any motion file in: the format is told by the suffix, and by the content where the suffix says nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from reenact.errors import InputError
from reenact.formats.axes import Up, check_overrides
from reenact.motion.clip import MarkerClip, SkeletonClip, Table

Reader = Callable[..., SkeletonClip | MarkerClip | Table]


def _bvh() -> Reader:
    from reenact.formats.bvh import read_bvh

    return read_bvh


def _deepmimic() -> Reader:
    from reenact.formats.deepmimic import read_deepmimic

    return read_deepmimic


_READERS: Final[dict[str, Callable[[], Reader]]] = {".bvh": _bvh, ".json": _deepmimic, ".txt": _deepmimic}


def read_clip(
    path: Path | str, *, units: float | None = None, up: Up | None = None
) -> SkeletonClip | MarkerClip | Table:
    """A motion file as a clip in metres, radians and z up, or as a table where it holds no positions.

    `units` (metres per unit of length in the file) and `up` replace what the file says or what would be guessed; what was
    taken stands in the clip's `source`.
    """
    path = Path(path)
    check_overrides(units, up)
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError(f"unknown kind of file '{path.suffix}'; known are: {', '.join(_READERS)}", path=path)
    return reader()(path, units=units, up=up)
