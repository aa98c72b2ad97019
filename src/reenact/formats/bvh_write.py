"""Biovision Hierarchy (.bvh) out: six decimals, in the units, axes and channel orders the clip came with."""

from __future__ import annotations

from pathlib import Path
from typing import Final, cast

import numpy as np

from reenact.formats.axes import Up, check_overrides, quaternions_from_z_up, vectors_from_z_up
from reenact.formats.euler_channels import single_axis_angles, smooth_euler, turns_about
from reenact.formats.replace_file import replace_file
from reenact.geometry.rotation import Array
from reenact.motion.clip import SkeletonClip

DEFAULT_UNITS: Final = 0.01  # m: centimetres, as most animation programs expect
DEFAULT_UP: Final[Up] = "y"
_DEFAULT_ORDER: Final = "zxy"
_WORDS: Final = {
    "X": "Xposition",
    "Y": "Yposition",
    "Z": "Zposition",
    "x": "Xrotation",
    "y": "Yrotation",
    "z": "Zrotation",
}


def write_bvh(path: Path | str, clip: SkeletonClip, *, units: float | None = None, up: Up | None = None) -> None:
    """Write a clip; unit [m] and up axis are those of `clip.source`, or centimetres and y up, unless given."""
    replace_file(path, format_bvh(clip, units=units, up=up))


def format_bvh(clip: SkeletonClip, *, units: float | None = None, up: Up | None = None) -> str:
    """The text of a BVH file."""
    check_overrides(units, up)
    unit = float(clip.source.get("units", DEFAULT_UNITS)) if units is None else units
    axis = cast(Up, clip.source.get("up", DEFAULT_UP)) if up is None else up
    offsets = vectors_from_z_up(clip.skeleton.offsets, axis) / unit
    translation = vectors_from_z_up(clip.translation, axis) / unit
    turns = quaternions_from_z_up(clip.rotation, axis)
    channels = _channels(clip, offsets, translation, turns)

    children: list[list[int]] = [[] for _ in clip.skeleton.names]
    for joint, parent in enumerate(clip.skeleton.parents):
        if parent >= 0:
            children[parent].append(joint)
    lines, order = ["HIERARCHY"], []
    for root in (joint for joint, parent in enumerate(clip.skeleton.parents) if parent < 0):
        order += _write_tree(clip, root, children, channels, offsets, lines)
    lines += ["MOTION", f"Frames: {clip.frames}", f"Frame Time: {_frame_time(clip.rate)}"]
    table = _numbers(channels, order, translation, turns)
    pattern = " ".join(["%.6f"] * table.shape[1])
    lines += [pattern % tuple(row) for row in table.tolist()]
    return "\n".join(lines) + "\n"


def _frame_time(rate: float) -> str:
    return f"{1.0 / rate:.12f}".rstrip("0")


def _channels(clip: SkeletonClip, offsets: Array, translation: Array, turns: Array) -> list[str | None]:
    """Channel letters of each joint, None for an end site; those of the source where they can carry the motion."""
    known = clip.source.get("channels", "").split(";")
    if len(known) != clip.skeleton.size:
        known = [""] * clip.skeleton.size
    parents = set(clip.skeleton.parents)
    result: list[str | None] = []
    for joint, letters in enumerate(known):
        fixed = bool(np.all(np.abs(translation[:, joint] - offsets[joint]) < 5e-7))
        still = bool(np.all(np.abs(turns[:, joint, 1:]) < 1e-9))
        root = clip.skeleton.parents[joint] < 0
        if clip.skeleton.ends[joint] and joint not in parents and fixed and still and not root:
            result.append(None)
            continue
        position = "".join(letter for letter in letters if letter.isupper())
        order = "".join(letter for letter in letters if letter.islower())
        if len(position) != 3 and (root or not fixed):
            position = "XYZ"
        one_axis = len(order) == 1 and turns_about(order, turns[:, joint])
        if sorted(order) != ["x", "y", "z"] and not one_axis and not (still and position and not order):
            order = _DEFAULT_ORDER
        result.append(letters if sorted(letters) == sorted(position + order) else position + order)
    return result


def _write_tree(
    clip: SkeletonClip,
    root: int,
    children: list[list[int]],
    channels: list[str | None],
    offsets: Array,
    lines: list[str],
) -> list[int]:
    """Append the block of `root` and all below it; returns the joints in the order of their channels."""
    order: list[int] = []
    stack: list[tuple[int, int, bool]] = [(root, 0, False)]
    while stack:
        joint, depth, closing = stack.pop()
        indent = "  " * depth
        if closing:
            lines.append(indent + "}")
            continue
        letters = channels[joint]
        name = clip.skeleton.names[joint].replace("{", "_").replace("}", "_")
        title = "End Site" if letters is None else f"{'JOINT' if depth else 'ROOT'} {' '.join(name.split()) or 'joint'}"
        x, y, z = np.round(offsets[joint], 6) + 0.0
        lines += [indent + title, indent + "{", f"{indent}  OFFSET {x:.6f} {y:.6f} {z:.6f}"]
        if letters is not None:
            lines.append(f"{indent}  CHANNELS {len(letters)} {' '.join(_WORDS[letter] for letter in letters)}")
            order.append(joint)
        stack.append((joint, depth, True))
        stack += [(child, depth + 1, False) for child in reversed(children[joint])]
    return order


def _numbers(channels: list[str | None], order: list[int], translation: Array, turns: Array) -> Array:
    """The motion (T, channels), lengths in file units and angles in degrees, rounded to six decimals."""
    angles: dict[int, dict[str, Array]] = {}
    orders = {joint: "".join(k for k in channels[joint] or "" if k.islower()) for joint in order}
    for euler in sorted({e for e in orders.values() if len(e) == 3}):
        members = [joint for joint in order if orders[joint] == euler]
        degrees = np.degrees(smooth_euler(euler, turns[:, members]))
        for i, joint in enumerate(members):
            angles[joint] = {letter: degrees[:, i, k] for k, letter in enumerate(euler)}
    for joint in (joint for joint in order if len(orders[joint]) == 1):
        angles[joint] = {orders[joint]: np.degrees(single_axis_angles(orders[joint], turns[:, joint]))}
    columns = [
        angles[joint][letter] if letter.islower() else translation[:, joint, "XYZ".index(letter)]
        for joint in order
        for letter in channels[joint] or ""
    ]
    return np.asarray(np.round(np.stack(columns, axis=-1), 6) + 0.0)
