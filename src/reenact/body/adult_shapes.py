"""The adult's skin: capsules, boxes and an ellipsoid that hold about the segments' volumes.

A light person is thin and a heavy one thick: radii follow mass ÷ 1000 kg/m³. Neighbours overlap at the joints, so each
shape holds somewhat less than its segment's volume.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from reenact.body.adult_frame import AdultFrame
from reenact.body.anthropometrics import Person, TableSegment
from reenact.body.body import Shape
from reenact.body.solid import box, capsule, capsule_radius, ellipsoid

DENSITY = 1000.0  # [kg/m³]


def adult_shapes(who: Person, frame: AdultFrame) -> dict[str, tuple[Shape, ...]]:
    """Shapes of the middle and the left side by segment name ("thigh", not "thigh_left"), in the segments' frames."""
    return {
        **_trunk(who, frame),
        "head": _head(who, frame),
        "upper_arm": (_limb(who, "upper_arm", "upper_arm", (0.05, 0.93), share=0.85),),
        "forearm": (_limb(who, "forearm", "forearm", (0.05, 0.90), share=0.80),),
        "hand": (_hand(who),),
        # [V12] footnote 1: the upper legs begin below the hip to avoid unintended collisions.
        "thigh": (
            _limb(who, "thigh", "thigh", (0.2, 0.97), share=0.30),
            _bulge(who, "thigh", "quadriceps", (0.0, 0.95), share=0.47, wide=0.88, forward=0.003),
        ),
        "shank": (
            _limb(who, "shank", "shank", (0.06, 0.95), share=0.45),
            _bulge(who, "shank", "calf", (0.0, 0.72), share=0.50, wide=1.0, forward=-0.006),
        ),
        **_foot(frame),
    }


def _limb(
    who: Person, part: TableSegment, name: str, span: tuple[float, float], *, share: float, forward: float = 0.0
) -> Shape:
    """A capsule down a segment, end centres at the fractions `span` of its length, holding a `share` of its volume."""
    size = who.segment(part)
    top, bottom = -size.length * np.array(span)
    radius = capsule_radius(share * size.mass / DENSITY, float(top - bottom))
    x = forward * who.stature
    return capsule(name, [x, 0, top], [x, 0, bottom], radius)


def _bulge(
    who: Person, part: TableSegment, name: str, span: tuple[float, float], *, share: float, wide: float, forward: float
) -> Shape:
    """An ellipsoid down a segment between the fractions `span` of its length, holding a `share` of its volume."""
    size = who.segment(part)
    top, bottom = -size.length * np.array(span)
    return _round(name, [forward * who.stature, 0, 0.5 * (top + bottom)], 0.5 * (top - bottom), wide, share * size.mass)


def _round(name: str, centre: ArrayLike, tall: float, wide: float, mass: float) -> Shape:
    """An ellipsoid of a given half height [m] and width ÷ depth that holds a mass [kg]."""
    deep = float(np.sqrt(0.75 / np.pi * mass / DENSITY / (tall * wide)))
    return ellipsoid(name, centre, [deep, wide * deep, tall])


def _trunk(who: Person, frame: AdultFrame) -> dict[str, tuple[Shape, ...]]:
    """Rounded everywhere, so that the body rolls; lies before the line of the joints, as the spine does at the back."""
    h = who.stature
    lower, mid, upper = (who.segment(name).mass for name in ("lower_trunk", "mid_trunk", "upper_trunk"))
    pelvis = np.array([-0.002 * h, 0.0, 0.35 * frame.navel[2]])
    abdomen = np.array([0.006 * h, 0.0, 0.5 * (frame.xiphoid + frame.navel)[2]]) - frame.navel
    chest = np.array([0.004 * h, 0.0, 0.6 * frame.xiphoid[2] + 0.4 * frame.cervicale[2]]) - frame.xiphoid
    girdle = frame.shoulder - frame.xiphoid
    upper_arm = who.segment("upper_arm")
    radius = 1.05 * capsule_radius(upper_arm.mass / DENSITY, upper_arm.length)
    return {
        "pelvis": (_round("pelvis", pelvis, 0.068 * h, 1.3, 0.80 * lower),),
        "abdomen": (_round("abdomen", abdomen, 0.090 * h, 1.3, 0.65 * mid),),
        "thorax": (
            _round("chest", chest, 0.088 * h, 1.42, 0.86 * upper),
            capsule("shoulders", girdle * [1.0, 0.85, 1.0], girdle * [1.0, -0.85, 1.0], radius),
        ),
    }


def _head(who: Person, frame: AdultFrame) -> tuple[Shape, ...]:
    half = np.array([0.5 * who.frame("head_depth"), 0.5 * who.frame("head_breadth"), 0.065 * who.stature])
    centre = frame.vertex - frame.neck - [0.0, 0.0, half[2]]
    bottom, top = np.array([0.0, 0.0, -0.1 * centre[2]]), 0.7 * centre
    return (ellipsoid("head", centre, half), capsule("neck", bottom, top, 0.031 * who.stature))


def _hand(who: Person) -> Shape:
    length, breadth = who.frame("hand_length"), who.frame("hand_breadth")
    thickness = 0.88 * who.segment("hand").mass / DENSITY / (length * breadth)  # fingers are slimmer than the palm
    return box("hand", [0, 0, -0.5 * length], 0.5 * np.array([breadth, thickness, length]))


def _foot(frame: AdultFrame) -> dict[str, tuple[Shape, ...]]:
    foot, sole = frame.foot, -frame.ankle_height
    height = 0.6 * frame.ankle_height
    instep = 0.22 * foot.breadth
    hindfoot = box(
        "foot",
        [0.5 * foot.ball - foot.ankle, 0, sole + 0.5 * height],
        0.5 * np.array([foot.ball, foot.breadth, height]),
    )
    ridge = capsule("instep", [0, 0, 0], [0.75 * foot.ball - foot.ankle, 0, sole + height], instep)
    reach = foot.length - foot.ball
    toes = box("toes", [0.5 * reach, 0, 0], 0.5 * np.array([reach, 0.95 * foot.breadth, foot.toe_height]))
    return {"foot": (hindfoot, ridge), "toes": (toes,)}
