"""A file of ours that is one .npz without pickle: a header as JSON text, and arrays, read with care."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
import numpy as np

from reenact.errors import InputError

GREATEST: Final = 4 << 30  # of an unpacked file [bytes]


class NpzHeader(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What every header begins with."""

    format: str
    version: int


H = TypeVar("H", bound=NpzHeader)


def packed_npz(header: NpzHeader, **arrays: Any) -> bytes:
    """The content of a file of ours, as `read_npz` reads it."""
    return packed_arrays(header=np.array(msgspec.json.encode(header).decode()), **arrays)


def packed_arrays(**arrays: Any) -> bytes:
    """The content of an .npz, without pickle."""
    packed = io.BytesIO()
    np.savez_compressed(packed, allow_pickle=False, **arrays)
    return packed.getvalue()


def read_npz(
    path: Path, header: type[H], arrays: Sequence[str], *, what: str, kind: str, version: int,
    stored: bytes | None = None,
) -> tuple[H, dict[str, Any]]:  # fmt: skip
    """The header and the arrays of a file of format `kind` up to a version; `what` it should be, for errors.

    `stored` is the file's content where it is at hand.
    """
    try:
        content = _unpacked(path if stored is None else io.BytesIO(stored), ("header", *arrays))
        read = msgspec.json.decode(str(content["header"]), type=header)
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error, msgspec.MsgspecError, KeyError) as error:
        raise InputError(f"not {what}: {_cause(error)}", path=path) from None
    if read.format != kind or read.version > version:
        got = f"got format '{read.format}' version {read.version}"
        raise InputError(f"{got}, expected '{kind}' up to {version}", path=path)
    return read, content


def _unpacked(file: Path | io.BytesIO, keys: Sequence[str]) -> dict[str, Any]:
    with zipfile.ZipFile(file) as archive:  # the sizes claimed, before anything is unpacked
        if sum(entry.file_size for entry in archive.infolist()) > GREATEST:
            raise ValueError(f"it would unpack to more than {GREATEST >> 30} GiB")
    with np.load(file, allow_pickle=False) as stored:
        missing = [key for key in keys if key not in stored]
        if missing:
            raise ValueError(f"it lacks {', '.join(missing)}; it holds {', '.join(stored) or 'nothing'}")
        return {key: stored[key] for key in keys}


def _cause(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    return str(error).splitlines()[0] if str(error) else type(error).__name__
