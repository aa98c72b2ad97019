"""Whether the arrays a file asks for stand in proportion to the file: asked before they are made."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from reenact.errors import InputError

_BYTES_PER_POSE: Final = 7 * 8  # translation and rotation of one joint in one frame
_RATIO: Final = 64  # "0 0 0 " is six characters for one pose; fixed joints and end sites cost none
_SLACK: Final = 64 * 2**20  # bytes


def refuse_blow_up(frames: int, joints: int, text_size: int, path: Path) -> None:
    """Refuse many frames × many joints without numbers of their own, which no real recording has."""
    if frames * joints * _BYTES_PER_POSE > _RATIO * text_size + _SLACK:
        raise InputError(
            f"{frames} frames of {joints} joints are out of proportion to a file of {text_size} characters", path=path
        )
