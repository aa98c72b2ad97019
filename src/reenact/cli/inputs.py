"""What commands accept as a motion: a bundled sample's name, a clip file, or a motion fitted before (.npz)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from reenact.cli import terminal
from reenact.errors import InputError

if TYPE_CHECKING:
    from reenact.body.body import Body
    from reenact.motion.clip import Clip, Table
    from reenact.motion.motion import Motion

FITTED = ".npz"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a clip is read and which part of it is used."""

    begin: Annotated[float | None, tyro.conf.arg(name="from", metavar="SECONDS", help_behavior_hint="")] = None
    """Use the clip from this time on."""
    end: Annotated[float | None, tyro.conf.arg(name="to", metavar="SECONDS", help_behavior_hint="")] = None
    """Use the clip up to this time."""
    units: Literal["m", "cm", "mm", "inch", "guess"] = "guess"
    """Unit of length in the file."""
    up: Literal["x", "y", "z", "-x", "-y", "-z", "guess"] = "guess"
    """Axis of the file that points up; of a camera's file also one that points down, --up=-y."""
    rate: Annotated[float | None, tyro.conf.arg(metavar="HZ", help_behavior_hint="")] = None
    """Frames per second, instead of what the file says; the times of --from and --to count at this rate."""

    @property
    def metres(self) -> float | None:
        """Metres per unit of length in the file; None where it is to be guessed."""
        return {"m": 1.0, "cm": 0.01, "mm": 0.001, "inch": 0.0254}.get(self.units)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """Who a clip is fitted to."""

    body: Annotated[str | None, tyro.conf.arg(metavar="NAME|FILE", help_behavior_hint="")] = None
    """Body to fit: adult, human50, robot35, laikago or a TOML file; an adult unless said."""
    size: Literal["auto", "person", "own"] = "auto"
    """Scale the body to the person, or retarget the motion to the body's own size; auto scales only an adult."""
    mapping: Annotated[Path | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")] = None
    """TOML file that says which joint or marker belongs to which body part."""

    @property
    def scale(self) -> bool:
        """Whether the body takes the person's size."""
        return self.size == "person" or (self.size == "auto" and self.body in (None, "adult"))


def content_of(name: str, reading: Reading) -> Clip | Table:
    """What a file or sample holds: a clip, cut as asked, or a table."""
    from reenact.formats.read import read_clip
    from reenact.motion.clip import Table

    path = source_path(name)
    if reading.up == "-x" or reading.up == "-y" or reading.up == "-z":
        raise InputError(f"--up={reading.up} is of cameras; recordings have x, y or z up", path=path)
    content = read_clip(path, units=reading.metres, up=None if reading.up == "guess" else reading.up)
    if reading.rate is not None:
        content = _at_rate(content, reading.rate, path)
    if isinstance(content, Table):
        return content
    return content.cut(*_frames(content.rate, content.frames, reading, path))


def _at_rate(content: Clip | Table, rate: float, path: Path) -> Clip | Table:
    from reenact.motion.rate import with_rate

    try:
        return with_rate(content, rate)
    except InputError as error:
        raise InputError(f"--rate: {error.cause}", path=path) from None


def clip_of(name: str, reading: Reading) -> Clip:
    """The clip of a file or sample, cut as asked."""
    from reenact.motion.clip import Table

    content = content_of(name, reading)
    if isinstance(content, Table):
        raise InputError("holds a table of numbers, not the positions of joints or markers", path=source_path(name))
    return content


def motion_of(name: str, reading: Reading, fitting: Fitting) -> Motion:
    """A body in motion: read where it was fitted before, else fitted now; another body takes a fitted motion over."""
    if Path(name).suffix != FITTED:
        return fit_now(name, reading, fitting, warn=True)
    if reading.rate is not None:
        raise InputError("is fitted already: give --rate when the recording is fitted", path=Path(name))
    from reenact.formats.motion_npz import load_motion
    from reenact.motion.cut import cut_motion

    motion = load_motion(Path(name))
    first, last = _frames(motion.rate, motion.frames, reading, Path(name))
    motion = cut_motion(motion, first, last)
    if fitting.body is None:
        return motion
    from reenact.motion.skeleton_of import motion_to_skeleton_clip

    return _fit(motion_to_skeleton_clip(motion.body, motion.qpos, motion.rate, motion.name), fitting)


def fit_now(name: str, reading: Reading, fitting: Fitting, *, warn: bool = False) -> Motion:
    """Fit a body to a clip, showing progress; a table of a body's joint angles needs no fitting.

    With `warn` a doubtful rate is told at once, for commands that do not show what was noted of a fit.
    """
    from reenact.motion.clip import Table

    content = content_of(name, reading)
    if isinstance(content, Table):
        return _from_table(content, reading, fitting, source_path(name))
    from reenact.motion.rate import rate_remarks

    remarks = rate_remarks(content)
    with terminal.progress(f"reading {content.name}") as advance:
        for remark in (*content.notes, *remarks) if warn else ():
            advance.note(f"{content.name}: {remark}")
    return _fit(replace(content, notes=(*content.notes, *remarks)), fitting)


def _from_table(table: Table, reading: Reading, fitting: Fitting, path: Path) -> Motion:
    from reenact.motion.cut import cut_motion
    from reenact.motion.table_motion import is_motion_table, motion_of_table

    if not is_motion_table(table):
        raise InputError("holds a table of numbers, not the positions of joints or markers", path=path)
    body = body_of(fitting.body)
    if body is None:
        raise InputError("holds joint angles: say of whom with --body", path=path)
    motion = motion_of_table(table, body)
    return cut_motion(motion, *_frames(motion.rate, motion.frames, reading, path))


def _fit(clip: Clip, fitting: Fitting) -> Motion:
    from reenact.motion.fit import fit

    mapping = None
    if fitting.mapping is not None:
        from reenact.motion.mapping import map_clip, read_overrides

        mapping = map_clip(clip, read_overrides(fitting.mapping))
    with terminal.progress(f"fitting {clip.name}") as advance:
        return fit(clip, body_of(fitting.body), scale=fitting.scale, mapping=mapping, progress=advance)


def body_of(name: str | None) -> Body | None:
    """A body by name or file; None where none was named."""
    if name is None:
        return None
    from reenact.body.load import load_body

    return load_body(name)


def source_path(name: str) -> Path:
    """The file behind a name, for the record."""
    from reenact.formats.samples import find_clip

    return Path(name) if Path(name).suffix == FITTED else find_clip(name)


def _frames(rate: float, frames: int, reading: Reading, path: Path) -> tuple[int, int]:
    """The frames from `--from` to `--to`, the last one exclusive."""
    if reading.begin is None and reading.end is None:
        return 0, frames
    length = (frames - 1) / rate
    begin = 0.0 if reading.begin is None else reading.begin
    end = length if reading.end is None else reading.end
    if not 0.0 <= begin < end <= length + 0.5 / rate:
        raise InputError(f"--from {begin:g} --to {end:g} is not within the clip's 0 to {length:.3f} s", path=path)
    return round(begin * rate), min(frames, round(end * rate) + 1)
