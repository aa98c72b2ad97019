"""DeepMimic motions (.json, .txt) in: `Frames` of 44 numbers for one fixed humanoid, metres, y up, facing +x.

Each frame: duration [s], root position, root quaternion wxyz, then each joint's quaternion or, for knees and elbows,
its angle about z. Bone lengths are those of DeepMimic's `humanoid3d` character, which the files do not carry.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from reenact.errors import InputError
from reenact.formats.axes import Up
from reenact.formats.guess import Convention, in_metres_and_z_up
from reenact.formats.number_rows import LARGEST
from reenact.formats.text_file import decode, read_bytes
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.clip import Skeleton, SkeletonClip

# name, parent, offset [m] in y-up axes, numbers in a frame (4 quaternion, 1 angle about z, 0 none), end site
_JOINTS: Final[tuple[tuple[str, str, tuple[float, float, float], int, bool], ...]] = (
    ("root", "", (0.0, 0.0, 0.0), 4, False),
    ("chest", "root", (0.0, 0.236151, 0.0), 4, False),
    ("neck", "chest", (0.0, 0.223894, 0.0), 4, False),
    ("neck_end", "neck", (0.0, 0.2775, 0.0), 0, True),  # top of the head's sphere
    ("right_shoulder", "chest", (-0.02405, 0.2435, 0.18311), 4, False),
    ("right_elbow", "right_shoulder", (0.0, -0.274788, 0.0), 1, False),
    ("right_wrist", "right_elbow", (0.0, -0.258947, 0.0), 0, False),
    ("right_wrist_end", "right_wrist", (0.0, -0.04, 0.0), 0, True),  # bottom of the hand's sphere
    ("left_shoulder", "chest", (-0.02405, 0.2435, -0.18311), 4, False),
    ("left_elbow", "left_shoulder", (0.0, -0.274788, 0.0), 1, False),
    ("left_wrist", "left_elbow", (0.0, -0.258947, 0.0), 0, False),
    ("left_wrist_end", "left_wrist", (0.0, -0.04, 0.0), 0, True),
    ("right_hip", "root", (0.0, 0.0, 0.084887), 4, False),
    ("right_knee", "right_hip", (0.0, -0.421546, 0.0), 1, False),
    ("right_ankle", "right_knee", (0.0, -0.40987, 0.0), 4, False),
    ("right_ankle_end", "right_ankle", (0.1335, -0.05, 0.0), 0, True),  # front of the foot's box, at the sole
    ("left_hip", "root", (0.0, 0.0, -0.084887), 4, False),
    ("left_knee", "left_hip", (0.0, -0.421546, 0.0), 1, False),
    ("left_ankle", "left_knee", (0.0, -0.40987, 0.0), 4, False),
    ("left_ankle_end", "left_ankle", (0.1335, -0.05, 0.0), 0, True),
)
_FRAME_ORDER: Final = (
    *("root", "chest", "neck"),
    *("right_hip", "right_knee", "right_ankle", "right_shoulder", "right_elbow"),
    *("left_hip", "left_knee", "left_ankle", "left_shoulder", "left_elbow"),
)
_NAMES: Final = tuple(joint[0] for joint in _JOINTS)
WIDTH: Final = 4 + sum(joint[3] for joint in _JOINTS)  # 44
LOOPS: Final = ("none", "wrap")


class _File(msgspec.Struct):
    Frames: list[list[float]]
    Loop: str = "none"


def read_deepmimic(path: Path, *, units: float | None = None, up: Up | None = None) -> SkeletonClip:
    """A DeepMimic motion as it is, one cycle where it loops (`source["loop"]` is "wrap")."""
    loop, frames = _parse(path)
    rate, time = _timing(frames[:, 0], path)
    translation, turns, notes = _poses(frames, path)
    translation, turns, more = _make_even(rate, time, translation, turns, path)
    clip = SkeletonClip(
        name=path.stem.removeprefix("humanoid3d_"),
        rate=rate,
        skeleton=_skeleton(),
        translation=translation,
        rotation=turns,
        source={"channels": ";".join(_channels(*joint[:4]) if not joint[4] else "" for joint in _JOINTS), "loop": loop},
        notes=(*notes, *more),
    )
    convention = Convention(
        units=1.0 if units is None else units,
        up="y" if up is None else up,
        units_why="metres by the format" if units is None else "given",
        up_why="by the format" if up is None else "given",
    )
    return in_metres_and_z_up(clip, convention, source={"format": "deepmimic", "file": path.name})


def _parse(path: Path) -> tuple[str, Array]:
    """The loop mode and the frames (T, 44)."""
    data = read_bytes(path)
    text = decode(data, path, expected="a DeepMimic JSON file")
    try:
        content = msgspec.json.decode(text, type=_File)
    except (msgspec.DecodeError, RecursionError) as error:
        cause = str(error).splitlines()[0] if str(error) else "nested too deeply"
        byte = re.search(r"byte (\d+)", cause)
        line = text.encode()[: int(byte[1])].count(b"\n") + 1 if byte else None
        raise InputError(f"not a DeepMimic motion: {cause}", path=path, line=line) from None
    if content.Loop not in LOOPS:
        raise InputError(f"Loop is {content.Loop[:40]!r}, expected one of: {', '.join(LOOPS)}", path=path)
    if not content.Frames:
        raise InputError("Frames is empty", path=path)
    for index, row in enumerate(content.Frames):
        if len(row) != WIDTH:
            raise InputError(f"frame {index} has {len(row)} numbers, expected {WIDTH} of the humanoid", path=path)
    frames = np.array(content.Frames, float)
    fine = np.abs(frames) <= LARGEST
    if not fine.all():
        index, column = (int(i) for i in np.argwhere(~fine)[0])
        raise InputError(f"frame {index}, number {column}: {frames[index, column]:g} is out of range", path=path)
    return content.Loop, frames


def _timing(durations: Array, path: Path) -> tuple[float, Array]:
    """Frames per second by the usual duration, and the time of each frame [s]; the last duration leads nowhere."""
    used = durations[:-1] if len(durations) > 1 else durations
    usual = float(np.median(used))
    if not (1e-5 <= usual <= 10 and used.min() >= 0 and used.max() <= 10):
        raise InputError(f"frames last {used.min():g} to {used.max():g} s, expected 0.00001 to 10 s", path=path)
    rate = 1.0 / usual
    whole = max(1, round(rate))
    return float(whole) if abs(rate - whole) < 2e-4 * rate else rate, np.concatenate([[0.0], np.cumsum(durations[:-1])])


def _make_even(
    rate: float, time: Array, translation: Array, turns: Array, path: Path
) -> tuple[Array, Array, tuple[str, ...]]:
    """Poses at even times where the frames of the file last unequally."""
    if len(time) == 1 or np.abs(np.diff(time) * rate - 1.0).max() < 0.05:
        return translation, turns, ()
    count = round(time[-1] * rate) + 1
    if count > 20 * len(time):
        raise InputError(f"frames last too unequally: {len(time)} frames over {time[-1]:g} s at {rate:g} Hz", path=path)
    even = np.minimum(np.arange(count) / rate, time[-1])
    after = np.clip(np.searchsorted(time, even, side="right"), 1, len(time) - 1)
    span = time[after] - time[after - 1]
    part = np.where(span > 0, (even - time[after - 1]) / np.where(span > 0, span, 1.0), 0.0)[:, None]
    moved = translation[after - 1] + part[..., None] * (translation[after] - translation[after - 1])
    turned = rotation.slerp(turns[after - 1], turns[after], np.broadcast_to(part, turns[after].shape[:-1]))
    return moved, turned, (f"frames last unequally: {len(time)} resampled to {count} at {rate:g} Hz",)


def _skeleton() -> Skeleton:
    return Skeleton(
        names=_NAMES,
        parents=tuple(_NAMES.index(joint[1]) if joint[1] else -1 for joint in _JOINTS),
        offsets=np.array([joint[2] for joint in _JOINTS]),
        ends=tuple(joint[4] for joint in _JOINTS),
    )


def _channels(name: str, parent: str, _: tuple[float, float, float], numbers: int) -> str:
    """Channels for a BVH of the same motion: flexion axis first."""
    return ("" if parent else "XYZ") + ("z" if numbers == 1 else "zxy")


def _poses(frames: Array, path: Path) -> tuple[Array, Array, tuple[str, ...]]:
    """Translation (T, J, 3) [m] and rotation (T, J, 4) in the file's axes, and what was odd."""
    off = 0
    translation = np.tile(np.array([joint[2] for joint in _JOINTS]), (len(frames), 1, 1))
    translation[:, 0] = frames[:, 1:4]
    turns = np.tile(rotation.IDENTITY, (len(frames), len(_JOINTS), 1))
    column = 4
    for name in _FRAME_ORDER:
        index = _NAMES.index(name)
        numbers = _JOINTS[index][3]
        if numbers == 4:
            quaternion = frames[:, column : column + 4]
            length = np.linalg.norm(quaternion, axis=-1)
            bad = int(np.argmax(np.abs(length - 1.0)))
            if not 0.5 <= length[bad] <= 2.0:
                raise InputError(
                    f"frame {bad}: quaternion of {name} has length {length[bad]:.3g}, expected 1", path=path
                )
            off += int(np.sum(np.abs(length - 1.0) > 0.02))
            turns[:, index] = rotation.normalize(quaternion)
        else:
            turns[:, index] = rotation.from_axis_angle(rotation.AXES["z"], frames[:, column])
        column += numbers
    return translation, turns, (f"{off} quaternions were not of length 1, scaled",) if off else ()
