"""Whether a file is a video: by the ending of its name, or else by its first bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ENDINGS: Final = frozenset({
    ".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm", ".mpg", ".mpeg", ".mts", ".m2ts", ".3gp", ".3g2", ".ogv", ".wmv",
    ".flv", ".y4m", ".mxf", ".vob", ".h264", ".hevc",
})  # fmt: skip
_RECORDINGS: Final = frozenset({
    ".bvh", ".asf", ".amc", ".c3d", ".trc", ".mot", ".sto", ".json", ".csv", ".txt", ".toml", ".npz",
})  # fmt: skip


def is_video(path: Path | str) -> bool:
    """Whether a path is to be read as a video; a name that ends like one is, also where there is no such file."""
    path = Path(path)
    ending = path.suffix.lower()
    if ending in ENDINGS:
        return True
    if ending in _RECORDINGS or not path.is_file():
        return False
    with path.open("rb") as file:
        return begins_like_video(file.read(16))


def begins_like_video(head: bytes) -> bool:
    """Whether a file that begins so is of a usual container: MP4 and MOV, Matroska and WebM, AVI, MPEG, Ogg, FLV."""
    return (
        head[4:8] in (b"ftyp", b"moov", b"mdat", b"wide")
        or head[:4] in (b"\x1aE\xdf\xa3", b"OggS", b"\x00\x00\x01\xba", b"\x00\x00\x01\xb3")
        or (head[:4] == b"RIFF" and head[8:12] == b"AVI ")
        or head[:3] == b"FLV"
        or (head[:1] == b"G" and len(head) >= 16 and head[1] & 0x5F == 0x40)
    )
