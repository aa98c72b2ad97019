"""The mean step of somebody who was seen walking: smooth, even from left to right, each step like the one before.

A track trembles: the hips of somebody who walked at 1.1 m/s went at 0.6 to 1.4 m/s from one tenth of a second to the
next, and one foot was set down nearer to the line of the walk than the other. A chain of states follows that as well as
it can. A walk that is to go on is learned from one stride, begins with the velocities of a single frame, and each of
its steps has to end as the next begins. So it is learned from the mean of all steps that were seen: the first few
harmonics of a stride, fitted to the poses and, half a stride later, to their mirror images.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import numpy as np

from reenact.body.mirror import mirror_pose
from reenact.control.machine.limbs import limbs_of
from reenact.estimate.states.gait import LONGEST_STEP, SHORTEST_STEP, Strike, strikes_of
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.contacts import find_contacts
from reenact.motion.floor import depths, smooth_lift
from reenact.motion.give_way import give_way
from reenact.motion.kinematics import forward
from reenact.motion.motion import Motion
from reenact.motion.tree import tree_of

HARMONICS: Final = 6  # of a stride: five times a second or so
LEAST: Final = 3  # strikes in turn, which is one stride


def mean_gait(motion: Motion) -> Motion | None:
    """A motion as long as the given one, and in the same place, of its mean step; None where it holds no stride."""
    strikes = _in_turn(strikes_of(motion, limbs_of(motion.body), motion.rate), motion.rate)
    if len(strikes) < LEAST:
        return None
    first, last = strikes[0].frame, strikes[-1].frame
    step = (last - first) / (len(strikes) - 1)  # frames
    phase = np.interp(np.arange(first, last + 1), [s.frame for s in strikes], np.pi * np.arange(len(strikes)))
    way = motion.qpos[last, :2] - motion.qpos[first, :2]
    heading, speed = math.atan2(way[1], way[0]), float(np.linalg.norm(way)) / (last - first)  # [m] a frame
    seen = _along(motion.qpos[first : last + 1], motion.qpos[first], heading)
    rows = [_flat(seen, speed * step / np.pi * phase)]
    rows.append(_flat(mirror_pose(motion.body, seen), speed * step / np.pi * phase))
    both = _harmonics(np.concatenate([phase, phase + np.pi]))
    wave = np.linalg.lstsq(both, np.concatenate(rows), rcond=None)[0]
    time = (np.arange(len(motion.qpos)) - first) / step * np.pi
    poses = _back(_harmonics(time) @ wave, speed * step / np.pi * time, motion.qpos[first], heading)
    return _on_the_floor(motion, poses)


def _in_turn(strikes: tuple[Strike, ...], rate: float) -> list[Strike]:
    """The longest run of strikes of one foot after the other."""
    best: list[Strike] = []
    run: list[Strike] = []
    for strike in strikes:
        after = (strike.frame - run[-1].frame) / rate if run else 0.0
        fits = bool(run) and strike.leg != run[-1].leg and SHORTEST_STEP <= after <= LONGEST_STEP
        run = [*run, strike] if fits else [strike]
        best = max(best, run, key=len)
    return best


def _along(poses: Array, start: Array, heading: float) -> Array:
    """Poses as seen from where a walk begins, x along its way."""
    turn = rotation.from_axis_angle(rotation.AXES["z"], -heading)
    out = poses.copy()
    out[:, :3] = rotation.rotate(turn, poses[:, :3] - start[:3] * [1.0, 1.0, 0.0])
    out[:, 3:7] = rotation.multiply(turn, poses[:, 3:7])
    return out


def _flat(poses: Array, gone: Array) -> Array:
    """Poses (T, 7 + A) as numbers (T, 6 + A) that repeat: the root without the way gone (T,), its turn as a vector."""
    root = poses[:, :3] - np.stack([gone, np.zeros_like(gone), np.zeros_like(gone)], axis=1)
    turn = rotation.to_rotvec(rotation.unroll(poses[:, 3:7]))
    return np.concatenate([root, turn, poses[:, 7:]], axis=1)


def _back(rows: Array, gone: Array, start: Array, heading: float) -> Array:
    turn = rotation.from_axis_angle(rotation.AXES["z"], heading)
    root = rows[:, :3] + np.stack([gone, np.zeros_like(gone), np.zeros_like(gone)], axis=1)
    place = rotation.rotate(turn, root) + start[:3] * [1.0, 1.0, 0.0]
    return np.concatenate([place, rotation.multiply(turn, rotation.from_rotvec(rows[:, 3:6])), rows[:, 6:]], axis=1)


def _harmonics(phase: Array) -> Array:
    """(T, 1 + 2 HARMONICS) of phases (T,), 2π a stride."""
    each = phase[:, None] * np.arange(1, HARMONICS + 1)
    return np.concatenate([np.ones((len(phase), 1)), np.cos(each), np.sin(each)], axis=1)


def _on_the_floor(motion: Motion, poses: Array) -> Motion:
    """The motion with other poses, their feet on the floor."""
    body, tree = motion.body, tree_of(motion.body)
    poses[:, 7:] = np.clip(poses[:, 7:], *tree.limits)
    joints = forward(tree, poses)[0]
    poses = give_way(body, tree, poses, motion.rate)
    lift = smooth_lift(depths(body, tree, poses), motion.rate)
    contacts = find_contacts(body, tree, poses, motion.rate)
    poses[:, 2] += lift
    joints[:, :, 2] += lift[:, None]
    return replace(motion, qpos=poses, joint_names=tree.names, joints=joints, lift=lift, contacts=contacts)
