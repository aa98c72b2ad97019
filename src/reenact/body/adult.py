"""The 18-segment adult of [V12] §3 for any sex, stature and mass, from the tables of [B09]."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from reenact.body.adult_frame import AdultFrame, adult_frame
from reenact.body.adult_shapes import adult_shapes
from reenact.body.anthropometrics import Person, SegmentSize, Sex, person
from reenact.body.body import Body, PartKind, Segment
from reenact.body.joints import joint_axes
from reenact.body.mirror import right_of
from reenact.errors import BodyError
from reenact.geometry import rotation
from reenact.geometry.rotation import AXES, Array

TORQUE_GAMMA = 120.0  # [N·m/kg], [V12] §4 Force Limits

_LIMBS = ("upper_arm", "forearm", "hand", "thigh", "shank", "foot", "toes")


def adult(
    sex: Sex = "male", height: float | None = None, mass: float | None = None, torque_gamma: float = TORQUE_GAMMA
) -> Body:
    """An adult of 18 segments and 40 degrees of freedom; what is not given is the 50th percentile of the sex.

    `height` [m], `mass` [kg]. Each axis may pull ±γ(m_parent + m_child)/2, [V12] §4 Force Limits. Lengths, masses,
    centres of mass and principal moments are those of [B09] Tables 4–6; `adult_frame` says how they are laid out.
    Deviation: the women's masses add up to 99.99 %; all are scaled so that the total is exact.
    """
    if not (np.isfinite(torque_gamma) and torque_gamma > 0):
        raise BodyError(f"torque_gamma is {torque_gamma:g} N·m/kg, expected more than 0")
    who = person(sex, height, mass)
    frame = adult_frame(who)
    segments = [*_trunk(who, frame), *_arm(who, frame), *_leg(who, frame)]
    shapes = adult_shapes(who, frame)
    segments = [replace(s, shapes=shapes[s.name.removesuffix("_left")]) for s in segments]
    segments = _with_right_side(segments)
    segments = _with_total_mass(segments, who.mass)
    return Body(
        name="adult",
        segments=tuple(_with_axes(segments, who.mass, torque_gamma)),
        stature=who.stature,
        mirror=tuple((f"{limb}_left", f"{limb}_right") for limb in _LIMBS),
        landmarks=_landmarks(frame),
        end_effectors=("head", "hand_left", "hand_right", "foot_left", "foot_right"),
    )


def _trunk(who: Person, frame: AdultFrame) -> list[Segment]:
    root = np.array([0.0, 0.0, frame.hip_height])
    o = np.zeros(3)
    return [
        _part("pelvis", None, "root", "trunk", -root, who.segment("lower_trunk"), o, frame.navel, o),
        _part(
            "abdomen", "pelvis", "lumbar", "trunk", o, who.segment("mid_trunk"),
            frame.navel, frame.xiphoid, frame.navel,
        ),
        _part(
            "thorax", "abdomen", "thoracic", "trunk", frame.navel, who.segment("upper_trunk"),
            frame.xiphoid, frame.cervicale, frame.xiphoid,
        ),
        _part(
            "head", "thorax", "neck", "head", frame.xiphoid, who.segment("head_neck"),
            frame.neck, frame.vertex, frame.cervicale,
        ),
    ]  # fmt: skip


def _arm(who: Person, frame: AdultFrame) -> list[Segment]:
    hand = who.segment("hand")
    knuckle = frame.wrist - [0.0, 0.0, hand.length]
    return [
        _part(
            "upper_arm_left", "thorax", "shoulder_left", "limb", frame.xiphoid, who.segment("upper_arm"),
            frame.shoulder, frame.shoulder, frame.elbow,
        ),
        _part(
            "forearm_left", "upper_arm_left", "elbow_left", "limb", frame.shoulder, who.segment("forearm"),
            frame.elbow, frame.elbow, frame.wrist,
        ),
        _part("hand_left", "forearm_left", "wrist_left", "hand", frame.elbow, hand, frame.wrist, frame.wrist, knuckle),
    ]  # fmt: skip


def _leg(who: Person, frame: AdultFrame) -> list[Segment]:
    o = np.zeros(3)
    hindfoot, toes = frame.foot.hindfoot, frame.foot.toes
    return [
        _part("thigh_left", "pelvis", "hip_left", "limb", o, who.segment("thigh"), frame.hip, frame.hip, frame.knee),
        _part(
            "shank_left", "thigh_left", "knee_left", "knee", frame.hip, who.segment("shank"),
            frame.knee, frame.knee, frame.ankle,
        ),
        _solid(
            "foot_left", "shank_left", "ankle_left", "foot", frame.ankle - frame.knee, hindfoot.mass,
            frame.heel + hindfoot.com * AXES["x"] - frame.ankle, hindfoot.moments,
        ),
        _solid(
            "toes_left", "foot_left", "toe_left", "foot", frame.ball - frame.ankle, toes.mass,
            frame.heel + toes.com * AXES["x"] - frame.ball, toes.moments,
        ),
    ]  # fmt: skip


def _part(
    name: str,
    parent: str | None,
    joint: str,
    part: PartKind,
    parent_origin: Array,
    size: SegmentSize,
    origin: Array,
    proximal: Array,
    distal: Array,
) -> Segment:
    """A table's segment between two points of the frame; its principal axes follow the line between them."""
    along = (proximal - distal) / np.linalg.norm(proximal - distal)
    com = proximal - size.com * along - origin
    upright = along if along[2] > 0 else -along
    turn = rotation.between([0.0, 0.0, 1.0], upright)
    return _solid(name, parent, joint, part, origin - parent_origin, size.mass, com, size.moments, turn)


def _solid(
    name: str,
    parent: str | None,
    joint: str,
    part: PartKind,
    offset: Array,
    mass: float,
    com: Array,
    moments: Array,
    turn: ArrayLike = rotation.IDENTITY,
) -> Segment:
    return Segment(
        name=name,
        parent=parent,
        joint=joint,
        offset=offset,
        mass=mass,
        com=com,
        inertia=moments,
        inertia_orientation=np.array(turn, float),
        axes=(),
        shapes=(),
        part=part,
    )


def _with_right_side(segments: list[Segment]) -> list[Segment]:
    """The middle and both sides, whole branches together."""
    arms, legs = _LIMBS[:3], _LIMBS[3:]
    by_name = {s.name: _named_shapes(s) for s in segments}
    order = [s for s in by_name.values() if not s.name.endswith("_left")]
    for limb in (arms, legs):
        order += [by_name[f"{name}_left"] for name in limb]
        order += [right_of(by_name[f"{name}_left"]) for name in limb]
    return order


def _named_shapes(segment: Segment) -> Segment:
    if not segment.name.endswith("_left"):
        return segment
    return replace(segment, shapes=tuple(replace(g, name=f"{g.name}_left") for g in segment.shapes))


def _with_total_mass(segments: list[Segment], mass: float) -> list[Segment]:
    scale = mass / sum(s.mass for s in segments)
    return [replace(s, mass=scale * s.mass, inertia=scale * s.inertia) for s in segments]


def rule_torque(above: float, below: float, gamma: float = TORQUE_GAMMA) -> float:
    """Torque bound [N·m] of the joint between segments of these masses [kg]: γ times their mean, [V12] Eq. 15."""
    return gamma * (above + below) / 2


def _with_axes(segments: list[Segment], mass: float, gamma: float) -> list[Segment]:
    """Axes from data/joints.toml with the strength of [V12] Eq. 15."""
    masses = {s.name: s.mass for s in segments}
    jointed = [segments[0]]
    for s in segments[1:]:
        limit = rule_torque(masses[str(s.parent)], s.mass, gamma)
        kind = s.joint.removesuffix("_left").removesuffix("_right")
        jointed.append(replace(s, axes=joint_axes(kind, s.joint, mass=mass, torque_limit=limit)))
    return jointed


def _landmarks(frame: AdultFrame) -> dict[str, tuple[str, Array]]:
    points = {
        "vertex": ("head", frame.vertex - frame.neck),
        "cervicale": ("thorax", frame.cervicale - frame.xiphoid),
    }
    for side, flip in (("left", np.ones(3)), ("right", np.array([1.0, -1.0, 1.0]))):
        points[f"fingertip_{side}"] = (f"hand_{side}", flip * (frame.fingertip - frame.wrist))
        points[f"heel_{side}"] = (f"foot_{side}", flip * (frame.heel - frame.ankle))
        points[f"toe_tip_{side}"] = (f"toes_{side}", flip * (frame.toe_tip - frame.ball))
    return points
