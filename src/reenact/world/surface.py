"""How a surface feels to what touches it: friction, softness and how dead or springy it is.

A contact in MuJoCo is a damped spring per unit mass. With a constant impedance d, the force on a lone body of mass m
that touches at one point, has sunk by r and sinks at speed v is

    f = m · (r / (τζ)² + 2 v / τ + d · g),

with τ the time constant [s] and ζ the damping ratio. `softness` s sets τ = 0.02 s · 10^s, so that 0 is the hard ground
and 1 a very deep pad: a ball that lands at 3 m/s on a dead surface sinks 2 cm, 8 cm (s = 0.5), 29 cm (s = 1).
Several points share the load, as area does: n of them sink 1/n as deep at rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from reenact.world.values import within

HARD_TIME_CONSTANT: Final = 0.02  # [s]; below two steps of 1/120 s a contact would not be stable
HARD_IMPEDANCE: Final = (0.9, 0.95, 0.001)  # from touch to 1 mm deep
SOFT_IMPEDANCE: Final = 0.5  # constant with depth: half the weight is borne at touch, the rest by the spring
LEAST_FRICTION: Final = 5e-4  # with less, the solver's friction pyramid is too thin to be stable: none is used at all
TORSIONAL_FRICTION: Final = 0.005  # [m], unused with three friction directions
ROLLING_FRICTION: Final = 0.0001  # [m], unused with three friction directions


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """What a contact with this surface is like."""

    friction: float = 1.0  # Coulomb coefficient of the pair: what touches has no say
    softness: float = 0.0  # 0 hard … 1 very soft, see the module
    damping_ratio: float = 1.0  # 1 does not bounce back, 0.1 is springy

    def __post_init__(self) -> None:
        """Refuse values that no simulated surface has."""
        check_surface(self.friction, self.softness, self.damping_ratio)

    @property
    def time_constant(self) -> float:
        """How slowly the surface gives way, τ [s]."""
        return float(HARD_TIME_CONSTANT * 10.0**self.softness)

    @property
    def solref(self) -> tuple[float, float]:
        """MuJoCo's reference: time constant [s] and damping ratio."""
        return (self.time_constant, self.damping_ratio)

    @property
    def solimp(self) -> tuple[float, float, float, float, float]:
        """MuJoCo's impedance: at touch, at depth, the depth [m], midpoint and power."""
        if self.softness == 0.0:
            return (*HARD_IMPEDANCE, 0.5, 2.0)
        return (SOFT_IMPEDANCE, SOFT_IMPEDANCE, 0.001, 0.5, 2.0)

    @property
    def condim(self) -> int:
        """MuJoCo's contact directions: one without friction, three with it."""
        return 1 if self.friction < LEAST_FRICTION else 3

    @property
    def frictions(self) -> tuple[float, float, float]:
        """MuJoCo's sliding, torsional and rolling friction."""
        return (self.friction, TORSIONAL_FRICTION, ROLLING_FRICTION)


def check_surface(friction: float | None, softness: float | None, damping_ratio: float | None) -> None:
    """Refuse values out of range; None is left to the ground's value."""
    if friction is not None:
        within("friction", friction, 0.0, 5.0)
    if softness is not None:
        within("softness", softness, 0.0, 1.0)
    if damping_ratio is not None:
        within("damping_ratio", damping_ratio, 0.05, 5.0)
