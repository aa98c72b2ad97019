"""People pushed while walking: one row of a table for each trial.

The table belongs to Lee, Lee, Kwon, Jeong, O'Sullivan, Park and Lee, "Push-Recovery Stability of Biped Locomotion",
2015: a person walking straight on was pushed sideways, and the greatest lateral detour from the straight line was
measured. What the columns mean was read from the numbers and from the code that the authors published with the table:

- push_force_normalized is impulse over mass [mm/s]; push_force_not_normalized the impulse [N·s]; the file says force.
- push_start, push_mid and push_end are percent of a step (half a gait cycle) from the stance foot's contact on. In a
  few rows start or end was counted in another step than the middle: only the middle is kept.
- push_timing 1 is mid-stance (middle of the push at half of the step), 2 is right after contact (about a tenth).
- push_direction 1 pushes from the side of the stance foot, so that the next step can catch the body at once; 2 from the
  other side. The table does not say so: after code 1 the greatest detour comes mostly in the first step, after code 2
  mostly in the second.
- crouch 0 … 3 is the knee angle that was asked for: 0°, 20°, 30°, 60°; stride 2 and speed 2 are shorter and slower than
  the person's own; actual_stride [mm] and actual_speed [mm/s] are what was walked.
"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reenact.errors import InputError
from reenact.formats.number_rows import parse_number
from reenact.formats.text_file import read_lines, shown

CROUCH_DEG: Final = (0.0, 20.0, 30.0, 60.0)
_CODES: Final[dict[str, int]] = {"sex": 2, "stride": 2, "speed": 2, "push_timing": 2, "push_direction": 2}  # 1 … n
_RANGES: Final[dict[str, tuple[float, float]]] = {
    "weight": (10.0, 300.0),  # [kg]
    "height": (50.0, 260.0),  # [cm]
    "crouch": (0.0, len(CROUCH_DEG) - 1.0),
    "actual_stride": (100.0, 3000.0),  # [mm]
    "actual_speed": (100.0, 5000.0),  # [mm/s]
    "maximal_detour_distance": (0.0, 1e4),  # [mm]
    "maximal_detour_step": (0.0, 50.0),
    "push_force_normalized": (1.0, 1e4),  # [mm/s]
    "push_force_not_normalized": (0.1, 1e3),  # [N·s]
    "push_mid": (-100.0, 200.0),  # [%]
    "push_duration": (0.01, 5.0),  # [s]
}
_NEEDED: Final = ("subject", *_CODES, *_RANGES)
_SAME: Final = 1e-3  # by which an impulse may differ from mass times impulse per mass


@dataclass(frozen=True, slots=True, kw_only=True)
class PushedTrial:
    """One person, pushed once."""

    subject: str
    mass: float  # [kg]
    stature: float  # [m]
    crouch_deg: float  # knee angle asked for
    stride: float  # [m]
    speed: float  # [m/s]
    impulse: float  # [N·s]
    duration: float  # of the push [s]
    phase: float  # middle of the push in steps after the stance foot's contact; may lie in the step before or after
    from_stance_side: bool  # else from the side of the swinging leg
    mid_stance: bool  # when it was meant to come; else right after contact
    detour: float  # greatest lateral distance from the straight line [m]
    detour_step: int  # in which step that was, from 1

    @property
    def impulse_per_mass(self) -> float:
        """[N·s/kg]."""
        return self.impulse / self.mass

    @property
    def cycle(self) -> float:
        """Gait cycle [s]: two steps."""
        return self.stride / self.speed


def read_pushed_trials(path: Path | str) -> tuple[PushedTrial, ...]:
    """All trials of a table; a value that cannot be is named with its line and column."""
    path = Path(path)
    lines = read_lines(path, expected="a CSV table of pushed-walking trials")
    try:
        rows = list(csv.reader(lines, strict=True))
    except csv.Error as error:
        raise InputError(f"not a CSV table: {error}", path=path) from None
    names = [name.strip() for name in rows[0]]
    missing = [name for name in _NEEDED if name not in names]
    if missing:
        raise InputError(
            f"no column '{missing[0]}' of a table of pushed-walking trials; there are: {shown(', '.join(names), 200)}",
            path=path,
            line=1,
        )
    trials = []
    for number, row in enumerate(rows[1:], start=2):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(names):
            raise InputError(f"{len(row)} values, expected {len(names)}", path=path, line=number)
        trials.append(_trial(dict(zip(names, row, strict=True)), path, number))
    if not trials:
        raise InputError("the table has no trials", path=path, line=len(lines))
    return tuple(trials)


def _trial(cells: dict[str, str], path: Path, line: int) -> PushedTrial:
    code = {name: _code(cells, name, most, path, line) for name, most in _CODES.items()}
    value = {name: _value(cells, name, path, line) for name in _RANGES}
    impulse, per_mass = value["push_force_not_normalized"], value["push_force_normalized"] / 1000.0
    if not math.isclose(impulse, per_mass * value["weight"], rel_tol=_SAME):
        raise InputError(
            f"push_force_not_normalized is {impulse:g} N·s, expected weight × push_force_normalized = "
            f"{per_mass * value['weight']:g}",
            path=path,
            line=line,
        )
    return PushedTrial(
        subject=cells["subject"].strip(),
        mass=value["weight"],
        stature=value["height"] / 100.0,
        crouch_deg=CROUCH_DEG[round(value["crouch"])],
        stride=value["actual_stride"] / 1000.0,
        speed=value["actual_speed"] / 1000.0,
        impulse=impulse,
        duration=value["push_duration"],
        phase=value["push_mid"] / 100.0,
        from_stance_side=code["push_direction"] == 1,
        mid_stance=code["push_timing"] == 1,
        detour=value["maximal_detour_distance"] / 1000.0,
        detour_step=round(value["maximal_detour_step"]),
    )


def _code(cells: dict[str, str], name: str, most: int, path: Path, line: int) -> int:
    value = parse_number(cells[name], what=name, path=path, line=line)
    if value not in range(1, most + 1):
        raise InputError(f"{name} is {cells[name].strip()}, expected a code from 1 to {most}", path=path, line=line)
    return int(value)


def _value(cells: dict[str, str], name: str, path: Path, line: int) -> float:
    value, (low, high) = parse_number(cells[name], what=name, path=path, line=line), _RANGES[name]
    if not low <= value <= high:
        raise InputError(f"{name} is {value:g}, expected from {low:g} to {high:g}", path=path, line=line)
    return value
