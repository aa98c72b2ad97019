"""Size and mass distribution of adults: [B09] Tables 3–6 for any sex, stature and mass."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

import msgspec
import numpy as np

from reenact.errors import BodyError
from reenact.geometry.rotation import Array

Sex = Literal["female", "male"]
TableSegment = Literal[
    "head_neck",
    "head",
    "trunk",
    "upper_trunk",
    "mid_trunk",
    "lower_trunk",
    "upper_arm",
    "forearm",
    "hand",
    "thigh",
    "shank",
    "foot",
]
TABLE_SEGMENTS: tuple[TableSegment, ...] = get_args(TableSegment)
SMALLEST, TALLEST = 0.5, 2.75  # stature [m]
LIGHTEST, HEAVIEST = 5.0, 500.0  # body mass [kg]


class Percentiles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """5th, 50th and 95th percentile of a population, [B09] Table 3."""

    p5: float
    p50: float
    p95: float


class SegmentRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of [B09] Tables 4–6 in the tables' own percentages."""

    length: float  # % of stature
    mass: float  # % of body mass
    com: float  # % of the segment's length, from the proximal end
    gyration: tuple[float, float, float]  # sagittal, transverse, longitudinal; % of the segment's length


class FrameRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where joints and skin lie beside the tables' segments, % of stature; sources stand in the data file."""

    cervicale_behind_hip: float
    vertex_before_cervicale: float
    shoulder_below_cervicale: float
    shoulder_half_width: float
    hip_half_width: float
    hand_length: float
    hand_breadth: float
    foot_breadth: float
    head_breadth: float
    head_depth: float


class FootRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Places along the foot, % of its length from the heel, and the toes' share of its mass, %."""

    ankle: float
    ball: float
    toe_mass: float


class SexTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that the data file says of one sex."""

    stature: Percentiles
    mass: Percentiles
    segment: dict[TableSegment, SegmentRow]
    frame: FrameRow


class Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole data file."""

    male: SexTable
    female: SexTable
    foot: FootRow


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentSize:
    """A segment of one person in SI units."""

    length: float  # [m]
    mass: float  # [kg]
    com: float  # from the proximal end along the segment [m]
    moments: Array  # (3,) about the centre of mass: sagittal, transverse, longitudinal [kg·m²]


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Sex, stature [m] and mass [kg]; everything else follows from the tables."""

    sex: Sex
    stature: float
    mass: float

    def __post_init__(self) -> None:
        """Refuse a person that no table speaks of."""
        if self.sex not in get_args(Sex):
            raise BodyError(f"sex is {self.sex!r}, expected one of: {', '.join(get_args(Sex))}")
        if not SMALLEST <= self.stature <= TALLEST:
            raise BodyError(f"height is {self.stature:g} m, expected {SMALLEST:g} to {TALLEST:g} m")
        if not LIGHTEST <= self.mass <= HEAVIEST:
            raise BodyError(f"mass is {self.mass:g} kg, expected {LIGHTEST:g} to {HEAVIEST:g} kg")

    def segment(self, name: TableSegment) -> SegmentSize:
        """Length, mass, centre of mass and principal moments of one segment, [B09] Tables 4–6."""
        row = _of(self.sex).segment.get(name)
        if row is None:
            raise BodyError(f"no segment '{name}' in the tables; there are: {', '.join(TABLE_SEGMENTS)}")
        length = row.length / 100 * self.stature
        mass = row.mass / 100 * self.mass
        return SegmentSize(
            length=length,
            mass=mass,
            com=row.com / 100 * length,
            moments=mass * (np.array(row.gyration) / 100 * length) ** 2,
        )

    def frame(self, name: str) -> float:
        """One distance of `FrameRow` [m]."""
        return float(getattr(_of(self.sex).frame, name)) / 100 * self.stature


def person(sex: Sex = "male", stature: float | None = None, mass: float | None = None) -> Person:
    """A person of the given size; what is not given is the 50th percentile of that sex, [B09] Table 3."""
    if sex not in get_args(Sex):
        raise BodyError(f"sex is {sex!r}, expected one of: {', '.join(get_args(Sex))}")
    table = _of(sex)
    return Person(
        sex=sex,
        stature=table.stature.p50 if stature is None else float(stature),
        mass=table.mass.p50 if mass is None else float(mass),
    )


@cache
def tables() -> Tables:
    """The bundled data file."""
    text = files("reenact.body").joinpath("data/anthropometrics.toml").read_bytes()
    return msgspec.toml.decode(text, type=Tables)


def _of(sex: Sex) -> SexTable:
    table: SexTable = getattr(tables(), sex)
    return table
