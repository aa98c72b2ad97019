"""The adult's skin: capsules, boxes and an ellipsoid that hold about the segments' volumes.

A light person is thin and a heavy one thick: radii follow mass ÷ 1000 kg/m³. Neighbours overlap at the joints, so each
shape holds somewhat less than its segment's volume.
"""

from __future__ import annotations

import numpy as np

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
        "upper_arm": (_limb(who, "upper_arm", top=0.05, bottom=0.93, fill=0.85),),
        "forearm": (_limb(who, "forearm", top=0.05, bottom=0.90, fill=0.80),),
        "hand": (_hand(who),),
        # [V12] footnote 1: upper legs shortened to avoid unintended collisions.
        "thigh": (_limb(who, "thigh", top=0.16, bottom=0.92, fill=0.70),),
        "shank": (_limb(who, "shank", top=0.08, bottom=0.93, fill=0.85),),
        **_foot(frame),
    }


def _limb(who: Person, name: TableSegment, *, top: float, bottom: float, fill: float) -> Shape:
    """A capsule down the segment; its end centres lie at fractions `top` and `bottom` of the length."""
    size = who.segment(name)
    length = (bottom - top) * size.length
    radius = capsule_radius(fill * size.mass / DENSITY, length)
    return capsule(name, [0, 0, -top * size.length], [0, 0, -bottom * size.length], radius)


def _trunk(who: Person, frame: AdultFrame) -> dict[str, tuple[Shape, ...]]:
    h = who.stature

    def across(name: str, part: TableSegment, centre: np.ndarray, half: float, fill: float) -> Shape:
        radius = capsule_radius(fill * who.segment(part).mass / DENSITY, 2 * half)
        return capsule(name, centre + [0, half, 0], centre - [0, half, 0], radius)

    pelvis = 0.35 * frame.navel
    abdomen = 0.5 * (frame.xiphoid - frame.navel)
    chest = 0.42 * (frame.cervicale - frame.xiphoid)
    girdle = frame.shoulder - frame.xiphoid
    girdle_radius = 0.75 * capsule_radius(who.segment("upper_arm").mass / DENSITY, who.segment("upper_arm").length)
    return {
        "pelvis": (across("pelvis", "lower_trunk", pelvis, 0.026 * h, 0.80),),
        "abdomen": (across("abdomen", "mid_trunk", abdomen, 0.022 * h, 0.58),),
        "thorax": (
            across("chest", "upper_trunk", chest, 0.034 * h, 0.72),
            capsule("shoulders", girdle, girdle * [1, -1, 1], girdle_radius),
        ),
    }


def _head(who: Person, frame: AdultFrame) -> tuple[Shape, ...]:
    half = np.array([0.5 * who.frame("head_depth"), 0.5 * who.frame("head_breadth"), 0.065 * who.stature])
    top = frame.vertex - frame.neck
    centre = top - [0.0, 0.0, half[2]]
    neck_radius = 0.032 * who.stature
    return (ellipsoid("head", centre, half), capsule("neck", 0.0 * centre, 0.6 * centre, neck_radius))


def _hand(who: Person) -> Shape:
    length, breadth = who.frame("hand_length"), who.frame("hand_breadth")
    thickness = who.segment("hand").mass / DENSITY / (length * breadth)
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
