"""One foot of the tables as two rigid parts, hindfoot and toes, that together are the table's foot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reenact.body.anthropometrics import Person, tables
from reenact.geometry.rotation import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class FootPart:
    """Mass properties of one part; x runs from the heel forward along the foot's axis."""

    mass: float  # [kg]
    com: float  # from the heel [m]
    moments: Array  # (3,) about the centre of mass along x (the foot's axis), y (lateral), z (up) [kg·m²]


@dataclass(frozen=True, slots=True, kw_only=True)
class Foot:
    """Places from the heel along the foot [m] and its two parts."""

    length: float
    ankle: float
    ball: float
    breadth: float
    toe_height: float
    hindfoot: FootPart
    toes: FootPart


def foot_of(who: Person) -> Foot:
    """Split the table's foot ([B09] Tables 4–6) at the ball.

    The toes are a uniform box; the hindfoot is what is left, so that mass, centre of mass and the three principal
    moments of both together are exactly the table's. The table's sagittal axis of a foot is vertical, because its
    longitudinal axis is horizontal.
    """
    whole, place = who.segment("foot"), tables().foot
    length, breadth = whole.length, who.frame("foot_breadth")
    ball = place.ball / 100 * length
    toe_length, toe_height = length - ball, 0.09 * length
    toe_mass = place.toe_mass / 100 * whole.mass
    toe_com = ball + 0.5 * toe_length
    box = np.array([toe_length, breadth, toe_height]) ** 2
    toe_moments = toe_mass / 12 * np.array([box[1] + box[2], box[0] + box[2], box[0] + box[1]])

    mass = whole.mass - toe_mass
    com = (whole.mass * whole.com - toe_mass * toe_com) / mass
    apart = mass * (com - whole.com) ** 2 + toe_mass * (toe_com - whole.com) ** 2
    sagittal, transverse, longitudinal = whole.moments
    moments = np.array([longitudinal, transverse - apart, sagittal - apart]) - toe_moments
    return Foot(
        length=length,
        ankle=place.ankle / 100 * length,
        ball=ball,
        breadth=breadth,
        toe_height=toe_height,
        hindfoot=FootPart(mass=mass, com=com, moments=moments),
        toes=FootPart(mass=toe_mass, com=toe_com, moments=toe_moments),
    )
