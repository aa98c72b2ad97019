"""A body's poses as what other programs read: a moving skeleton, joint centres as markers, or a table of angles."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

import numpy as np

from reenact.body.body import Body, Segment
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.clip import MarkerClip, Skeleton, SkeletonClip, Table

# The names that animation programs retarget by; a segment that is not listed keeps its own name.
_COMMON: Final = {
    "pelvis": "Hips",
    "abdomen": "Spine",
    "trunk": "Spine",
    "thorax": "Spine1",
    "head": "Head",
    "clavicle": "Shoulder",
    "upper_arm": "Arm",
    "forearm": "ForeArm",
    "hand": "Hand",
    "thigh": "UpLeg",
    "shank": "Leg",
    "foot": "Foot",
    "toes": "ToeBase",
}
_TIPS: Final = ("vertex", "fingertip_left", "fingertip_right", "toe_tip_left", "toe_tip_right")


def motion_to_skeleton_clip(body: Body, qpos: Array, rate: float, name: str) -> SkeletonClip:
    """Poses qpos (T, 7 + A) at `rate` Hz as a skeleton with one joint per segment, and its tips as end sites."""
    tips = [(tip, *body.landmarks[tip]) for tip in _TIPS if tip in body.landmarks]
    ends = {segment: (tip, point) for tip, segment, point in tips if _is_leaf(body, segment)}
    names: list[str] = []
    parents: list[int] = []
    offsets: list[Array] = []
    turns: list[Array] = []
    place: dict[str, int] = {}
    hinge = 7
    for segment in body.segments:
        place[segment.name] = len(names)
        names.append(common_name(segment.name))
        parents.append(-1 if segment.parent is None else place[segment.parent])
        offsets.append(segment.offset)
        turns.append(qpos[:, 3:7] if segment.parent is None else joint_rotation(segment, qpos[:, hinge:]))
        hinge += len(segment.axes)
        if segment.name in ends:
            tip, point = ends[segment.name]
            names.append(f"{common_name(segment.name)}_{tip.split('_')[0]}")
            parents.append(place[segment.name])
            offsets.append(point)
            turns.append(np.tile(rotation.IDENTITY, (len(qpos), 1)))
    translation = np.tile(np.array(offsets), (len(qpos), 1, 1))
    translation[:, 0] = qpos[:, :3]
    is_end = tuple(n not in {common_name(s.name) for s in body.segments} for n in names)
    skeleton = Skeleton(names=tuple(names), parents=tuple(parents), offsets=np.array(offsets), ends=is_end)
    return SkeletonClip(
        name=name,
        rate=rate,
        skeleton=skeleton,
        translation=translation,
        rotation=np.stack(turns, axis=1),
        source=MappingProxyType({"units": "0.01", "up": "y"}),
    )


def joint_markers(body: Body, qpos: Array, rate: float, name: str) -> MarkerClip:
    """Joint centres and landmarks of poses (T, 7 + A) as markers named by joint and landmark."""
    clip = motion_to_skeleton_clip(body, qpos, rate, name)
    position, orientation = clip.world()
    where = {s.name: clip.skeleton.index(common_name(s.name)) for s in body.segments}
    points = {s.joint: position[:, where[s.name]] for s in body.segments}
    for landmark, (segment, point) in body.landmarks.items():
        j = where[segment]
        points[landmark] = position[:, j] + rotation.rotate(orientation[:, j], point)
    return MarkerClip(name=name, rate=rate, names=tuple(points), position=np.stack(list(points.values()), axis=1))


def joint_table(body: Body, qpos: Array, rate: float, name: str) -> Table:
    """Root position [m], root yaw, pitch and roll and all joint angles [deg] of poses (T, 7 + A), by name."""
    euler = np.unwrap(rotation.to_euler("zyx", qpos[:, 3:7]), axis=0)
    values = np.concatenate([qpos[:, :3], np.degrees(euler), np.degrees(qpos[:, 7:])], axis=1)
    root = ("root_x", "root_y", "root_z", "root_yaw", "root_pitch", "root_roll")
    columns = (*root, *(axis.name for axis in body.axes))
    return Table(name=name, time=np.arange(len(qpos)) / rate, columns=columns, values=values, in_degrees=True)


def joint_rotation(segment: Segment, angles: Array) -> Array:
    """Rotation (T, 4) of a segment in its parent's frame, from its own hinges' angles, the first of (T, …) [rad]."""
    turn: Array = np.tile(rotation.IDENTITY, (len(angles), 1))
    for i, axis in enumerate(segment.axes):
        turn = rotation.multiply(turn, rotation.from_axis_angle(axis.direction, angles[:, i]))
    return turn


def common_name(segment: str) -> str:
    """What animation programs call a segment's joint: "upper_arm_left" is "LeftArm"."""
    stem, _, side = segment.rpartition("_")
    if side in ("left", "right") and stem in _COMMON:
        return side.capitalize() + _COMMON[stem]
    return _COMMON.get(segment, segment)


def _is_leaf(body: Body, segment: str) -> bool:
    return all(s.parent != segment for s in body.segments)
