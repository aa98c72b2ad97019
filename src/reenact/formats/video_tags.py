"""What a video file says of the camera that took it: maker, model and lens; most files say nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reenact.errors import MissingExtraError

PHONES: Final = ("apple", "iphone", "android", "samsung", "google", "xiaomi", "huawei", "oneplus", "oppo", "motorola")
_LENS: Final = re.compile(r"focal.?length.*35|35.?mm.*equivalent", re.IGNORECASE)
_MAKER: Final = re.compile(r"(make|model|manufacturer|android\.version)$", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\d+(\.\d+)?")
LENSES: Final = (8.0, 400.0)  # [mm] that are believed


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoTags:
    """Tags about the camera."""

    maker: str = ""  # as written: maker and model
    phone: bool = False
    focal_35mm: float | None = None  # focal length on a film of 36 × 24 mm that sees as much [mm]


def video_tags(path: Path | str) -> VideoTags:
    """The tags of a file; empty where it has none or cannot be opened."""
    try:
        import av
    except ImportError:
        raise MissingExtraError("video", "reading video") from None
    try:
        with av.open(str(path)) as container:
            found = dict(container.metadata)
            for stream in container.streams.video:
                found |= stream.metadata
    except (av.FFmpegError, OSError):
        return VideoTags()
    return read_tags(found)


def read_tags(tags: Mapping[str, str]) -> VideoTags:
    """What tags by name, as phones write them, say of the camera."""
    makers = [str(value) for key, value in tags.items() if _MAKER.search(key)]
    words = " ".join([*makers, *(key for key in tags if "apple" in key or "android" in key)]).lower()
    lens = None
    for key, value in tags.items():
        number = _NUMBER.search(str(value)) if _LENS.search(key) else None
        if number and LENSES[0] <= float(number.group()) <= LENSES[1]:
            lens = float(number.group())
    return VideoTags(maker=" ".join(makers), phone=any(name in words for name in PHONES), focal_35mm=lens)
