"""What a state machine knows of a body: which joints share gains, what can touch, which legs can stand and swing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reenact.body.body import Body, Segment
from reenact.geometry.rotation import Array

ROOT = "root"  # the group of the root's orientation
_SIDES = ("left", "right")
_PLACES = ("front", "rear", *_SIDES)  # in the names of segments; a quadruped has a "front left foot"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """A chain from the root down to a foot whose first joint turns about three axes."""

    side: str
    thigh: int  # segment
    foot: int  # segment below the ankle
    hip: int  # first of its three hinges
    twist: int  # the one of them that turns the leg about itself
    knee: int  # the first hinge below the hip
    axes: Array  # (3, 3) directions of the hip's hinges, the outermost first, in the frame of the root at rest
    part: int  # of `Limbs.parts`
    ankle: tuple[tuple[int, float], tuple[int, float]] | None  # hinges that turn the foot about +y and +x, with signs


@dataclass(frozen=True, slots=True, kw_only=True)
class Limbs:
    """Groups, parts and legs of a body."""

    groups: tuple[str, ...]  # (G,) "root", then joints without their side: left and right share gains, [V12] §4.1.1
    group_of: tuple[int, ...]  # (A,) group of each hinge
    parts: tuple[str, ...]  # (P,) what contacts are counted for: "left foot" is one part, with its toes
    part_of: tuple[int, ...]  # (S,) part of each segment
    legs: tuple[Leg, ...]  # two, left first, or none: then nothing balances


def limbs_of(body: Body) -> Limbs:
    """What a state machine needs to know of a body."""
    groups = [ROOT]
    group_of: list[int] = []
    for segment in body.segments:
        name = unsided(segment.joint)
        for _ in segment.axes:
            if name not in groups:
                groups.append(name)
            group_of.append(groups.index(name))
    names = [_part(segment) for segment in body.segments]
    parts = tuple(dict.fromkeys(names))
    part_of = tuple(parts.index(name) for name in names)
    legs = tuple(leg for side in _SIDES if (leg := _leg(body, side, part_of)) is not None)
    return Limbs(
        groups=tuple(groups),
        group_of=tuple(group_of),
        parts=parts,
        part_of=part_of,
        legs=legs if len(legs) == len(_SIDES) else (),
    )


def unsided(name: str) -> str:
    """A name without its side: "hip_left" and "hip_right" are "hip"."""
    return "_".join(word for word in name.split("_") if word not in _SIDES)


def side_of(name: str) -> str:
    """ "left", "right" or "" for what lies in the middle."""
    return next((word for word in name.split("_") if word in _SIDES), "")


def _part(segment: Segment) -> str:
    words = segment.name.split("_")
    kind = [segment.part] if segment.part in ("foot", "hand") else [word for word in words if word not in _PLACES]
    return " ".join([*(word for word in words if word in _PLACES), *kind])


def _leg(body: Body, side: str, part_of: tuple[int, ...]) -> Leg | None:
    names = body.segment_names
    feet = [s for s in body.segments if s.part == "foot" and side_of(s.name) == side]
    if not feet:
        return None
    foot = feet[0]
    chain = [foot]
    while chain[-1].parent is not None:
        chain.append(body.segment(chain[-1].parent))
    if len(chain) < 3:
        return None
    thigh = chain[-2]
    if len(thigh.axes) != 3:
        return None
    first = {s.name: sum(len(b.axes) for b in body.segments[: names.index(s.name)]) for s in body.segments}
    return Leg(
        side=side,
        thigh=names.index(thigh.name),
        foot=names.index(foot.name),
        hip=first[thigh.name],
        twist=first[thigh.name] + int(np.argmax(np.abs(_directions(thigh)[:, 2]))),
        knee=next((first[s.name] for s in reversed(chain[:-2]) if s.axes), first[thigh.name]),
        axes=_directions(thigh),
        part=part_of[names.index(foot.name)],
        ankle=_ankle(foot, first[foot.name]),
    )


def _directions(segment: Segment) -> Array:
    return np.array([axis.direction for axis in segment.axes])


def _ankle(foot: Segment, first: int) -> tuple[tuple[int, float], tuple[int, float]] | None:
    """The foot's hinges about +y (toes down) and +x (left edge up), each with the sign of its turn."""
    found: dict[int, tuple[int, float]] = {}
    for i, axis in enumerate(foot.axes):
        for world in (1, 0):
            if abs(axis.direction[world]) > 0.9 and world not in found:
                found[world] = (first + i, float(axis.direction[world]))
    return (found[1], found[0]) if len(found) == 2 else None
