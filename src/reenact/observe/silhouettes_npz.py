"""Silhouettes on disk: one .npz without pickle.

header (JSON text), time (T,), quality (T,), box (T, 4) left, top, right, bottom; bits: the packed bits of all boxes one
after the other, frame t's from offset[t] to offset[t+1]; coverage (T, h, w): share of each pixel of a small grid in
255ths, for whoever wants no more than that.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from reenact.errors import InputError
from reenact.formats.npz_file import NpzHeader, packed_npz, read_npz
from reenact.formats.replace_file import replace_file
from reenact.observe.mask import Mask
from reenact.observe.silhouettes import Silhouettes

FORMAT: Final = "reenact-silhouettes"
VERSION: Final = 1
_ARRAYS: Final = ("time", "quality", "box", "bits", "offset", "area", "centre")


class _Header(NpzHeader):
    name: str
    video_size: tuple[int, int]
    size: tuple[int, int]
    doubts: list[list[str]]
    remarks: list[str]
    content: str = ""


def dump_silhouettes(silhouettes: Silhouettes) -> bytes:
    """The content of the file."""
    header = _Header(
        format=FORMAT,
        version=VERSION,
        name=silhouettes.name,
        video_size=silhouettes.video_size,
        size=silhouettes.size,
        doubts=[list(each) for each in silhouettes.doubts],
        remarks=list(silhouettes.remarks),
        content=silhouettes.content,
    )
    masks = silhouettes.masks
    return packed_npz(
        header,
        time=silhouettes.time,
        quality=silhouettes.quality,
        box=np.array([mask.box for mask in masks], np.int32),
        bits=np.concatenate([mask.packed for mask in masks]),
        offset=np.cumsum([0, *(len(mask.packed) for mask in masks)]),
        area=np.array([mask.area for mask in masks]),
        centre=np.array([mask.centre for mask in masks]),
        coverage=np.rint(255.0 * silhouettes.coverage()).astype(np.uint8),
    )


def save_silhouettes(path: Path | str, silhouettes: Silhouettes) -> None:
    """Write silhouettes; the file appears whole or not at all."""
    replace_file(path, dump_silhouettes(silhouettes))


def load_silhouettes(path: Path | str) -> Silhouettes:
    """Read silhouettes that `save_silhouettes` wrote, or the masks.npz in the folder of `reenact silhouettes`."""
    path = Path(path)
    return _read(path / "masks.npz" if path.is_dir() else path)


def parse_silhouettes(stored: bytes, path: Path) -> Silhouettes:
    """Silhouettes from the content of such a file; `path` is where it came from, for errors."""
    return _read(path, stored)


def _read(path: Path, stored: bytes | None = None) -> Silhouettes:
    header, content = read_npz(path, _Header, _ARRAYS, what="silhouettes", kind=FORMAT, version=VERSION, stored=stored)
    try:
        return Silhouettes(
            name=header.name,
            video_size=header.video_size,
            time=np.asarray(content["time"], np.float64),
            masks=_masks(content, header.size),
            quality=np.asarray(content["quality"], np.float64),
            doubts=tuple(tuple(each) for each in header.doubts),
            remarks=tuple(header.remarks),
            content=header.content,
        )
    except (InputError, TypeError, ValueError, IndexError) as error:
        raise InputError(f"broken silhouettes: {error}", path=path) from None


def _masks(content: dict[str, Any], size: tuple[int, int]) -> tuple[Mask, ...]:
    offset, bits, box = content["offset"], content["bits"], content["box"]
    if (
        len(offset) != len(content["time"]) + 1
        or offset[0] != 0
        or offset[-1] != len(bits)
        or np.any(np.diff(offset) < 0)
    ):
        raise InputError("its offsets do not divide its bits")
    return tuple(
        Mask(
            shape=(size[1], size[0]),
            box=(int(box[i, 0]), int(box[i, 1]), int(box[i, 2]), int(box[i, 3])),
            packed=bits[offset[i] : offset[i + 1]],
            area=int(content["area"][i]),
            centre=(float(content["centre"][i, 0]), float(content["centre"][i, 1])),
        )
        for i in range(len(content["time"]))
    )
