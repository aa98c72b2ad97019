"""The same body with more or less mass: its shape stays, all masses, moments of inertia and torques go along.

Such a body moves in the same way, to the last digits that rounding leaves, and withstands forces in proportion.
"""

from __future__ import annotations

from dataclasses import replace

from reenact.body.body import Axis, Body
from reenact.errors import BodyError

LEAST, MOST = 0.1, 10.0  # times its mass


def of_mass(body: Body, mass: float) -> Body:
    """The body with a mass of so many kilograms."""
    times = mass / body.mass
    if not LEAST <= times <= MOST:
        low, high = LEAST * body.mass, MOST * body.mass
        raise BodyError(f"a mass of {mass:g} kg, expected {low:.1f} to {high:.0f} for a body of {body.mass:.1f} kg")

    def stronger(axis: Axis) -> Axis:
        return replace(
            axis, torque_limit=times * axis.torque_limit, stiffness=times * axis.stiffness, damping=times * axis.damping
        )

    segments = (
        replace(s, mass=times * s.mass, inertia=times * s.inertia, axes=tuple(stronger(a) for a in s.axes))
        for s in body.segments
    )
    return replace(body, segments=tuple(segments))
