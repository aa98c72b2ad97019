"""A text file taken in safely: bounded in size, decoded, split into lines; whatever is wrong is one `InputError`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from reenact.errors import InputError

SIZE_LIMIT: Final = 256 * 2**20  # bytes; an hour of 120 Hz whole-body BVH is about 150 MB

_SIGNATURES: Final[dict[bytes, str]] = {
    b"PK\x03\x04": "a zip archive",
    b"PK\x05\x06": "an empty zip archive",
    b"\x1f\x8b": "gzip data",
    b"BZh": "bzip2 data",
    b"\xfd7zXZ": "xz data",
    b"7z\xbc\xaf": "a 7z archive",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"%PDF": "a PDF document",
    b"\x7fELF": "a program",
    b"glTF": "a GLB model",
    b"Kaydara FBX": "an FBX scene",
    b"\x93NUMPY": "a NumPy array",
}


def read_bytes(path: Path, *, limit: int = SIZE_LIMIT) -> bytes:
    """The whole of a regular, non-empty file of at most `limit` bytes."""
    try:
        if path.is_dir():
            raise InputError("is a folder, expected a file", path=path)
        if not path.exists():
            raise InputError("no such file", path=path)
        if not path.is_file():
            raise InputError("is not a regular file", path=path)
        size = path.stat().st_size
        if size == 0:
            raise InputError("the file is empty", path=path)
        if size > limit:
            raise InputError(f"the file has {size} bytes, the limit is {limit}: cut it into parts", path=path)
        with path.open("rb") as stream:
            return stream.read(limit)
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the name
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path=path) from None


def decode(data: bytes, path: Path, *, expected: str) -> str:
    """Text of `data`; UTF-8 or UTF-16 by its mark, Latin-1 where UTF-8 fails; archives and binary data are refused."""
    for signature, what in _SIGNATURES.items():
        if data.startswith(signature):
            raise InputError(f"is {what}, expected {expected}", path=path)
    try:
        text = data.decode("utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    nul = text.find("\0")
    if nul >= 0:
        raise InputError(f"holds binary data, expected {expected}", path=path, line=text.count("\n", 0, nul) + 1)
    return text


def read_lines(path: Path, *, expected: str) -> list[str]:
    """Lines of a text file without their ends; line i of the file stands at index i − 1."""
    text = decode(read_bytes(path), path, expected=expected)
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def shown(text: str, limit: int = 40) -> str:
    """A piece of a user's file, quoted for a one-line message."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")
