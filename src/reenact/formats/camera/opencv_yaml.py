"""Calibrations in YAML as OpenCV's FileStorage and ROS write them: named matrices with rows, cols and data.

A small part of YAML is enough for these files and is all that is read here: keys at the left margin, with a number, a
text, a list in brackets, or an indented block with `rows`, `cols` and `data` below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from reenact.errors import InputError
from reenact.formats.camera.calibration import Calibration, Fields
from reenact.formats.text_file import read_lines
from reenact.geometry.rotation import Array

# What programs call the same thing, in small letters without underscores.
_MATRIX = ("cameramatrix", "k", "m", "mtx", "intrinsicmatrix", "intrinsics")
_LENS = ("distortioncoefficients", "distcoeffs", "distcoef", "dist", "d", "distortion", "distortions")
_TURN = ("rvec", "rotationvector", "rotation", "r", "rotationmatrix", "rmat")
_SHIFT = ("tvec", "translationvector", "translation", "t")
_WIDTH, _HEIGHT, _SIZE = ("imagewidth", "width"), ("imageheight", "height"), ("imagesize", "size", "resolution")
_FISHEYE = ("fisheye", "equidistant")


def read_opencv_yaml(path: Path) -> tuple[Calibration, ...]:
    """The camera of a file; it seldom says where the camera stands."""
    lines = read_lines(path, expected="a camera calibration in YAML")
    values = dict(_entries(lines, path))
    fields = Fields(label=f"camera '{path.stem}'", path=path)
    matrix = _first(values, _MATRIX)
    if not isinstance(matrix, np.ndarray):
        raise fields.error(f"no camera matrix; looked for {', '.join(_MATRIX[:3])}, found: {_names(values)}")
    model = str(_first(values, ("distortionmodel", "cameramodel", "model")) or "")
    if model.strip("'\"").lower() in _FISHEYE or str(_first(values, ("fisheye",))).lower() in ("1.0", "true"):
        raise fields.error("is a fisheye; only pinhole cameras with radial and tangential distortion can be used")
    together, sides = _first(values, _SIZE), [_first(values, names) for names in (_WIDTH, _HEIGHT)]
    size = np.ravel(np.asarray(together)).tolist() if together is not None else None if None in sides else sides
    turn, shift = _first(values, _TURN), _first(values, _SHIFT)
    if (turn is None) != (shift is None):
        raise fields.error(f"holds a {'translation' if turn is None else 'rotation'} alone; both are needed, or none")
    lens = _first(values, _LENS)
    return (
        Calibration(
            name=path.stem,
            size=None if size is None else fields.size(size),
            matrix=fields.matrix(matrix.reshape(3, 3) if matrix.size == 9 else matrix),
            distortion=fields.distortion([] if lens is None else lens),
            rotation=None if turn is None else fields.rotation(turn),
            translation=None if shift is None else fields.numbers("translation", np.ravel(np.asarray(shift)), (3,)),
        ),
    )


def _first(values: Mapping[str, Array | float | str], names: tuple[str, ...]) -> Array | float | str | None:
    return next((values[name] for name in names if name in values), None)


def _names(values: Mapping[str, object]) -> str:
    return ", ".join(list(values)[:8]) or "nothing"


def _entries(lines: list[str], path: Path) -> Iterator[tuple[str, Array | float | str]]:
    """Keys at the left margin, in small letters without underscores, with what stands beside and below them."""
    starts = [i for i, line in enumerate(lines) if re.match(r"[A-Za-z_][\w-]*\s*:", line)]
    if not starts:
        raise InputError("is no calibration in YAML: no line 'name: value'", path=path, line=1)
    for begin, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        key, _, beside = lines[begin].partition(":")
        block = "\n".join([beside, *(line for line in lines[begin + 1 : end] if not line.startswith(("%", "---")))])
        yield key.strip().lower().replace("_", "").replace("-", ""), _value(block, path, begin + 1)


def _value(block: str, path: Path, line: int) -> Array | float | str:
    """A matrix where the block has data in brackets, else a number or the text itself."""
    data = re.search(r"\[(.*)\]", block, re.DOTALL)
    if not data:
        text = block.strip().strip("'\"")
        try:
            return float(text)
        except ValueError:
            return text
    try:
        numbers = np.array([float(word) for word in re.split(r"[\s,\[\]]+", data[1]) if word])
    except ValueError:
        return block.strip()
    sides = [re.search(rf"^\s*{word}\s*:\s*(\d+)\s*$", block, re.MULTILINE) for word in ("rows", "cols")]
    if sides[0] is None or sides[1] is None:
        return numbers
    shape = (int(sides[0][1]), int(sides[1][1]))
    if shape[0] * shape[1] != numbers.size:
        raise InputError(f"a matrix of {shape[0]} × {shape[1]} with {numbers.size} numbers", path=path, line=line)
    return numbers.reshape(shape)
