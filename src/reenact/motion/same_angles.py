"""A motion on another body by the angles of joints of the same name, its root's path scaled by stature.

[L10] §4 gives a person's motions to a robot this way: nothing is fitted. Collar bones, and what else the other body
lacks, are left out. Deviation: a body that is stiff from hips to neck has the trunk's orientation at its root, and what
the waist turned goes into the hips; with the pelvis's it would stand on its head where a person lies with legs raised.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from reenact.body.body import Axis, Body
from reenact.errors import BodyError
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.contact import Contact
from reenact.motion.floor import depths, smooth_lift
from reenact.motion.keyframes import motion_on
from reenact.motion.kinematics import forward
from reenact.motion.lowest import lowest_by_segment
from reenact.motion.motion import Motion
from reenact.motion.tree import tree_of

TOLD: Final = 10.0  # an angle that moves over more than this and is left out, or cut off by more, is told of [deg]


def with_same_angles(motion: Motion, body: Body) -> Motion:
    """The motion on `body`; hinges that the mover lacks stay at zero, angles end at the body's own limits.

    Deviation: [L10] leaves feet in the air and backs in the floor. Here the motion as a whole is lowered where its
    first pose floats, then frames are lifted out of the floor, as those of every clip are: success is judged by the
    height of the root, which nobody can hold to inside the floor.
    """
    wanted = _poses(motion, body)
    qpos = wanted.copy()
    qpos[:, 7:] = np.clip(wanted[:, 7:], *tree_of(body).limits)
    qpos[:, :3] *= body.stature / motion.body.stature
    qpos[:, 2] += _settled(body, qpos, motion.rate)
    own = (f"joint angles of '{motion.body.name}', root scaled by stature", *_remarks(motion, body, wanted, qpos))
    notes = (*own, *motion.report.notes)
    return replace(motion_on(body, qpos, motion.rate, motion.name, notes=notes), contacts=_contacts(motion, body))


def _remarks(motion: Motion, body: Body, wanted: Array, given: Array) -> list[str]:
    """What the body could not take over, in words: poses (T, 7 + A) before and after its limits."""
    there = {axis.name for axis in body.axes}
    names = [axis.name for axis in motion.body.axes]
    lost = {
        name: np.rad2deg(np.ptp(motion.qpos[:, 7 + a]))
        for a, name in enumerate(names)
        if name not in there | _taken_over(motion.body, body)
    }
    beyond = np.rad2deg(np.abs(wanted - given)[:, 7:].max(axis=0))
    cut = {axis.name: beyond[a] for a, axis in enumerate(body.axes)}
    return [
        f"{what}: " + ", ".join(f"{name} {angle:.0f}°" for name, angle in sorted(found.items()))
        for what, angles in (("no joint for", lost), ("beyond the limit by up to", cut))
        if (found := {name: angle for name, angle in angles.items() if angle > TOLD})
    ]


def _taken_over(mover: Body, body: Body) -> set[str]:
    """Axes of the mover that its root's orientation and the limbs on the trunk make up for, see `_poses`."""
    root, at = mover.segments[0].name, body.segments[0].name
    out: set[str] = set()
    while at in mover.segment_names and at != root:
        segment = mover.segment(at)
        out |= {axis.name for axis in segment.axes}
        at = segment.parent or root
    return out


def _poses(motion: Motion, body: Body) -> Array:
    """Poses (T, 7 + A) of the body, at the mover's size and beyond any limit."""
    mover = motion.body
    own = {axis.name: 7 + a for a, axis in enumerate(mover.axes)}
    if not any(axis.name in own for axis in body.axes):
        raise BodyError(f"bodies '{mover.name}' and '{body.name}' have no joint axis in common")
    out = np.zeros((motion.frames, 7 + len(body.axes)))
    out[:, :7] = motion.qpos[:, :7]
    for a, axis in enumerate(body.axes):
        if axis.name in own:
            out[:, 7 + a] = motion.qpos[:, own[axis.name]]
    root = body.segments[0].name
    if root not in mover.segment_names[1:]:
        return out
    frames = forward(tree_of(mover), motion.qpos)[1]  # (T, S, 3, 3)
    trunk = frames[:, mover.segment_names.index(root)]
    out[:, 3:7] = rotation.unroll(rotation.from_matrix(trunk))
    for segment in body.segments[1:]:
        if segment.parent == root and segment.name in mover.segment_names and not _below(mover, segment.name, root):
            limb = np.swapaxes(trunk, -1, -2) @ frames[:, mover.segment_names.index(segment.name)]
            first = 7 + body.axis_index(segment.axes[0].name)
            out[:, first : first + 3] = _angles(limb, segment.axes, f"'{segment.joint}' of '{body.name}'")
    return out


def _below(body: Body, name: str | None, top: str) -> bool:
    """Whether a segment hangs on another, directly or not."""
    while name is not None and name != top:
        name = body.segment(name).parent
    return name == top


def _angles(frames: Array, axes: Sequence[Axis], what: str) -> Array:
    """Angles (T, 3) [rad] of a joint of three axes at right angles, from its rotations (T, 3, 3)."""
    letters = "".join("xyz"[int(np.abs(axis.direction).argmax())] for axis in axes)
    signs = np.array([axis.direction.sum() for axis in axes])
    if sorted(letters) != ["x", "y", "z"] or np.abs(np.abs(signs) - 1.0).max() > 1e-9:
        raise BodyError(f"joint {what} cannot take over a waist's turn: it needs axes along x, y and z")
    return np.asarray(np.unwrap(rotation.to_euler(letters, rotation.from_matrix(frames)), axis=0) * signs)


def _settled(body: Body, qpos: Array, rate: float) -> Array:
    """What to add to each frame's height (T,) [m]."""
    tree = tree_of(body)
    lowest = lowest_by_segment(body, tree, qpos[:1], rate).height.min()
    lowered = qpos.copy()
    lowered[:, 2] -= max(lowest, 0.0)
    return np.asarray(smooth_lift(depths(body, tree, lowered), rate) - max(lowest, 0.0))


def _contacts(motion: Motion, body: Body) -> tuple[Contact, ...]:
    """The mover's contacts, each on the segment of its name or on the nearest one towards the root that there is."""
    spans: dict[str, list[tuple[float, float]]] = {}
    for contact in motion.contacts:
        spans.setdefault(_counterpart(contact.segment, motion.body, body), []).append((contact.start, contact.end))
    found = [
        Contact(segment=name, start=start, end=end)
        for name, own in spans.items()
        for start, end in _joined(sorted(own))
    ]
    return tuple(sorted(found, key=lambda c: (c.start, c.segment)))


def _counterpart(name: str | None, mover: Body, body: Body) -> str:
    while name is not None and name not in body.segment_names:
        name = mover.segment(name).parent
    return body.segments[0].name if name is None else name


def _joined(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Sorted spans of time with those that overlap made one."""
    out: list[tuple[float, float]] = []
    for start, end in spans:
        if out and start <= out[-1][1]:
            out[-1] = out[-1][0], max(end, out[-1][1])
        else:
            out.append((start, end))
    return out
