"""What the network saw of one person in a video, on disk: one .npz without pickle, for trackers and other tools.

header (JSON text: the video's name and size, the landmarks' names, remarks), time (T,) [s], points (T, 33, 2) [px] from
the upper left corner, visibility and presence (T, 33), world (T, 33, 3) [m] from the middle of the hips (x right, y
down, z away from the camera), score (T,). Where the person is not seen, points and world are NaN. Masks are not kept;
`reenact silhouettes --by network` writes them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from reenact.errors import InputError
from reenact.formats.npz_file import NpzHeader, packed_npz, read_npz
from reenact.formats.replace_file import replace_file
from reenact.observe.mask import empty_mask
from reenact.observe.network.keypoints import Keypoints
from reenact.observe.network.landmarks import NAMES

FORMAT: Final = "reenact-keypoints"
VERSION: Final = 1
_ARRAYS: Final = ("time", "points", "visibility", "presence", "world", "score")


class _Header(NpzHeader):
    video: str
    video_size: tuple[int, int]
    landmarks: tuple[str, ...]
    remarks: tuple[str, ...] = ()


def dump_keypoints(keypoints: Keypoints) -> bytes:
    """The content of a file of keypoints."""
    header = _Header(
        format=FORMAT,
        version=VERSION,
        video=keypoints.name,
        video_size=keypoints.video_size,
        landmarks=NAMES,
        remarks=keypoints.remarks,
    )
    return packed_npz(header, **{key: np.asarray(getattr(keypoints, key), np.float64) for key in _ARRAYS})


def save_keypoints(path: Path | str, keypoints: Keypoints) -> None:
    """Write keypoints; the file appears whole or not at all."""
    replace_file(path, dump_keypoints(keypoints))


def load_keypoints(path: Path | str) -> Keypoints:
    """Read keypoints that `save_keypoints` wrote; their masks are empty."""
    path = Path(path)
    header, content = read_npz(path, _Header, _ARRAYS, what="keypoints", kind=FORMAT, version=VERSION)
    if header.landmarks != NAMES:
        raise InputError(f"has other landmarks than expected: {', '.join(header.landmarks[:3])} …", path=path)
    width, height = header.video_size
    try:
        arrays = {key: np.asarray(content[key], np.float64) for key in _ARRAYS}
        masks = (empty_mask((height, width)),) * len(arrays["time"])
        return Keypoints(
            name=header.video, video_size=(width, height), masks=masks, remarks=header.remarks, **arrays
        )  # fmt: skip
    except (InputError, TypeError, ValueError) as error:
        raise InputError(f"broken keypoints: {error}", path=path) from None
