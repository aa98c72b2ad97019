"""Qualisys calibrations (.qca.txt): XML, millimetres, sensor coordinates in 64ths of a pixel, z up.

The camera's own axes there are x right, y up, z back. Distortion coefficients have no unit and are taken as they stand
(Pose2Sim divides them by 64 as well, which all but takes the distortion away). `viewrotation` is how a picture is shown
to the user; the calibration is that of the picture as recorded.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from reenact.errors import InputError
from reenact.formats.camera.calibration import Calibration, Fields
from reenact.formats.text_file import decode, read_bytes

PART_OF_PIXEL = 64.0
LIMIT = 16 * 2**20  # bytes
_TO_OPENCV = np.diag([1.0, -1.0, -1.0])


def read_qca(path: Path) -> tuple[Calibration, ...]:
    """All cameras of a file, in its order."""
    text = decode(read_bytes(path, limit=LIMIT), path, expected="a Qualisys calibration")
    if "<!ENTITY" in text or "<!DOCTYPE" in text:
        raise InputError("declares a document type, which no Qualisys calibration does", path=path)
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise InputError(f"is not XML: {error.msg}", path=path, line=error.position[0]) from None
    found = tuple(_camera(node, i, path) for i, node in enumerate(root.iter("camera"), start=1))
    if not found:
        raise InputError("holds no camera: no element <camera>", path=path)
    return found


def _camera(node: ElementTree.Element, number: int, path: Path) -> Calibration:
    name = node.get("serial") or f"camera {number}"
    fields = Fields(label=f"camera '{name}'", path=path)
    left, top, right, bottom = _values(node, fields, "fov_video", "left", "top", "right", "bottom")
    fx, fy, cx, cy, k1, k2, k3, p1, p2 = _values(
        node, fields, "intrinsic", "focalLengthU", "focalLengthV", "centerPointU", "centerPointV",
        "radialDistortion1", "radialDistortion2", "radialDistortion3", "tangentalDistortion1", "tangentalDistortion2",
    )  # fmt: skip
    where = _values(node, fields, "transform", "x", "y", "z")
    entries = _values(node, fields, "transform", *(f"r{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)))
    turn = fields.rotation(_TO_OPENCV @ np.reshape(entries, (3, 3)))
    focal, centre = np.array([fx, fy]) / PART_OF_PIXEL, np.array([cx, cy]) / PART_OF_PIXEL - [left, top]
    matrix = np.array([[focal[0], 0.0, centre[0]], [0.0, focal[1], centre[1]], [0.0, 0.0, 1.0]])
    return Calibration(
        name=name,
        size=fields.size([right - left + 1, bottom - top + 1]),
        matrix=fields.matrix(matrix),
        distortion=np.array([k1, k2, p1, p2, k3]),
        rotation=turn,
        translation=-turn @ np.array(where) / 1000.0,
    )


def _values(node: ElementTree.Element, fields: Fields, tag: str, *keys: str) -> list[float]:
    """Attributes of a child element as numbers."""
    child = node.find(tag)
    if child is None:
        raise fields.error(f"the element <{tag}> is missing")
    values = []
    for key in keys:
        text = child.get(key)
        if text is None:
            raise fields.error(f"<{tag}> has no '{key}'; it has: {', '.join(child.attrib)}")
        try:
            values.append(float(text))
        except ValueError:
            raise fields.error(f"<{tag}> {key} is '{text[:20]}', expected a number") from None
    if not np.isfinite(values).all():
        raise fields.error(f"<{tag}> holds a value that is not finite")
    return values
