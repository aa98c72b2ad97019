"""Joints as strong as a person's, instead of [V12]'s γ = 120, which its authors call higher than typical for a human.

Bounds are peak voluntary torques of young men, isometric or nearly so, at the joint angle where they are greatest.
A person is weaker at other angles and when moving fast, and up to 1.4 times as strong while being stretched, as when
landing (Thelen 2003): `torque_scale` of a model makes up for that.

Flexion of hip, knee and ankle in parts of weight × stature: C₁ of Table 3 of Anderson, Madigan & Nussbaum, "Maximum
voluntary joint torque as a function of joint angle and angular velocity", J. Biomech. 40 (2007) 3105, men of 18–25,
as copied by RBDL's torque muscles. The rest in N·m per kg of body mass, rounded, put together from memory and from
second hand, not from the papers' tables: trunk after Beimborn & Morrissey 1988 (extension 1.3 × flexion) and Kumar
1996; neck after Vasavada, Li & Delp 2001; hip abduction and twist after Widler 2009 and Lindsay 1992; ankle inversion,
shoulder abduction and wrist after Harbo, Brincks & Andersen 2012 and Delp 1996; shoulder and elbow flexion after Robert
et al. 2013; toes after Goldmann & Brüggemann 2012. Take them as right to a quarter. Women's, per kg, are a tenth to a
third less, in the legs hardly at all.

Deviation from people: an axis has one bound for both ways, so each takes the stronger. A shin lifts the toes with the
calf's strength, three times its own; knees bend as hard as they stretch, twice their own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal, NamedTuple, get_args

from reenact.body.body import Axis, Body, Segment
from reenact.errors import BodyError

Strength = Literal["human"]
STRENGTHS: Final[tuple[str, ...]] = get_args(Strength)
GRAVITY: Final = 9.81  # [m/s²]


class Peak(NamedTuple):
    """Peak torques of an axis the positive way and the negative way."""

    positive: float
    negative: float
    of: Literal["mass", "weight_stature"]  # [N·m/kg], or parts of weight × stature


def _sagittal(positive: float, negative: float) -> Peak:
    return Peak(positive, negative, "weight_stature")


def _by_mass(positive: float, negative: float) -> Peak:
    return Peak(positive, negative, "mass")


_TRUNK: Final = {"flexion": _by_mass(2.4, 3.2), "bend": _by_mass(2.0, 2.0), "twist": _by_mass(1.2, 1.2)}
PEAKS: Final[dict[str, dict[str, Peak]]] = {
    "lumbar": _TRUNK,
    "thoracic": _TRUNK,  # the same muscles span both
    "neck": {"flexion": _by_mass(0.4, 0.7), "bend": _by_mass(0.5, 0.5), "twist": _by_mass(0.2, 0.2)},
    "shoulder": {"abduction": _by_mass(0.9, 1.1), "flexion": _by_mass(1.2, 1.2), "twist": _by_mass(0.7, 0.5)},
    "elbow": {"flexion": _by_mass(1.0, 0.7)},
    "wrist": {"flexion": _by_mass(0.3, 0.15), "deviation": _by_mass(0.15, 0.13)},
    "hip": {"flexion": _sagittal(0.113, 0.161), "abduction": _by_mass(1.9, 2.0), "twist": _by_mass(0.8, 0.8)},
    "knee": {"flexion": _sagittal(0.087, 0.163)},
    "ankle": {"flexion": _sagittal(0.033, 0.095), "inversion": _by_mass(0.46, 0.42)},
    "toe": {"flexion": _by_mass(0.3, 0.1)},
}


def strengthened(body: Body, strength: Strength) -> Body:
    """The same body with joints as strong as told; "human": by its own mass and stature, see above.

    The stiffness of servos stays as it is. A body with joints that the table does not know is refused.
    """
    if strength not in STRENGTHS:
        raise BodyError(f"strength is {strength!r}, expected one of: {', '.join(STRENGTHS)}")
    segments = tuple(replace(s, axes=tuple(_bounded(body, s, axis) for axis in s.axes)) for s in body.segments)
    return replace(body, segments=segments)


def peak_torques(body: Body, joint: str, motion: str) -> tuple[float, float]:
    """Peak torques [N·m] of an axis such as ("hip", "flexion") the positive way and the negative way."""
    peak = PEAKS[joint][motion]
    size = body.mass if peak.of == "mass" else body.mass * GRAVITY * body.stature
    return size * peak.positive, size * peak.negative


def _bounded(body: Body, segment: Segment, axis: Axis) -> Axis:
    joint = segment.joint.removesuffix("_left").removesuffix("_right")
    motion = axis.name.removeprefix(f"{segment.joint}_")
    if motion not in PEAKS.get(joint, {}):
        known = ", ".join(f"{name} ({', '.join(motions)})" for name, motions in PEAKS.items())
        raise BodyError(
            f"how strong people are at axis '{axis.name}' of body '{body.name}' is not known; known are: {known}"
        )
    return replace(axis, torque_limit=max(peak_torques(body, joint, motion)))
