"""Acclaim skeleton (.asf) in: bones with a length, a direction and a local axis, in the file's own units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from reenact.errors import InputError
from reenact.formats.bvh_hierarchy import JOINT_LIMIT
from reenact.formats.number_rows import parse_number
from reenact.formats.text_file import read_lines, shown
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

_ROTATIONS: Final = ("rx", "ry", "rz")
_TRANSLATIONS: Final = ("tx", "ty", "tz")
_IGNORED: Final = ("l",)  # stretch of the bone: rare, never in recordings


@dataclass(slots=True, kw_only=True)
class Bone:
    """One bone; angles in radians."""

    name: str
    line: int
    direction: tuple[float, ...] = (0.0, 0.0, 0.0)
    length: float = 0.0
    axis: tuple[float, ...] = (0.0, 0.0, 0.0)
    axis_order: str = "xyz"
    dofs: tuple[str, ...] = ()

    def axis_rotation(self) -> Array:
        """Rotation (4,) from the bone's local axes to the world at rest."""
        return rotation.from_euler(self.axis_order[::-1], np.array(self.axis)[::-1])


@dataclass(slots=True, kw_only=True)
class Asf:
    """A whole skeleton; `bones` are in the order of the hierarchy, parents first, the root at index 0."""

    length_unit: float = 1.0
    degrees: bool = True
    bones: list[Bone] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    position: tuple[float, ...] = (0.0, 0.0, 0.0)


def read_asf(path: Path) -> Asf:
    """Read a skeleton file."""
    sections = _sections(read_lines(path, expected="an ASF skeleton"), path)
    skeleton = Asf()
    for line, words in sections.get("units", []):
        if words[0].lower() == "length" and len(words) == 2:
            skeleton.length_unit = parse_number(words[1], what="length unit", path=path, line=line)
        elif words[0].lower() == "angle" and len(words) == 2:
            skeleton.degrees = not words[1].lower().startswith("rad")
    if not 1e-6 < skeleton.length_unit < 1e6:
        raise InputError(f"length unit {skeleton.length_unit:g} is not usable", path=path)
    root = _read_root(sections, skeleton, path)
    bones = {"root": root}
    for bone in _read_bones(sections.get("bonedata", []), skeleton.degrees, path):
        if bone.name in bones:
            raise InputError(f"bone '{bone.name}' occurs twice", path=path, line=bone.line)
        bones[bone.name] = bone
    _order_bones(skeleton, bones, sections.get("hierarchy", []), path)
    return skeleton


def _sections(lines: Sequence[str], path: Path) -> dict[str, list[tuple[int, list[str]]]]:
    """Lines as words under the keyword that leads them; ":units", ":root", ":bonedata", ":hierarchy" matter."""
    sections: dict[str, list[tuple[int, list[str]]]] = {}
    current: list[tuple[int, list[str]]] | None = None
    for number, raw in enumerate(lines, start=1):
        words = raw.split("#", 1)[0].split()
        if not words:
            continue
        if words[0].startswith(":"):
            current = sections.setdefault(words[0][1:].lower(), [])
        elif current is None:
            raise InputError(f"got {shown(raw.strip())}, expected a keyword like ':version'", path=path, line=number)
        else:
            current.append((number, words))
    missing = [name for name in ("root", "bonedata", "hierarchy") if name not in sections]
    if missing:
        raise InputError(f"no section ':{missing[0]}': not an ASF skeleton, or cut off", path=path, line=len(lines))
    return sections


def _numbers(words: Sequence[str], count: int, what: str, path: Path, line: int) -> tuple[float, ...]:
    if len(words) < count:
        raise InputError(f"{what} has {len(words)} numbers, expected {count}", path=path, line=line)
    return tuple(parse_number(word, what=what, path=path, line=line) for word in words[:count])


def _angles(words: Sequence[str], what: str, degrees: bool, path: Path, line: int) -> tuple[float, ...]:
    values = _numbers(words, 3, what, path, line)
    return tuple(float(np.radians(v)) for v in values) if degrees else values


def _axis_order(text: str, path: Path, line: int) -> str:
    if sorted(text.lower()) != ["x", "y", "z"]:
        raise InputError(f"axis order {shown(text)}, expected three letters like XYZ", path=path, line=line)
    return text.lower()


def _dofs(words: Sequence[str], path: Path, line: int) -> tuple[str, ...]:
    dofs = tuple(word.lower() for word in words)
    for dof in dofs:
        if dof not in _ROTATIONS + _TRANSLATIONS + _IGNORED:
            known = ", ".join(_ROTATIONS + _TRANSLATIONS)
            raise InputError(f"unknown degree of freedom {shown(dof)}; there are: {known}", path=path, line=line)
    if len(set(dofs)) != len(dofs):
        raise InputError("a degree of freedom is named twice", path=path, line=line)
    return dofs


def _read_root(sections: dict[str, list[tuple[int, list[str]]]], skeleton: Asf, path: Path) -> Bone:
    root = Bone(name="root", line=0, dofs=_TRANSLATIONS + _ROTATIONS)
    for line, (keyword, *rest) in sections["root"]:
        match keyword.lower():
            case "order":
                root.dofs = _dofs(rest, path, line)
            case "axis":
                root.axis_order = _axis_order("".join(rest), path, line)
            case "position":
                skeleton.position = _numbers(rest, 3, "root position", path, line)
            case "orientation":
                root.axis = _angles(rest, "root orientation", skeleton.degrees, path, line)
            case _:
                raise InputError(f"unknown root entry {shown(keyword)}", path=path, line=line)
    return root


def _read_bones(entries: Sequence[tuple[int, list[str]]], degrees: bool, path: Path) -> list[Bone]:
    bones: list[Bone] = []
    bone: Bone | None = None
    for line, (keyword, *rest) in entries:
        word = keyword.lower()
        if word == "begin":
            bone = Bone(name="", line=line)
            if len(bones) >= JOINT_LIMIT:
                raise InputError(f"more than {JOINT_LIMIT} bones", path=path, line=line)
        elif bone is None:
            raise InputError(f"got {shown(keyword)}, expected 'begin'", path=path, line=line)
        elif word == "end":
            if not bone.name:
                raise InputError("a bone without a name", path=path, line=bone.line)
            bones.append(bone)
            bone = None
        elif word == "name":
            bone.name = " ".join(rest)
        elif word == "direction":
            bone.direction = _numbers(rest, 3, "direction", path, line)
        elif word == "length":
            bone.length = _numbers(rest, 1, "length", path, line)[0]
        elif word == "axis":
            bone.axis = _angles(rest, "axis", degrees, path, line)
            bone.axis_order = _axis_order("".join(rest[3:]) or "xyz", path, line)
        elif word == "dof":
            bone.dofs = _dofs(rest, path, line)
    if bone is not None:
        raise InputError(f"bone '{bone.name}' is not closed by 'end': cut off?", path=path, line=bone.line)
    return bones


def _order_bones(skeleton: Asf, bones: dict[str, Bone], entries: Sequence[tuple[int, list[str]]], path: Path) -> None:
    """Fill `skeleton.bones` depth first from lines "parent child child …"."""
    children: dict[str, list[str]] = {}
    has_parent: set[str] = set()
    for line, words in entries:
        if words[0].lower() in ("begin", "end"):
            continue
        for name in words:
            if name not in bones:
                raise InputError(f"unknown bone {shown(name)} in the hierarchy", path=path, line=line)
        for child in words[1:]:
            if child in has_parent or child == "root":
                raise InputError(f"bone '{child}' has two parents", path=path, line=line)
            has_parent.add(child)
            children.setdefault(words[0], []).append(child)
    stack: list[tuple[str, int]] = [("root", -1)]
    while stack:
        name, parent = stack.pop()
        index = len(skeleton.bones)
        skeleton.bones.append(bones[name])
        skeleton.parents.append(parent)
        stack += [(child, index) for child in reversed(children.get(name, []))]
    if len(skeleton.bones) < len(bones):
        lost = sorted(set(bones) - {bone.name for bone in skeleton.bones})
        raise InputError(f"bone '{lost[0]}' is not reached from the root by the hierarchy", path=path)
