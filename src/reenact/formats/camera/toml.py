"""Cameras in TOML as Pose2Sim, Caliscope and aniposelib write them, and as we do: one table a camera.

[cam_01]                                    # Caliscope: [cameras.1]
name = "cam_01"
size = [1920, 1080]                         # [px]
matrix = [[fx, 0, cx], [0, fy, cy], [0, 0, 1]]
distortions = [k1, k2, p1, p2]              # OpenCV's
rotation = [rx, ry, rz]                     # world to camera, a rotation vector [rad] or a matrix
translation = [tx, ty, tz]                  # [m]
fisheye = false
ground = 0.0                                # ours: height of the ground in the world [m], may be left out

[metadata]                                  # what others keep here is passed over
video = "walk.mp4"                          # ours: from which the camera was solved, if it was
video_content = "3fe1…"
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from reenact.errors import InputError
from reenact.formats.camera.calibration import Calibration, Fields
from reenact.formats.replace_file import replace_file
from reenact.formats.text_file import decode, read_bytes
from reenact.formats.video_content import Origin
from reenact.geometry import rotation as turns

METADATA: Final = "metadata"  # a table that is no camera


def read_camera_toml(path: Path) -> tuple[Calibration, ...]:
    """All cameras of a file, in its order."""
    return parse_camera_toml(decode(read_bytes(path), path, expected="a camera calibration in TOML"), path)


def parse_camera_toml(text: str, path: Path) -> tuple[Calibration, ...]:
    """All cameras of a text, in its order; `path` is where it came from, for errors."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        raise InputError(f"is not TOML: {error}", path=path, line=int(line[1]) if line else None) from None
    found = tuple(_camera(key, table, text, path) for key, table in _tables(tables))
    if not found:
        raise InputError("holds no camera: no table with a 'matrix' in it, as [cam_01] has", path=path)
    return found


def origin_in_toml(path: Path) -> Origin | None:
    """The video that the cameras of a file were solved from; None where it does not say."""
    try:
        tables = tomllib.loads(decode(read_bytes(path), path, expected="a camera calibration in TOML"))
    except tomllib.TOMLDecodeError:
        return None  # whoever reads the cameras says so
    match tables.get(METADATA):
        case {"video": str(name), "video_content": str(content)}:
            return Origin(name=name, content=content)
    return None


def _tables(tables: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Tables that describe a camera, at any depth, with their dotted names."""
    for key, value in tables.items():
        if not isinstance(value, dict) or key == METADATA:
            continue
        if {"matrix", "rotation", "distortions"} & value.keys():
            yield above + key, value
        else:
            yield from _tables(value, f"{above}{key}.")


def _camera(key: str, table: Mapping[str, Any], text: str, path: Path) -> Calibration:
    header = re.compile(rf"^\s*\[\s*{re.escape(key)}\s*\]")
    line = next((i for i, one in enumerate(text.splitlines(), start=1) if header.match(one)), None)
    name = str(table.get("name", table.get("cam_id", key)))
    fields = Fields(label=f"camera '{name}'", path=path, line=line)
    for needed in ("size", "matrix"):
        if needed not in table:
            raise fields.error(f"the key '{needed}' is missing")
    if ("rotation" in table) != ("translation" in table):
        missing = "translation" if "rotation" in table else "rotation"
        raise fields.error(f"the key '{missing}' is missing")
    if table.get("fisheye"):
        raise fields.error("is a fisheye; only pinhole cameras with radial and tangential distortion can be used")
    posed = bool(table.get("rotation")) and bool(table.get("translation"))
    return Calibration(
        name=name,
        size=fields.size(table["size"]),
        matrix=fields.matrix(table["matrix"]),
        distortion=fields.distortion(table.get("distortions", [])),
        rotation=fields.rotation(table["rotation"]) if posed else None,
        translation=fields.numbers("translation", table["translation"], (3,), (1, 3), (3, 1)).ravel()
        if posed
        else None,
        ground=float(fields.numbers("ground", table.get("ground", 0.0), ())),
    )


def write_camera_toml(
    path: Path | str, cameras: Sequence[Calibration], notes: Sequence[str] = (), origin: Origin | None = None
) -> None:
    """Write cameras with every digit; `notes` are lines of comment at the top, `origin` what they were solved from."""
    replace_file(path, format_camera_toml(cameras, notes, origin))


def format_camera_toml(
    cameras: Sequence[Calibration], notes: Sequence[str] = (), origin: Origin | None = None
) -> str:  # fmt: skip
    """The text of such a file."""
    lines = [f"# {note}" for note in notes]
    for camera in cameras:
        key = re.sub(r"[^A-Za-z0-9_-]+", "_", camera.name) or "camera"
        key = f"{key}_" if key == METADATA else key
        lines += ["", f"[{key}]", f"name = {_quoted(camera.name)}"]
        if camera.size is not None:
            lines.append(f"size = [{camera.size[0]}, {camera.size[1]}]")
        lines.append(f"matrix = {camera.matrix.tolist()}")
        lens = np.concatenate([camera.distortion, np.zeros(max(0, 4 - len(camera.distortion)))])
        lines.append(f"distortions = {lens.tolist()}")
        if camera.rotation is not None and camera.translation is not None:
            lines.append(f"rotation = {turns.to_rotvec(turns.from_matrix(camera.rotation)).tolist()}")
            lines.append(f"translation = {camera.translation.tolist()}")
        lines += ["fisheye = false", f"ground = {float(camera.ground)!r}"]
    if origin is not None:
        content = _quoted(origin.content)
        lines += ["", f"[{METADATA}]", f"video = {_quoted(origin.name)}", f"video_content = {content}"]
    return "\n".join(lines).lstrip("\n") + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
