"""Biovision Hierarchy (.bvh) in: a skeleton with Euler-angle channels, one line of numbers per frame.

Position channels replace the joint's OFFSET, as MotionBuilder and Blender read them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from reenact.errors import InputError
from reenact.formats.axes import Up
from reenact.formats.bvh_hierarchy import BvhHierarchy, parse_hierarchy
from reenact.formats.guess import guess_convention, in_metres_and_z_up
from reenact.formats.memory_check import refuse_blow_up
from reenact.formats.number_rows import parse_count, parse_number, parse_rows
from reenact.formats.text_file import read_lines, shown
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.calibration import describe_calibration
from reenact.motion.clip import Skeleton, SkeletonClip


def read_bvh(path: Path, *, units: float | None = None, up: Up | None = None) -> SkeletonClip:
    """A BVH file as a clip in metres and z up; `units` [m] and `up` are guessed where not given."""
    lines = read_lines(path, expected="a BVH file")
    hierarchy = parse_hierarchy(lines, path)
    rate, values, notes = _parse_motion(lines, hierarchy, path)
    refuse_blow_up(len(values), len(hierarchy.joints), sum(map(len, lines)), path)

    translation, turns, more = _assemble(hierarchy, values)
    skeleton = Skeleton(
        names=tuple(joint.name for joint in hierarchy.joints),
        parents=tuple(joint.parent for joint in hierarchy.joints),
        offsets=np.array([joint.offset for joint in hierarchy.joints], float),
        ends=tuple(joint.end for joint in hierarchy.joints),
    )
    raw = SkeletonClip(
        name=path.stem,
        rate=rate,
        skeleton=skeleton,
        translation=translation,
        rotation=turns,
        source={"channels": ";".join(joint.channels for joint in hierarchy.joints)},
        notes=(*hierarchy.notes, *notes, *more),
    )
    convention = guess_convention(raw, units=units, up=up)
    clip = in_metres_and_z_up(raw, convention, source={"format": "bvh", "file": path.name})
    return describe_calibration(clip)


def _parse_motion(lines: Sequence[str], hierarchy: BvhHierarchy, path: Path) -> tuple[float, Array, list[str]]:
    """Rate [Hz], numbers (T, width) and what was odd."""
    at = hierarchy.motion_line
    at, claimed_text = _header_value(lines, at, "Frames:", path)
    claimed = parse_count(claimed_text, what="Frames", path=path, line=at)
    at, time_text = _header_value(lines, at, "Frame Time:", path)
    rate = _rate_of(time_text, path, at)
    values = parse_rows(lines[at:], width=hierarchy.width, path=path, first_line=at + 1)
    if len(values) == 0:
        raise InputError("the file has no frames after 'Frame Time:'", path=path, line=at)
    notes = []
    if len(values) != claimed:
        notes.append(f"the header says {claimed} frames, the file has {len(values)}")
    return rate, values, notes


def _header_value(lines: Sequence[str], at: int, label: str, path: Path) -> tuple[int, str]:
    """Line number and text after `label` on the next non-blank line past line `at`."""
    for number in range(at + 1, len(lines) + 1):
        words = lines[number - 1].split()
        if not words:
            continue
        text = " ".join(words)
        plain = label.rstrip(":").lower()
        if text.lower().startswith(plain):
            value = text[len(plain) :].lstrip(" :")
            if value:
                return number, value
        raise InputError(f"got {shown(text)}, expected '{label} NUMBER'", path=path, line=number)
    raise InputError(f"the file ends before '{label}': cut off?", path=path, line=len(lines))


def _rate_of(text: str, path: Path, line: int) -> float:
    """Frames per second; a frame time that was rounded from 1/whole number gives that number: 0.033333 is 30."""
    seconds = parse_number(text, what="Frame Time", path=path, line=line)
    if not 1e-5 <= seconds <= 10:
        raise InputError(f"Frame Time: got {text} s, expected 0.00001 to 10 s", path=path, line=line)
    rate = 1.0 / seconds
    whole = max(1, round(rate))
    _, _, decimals = text.lower().partition("e")[0].partition(".")
    half_digit = 0.51 * 10.0 ** -len(decimals)
    return float(whole) if abs(1.0 / whole - seconds) <= min(half_digit, 1e-3 * seconds) else rate


def _assemble(hierarchy: BvhHierarchy, values: Array) -> tuple[Array, Array, list[str]]:
    """Translation (T, J, 3) in file units and rotation (T, J, 4), both in file axes."""
    joints = hierarchy.joints
    translation = np.empty((len(values), len(joints), 3))
    turns = np.empty((len(values), len(joints), 4))
    turns[:] = rotation.IDENTITY
    by_order: dict[str, list[tuple[int, list[int]]]] = defaultdict(list)
    notes: list[str] = []
    column = 0
    for index, joint in enumerate(joints):
        translation[:, index] = joint.offset
        columns = range(column, column + len(joint.channels))
        column += len(joint.channels)
        order = "".join(letter for letter in joint.channels if letter.islower())
        if order:
            by_order[order].append((index, [c for c, k in zip(columns, joint.channels, strict=True) if k.islower()]))
        slides = [("XYZ".index(k), c) for c, k in zip(columns, joint.channels, strict=True) if k.isupper()]
        if joint.parent >= 0 and slides and any(joint.offset or ()) and not values[:, [c for _, c in slides]].any():
            notes.append(f"position channels of '{joint.name}' are all zero: its OFFSET is used")
            continue
        for axis, c in slides:
            translation[:, index, axis] = values[:, c]
    for order, members in by_order.items():
        angles = np.radians(values[:, [columns for _, columns in members]])  # (T, members, len(order))
        turns[:, [index for index, _ in members]] = rotation.from_euler(order, angles)
    return translation, turns, notes
