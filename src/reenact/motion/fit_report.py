"""How well a body was fitted to a clip, in figures and words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal


def _nothing() -> Mapping[str, float]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class FitReport:
    """Figures of one fit.

    Errors are distances between the fitted body's joint centres (or marker places, when `measured` is "markers") and
    the clip's, over all frames where they were seen, before frames were lifted out of the floor.
    """

    measured: Literal["joint centres", "markers"]
    error_cm: float  # mean
    median_error_cm: float
    greatest_error_cm: float
    joint_error_cm: Mapping[str, float] = field(default_factory=_nothing)  # mean by site
    limit_violations: int = 0  # hinge angles beyond their range, counted over frames
    greatest_violation_deg: float = 0.0
    penetration_before_mm: float = 0.0  # deepest below the floor, floor found but nothing lifted
    penetration_after_mm: float = 0.0
    greatest_lift_mm: float = 0.0
    floor_height: float = 0.0  # of the clip's floor in the clip's own coordinates [m]
    floor_tilt_deg: float = 0.0
    stature: float = 0.0  # of the fitted body [m]
    mass: float = 0.0  # [kg]
    scaled: bool = True  # False: retargeted to a body of fixed size
    frames: int = 0
    frames_per_second: float = 0.0  # fitted, all stages included
    mapping: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))  # site → source
    notes: tuple[str, ...] = ()
