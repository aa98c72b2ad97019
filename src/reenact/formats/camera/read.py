"""Any calibration file: which reader it needs, and which of its cameras is meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from reenact.errors import InputError
from reenact.formats.camera.calibration import Calibration
from reenact.formats.camera.opencv_yaml import read_opencv_yaml
from reenact.formats.camera.qca import read_qca
from reenact.formats.camera.toml import read_camera_toml

READERS: Final[dict[str, Callable[[Path], tuple[Calibration, ...]]]] = {
    ".toml": read_camera_toml,
    ".qca.txt": read_qca,
    ".qca": read_qca,
    ".yml": read_opencv_yaml,
    ".yaml": read_opencv_yaml,
}


def read_calibrations(path: Path | str) -> tuple[Calibration, ...]:
    """All cameras of a calibration file, by the ending of its name."""
    path = Path(path)
    reader = next((read for ending, read in READERS.items() if path.name.lower().endswith(ending)), None)
    if reader is None:
        endings = ", ".join(READERS)
        raise InputError(f"'{path.name}' is no calibration that can be read; the endings are {endings}", path=path)
    return reader(path)


def chosen(cameras: Sequence[Calibration], path: Path | str, wanted: str) -> Calibration:
    """The camera of this name, or the only one; spaces, signs and capitals aside, so that "cam01" finds "cam_01"."""
    plain = [_plain(camera.name) for camera in cameras]
    if plain.count(_plain(wanted)) == 1:
        return cameras[plain.index(_plain(wanted))]
    if len(cameras) == 1:
        return cameras[0]
    names = ", ".join(camera.name for camera in cameras)
    raise InputError(f"has no camera '{wanted}'; there are: {names}", path=path)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
