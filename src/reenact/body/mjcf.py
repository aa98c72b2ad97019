"""A body as MuJoCo sees it. The body is the first tree of the model, its segments are bodies 1 … S in order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Literal

import mujoco
import numpy as np

from reenact.body.body import Axis, Body, Segment, Shape
from reenact.body.self_contact import Bits, collision_bits
from reenact.errors import BodyError

Actuation = Literal["motor", "servo", "none"]

SERVO_ARMATURE = 0.05  # [kg·m²], holds ten times the gains at 1/120 s
SERVO_DAMPING = 1.0  # [N·m·s/rad]
MOTOR_SOLIMP = (0.99, 0.99, 0.001, 0.5, 2.0)  # of the friction rows that bound the motors' torque

_GEOM = {
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
    "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    "box": mujoco.mjtGeom.mjGEOM_BOX,
    "ellipsoid": mujoco.mjtGeom.mjGEOM_ELLIPSOID,
}
_SKIN, _SHIRT, _TROUSERS, _SHOES = (
    (0.87, 0.67, 0.55, 1),
    (0.24, 0.47, 0.69, 1),
    (0.22, 0.25, 0.31, 1),
    (0.82, 0.34, 0.25, 1),
)


def add_body(spec: mujoco.MjSpec, body: Body, *, actuation: Actuation, torque_scale: float = 1.0) -> None:
    """Put a body into an empty `spec`, standing at rest with its sole at z = 0.

    motor: joints carry frictionloss = torque limit, the row that bounds a velocity motor ([V12] Eq. 15); servo: one
    position actuator per hinge in the order of `Body.axes`; none: bare joints. Angles in the spec are radians.
    Friction and softness of contacts are the world's; its geoms collide with the body by contype = conaffinity = 1.
    """
    if len(spec.worldbody.bodies) > 0:
        raise BodyError(f"body '{body.name}' must be added before anything else that moves")
    if not (np.isfinite(torque_scale) and torque_scale > 0):
        raise BodyError(f"torque_scale is {torque_scale:g}, expected more than 0")
    _add_tree(spec, body, actuation, torque_scale)
    for first, second in touching_at_rest(body):
        spec.add_exclude(name=f"{first}_{second}", bodyname1=first, bodyname2=second)
    if actuation == "servo":
        for axis in body.axes:
            _add_servo(spec, axis, torque_scale)


def bare_model(body: Body) -> mujoco.MjModel:
    """The body alone without floor or actuation, for kinematics; cached, so treat it as read-only."""
    return _bare_model(_Same(body))


def touching_at_rest(body: Body) -> tuple[tuple[str, str], ...]:
    """Pairs of segments that may collide, are not neighbours in the tree, and overlap in the rest pose."""
    spec = mujoco.MjSpec()
    _add_tree(spec, body, "none", 1.0)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    geoms = {s.name: [model.geom(g.name).id for g in s.shapes] for s in body.segments}
    pairs = []
    for first, second in _may_collide(body):
        gaps = (mujoco.mj_geomDistance(model, data, a, b, 0.01, None) for a in geoms[first] for b in geoms[second])
        if min(gaps, default=1.0) < 0:
            pairs.append((first, second))
    return tuple(pairs)


def _may_collide(body: Body) -> Iterator[tuple[str, str]]:
    bits = collision_bits(body)
    for a, b in combinations(body.segments, 2):
        neighbours = a.name == b.parent or b.name == a.parent
        if not neighbours and bits[a.name].meets(bits[b.name]):
            yield a.name, b.name


def _add_tree(spec: mujoco.MjSpec, body: Body, actuation: Actuation, torque_scale: float) -> None:
    spec.compiler.degree = False
    bits = collision_bits(body)
    added: dict[str, mujoco.MjsBody] = {}
    for segment in body.segments:
        parent = spec.worldbody if segment.parent is None else added[segment.parent]
        part = parent.add_body(name=segment.name, pos=segment.offset)
        part.explicitinertial = True
        part.mass = segment.mass
        part.ipos = segment.com
        part.inertia = segment.inertia
        part.iquat = segment.inertia_orientation
        if segment.parent is None:
            part.add_freejoint(name="root", align=mujoco.mjtAlignFree.mjALIGNFREE_FALSE)
        for axis in segment.axes:
            _add_hinge(part, axis, actuation, torque_scale)
        for shape in segment.shapes:
            _add_shape(part, shape, segment, bits[segment.name])
        added[segment.name] = part


def _add_hinge(part: mujoco.MjsBody, axis: Axis, actuation: Actuation, torque_scale: float) -> None:
    joint = part.add_joint(
        name=axis.name,
        type=mujoco.mjtJoint.mjJNT_HINGE,
        axis=axis.direction,
        limited=mujoco.mjtLimited.mjLIMITED_TRUE,
        range=axis.range,
    )
    if actuation == "motor":
        joint.frictionloss = axis.torque_limit * torque_scale
        joint.solimp_friction = MOTOR_SOLIMP
    elif actuation == "servo":
        joint.armature = SERVO_ARMATURE
        joint.damping[0] = SERVO_DAMPING  # linear; the others are of higher powers of velocity


def _add_shape(part: mujoco.MjsBody, shape: Shape, segment: Segment, bits: Bits) -> None:
    size = np.zeros(3)
    size[: shape.size.size] = shape.size
    part.add_geom(
        name=shape.name,
        type=_GEOM[shape.kind],
        pos=shape.position,
        quat=shape.orientation,
        size=size,
        contype=bits.contype,
        conaffinity=bits.conaffinity,
        rgba=colour(segment),
    )


def _add_servo(spec: mujoco.MjSpec, axis: Axis, torque_scale: float) -> None:
    limit = axis.torque_limit * torque_scale
    actuator = spec.add_actuator(name=axis.name, target=axis.name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
    actuator.set_to_position(kp=axis.stiffness, kv=axis.damping)
    actuator.forcelimited = mujoco.mjtLimited.mjLIMITED_TRUE
    actuator.forcerange = (-limit, limit)


def colour(segment: Segment) -> tuple[float, float, float, float]:
    """Cloth and skin by part, so that a viewer tells front from back and legs from arms."""
    if segment.part == "foot":
        return _SHOES
    if segment.part in ("head", "hand") or segment.name.startswith("forearm"):
        return _SKIN
    if segment.name.startswith(("pelvis", "thigh", "shank")):
        return _TROUSERS
    return _SHIRT


class _Same:
    """A body as a cache key: equal only to itself, because arrays have no hash."""

    __slots__ = ("body",)

    def __init__(self, body: Body) -> None:
        self.body = body

    def __hash__(self) -> int:
        return id(self.body)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.body is self.body


@lru_cache(maxsize=16)
def _bare_model(key: _Same) -> mujoco.MjModel:
    spec = mujoco.MjSpec()
    spec.modelname = key.body.name
    add_body(spec, key.body, actuation="none")
    return spec.compile()
