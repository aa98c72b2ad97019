"""Pose models as TOML text: what `dump_model` writes, `parse_model` reads back bit for bit.

format = "reenact-pose-model"
version = 1
name = "walk"                    # the activity
body = "adult"                   # whose hinges
encoding = "sine_cosine"
mirrored = true
variance = 0.951                 # share of the training poses' variance that is kept
sigma = [1.2, 0.7]               # standard deviations of the coefficients s
[[clip]]                         # what it was trained on
name = "walk1.bvh"
sha256 = "…"
poses = 316
[hinge]                          # direction in the segment's frame, limits [rad]
knee_left_flexion = { direction = [0.0, 1.0, 0.0], limits = [-0.087, 2.757] }
[feature]                        # encoded pose = offset + basis · s / weight, row by row
root_up_x = { offset = 0.1, weight = 1.5, basis = [0.02, -0.4] }
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from reenact.errors import InputError
from reenact.formats.take import Source
from reenact.geometry.rotation import Array
from reenact.priors.encoding import Encoding, feature_names
from reenact.priors.hinges import Hinges
from reenact.priors.model import PoseModel
from reenact.priors.training_clip import TrainingClip

FORMAT: Final = "reenact-pose-model"
VERSION: Final = 1


class _Clip(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    sha256: str
    poses: int


class _Hinge(msgspec.Struct, forbid_unknown_fields=True):
    direction: tuple[float, float, float]
    limits: tuple[float, float]


class _Feature(msgspec.Struct, forbid_unknown_fields=True):
    offset: float
    weight: float
    basis: list[float]


class _File(msgspec.Struct, forbid_unknown_fields=True):
    format: str
    version: int
    name: str
    body: str
    encoding: Encoding
    mirrored: bool
    variance: float
    sigma: list[float]
    hinge: dict[str, _Hinge]
    feature: dict[str, _Feature]
    clip: list[_Clip] = []


def dump_model(model: PoseModel) -> str:
    """TOML text of a model, every number with all its digits."""
    return "\n".join(_lines(model)) + "\n"


def parse_model(text: str, path: Path | str | None = None) -> PoseModel:
    """The model that a TOML text describes; `path` is where it came from, for the message of an error."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column \d+\)", str(error))
        cause = f"is not TOML: {re.sub(r' ?[(]at .*[)]', '', str(error))}"
        raise InputError(cause, path=path, line=int(place[1]) if place else None) from None
    if raw.get("format") != FORMAT:
        raise InputError(f"is no pose model: format is {raw.get('format')!r}, expected {FORMAT!r}", path=path)
    if raw.get("version") != VERSION:
        raise InputError(f"is a pose model of version {raw.get('version')!r}, expected {VERSION}", path=path)
    try:
        return _model(msgspec.convert(raw, _File))
    except msgspec.ValidationError as error:
        raise InputError(f"is no pose model: {str(error).replace('`', '')}", path=path) from None
    except InputError as error:
        raise InputError(error.cause, path=path) from None


def _lines(model: PoseModel) -> Iterable[str]:
    yield "# A model of poses: offset + basis · s / weight. `reenact prior show FILE` says what it is made of."
    yield f"format = {_text(FORMAT)}"
    yield f"version = {VERSION}"
    for field in ("name", "body", "encoding"):
        yield f"{field} = {_text(getattr(model, field))}"
    yield f"mirrored = {'true' if model.mirrored else 'false'}"
    yield f"variance = {float(model.variance)!r}"
    yield f"sigma = {_numbers(model.sigma)}"
    for clip in model.clips:
        yield ""
        yield "[[clip]]"
        yield f"name = {_text(clip.source.name)}"
        yield f"sha256 = {_text(clip.source.sha256)}"
        yield f"poses = {clip.poses}"
    hinges = model.hinges
    yield ""
    yield "[hinge]"
    for name, direction, limits in zip(hinges.names, hinges.directions, hinges.limits, strict=True):
        yield f"{_key(name)} = {{ direction = {_numbers(direction)}, limits = {_numbers(limits)} }}"
    yield ""
    yield "[feature]"
    names = feature_names(hinges, model.encoding)
    for name, offset, weight, row in zip(names, model.offset, model.weights, model.basis, strict=True):
        yield f"{_key(name)} = {{ offset = {float(offset)!r}, weight = {float(weight)!r}, basis = {_numbers(row)} }}"


def _model(file: _File) -> PoseModel:
    hinges = Hinges(
        names=tuple(file.hinge),
        directions=np.array([h.direction for h in file.hinge.values()], float).reshape(-1, 3),
        limits=np.array([h.limits for h in file.hinge.values()], float).reshape(-1, 2),
    )
    rows = _rows(file, hinges)
    return PoseModel(
        name=file.name,
        body=file.body,
        hinges=hinges,
        encoding=file.encoding,
        basis=np.array([row.basis for row in rows], float),
        weights=np.array([row.weight for row in rows], float),
        offset=np.array([row.offset for row in rows], float),
        sigma=np.array(file.sigma, float),
        variance=file.variance,
        mirrored=file.mirrored,
        clips=tuple(TrainingClip(source=Source(name=c.name, sha256=c.sha256), poses=c.poses) for c in file.clip),
    )


def _rows(file: _File, hinges: Hinges) -> list[_Feature]:
    """The features in the order of the encoding, as the hinges ask for."""
    expected = feature_names(hinges, file.encoding)
    for name in expected:
        if name not in file.feature:
            raise InputError(f"pose model '{file.name}': feature '{name}' is missing")
        if len(file.feature[name].basis) != len(file.sigma):
            raise InputError(
                f"pose model '{file.name}': feature '{name}' has {len(file.feature[name].basis)} numbers in its basis, "
                f"expected {len(file.sigma)}, one for each sigma"
            )
    if unknown := [name for name in file.feature if name not in expected]:
        raise InputError(f"pose model '{file.name}': feature '{unknown[0]}' belongs to no hinge")
    return [file.feature[name] for name in expected]


def _numbers(values: Array) -> str:
    return "[" + ", ".join(repr(float(v)) for v in values) + "]"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _text(name)
