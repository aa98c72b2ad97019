"""The person in a clip: size, marker places and calibrated orientations, from a sample of frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from reenact.body.body import Body
from reenact.errors import FitError
from reenact.geometry.rotation import Array
from reenact.motion.aims import Aims
from reenact.motion.branches import choose_branches, limb_errors
from reenact.motion.first_guess import guess_roots, guess_size, trunk_points
from reenact.motion.flat_feet import flat_frames, level_frames, level_markers, rest_ball
from reenact.motion.ik import solve
from reenact.motion.kinematics import forward
from reenact.motion.size import fit_size
from reenact.motion.sweep import follow_both_ways
from reenact.motion.targets import SourceTurns, calibrate, with_turns
from reenact.motion.tree import Indices, Tree

SAMPLES: Final = 48  # frames that the size is estimated from
BAD_FIT: Final = 0.05  # root mean square distance of a limb at which other postures are tried [m]
POSTURES: Final[tuple[Mapping[str, float], ...]] = (  # [deg]
    {"shoulder_flexion": 80, "elbow_flexion": 60, "hip_flexion": 80, "knee_flexion": 80},  # on all fours, or sitting
    {"shoulder_flexion": 160, "elbow_flexion": 20, "hip_flexion": 110, "knee_flexion": 120},  # overhead, squatting
    {"shoulder_abduction": 100, "elbow_flexion": 40, "hip_abduction": 40, "knee_flexion": 40},  # spread
)
LONGEST_FOLLOWED: Final = 6000  # frames; beyond, samples are found without following the motion to them


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """What is known of a person after looking at some frames."""

    tree: Tree  # of the body in the person's size
    aims: Aims  # all frames, with point places and orientations of this person
    samples: Indices  # (K,) frames looked at
    poses: Array  # (K, 7 + A) at those frames


def meet_person(tree: Tree, body: Body, aims: Aims, source: SourceTurns, rate: float) -> Person:
    """Estimate the person's size from the clip's aims; `tree` and `aims` carry the body's own size and places."""
    tree, aims = guess_size(tree, aims)
    tree = _with_ball(tree, rest_ball(tree, aims, rate))
    samples = _choose_samples(tree, aims)
    some = aims.at(samples)
    poses = _sample_poses(tree, aims, samples)
    tree, some, poses = fit_size(tree, body, some, poses)
    aims = aims.with_local(some.local)
    if "toe_left" not in aims.sites:
        aims = level_markers(tree, aims, samples, forward(tree, poses)[1], rate)
        poses, _ = solve(tree, aims.at(samples), poses, iterations=12, tolerance=1e-4, settle=1e-4)
    if len(source.segment):
        # Twice: the first constants come from poses that did not know of orientations yet.
        for _ in range(2):
            constant = calibrate(source, samples, forward(tree, poses)[1])
            constant = _level_feet(tree, aims, source, constant, rate)
            turned = with_turns(aims, source, constant)
            poses, _ = solve(tree, turned.at(samples), poses, iterations=12, tolerance=1e-4, settle=1e-4)
        aims = turned
    return Person(tree=tree, aims=aims, samples=samples, poses=poses)


def _with_ball(tree: Tree, ball: Array | None) -> Tree:
    """The tree with the balls of both feet at `ball` (3,) of the left one."""
    if ball is None:
        return tree
    offset = tree.offset.copy()
    offset[tree.segment_at("toe_left")] = ball
    offset[tree.segment_at("toe_right")] = ball * (1.0, -1.0, 1.0)
    return tree.with_offset(offset)


def _level_feet(tree: Tree, aims: Aims, source: SourceTurns, constant: Array, rate: float) -> Array:
    """The constants (Q, 3, 3) with those of the feet such that soles are level where feet are flat."""
    constant = constant.copy()
    for side in ("left", "right"):
        frames = flat_frames(aims, side, rate)
        own = np.flatnonzero(source.segment == tree.segment_at(f"ankle_{side}"))
        if len(frames) >= max(3, 0.05 * rate) and len(own) and f"toe_{side}" in aims.sites:
            foot = replace(source, segment=source.segment[own], weight=source.weight[own], frame=source.frame[:, own])
            level = np.zeros((len(frames), len(tree.names), 3, 3))
            level[:, foot.segment[0]] = level_frames(tree, aims, side, frames)
            constant[own] = calibrate(foot, frames, level)
    return constant


def _choose_samples(tree: Tree, aims: Aims) -> Indices:
    """Frames spread evenly over those in which the trunk is seen."""
    seen = np.isfinite(aims.target).all(axis=-1) & (trunk_points(tree, aims) > 0)
    usable = np.flatnonzero(seen.sum(axis=1) >= 3)
    if len(usable) == 0:
        raise FitError("in no frame are three points of the trunk seen: nothing tells where the body is")
    count = min(SAMPLES, len(usable))
    return np.asarray(usable[np.unique(np.linspace(0, len(usable) - 1, count).round().astype(int))])


def _sample_poses(tree: Tree, aims: Aims, samples: Indices) -> Array:
    """Poses (K, 7 + A) of the samples: each from neutral, and by following the motion from two of them; the best."""
    some = aims.at(samples)
    alone, cost = solve(tree, some, guess_roots(tree, some), iterations=60, tolerance=1e-3, settle=1e-3)
    ways = [alone]
    if aims.frames <= LONGEST_FOLLOWED:
        starts = sorted({0, int(np.argmin(cost))})
        ways += [follow_both_ways(tree, aims, int(samples[k]), alone[k])[samples] for k in starts]
    poses = _best_of(tree, some, ways)
    bad = np.flatnonzero((limb_errors(tree, some, poses) > BAD_FIT).any(axis=1))
    if len(bad):
        ways = [poses[bad]]
        for posture in POSTURES:
            start = guess_roots(tree, some.at(bad))
            start[:, 7:] = _posture(tree, posture)
            ways.append(solve(tree, some.at(bad), start, iterations=60, tolerance=1e-3, settle=1e-3)[0])
        poses[bad] = _best_of(tree, some.at(bad), ways)
    return poses


def _best_of(tree: Tree, aims: Aims, ways: list[Array]) -> Array:
    mixed = choose_branches(tree, aims, ways, linked=False)
    return solve(tree, aims, mixed, iterations=12, tolerance=1e-3, settle=1e-3)[0]


def _posture(tree: Tree, angles: Mapping[str, float]) -> Array:
    """Hinges (A,) [rad] from angles [deg] by the end of the hinge's name, the others zero."""
    bare = [name.replace("_left", "").replace("_right", "") for name in tree.hinges]
    found = [next((angle for end, angle in angles.items() if name.endswith(end)), 0.0) for name in bare]
    return np.clip(np.deg2rad(found), *tree.limits)
