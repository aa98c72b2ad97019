"""From a track to a motion on a floor: what a search from motion capture begins with, from video."""

from __future__ import annotations

from typing import Final

import numpy as np
from scipy.interpolate import CubicSpline

from reenact.errors import InputError
from reenact.estimate.video.apart import legs_apart
from reenact.estimate.video.settle import off_the_floor
from reenact.estimate.video.toes import toes_laid
from reenact.estimate.video.track import Track
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.contacts import find_contacts
from reenact.motion.fit_report import FitReport
from reenact.motion.floor import Floor, depths, find_floor, smooth_lift
from reenact.motion.give_way import give_way
from reenact.motion.kinematics import forward
from reenact.motion.motion import Motion
from reenact.motion.tree import Tree, tree_of

RATE: Final = 120.0  # frames per second of the motion: that of the simulation, so that nothing is lost in between
ASKEW: Final = float(np.deg2rad(1.0))  # a floor that slopes more in a track is worth a word


def motion_of(track: Track, name: str, times: Array | None = None) -> Motion:
    """A track as a motion on the floor z = 0, its poses at `times` (T,) [s] or else evenly at the track's rate.

    Between the frames by cubic splines, hinges within their limits; legs do not pass through each other, feet that rest
    do so on the floor, toes lie there with the ball of their foot or give way to it, and frames that sink into it are
    lifted, as in `fit`. The joints that a simulation is held against are the track's own but for the legs' and heights.
    """
    clock = np.arange(len(track.poses)) / track.rate if times is None else np.asarray(times, float) - times[0]
    if clock.shape != (len(track.poses),) or len(clock) < 3 or not np.all(np.diff(clock) > 0):
        raise InputError(f"{len(track.poses)} poses and times {clock.shape}, expected three or more, rising")
    tree = tree_of(track.body)
    time = np.arange(int(np.floor(clock[-1] * RATE + 1e-6)) + 1) / RATE
    own = _between(tree, clock, track.poses, np.minimum(time, clock[-1]))
    own = legs_apart(track.body, tree, own, RATE)
    sunk = depths(track.body, tree, own)
    off = off_the_floor(track.body, tree, own, RATE)
    own[:, 2] -= off
    own = toes_laid(track.body, tree, own)
    poses = give_way(track.body, tree, own, RATE)
    lift = smooth_lift(depths(track.body, tree, poses), RATE)
    contacts = find_contacts(track.body, tree, poses, RATE)  # before the lift, as in `fit`
    poses[:, 2] += lift
    joints = forward(tree, own)[0]
    joints[:, :, 2] += lift[:, None]
    report = FitReport(
        measured="joint centres", error_cm=0.0, median_error_cm=0.0, greatest_error_cm=0.0,
        penetration_before_mm=float(sunk.max()) * 1e3,
        penetration_after_mm=float(depths(track.body, tree, poses).max()) * 1e3,
        greatest_lift_mm=float(lift.max()) * 1e3, stature=track.body.stature, mass=track.body.mass, frames=len(poses),
        notes=(
            "followed in a video by silhouettes: joints are the track's, not measured",
            *([f"set down on the floor step by step, by up to {1e3 * np.abs(off).max():.0f} mm"] if off.any() else []),
        ),
    )  # fmt: skip
    return Motion(
        name=name, rate=RATE, body=track.body, qpos=poses, joint_names=tree.names, joints=joints, lift=lift,
        contacts=contacts, report=report,
    )  # fmt: skip


def ground_of(track: Track) -> Floor:
    """The floor that the feet of a track rest on, in the track's own world."""
    return find_floor(track.body, tree_of(track.body), track.poses, track.rate)


def _between(tree: Tree, clock: Array, poses: Array, time: Array) -> Array:
    """Poses (T, 7 + A) at times `clock` read at `time` (K,), by splines."""
    even = np.concatenate([poses[:, :3], rotation.unroll(poses[:, 3:7]), poses[:, 7:]], axis=1)
    out = np.asarray(CubicSpline(clock, even, axis=0)(time))
    out[:, 3:7] = rotation.normalize(out[:, 3:7])
    out[:, 7:] = np.clip(out[:, 7:], *tree.limits)
    return out
