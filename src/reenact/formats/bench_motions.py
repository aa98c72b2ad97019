"""The motions that benchmarks re-enact, by their names in tables: where each comes from and what was done to it."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Final, Literal

import msgspec

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.formats.keyframes_toml import parse_keyframes
from reenact.formats.read import read_clip
from reenact.formats.samples import FOLDER, find_clip, list_samples
from reenact.formats.take import sha256_of
from reenact.motion.clip import SkeletonClip
from reenact.motion.edit_floor import planted, set_down
from reenact.motion.edit_time import reverse
from reenact.motion.fit import fit
from reenact.motion.keyframes import pose_keyframes
from reenact.motion.motion import Motion
from reenact.motion.rate import with_rate

NAMES: Final = (
    "walk", "run", "sideways_roll", "forward_roll", "backward_roll", "get_up", "kip_up", "cartwheel", "crawl", "dance",
    "jump",
)  # fmt: skip

# [V12] Figure 6: name in its table → row; and the rows that come with the package, for its quick version.
FIGURE_6: Final[Mapping[str, str]] = {
    "fast_walk": "fast_walk",
    "jump": "states_jump",
    "twist_jump": "twist_jump",
    "spin_kick": "spin_kick",
    "cartwheel": "states_cartwheel",
    "back_handspring": "back_handspring",
}
FIGURE_6_BUNDLED: Final[Mapping[str, str]] = {
    "fast_walk": "walk",
    "jump": "jump",
    "spin_kick": "spin_kick_sample",
    "cartwheel": "cartwheel",
}
HELD: Final = "held_"  # how the names of rows begin that are not looked at while state machines are tuned


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchMotion:
    """One row of bench_motions.toml."""

    name: str
    source: str  # a sample, or a file below the folder of recordings
    done: str  # what was done to it, in words
    defects: str  # what is known to be wrong with it, in words
    begin: float | None = None  # [s] of the source
    end: float | None = None  # [s] of the source
    reverse: bool = False
    set_down: bool = False
    plant: bool = False
    floor: float | None = None  # height in the source's coordinates where it is not found well [m]
    rate: float | None = None  # frames per second where the file says another number; times count at this rate

    @property
    def bundled(self) -> bool:
        """Whether it comes with the package."""
        return self.source in {sample.name for sample in list_samples()}

    @property
    def written(self) -> bool:
        """Whether it was written by hand rather than recorded."""
        return self.bundled and find_sample(self.source).suffix == ".toml"

    def missing(self, data: Path | None) -> str:
        """Why it cannot be had, given the folder of recordings, in words; empty where it can."""
        if self.bundled or (data is not None and (data / self.source).is_file()):
            return ""
        where = "no folder of recordings was given" if data is None else f"{data} does not hold it"
        return f"'{self.name}' needs {self.source}: {where}"

    def identity(self, data: Path | None = None) -> str:
        """Tells the motion from others, on every machine alike: its source, and what is done to it."""
        edits = {name: getattr(self, name) for name in _EDITS}
        told = {"source": sha256_of(self.path(data)), **edits}
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()

    def path(self, data: Path | None = None) -> Path:
        """The file that it comes from."""
        return find_sample(self.source) if self.bundled or data is None else data / self.source


_EDITS: Final = [each.name for each in fields(BenchMotion) if each.name not in ("name", "source", "done", "defects")]


class _Row(msgspec.Struct, forbid_unknown_fields=True, rename={"begin": "from", "end": "to"}):
    source: str
    done: str
    defects: str
    begin: float | None = None
    end: float | None = None
    reverse: bool = False
    set_down: bool = False
    plant: bool = False
    floor: float | None = None
    rate: float | None = None


@cache
def list_bench_motions() -> tuple[BenchMotion, ...]:
    """All rows: those of NAMES and FIGURE_6, those held back or unseen, and those kept beside them."""
    with (FOLDER / "bench_motions.toml").open("rb") as stream:
        rows = msgspec.convert(tomllib.load(stream), dict[str, _Row])
    return tuple(BenchMotion(name=name, **msgspec.structs.asdict(row)) for name, row in rows.items())


def bench_motion(name: str) -> BenchMotion:
    """One row by name."""
    for row in list_bench_motions():
        if row.name == name:
            return row
    known = ", ".join(row.name for row in list_bench_motions())
    raise InputError(f"no benchmark motion '{name}'; there are: {known}")


def bench_clip(row: BenchMotion, data: Path | None = None) -> SkeletonClip:
    """The recording behind a row, cut; all else is done on a body."""
    if reason := row.missing(data):
        raise InputError(reason)
    path = row.path(data)
    clip = read_clip(path)
    if not isinstance(clip, SkeletonClip):
        raise InputError("holds no skeleton", path=path)
    if row.rate is not None:
        clip = with_rate(clip, row.rate)
    first = 0 if row.begin is None else round(row.begin * clip.rate)
    last = clip.frames if row.end is None else min(clip.frames, round(row.end * clip.rate) + 1)
    return clip.cut(first, last)


def bench_reference(row: BenchMotion, body: Body, data: Path | None = None, *, scale: bool = False) -> Motion:
    """The motion of a row on a body of its own size, as a method is to follow it; with `scale` of the person's size.

    A motion written by hand for this very body is posed directly; anything else is fitted.
    """
    floor: Literal["auto"] | float = "auto" if row.floor is None else row.floor
    motion = _posed(row, body) or fit(bench_clip(row, data), body, scale=scale, floor=floor)
    if row.reverse:
        motion = reverse(motion)
    if row.set_down:
        motion = set_down(motion)
    return planted(motion) if row.plant else motion


def find_sample(name: str) -> Path:
    """The file of a bundled sample, whatever lies in the current folder."""
    for sample in list_samples():
        if sample.name == name:
            return sample.path
    return find_clip(name)


def _posed(row: BenchMotion, body: Body) -> Motion | None:
    if not row.written:
        return None
    path = find_sample(row.source)
    keyframes, name = parse_keyframes(path.read_text(encoding="utf-8"), path)
    return pose_keyframes(keyframes, body) if name == body.name else None
