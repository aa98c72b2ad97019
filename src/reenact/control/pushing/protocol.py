"""How pushes are tried: the test of [V12] §6.1 and what it leaves open, in one documented place."""

from __future__ import annotations

import math
from dataclasses import dataclass

from reenact.body.body import Body
from reenact.errors import InputError

LONGEST = 600.0  # [s]
DURATION = 0.4  # [s] of a push, [V12] §6.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """[V12] §6.1: a force at the torso's centre of mass for 0.4 s once every 4 s; passed if it walks on after 40 s.

    The first push comes after one interval, later by the phase's share of the gait cycle, by which the trial then lasts
    longer: at every phase there are as many pushes, and a whole interval after the last. Deviation: the paper tells of
    one run for each force; here a force passes only if it does at every phase.
    """

    segment: str
    seconds: float = 40.0
    every: float = 4.0  # from one push to the next [s]
    duration: float = DURATION  # of a push [s]
    phases: int = 8  # evenly over the gait cycle
    resolution: float = 1.0  # forces are whole multiples of this [N]
    greatest: float = 2000.0  # no greater force is tried [N]
    draws: int = 24  # trials at the force that was found, at random phases and from disturbed starts
    seed: int = 0  # of the draws
    follow: bool = False  # turn with the body: see `trial.py`

    def __post_init__(self) -> None:
        """Refuse what cannot be tried, in the words of the command line."""
        for name in ("seconds", "every", "duration", "resolution", "greatest"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0.0):
                raise InputError(f"{name} is {value:g}, expected above 0")
        if self.duration > self.every:
            raise InputError(f"duration is {self.duration:g} s, expected at most the {self.every:g} s between pushes")
        if self.seconds > LONGEST:
            raise InputError(f"seconds is {self.seconds:g}, expected at most {LONGEST:g}")
        if self.seconds < 2.0 * self.every:
            raise InputError(
                f"seconds is {self.seconds:g}, expected at least {2.0 * self.every:g}: {self.every:g} s before the "
                f"first push and {self.every:g} s after it"
            )
        if self.resolution > self.greatest:
            raise InputError(f"resolution is {self.resolution:g} N, expected at most {self.greatest:g}")
        for name, least in (("phases", 1), ("draws", 0), ("seed", 0)):
            if getattr(self, name) < least:
                raise InputError(f"{name} is {getattr(self, name)}, expected at least {least}")

    def delays(self, cycle: float) -> tuple[float, ...]:
        """How much later the first push comes at each phase of a gait cycle [s]."""
        return tuple(cycle * i / self.phases for i in range(self.phases))

    def starts(self, delay: float = 0.0) -> list[float]:
        """When pushes begin [s], each with a whole interval before the end."""
        count = math.floor(self.seconds / self.every + 1e-9) - 1
        return [delay + (i + 1) * self.every for i in range(count)]


def torso_of(body: Body) -> str:
    """The segment that bears the head, or the root where there is no head."""
    for segment in body.segments:
        if segment.part == "head" and segment.parent is not None:
            return segment.parent
    return body.segments[0].name


def check_segment(body: Body, name: str) -> str:
    """The name, refused where the body has no such segment."""
    if name not in body.segment_names:
        raise InputError(f"body '{body.name}' has no segment '{name}'; there are: {', '.join(body.segment_names)}")
    return name
