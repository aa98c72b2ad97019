"""Acclaim motion (.amc) in, with the skeleton (.asf) beside it.

A bone turns by L = C·M·C⁻¹ about its start, with C the bone's axis and M its degrees of freedom; at rest all frames are
parallel to the world. The files carry no frame rate: the CMU database records at 120 Hz.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from reenact.errors import InputError
from reenact.formats.asf import Asf, Bone, read_asf
from reenact.formats.axes import Up
from reenact.formats.guess import UNITS, guess_convention, in_metres_and_z_up
from reenact.formats.memory_check import refuse_blow_up
from reenact.formats.number_rows import LARGEST
from reenact.formats.text_file import read_lines, shown
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.calibration import describe_calibration
from reenact.motion.clip import Skeleton, SkeletonClip

RATE: Final = 120.0  # Hz
_INCH: Final = 0.0254  # m


def read_amc(
    path: Path, *, asf: Path | None = None, units: float | None = None, up: Up | None = None, rate: float = RATE
) -> SkeletonClip:
    """An AMC motion; the skeleton is `asf` or the one found beside it, 02.asf for 02_01.amc."""
    asf = find_asf(path) if asf is None else asf
    description = read_asf(asf)
    lines = read_lines(path, expected="an AMC motion")
    frames, radians = _parse_frames(lines, description, path)
    count = len(frames["root"])
    refuse_blow_up(count, 2 * len(description.bones), sum(map(len, lines)), path)
    clip = _assemble(path.stem, description, frames, radians, rate)
    likely = {"inch ÷ length unit": _INCH / description.length_unit, **UNITS}
    convention = guess_convention(clip, units=units, up=up, likely_units=likely)
    source = {"format": "amc", "file": path.name, "skeleton": asf.name, "rate": "assumed: AMC files carry none"}
    return describe_calibration(in_metres_and_z_up(clip, convention, source=source))


def find_asf(path: Path) -> Path:
    """The skeleton for a motion: of the same name, of the same subject, or the only one in the folder."""
    if not path.is_file():
        raise InputError("no such file", path=path)
    beside = sorted(p for p in path.parent.iterdir() if p.suffix.lower() == ".asf")
    for stem in (path.stem, path.stem.split("_")[0], path.stem.split("-")[0]):
        for candidate in beside:
            if candidate.stem.lower() == stem.lower():
                return candidate
    if len(beside) == 1:
        return beside[0]
    names = ", ".join(p.name for p in beside[:10]) or "none"
    raise InputError(f"no skeleton {path.stem.split('_')[0]}.asf beside it; .asf files there: {names}", path=path)


def _parse_frames(lines: Sequence[str], description: Asf, path: Path) -> tuple[dict[str, Array], bool]:
    """Numbers (T, dofs) of each moving bone, and whether angles are radians."""
    width = {bone.name: len(bone.dofs) for bone in description.bones if bone.dofs}
    values = {name: array("d") for name in width}
    radians, frame, frame_line, seen = False, 0, 0, set(width)
    for number, raw in enumerate(lines, start=1):
        words = raw.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0].startswith(":"):
            radians = radians or words[0].lower().startswith(":rad")
            continue
        if len(words) == 1 and words[0].isdigit():
            _check_frame(frame, frame_line, seen, width, path)
            frame, frame_line, seen = frame + 1, number, set()
            continue
        name = words[0]
        if name not in width or name in seen or len(words) - 1 != width[name]:
            _explain(words, width, seen, frame, path, number)
        try:
            values[name].extend(map(float, words[1:]))
        except ValueError:
            raise InputError(f"frame {frame}, '{name}': got {shown(raw.strip())}", path=path, line=number) from None
        seen.add(name)
    _check_frame(frame, frame_line, seen, width, path)
    if frame == 0:
        raise InputError("no frames", path=path, line=len(lines))
    frames = {name: np.frombuffer(column, dtype=float).reshape(frame, width[name]) for name, column in values.items()}
    for name, table in frames.items():
        if not (np.abs(table) <= LARGEST).all():
            bad = int(np.argwhere(~(np.abs(table) <= LARGEST))[0][0])
            line = _line_of(lines, name, bad)
            raise InputError(f"frame {bad + 1}, '{name}': a number beyond ±{LARGEST:g}", path=path, line=line)
    frames.setdefault("root", np.zeros((frame, 0)))
    return frames, radians


def _line_of(lines: Sequence[str], name: str, frame: int) -> int:
    """Line on which a bone stands for the time `frame` + 1."""
    numbers = (number for number, raw in enumerate(lines, start=1) if raw.split()[:1] == [name])
    return next(number for count, number in enumerate(numbers) if count == frame)


def _check_frame(frame: int, line: int, seen: set[str], width: dict[str, int], path: Path) -> None:
    if len(seen) < len(width):
        lost = next(name for name in width if name not in seen)
        raise InputError(f"frame {frame} has no line for bone '{lost}': cut off?", path=path, line=line)


def _explain(words: list[str], width: dict[str, int], seen: set[str], frame: int, path: Path, line: int) -> None:
    name = words[0]
    if frame == 0:
        cause = f"got {shown(' '.join(words))} before the first frame number"
    elif name not in width:
        cause = f"frame {frame}: the skeleton has no moving bone {shown(name)}"
    elif name in seen:
        cause = f"frame {frame}: bone '{name}' comes twice"
    else:
        cause = f"frame {frame}: bone '{name}' has {len(words) - 1} numbers, expected {width[name]}"
    raise InputError(cause, path=path, line=line)


def _assemble(name: str, description: Asf, frames: dict[str, Array], radians: bool, rate: float) -> SkeletonClip:
    """The clip in the file's units and axes: a joint at the start of each bone, an end site at each loose end."""
    count = len(frames["root"])
    tails = [np.array(bone.direction) * bone.length for bone in description.bones]
    names: list[str] = []
    parents, offsets, ends, turns, slides = [], [], [], [], []
    index_of: dict[int, int] = {}
    leaf = set(range(len(tails))) - set(description.parents)
    for index, bone in enumerate(description.bones):
        parent = description.parents[index]
        index_of[index] = len(names)
        names.append(bone.name)
        parents.append(index_of[parent] if parent >= 0 else -1)
        offsets.append(tails[parent] if parent >= 0 else np.array(description.position))
        ends.append(False)
        turn, slide = _bone_motion(bone, frames.get(bone.name, np.zeros((count, 0))), radians)
        turns.append(turn)
        slides.append(slide)
        if index in leaf and index > 0:
            names.append(f"{bone.name}_end")
            parents.append(index_of[index])
            offsets.append(tails[index])
            ends.append(True)
            turns.append(np.broadcast_to(rotation.IDENTITY, (count, 4)))
            slides.append(np.zeros((count, 3)))
    skeleton = Skeleton(names=tuple(names), parents=tuple(parents), offsets=np.array(offsets), ends=tuple(ends))
    return SkeletonClip(
        name=name,
        rate=rate,
        skeleton=skeleton,
        translation=skeleton.offsets + np.stack(slides, axis=1),
        rotation=np.stack(turns, axis=1),
        notes=(f"AMC files carry no frame rate: {rate:g} Hz assumed",),
    )


def _bone_motion(bone: Bone, values: Array, radians: bool) -> tuple[Array, Array]:
    """Rotation (T, 4) L = C·M·C⁻¹ and displacement (T, 3) of one bone."""
    angles, slide = np.zeros((len(values), 3)), np.zeros((len(values), 3))
    for column, dof in enumerate(bone.dofs):
        if dof[0] == "r":
            angles[:, bone.axis_order.index(dof[1])] = values[:, column]
        elif dof[0] == "t":
            slide[:, "xyz".index(dof[1])] = values[:, column]
    if not radians:
        angles = np.radians(angles)
    # Acclaim angles turn about fixed axes, the first letter first: the last one is the outermost.
    moved = rotation.from_euler(bone.axis_order[::-1], angles[:, ::-1])
    axis = bone.axis_rotation()
    if bone.name == "root":
        return rotation.multiply(moved, axis), slide
    return rotation.multiply(rotation.multiply(axis, moved), rotation.conjugate(axis)), slide
