"""The hinges that a model's angles belong to, and whether another body has the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.geometry.rotation import Array

ALIKE = 1e-6  # how far the directions of one hinge may be apart
_SHOWN = 4  # names in a message


@dataclass(frozen=True, slots=True, kw_only=True)
class Hinges:
    """What gives A joint angles their meaning; a person's size is no part of it."""

    names: tuple[str, ...]  # (A,) in the order of the simulation
    directions: Array  # (A, 3) unit vectors in the segments' frames
    limits: Array  # (A, 2) least and greatest angle [rad]

    def __post_init__(self) -> None:
        """Refuse arrays that do not belong together."""
        count = len(self.names)
        if self.directions.shape != (count, 3) or self.limits.shape != (count, 2):
            raise InputError(
                f"{count} hinges have directions {self.directions.shape} and limits {self.limits.shape}, "
                f"expected ({count}, 3) and ({count}, 2)"
            )
        if len(set(self.names)) != count:
            raise InputError(f"a hinge stands twice among {', '.join(self.names)}")
        if not (np.isfinite(self.directions).all() and np.isfinite(self.limits).all()):
            raise InputError("directions and limits of hinges must be finite numbers")
        for name, (low, high) in zip(self.names, self.limits, strict=True):
            if low > high:
                raise InputError(f"hinge '{name}' has limits {low:g} to {high:g} rad, expected the lesser first")


def hinges_of(body: Body) -> Hinges:
    """The hinges of a body."""
    axes = body.axes
    return Hinges(
        names=tuple(a.name for a in axes),
        directions=np.array([a.direction for a in axes], float).reshape(-1, 3),
        limits=np.array([a.range for a in axes], float).reshape(-1, 2),
    )


def what_differs(one: Hinges, other: Hinges) -> str:
    """Why angles of one mean another pose on the other, naming hinges; empty where they mean the same.

    Limits may differ: they say what a body can do, not what an angle is.
    """
    missing = [n for n in one.names if n not in other.names]
    extra = [n for n in other.names if n not in one.names]
    if missing or extra:
        parts = [f"no {_some(missing)}"] * bool(missing) + [f"instead there is {_some(extra)}"] * bool(extra)
        return ", ".join(parts) if missing else f"{_some(extra)} is too much"
    if one.names != other.names:
        i = next(i for i, (a, b) in enumerate(zip(one.names, other.names, strict=True)) if a != b)
        return f"another order: hinge {i + 1} is {other.names[i]}, not {one.names[i]}"
    apart = np.abs(one.directions - other.directions).max(axis=1, initial=0.0) > ALIKE
    turned = [n for n, off in zip(one.names, apart, strict=True) if off]
    return f"another direction of {_some(turned)}" if turned else ""


def _some(names: list[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
