"""A walk moved onto a line, for a beam: feet step on the line, the pelvis stays where it was.

[L10] §4 displaces the lower body of a recorded walk by hand. Here the line is the straight one through the root's
path; a foot on the ground is brought onto it, points along it and is level from side to side; on its way forward it
passes beside the standing leg.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.motion.aims import Aims
from reenact.motion.contacts import find_contacts
from reenact.motion.floor import depths, smooth_lift
from reenact.motion.ik import solve
from reenact.motion.kinematics import forward
from reenact.motion.lowest import lowest_by_segment
from reenact.motion.motion import Motion
from reenact.motion.tree import Tree, tree_of

CLEARANCE: Final = 0.13  # a swinging ankle passes the line at this distance at least [m]
SHORTEST: Final = 0.3  # a root that goes less far than this has no direction [m]
STEADY: Final = 20.0  # weight of what must stay or be met, beside 1 for the rest
FREE: Final = 0.02  # weight of the joints between, which are to find their own place
LEG_FRAME: Final = 0.02  # of leg segments' orientations: keeps knees pointing as they did
BODY_FRAME: Final = 1.0  # of the other segments'
RELAX: Final = 1e-3  # the pull to neutral, which the poses have felt already


def onto_line(motion: Motion, *, clearance: float = CLEARANCE) -> Motion:
    """The motion with its feet on the straight line it walks along.

    clearance: how far beside the line an ankle swings past the standing leg [m].
    """
    if not (np.isfinite(clearance) and 0.0 <= clearance <= 0.5):
        raise InputError(f"clearance is {clearance:g} m, expected 0 to 0.5")
    tree = tree_of(motion.body)
    feet = _feet(motion)
    along, origin = _line(motion)
    position, frame = forward(tree, motion.qpos)
    target, turns = position.copy(), frame.copy()
    legs: set[int] = set()
    for foot in feet:
        legs |= _between(tree, foot)
        target[:, foot] = _moved(motion, foot, position[:, foot], along, origin, clearance)
        turns[:, foot] = _straightened(frame[:, foot], along)
    solved, _ = solve(
        tree, _aims(tree, feet, legs, target, turns), motion.qpos, iterations=40, huber=np.inf, relax=RELAX
    )
    solved[:, 2] += smooth_lift(depths(motion.body, tree, solved), motion.rate)
    return replace(
        motion,
        qpos=solved,
        joint_names=motion.body.segment_names,
        joints=forward(tree, solved)[0],
        lift=np.zeros(len(solved)),
        contacts=find_contacts(motion.body, tree, solved, motion.rate),
    )


def _feet(motion: Motion) -> list[int]:
    """Segments that stand: feet that do not hang on another foot, as toes do."""
    body = motion.body
    found = [
        i
        for i, s in enumerate(body.segments)
        if s.part == "foot" and s.parent is not None and body.segment(s.parent).part != "foot"
    ]
    if not found:
        raise InputError(f"body '{body.name}' has no segment with part = \"foot\" to put on a line")
    return found


def _line(motion: Motion) -> tuple[Array, Array]:
    """Direction (2,) and a point (2,) of the straight line nearest to the root's path on the ground."""
    path = motion.qpos[:, :2]
    if np.linalg.norm(path[-1] - path[0]) < SHORTEST:
        raise InputError(f"'{motion.name}' goes {np.linalg.norm(path[-1] - path[0]):.2f} m, too little for a line")
    centre = path.mean(axis=0)
    along = np.linalg.svd(path - centre)[2][0]
    return along * np.sign(along @ (path[-1] - path[0])), centre


def _moved(motion: Motion, foot: int, ankle: Array, along: Array, origin: Array, clearance: float) -> Array:
    """Where an ankle (T, 3) goes: onto the line while its foot is down, around the other leg in between."""
    across = np.array([-along[1], along[0]])
    offset = (ankle[:, :2] - origin) @ across
    side = 1.0 if np.median(offset) >= 0.0 else -1.0
    swing = _swing(motion, foot)
    wanted = side * np.maximum(side * offset, clearance) * swing
    out = ankle.copy()
    out[:, :2] += (wanted - offset)[:, None] * across
    return out


def _swing(motion: Motion, foot: int) -> Array:
    """Zero while a foot (or the toes on it) is down, rising to one in the middle of each swing, (T,)."""
    names = {motion.body.segments[foot].name}
    names |= {s.name for s in motion.body.segments if s.parent in names and s.part == "foot"}
    time = motion.time
    down = np.zeros(motion.frames, bool)
    for c in motion.contacts:
        if c.segment in names:
            down |= (time >= c.start - 0.5 / motion.rate) & (time <= c.end + 0.5 / motion.rate)
    if not down.any():  # nothing was found to touch: the foot is down while it is low
        lowest = lowest_by_segment(motion.body, tree_of(motion.body), motion.qpos, motion.rate)
        down = lowest.height[:, list(lowest.segments).index(foot)] < 0.03
    out = np.zeros(motion.frames)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], ~down, [False]]).astype(int)))
    for first, last in edges.reshape(-1, 2):
        begin = first - (last - first) if first == 0 else first  # a swing that was cut is as if half of it were seen
        end = last + (last - first) if last == motion.frames else last
        share = (np.arange(first, last) - begin + 1) / (end - begin + 1)
        out[first:last] = np.sin(np.pi * share) ** 2
    return out


def _straightened(frames: Array, along: Array) -> Array:
    """Foot frames (T, 3, 3) with the toes along the line and the sole level from side to side.

    A sole that leans would stand on one edge of a beam. Toes keep their pitch.
    """
    ahead, across = np.array([*along, 0.0]), np.array([-along[1], along[0], 0.0])
    toes = frames[:, :, 0]
    pitch = np.arctan2(toes[:, 2], np.maximum(np.linalg.norm(toes[:, :2], axis=-1), 1e-9))
    x = np.cos(pitch)[:, None] * ahead + np.sin(pitch)[:, None] * np.array([0.0, 0.0, 1.0])
    y = np.broadcast_to(across, x.shape)
    return np.stack([x, y, np.cross(x, y)], axis=-1)


def _between(tree: Tree, foot: int) -> set[int]:
    """The segments from a foot up to, but without, the root: foot, shank, thigh."""
    out = set()
    while foot > 0:
        out.add(foot)
        foot = int(tree.parent[foot])
    return out


def _aims(tree: Tree, feet: list[int], legs: set[int], target: Array, turns: Array) -> Aims:
    """Everything stays where it was but the legs, whose feet are where they are wanted."""
    count = len(tree.names)
    weight, turn_weight = np.full(count, STEADY), np.full(count, BODY_FRAME)
    for s in legs:
        weight[s] = STEADY if s in feet or tree.parent[s] == 0 else FREE
        turn_weight[s] = BODY_FRAME if s in feet else LEG_FRAME
    return Aims(
        sites=tree.joints, segment=np.arange(count), local=np.zeros((count, 3)), spread=np.zeros(count), weight=weight,
        target=target, turn_segment=np.arange(count), turn_weight=turn_weight, turn_target=turns,
    )  # fmt: skip
