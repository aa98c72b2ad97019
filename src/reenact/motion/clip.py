"""Recorded motion as it came out of a file, before any body is fitted: a moving skeleton, moving markers, or a table.

All of it in metres, radians, seconds and z up; readers in `formats/` convert at the edge.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from reenact.errors import InputError
from reenact.geometry import rotation
from reenact.geometry.rotation import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Skeleton:
    """A forest of named joints; parents stand before their children."""

    names: tuple[str, ...]
    parents: tuple[int, ...]  # index of the parent joint, −1 at a root
    offsets: Array  # (J, 3) in the parent's frame at rest [m]
    ends: tuple[bool, ...]  # True for an end site: a point with no rotation of its own

    def __post_init__(self) -> None:
        """Refuse a tree that does not hold together."""
        count = len(self.names)
        if len(set(self.names)) != count:
            twice = sorted({n for n in self.names if self.names.count(n) > 1})
            raise InputError(f"joint names must differ, repeated: {', '.join(twice)}")
        if len(self.parents) != count or len(self.ends) != count or self.offsets.shape != (count, 3):
            raise InputError(f"a skeleton of {count} joints needs {count} parents, ends and offsets (J, 3)")
        for joint, parent in enumerate(self.parents):
            if not -1 <= parent < joint:
                raise InputError(f"joint '{self.names[joint]}' must stand after its parent")
        if not np.isfinite(self.offsets).all():
            raise InputError("joint offsets must be finite")

    @property
    def size(self) -> int:
        """Number of joints, end sites included."""
        return len(self.names)

    def index(self, name: str) -> int:
        """Position of a joint by name."""
        try:
            return self.names.index(name)
        except ValueError:
            raise InputError(f"no joint '{name}'; there are: {', '.join(self.names)}") from None


class EvenlyTimed(ABC):
    """Frames at a steady rate: what every motion has in common."""

    __slots__ = ()
    rate: float  # frames per second

    @property
    @abstractmethod
    def frames(self) -> int:
        """Number of frames T."""

    @property
    def duration(self) -> float:
        """Time from the first frame to the last [s]."""
        return (self.frames - 1) / self.rate

    @property
    def time(self) -> Array:
        """Time of each frame from the first one [s], (T,)."""
        return np.arange(self.frames) / self.rate


@dataclass(frozen=True, slots=True, kw_only=True)
class SkeletonClip(EvenlyTimed):
    """A skeleton in motion: each joint's pose in its parent's frame over time."""

    name: str
    rate: float  # frames per second
    skeleton: Skeleton
    translation: Array  # (T, J, 3) of each joint in its parent's frame [m]; equals the offset where nothing slides
    rotation: Array  # (T, J, 4) of each joint in its parent's frame
    source: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))  # e.g. euler orders, units guessed
    notes: tuple[str, ...] = ()  # problems found while reading, in words

    def __post_init__(self) -> None:
        """Refuse shapes and values that no motion has."""
        joints = self.skeleton.size
        frames = len(self.translation)
        if self.translation.shape != (frames, joints, 3) or self.rotation.shape != (frames, joints, 4):
            raise InputError(
                f"clip '{self.name}': translation {self.translation.shape} and rotation {self.rotation.shape} "
                f"must be (T, {joints}, 3) and (T, {joints}, 4)"
            )
        _check_time(self.name, frames, self.rate)
        if not (np.isfinite(self.translation).all() and np.isfinite(self.rotation).all()):
            raise InputError(f"clip '{self.name}' holds values that are not finite")

    @property
    def frames(self) -> int:
        """Number of frames T."""
        return len(self.translation)

    def world(self) -> tuple[Array, Array]:
        """Positions (T, J, 3) [m] and orientations (T, J, 4) of all joints in the world."""
        position = np.empty_like(self.translation)
        orientation = np.empty_like(self.rotation)
        for joint, parent in enumerate(self.skeleton.parents):
            if parent < 0:
                position[:, joint] = self.translation[:, joint]
                orientation[:, joint] = self.rotation[:, joint]
            else:
                turned = rotation.rotate(orientation[:, parent], self.translation[:, joint])
                position[:, joint] = position[:, parent] + turned
                orientation[:, joint] = rotation.multiply(orientation[:, parent], self.rotation[:, joint])
        return position, orientation

    def cut(self, first: int, last: int) -> SkeletonClip:
        """Frames first … last−1 as a clip of their own."""
        return SkeletonClip(
            name=self.name,
            rate=self.rate,
            skeleton=self.skeleton,
            translation=self.translation[first:last],
            rotation=self.rotation[first:last],
            source=self.source,
            notes=self.notes,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerClip(EvenlyTimed):
    """Labelled points in motion; a point that was not seen is NaN in that frame."""

    name: str
    rate: float  # frames per second
    names: tuple[str, ...]
    position: Array  # (T, M, 3) world [m], NaN where unseen
    start: float = 0.0  # the file's own clock at the first frame [s], to line up with plates recorded beside it
    source: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse shapes and values that no motion has."""
        frames = len(self.position)
        if self.position.shape != (frames, len(self.names), 3):
            raise InputError(f"clip '{self.name}': positions {self.position.shape} must be (T, {len(self.names)}, 3)")
        _check_time(self.name, frames, self.rate)
        if np.isinf(self.position).any():
            raise InputError(f"clip '{self.name}' holds infinite values")

    @property
    def frames(self) -> int:
        """Number of frames T."""
        return len(self.position)

    def cut(self, first: int, last: int) -> MarkerClip:
        """Frames first … last−1 as a clip of their own."""
        return MarkerClip(
            name=self.name,
            rate=self.rate,
            names=self.names,
            position=self.position[first:last],
            start=self.start + first / self.rate,
            source=self.source,
            notes=self.notes,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Named columns over time (OpenSim MOT and STO): joint coordinates, plate forces."""

    name: str
    time: Array  # (T,) [s]
    columns: tuple[str, ...]
    values: Array  # (T, C), units as the file has them
    in_degrees: bool = False
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse shapes that do not belong together."""
        if self.time.ndim != 1 or self.values.shape != (len(self.time), len(self.columns)):
            raise InputError(
                f"table '{self.name}': values {self.values.shape} must be ({len(self.time)}, {len(self.columns)})"
            )
        if len(self.time) == 0:
            raise InputError(f"table '{self.name}' has no rows")

    @property
    def frames(self) -> int:
        """Number of rows."""
        return len(self.time)

    @property
    def duration(self) -> float:
        """Time from the first row to the last [s]."""
        return float(self.time[-1] - self.time[0])

    def column(self, name: str) -> Array:
        """One column by name, (T,)."""
        try:
            return self.values[:, self.columns.index(name)]
        except ValueError:
            raise InputError(
                f"table '{self.name}' has no column '{name}'; there are: {', '.join(self.columns)}"
            ) from None


Clip = SkeletonClip | MarkerClip


def _check_time(name: str, frames: int, rate: float) -> None:
    if frames == 0:
        raise InputError(f"clip '{name}' has no frames")
    if not (np.isfinite(rate) and 0.1 <= rate <= 100_000):
        raise InputError(f"clip '{name}' has {rate:g} frames per second, expected 0.1 to 100000")
