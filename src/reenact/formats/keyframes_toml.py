"""Motions written by hand as TOML: poses at times, angles in degrees.

name = "bow"
body = "human50"        # whose hinges are named; where the motion is read as a clip, also who performs it
[[key]]
time = 0.0              # [s]
[[key]]
time = 1.0
pitch = 10.0            # of the whole body: yaw, pitch (positive face down), roll, spin about its long axis
angles = { waist_flexion = 60.0, knee_left_flexion = 20.0 }   # a name without its side means both
[[flight]]              # times between which nothing touches the ground
from = 1.2
to = 1.4
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import msgspec
import numpy as np

from reenact.body.load import load_body
from reenact.errors import InputError
from reenact.formats.axes import Up
from reenact.formats.text_file import decode, read_bytes
from reenact.motion.clip import SkeletonClip
from reenact.motion.keyframes import TURNS, Key, Keyframes, pose_keyframes
from reenact.motion.skeleton_of import motion_to_skeleton_clip
from reenact.motion.support import Flight


class _Key(msgspec.Struct, forbid_unknown_fields=True):
    time: float
    yaw: float | None = None
    pitch: float | None = None
    roll: float | None = None
    spin: float | None = None
    angles: dict[str, float] = msgspec.field(default_factory=dict)


class _Flight(msgspec.Struct, forbid_unknown_fields=True, rename={"start": "from", "end": "to"}):
    start: float
    end: float


class _File(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    key: list[_Key]
    body: str = "human50"
    rate: float = 60.0
    flight: list[_Flight] = msgspec.field(default_factory=list)
    about: str = ""


def parse_keyframes(text: str, path: Path | None = None) -> tuple[Keyframes, str]:
    """The keyframes in a TOML text and the name of the body they were written for."""
    try:
        raw = tomllib.loads(text)
        file = msgspec.convert(raw, _File)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        raise InputError(f"is not TOML: {error}", path=path, line=int(line[1]) if line else None) from None
    except msgspec.ValidationError as error:
        raise InputError(f"is no keyframed motion: {error}", path=path) from None
    try:
        return _keyframes(file), file.body
    except InputError as error:
        raise InputError(error.cause, path=path) from None


def _keyframes(file: _File) -> Keyframes:
    if not (np.isfinite(file.rate) and 1.0 <= file.rate <= 1000.0):
        raise InputError(f"rate is {file.rate:g}, expected 1 to 1000 frames per second")
    keys = []
    for key in file.key:
        turns = {turn: getattr(key, turn) for turn in TURNS if getattr(key, turn) is not None}
        values = {name: float(np.deg2rad(value)) for name, value in {**turns, **key.angles}.items()}
        keys.append(Key(time=key.time, values=MappingProxyType(values)))
    flights = tuple(Flight(start=f.start, end=f.end) for f in file.flight)
    return Keyframes(name=file.name, keys=tuple(keys), flights=flights, rate=file.rate)


def read_keyframes(path: Path, *, units: float | None = None, up: Up | None = None) -> SkeletonClip:
    """A keyframed motion performed by the body it was written for, as a clip; it is always in metres and z up."""
    del units, up
    text = decode(read_bytes(path), path, expected="keyframes in TOML")
    keyframes, body = parse_keyframes(text, path)
    motion = pose_keyframes(keyframes, load_body(body))
    clip = motion_to_skeleton_clip(motion.body, motion.qpos, motion.rate, motion.name)
    return replace(clip, source=MappingProxyType({"units": "1.0", "up": "z", "keys": str(len(keyframes.keys))}))
