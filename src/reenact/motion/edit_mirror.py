"""A motion as a mirror shows it: left for right."""

from __future__ import annotations

from dataclasses import replace

from reenact.body.mirror import mirror_pose
from reenact.body.solid import reflect_point
from reenact.geometry import rotation
from reenact.motion.motion import Motion


def mirrored(motion: Motion) -> Motion:
    """The motion across the plane y = 0, performed by the same body; joints and contacts change sides with it."""
    twin = {name: name for name in motion.body.segment_names}
    for left, right in motion.body.mirror:
        twin[left], twin[right] = right, left
    qpos = mirror_pose(motion.body, motion.qpos)
    qpos[:, 3:7] = rotation.unroll(qpos[:, 3:7])
    contacts = [replace(c, segment=twin[c.segment]) for c in motion.contacts]
    return replace(
        motion,
        qpos=qpos,
        joint_names=tuple(twin[name] for name in motion.joint_names),
        joints=reflect_point(motion.joints),
        contacts=tuple(sorted(contacts, key=lambda c: (c.start, c.segment))),
    )
