"""The HIERARCHY part of a BVH file: names, parents, offsets and channels of the joints, in the file's own units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from reenact.errors import InputError
from reenact.formats.distinct_names import rename_notes
from reenact.formats.number_rows import parse_count, parse_number
from reenact.formats.text_file import shown

JOINT_LIMIT: Final = 4096  # a body with fingers and face has about 200

# A channel is one letter: capital for a position, small for a rotation.
CHANNELS: Final[dict[str, str]] = {
    "xposition": "X",
    "yposition": "Y",
    "zposition": "Z",
    "xrotation": "x",
    "yrotation": "y",
    "zrotation": "z",
}


@dataclass(slots=True, kw_only=True)
class BvhJoint:
    """One block of the hierarchy, filled while it is read."""

    name: str
    parent: int
    end: bool
    line: int
    offset: tuple[float, float, float] | None = None
    channels: str = ""  # e.g. "XYZzyx", see CHANNELS


@dataclass(slots=True, kw_only=True)
class BvhHierarchy:
    """All joints, parents first, and the line on which MOTION stands."""

    joints: list[BvhJoint] = field(default_factory=list)
    motion_line: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def width(self) -> int:
        """Numbers in one frame."""
        return sum(len(joint.channels) for joint in self.joints)


def parse_hierarchy(lines: Sequence[str], path: Path) -> BvhHierarchy:
    """Read up to the line MOTION."""
    hierarchy = BvhHierarchy()
    open_blocks: list[int] = []
    pending: BvhJoint | None = None  # a joint whose "{" has not come yet
    statements = _statements(lines)
    line, first = next(statements, (1, ""))
    if first.upper() != "HIERARCHY":
        raise InputError(f"got {shown(first)}, expected HIERARCHY: not a BVH file", path=path, line=line)
    for line, statement in statements:
        keyword, _, rest = statement.partition(" ")
        keyword = keyword.upper()
        if pending is not None and keyword != "{":
            raise InputError(f"got {shown(statement)}, expected '{{' to open '{pending.name}'", path=path, line=line)
        if keyword == "{":
            if pending is None:
                raise InputError("'{' without a joint before it", path=path, line=line)
            open_blocks.append(len(hierarchy.joints))
            hierarchy.joints.append(pending)
            pending = None
        elif keyword == "}":
            if not open_blocks:
                raise InputError("'}' closes nothing", path=path, line=line)
            _check_block(hierarchy.joints[open_blocks.pop()], path)
        elif keyword in ("ROOT", "JOINT", "END"):
            pending = _new_joint(hierarchy, keyword, rest.strip(), open_blocks, path, line)
        elif keyword in ("OFFSET", "CHANNELS"):
            if not open_blocks:
                raise InputError(f"{keyword} outside of a joint", path=path, line=line)
            joint = hierarchy.joints[open_blocks[-1]]
            if keyword == "OFFSET":
                joint.offset = _parse_offset(rest.split(), joint, path, line)
            else:
                joint.channels = _parse_channels(rest.split(), joint, path, line)
        elif keyword == "MOTION":
            hierarchy.motion_line = line
            break
        else:
            raise InputError(
                f"got {shown(statement)}, expected ROOT, JOINT, End Site, OFFSET, CHANNELS, braces or MOTION",
                path=path,
                line=line,
            )
    _check_whole(hierarchy, open_blocks, path, line)
    return hierarchy


def _statements(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Line number and content with single spaces; braces always stand alone, wherever the file puts them."""
    for number, raw in enumerate(lines, start=1):
        text = raw.replace("{", "\n{\n").replace("}", "\n}\n") if "{" in raw or "}" in raw else raw
        for piece in text.split("\n"):
            words = piece.split()
            if words:
                yield number, " ".join(words)


def _new_joint(
    hierarchy: BvhHierarchy, keyword: str, name: str, open_blocks: list[int], path: Path, line: int
) -> BvhJoint:
    if len(hierarchy.joints) >= JOINT_LIMIT:
        raise InputError(f"more than {JOINT_LIMIT} joints", path=path, line=line)
    parent = open_blocks[-1] if open_blocks else -1
    if keyword == "ROOT" and open_blocks:
        raise InputError(f"ROOT {shown(name)} inside of another joint", path=path, line=line)
    if keyword != "ROOT" and not open_blocks:
        raise InputError(f"{keyword} {shown(name)} outside of a ROOT", path=path, line=line)
    if parent >= 0 and hierarchy.joints[parent].end:
        raise InputError(f"{keyword} {shown(name)} inside of an End Site", path=path, line=line)
    if keyword == "END":
        name = f"{hierarchy.joints[parent].name}_end"
    if not name:
        raise InputError(f"{keyword} without a name", path=path, line=line)
    return BvhJoint(name=name, parent=parent, end=keyword == "END", line=line)


def _parse_offset(words: list[str], joint: BvhJoint, path: Path, line: int) -> tuple[float, float, float]:
    if joint.offset is not None:
        raise InputError(f"second OFFSET of '{joint.name}'", path=path, line=line)
    if len(words) != 3:
        raise InputError(f"OFFSET of '{joint.name}' has {len(words)} numbers, expected 3", path=path, line=line)
    x, y, z = (parse_number(word, what=f"OFFSET of '{joint.name}'", path=path, line=line) for word in words)
    return x, y, z


def _parse_channels(words: list[str], joint: BvhJoint, path: Path, line: int) -> str:
    if joint.end or joint.channels:
        which = "an End Site" if joint.end else f"'{joint.name}', which has some already"
        raise InputError(f"CHANNELS in {which}", path=path, line=line)
    count = parse_count(words[0] if words else "", what="number of CHANNELS", path=path, line=line)
    if count != len(words) - 1:
        raise InputError(f"CHANNELS of '{joint.name}' says {count} and names {len(words) - 1}", path=path, line=line)
    letters = ""
    for word in words[1:]:
        if word.lower() not in CHANNELS:
            raise InputError(f"unknown channel {shown(word)}; there are: {', '.join(CHANNELS)}", path=path, line=line)
        letters += CHANNELS[word.lower()]
    positions = [letter for letter in letters if letter.isupper()]
    if len(set(positions)) != len(positions) or len(letters) - len(positions) > 3:
        raise InputError(f"CHANNELS of '{joint.name}' repeats a channel", path=path, line=line)
    return letters


def _check_block(joint: BvhJoint, path: Path) -> None:
    if joint.offset is None:
        raise InputError(f"'{joint.name}' has no OFFSET", path=path, line=joint.line)


def _check_whole(hierarchy: BvhHierarchy, open_blocks: list[int], path: Path, line: int) -> None:
    if not hierarchy.motion_line:
        raise InputError("the file ends before MOTION: cut off?", path=path, line=line)
    if open_blocks:
        names = hierarchy.joints[open_blocks[-1]].name
        raise InputError(f"MOTION comes before '{names}' is closed by '}}'", path=path, line=line)
    if not hierarchy.joints:
        raise InputError("no ROOT joint", path=path, line=line)
    if not hierarchy.width:
        raise InputError("no joint has CHANNELS", path=path, line=line)
    _make_names_differ(hierarchy)


def _make_names_differ(hierarchy: BvhHierarchy) -> None:
    names, notes = rename_notes([joint.name for joint in hierarchy.joints], "joint")
    for joint, name in zip(hierarchy.joints, names, strict=True):
        joint.name = name
    hierarchy.notes.extend(notes)
