"""Who is filmed: a body whose flesh, hair and clothes are not those of the body that a capture fits.

Joints stay where they are, so that the truth is exact; what shows of the body does not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from reenact.body.body import Body, Shape
from reenact.body.girth import with_girths
from reenact.geometry import rotation

THINNER_OR_THICKER: Final = (0.10, 0.20)  # shares by which each part's girth is off, either way
STILL: Final = ("hand", "foot")  # parts left as they are: soles must stay on the ground
Colour = tuple[float, float, float]
SKIN: Final[tuple[Colour, ...]] = ((0.80, 0.58, 0.46), (0.55, 0.37, 0.27), (0.90, 0.70, 0.58))
HAIR: Final[tuple[Colour, ...]] = ((0.12, 0.09, 0.07), (0.45, 0.28, 0.12), (0.62, 0.50, 0.28))
SHIRT: Final[tuple[Colour, ...]] = ((0.16, 0.30, 0.58), (0.72, 0.72, 0.70), (0.12, 0.42, 0.28))
TROUSERS: Final[tuple[Colour, ...]] = ((0.13, 0.15, 0.24), (0.30, 0.28, 0.24), (0.16, 0.16, 0.17))
SHOES: Final[tuple[Colour, ...]] = ((0.85, 0.84, 0.80), (0.18, 0.12, 0.10), (0.60, 0.18, 0.16))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Person:
    """A body dressed to be drawn."""

    body: Body  # with everything that shows
    colours: dict[str, Colour]  # by shape, 0 … 1


def dressed(body: Body, seed: int) -> Person:
    """Somebody with this body's skeleton: other girths, hair and clothes with every seed, three outfits in turn."""
    rng = np.random.default_rng([seed, 12])
    names = dict.fromkeys(_sideless(s.name) for s in body.segments if s.part not in STILL)
    logs = {name: rng.choice([-1.0, 1.0]) * rng.uniform(*THINNER_OR_THICKER) for name in names}
    logs |= {name: -abs(logs[name]) for name in logs if name == "head"}  # hair makes up for it
    wanted = {s.name: float(np.exp(logs[_sideless(s.name)])) for s in body.segments if s.part not in STILL}
    person = with_girths(body, wanted)
    outfit = OUTFITS[seed % len(OUTFITS)]
    extra: dict[str, list[Shape]] = {}
    for segment, shape in outfit(person):
        extra.setdefault(segment, []).append(shape)
    segments = tuple(replace(s, shapes=(*s.shapes, *extra.get(s.name, ()))) for s in person.segments)
    person = replace(person, segments=segments)
    palette = {
        "skin": SKIN[rng.integers(len(SKIN))],
        "hair": HAIR[rng.integers(len(HAIR))],
        "shirt": SHIRT[rng.integers(len(SHIRT))],
        "trousers": TROUSERS[rng.integers(len(TROUSERS))],
        "shoes": SHOES[rng.integers(len(SHOES))],
    }
    colours = {g.name: palette[_cloth(s.name, g.name)] for s in person.segments for g in s.shapes}
    return Person(body=person, colours=colours)


Extra = tuple[str, Shape]


def _bun_and_wide_trousers(body: Body) -> list[Extra]:
    """Hair in a bun, trousers that widen downwards."""
    unit = body.stature
    legs = [_tube(f"shank_{side}", f"trouser_leg_{side}", 0.4, 0.95, 0.036 * unit, body) for side in ("left", "right")]
    return [
        *legs,
        _ball("head", "hair_bun", (-0.035 * unit, 0.0, 0.075 * unit), (0.028 * unit,) * 3),
        _ball("head", "hair", (0.018 * unit, 0.0, 0.074 * unit), (0.062 * unit, 0.052 * unit, 0.055 * unit)),
        _ball("pelvis", "shirt_hem", (0.0, 0.0, 0.0), (0.078 * unit, 0.098 * unit, 0.055 * unit)),
    ]


def _long_hair_and_skirt(body: Body) -> list[Extra]:
    """Hair to the shoulders, a skirt to above the knees that stands off the thighs."""
    unit = body.stature
    return [
        _ball("head", "hair", (0.012 * unit, 0.0, 0.070 * unit), (0.062 * unit, 0.054 * unit, 0.062 * unit)),
        _ball("head", "hair_back", (-0.030 * unit, 0.0, 0.010 * unit), (0.030 * unit, 0.050 * unit, 0.085 * unit)),
        _ball("pelvis", "skirt", (0.0, 0.0, -0.055 * unit), (0.092 * unit, 0.108 * unit, 0.110 * unit)),
    ]


def _cap_and_jacket(body: Body) -> list[Extra]:
    """A cap with a peak, a loose jacket with wide sleeves, trousers loose at the thighs."""
    unit = body.stature
    out = [
        _ball("head", "hair", (0.024 * unit, 0.0, 0.085 * unit), (0.064 * unit, 0.052 * unit, 0.046 * unit)),
        _ball("head", "hair_peak", (0.088 * unit, 0.0, 0.082 * unit), (0.038 * unit, 0.040 * unit, 0.008 * unit)),
        _ball("abdomen", "shirt_hem", (0.010 * unit, 0.0, 0.030 * unit), (0.080 * unit, 0.098 * unit, 0.115 * unit)),
    ]
    for side in ("left", "right"):
        out.append(_tube(f"upper_arm_{side}", f"shirt_sleeve_{side}", 0.1, 0.95, 0.036 * unit, body))
        out.append(_tube(f"thigh_{side}", f"trouser_leg_{side}", 0.25, 0.9, 0.046 * unit, body))
    return out


OUTFITS: Final[tuple[Callable[[Body], list[Extra]], ...]] = (
    _bun_and_wide_trousers,
    _long_hair_and_skirt,
    _cap_and_jacket,
)


def _ball(segment: str, name: str, at: tuple[float, float, float], half: tuple[float, ...]) -> Extra:
    return segment, Shape(
        name=name, kind="ellipsoid", position=np.array(at), orientation=rotation.IDENTITY, size=np.array(half)
    )


def _tube(segment: str, name: str, begin: float, end: float, radius: float, body: Body) -> Extra:
    """A capsule from `begin` to `end`, shares of a limb's length below its joint."""
    child = next(s for s in body.segments if s.parent == segment)
    length = -float(child.offset[2])
    half = max(1e-3, 0.5 * (end - begin) * length - radius)
    at = np.array([0.0, 0.0, -0.5 * (begin + end) * length])
    size = np.array([radius, half])
    return segment, Shape(name=name, kind="capsule", position=at, orientation=rotation.IDENTITY, size=size)


def _cloth(segment: str, shape: str) -> str:
    """What a shape is made of."""
    for cloth in ("hair", "shirt"):
        if shape.startswith(cloth):
            return cloth
    part = _sideless(segment)
    if part in ("head", "hand", "forearm"):
        return "skin"
    if part in ("foot", "toes"):
        return "shoes"
    return "shirt" if part in ("abdomen", "thorax", "upper_arm") else "trousers"


def _sideless(name: str) -> str:
    return name.removesuffix("_left").removesuffix("_right")
