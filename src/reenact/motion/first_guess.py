"""A first guess of a person's size and of poses, near enough for the solver to take over."""

from __future__ import annotations

from typing import Final

import numpy as np

from reenact.errors import FitError
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.aims import Aims
from reenact.motion.tree import Tree

# Pairs of sites whose distance hardly changes with the pose: they tell the size.
RIGID_PAIRS: Final = tuple(
    (f"{a}_{side}", f"{b}_{side}")
    for side in ("left", "right")
    for a, b in (
        ("hip", "knee"),
        ("knee", "ankle"),
        ("shoulder", "elbow"),
        ("elbow", "wrist"),
        ("hip", "knee_lateral"),
        ("knee_lateral", "ankle_lateral"),
        ("acromion", "elbow_lateral"),
        ("elbow_lateral", "wrist_radial"),
        ("elbow_lateral", "wrist_marker"),
    )
)
LIMBS: Final = ("knee", "ankle", "toe", "elbow", "wrist")


def guess_size(tree: Tree, aims: Aims) -> tuple[Tree, Aims]:
    """The tree scaled as a whole, then limb by limb, to the median distances between the aims' targets."""
    ratio = _whole_ratio(tree, aims)
    tree = tree.with_offset(tree.offset * ratio)
    aims = aims.with_local(aims.local * ratio)
    if {"asis_left", "asis_right", "psis_left", "psis_right"} <= set(aims.sites):
        tree, aims = _pelvis_of_markers(tree, aims)
    offset = tree.offset.copy()
    for joint in LIMBS:
        sides = [tree.segment_at(f"{joint}_{side}") for side in ("left", "right")]
        lengths = [_distance(aims, tree.joints[int(tree.parent[s])], tree.joints[s]) for s in sides if s > 0]
        known = [length for length in lengths if length is not None]
        for s in sides:
            if known and s > 0:
                offset[s] *= float(np.mean(known)) / np.linalg.norm(offset[s])
    _guess_trunk(tree, aims, offset)
    return tree.with_offset(offset), aims


def guess_roots(tree: Tree, aims: Aims) -> Array:
    """Neutral poses (T, 7 + A) whose root brings the trunk's points nearest to their targets (Kabsch)."""
    rest = tree.rest()[aims.segment] + aims.local
    trunk = trunk_points(tree, aims)
    weight = np.where(np.isfinite(aims.target).all(axis=-1), 1.0, 0.0) * trunk * aims.weight
    total = weight.sum(axis=1, keepdims=True)
    if (np.count_nonzero(weight, axis=1) < 3).any():
        raise FitError("too few points of the trunk are seen in some frame to tell where the body is")
    weight = weight / total
    target = np.nan_to_num(aims.target)
    centre, centre_rest = np.einsum("tn,tni->ti", weight, target), weight @ rest
    moment = np.einsum("tn,tni,tnj->tij", weight, target - centre[:, None], rest - centre_rest[:, None])
    u, _, vt = np.linalg.svd(moment)
    u[:, :, 2] *= np.sign(np.linalg.det(u @ vt))[:, None]
    turn = u @ vt
    poses = np.repeat(tree.neutral()[None], aims.frames, axis=0)
    poses[:, :3] = centre - np.einsum("tij,tj->ti", turn, centre_rest)
    poses[:, 3:7] = rotation.from_matrix(turn)
    return poses


def trunk_points(tree: Tree, aims: Aims) -> Array:
    """1 for points that the trunk carries, 0 for the limbs', (N,); the pelvis counts most."""
    limbs = {tree.segment_at(f"{j}_{s}") for j in (*LIMBS, "shoulder", "hip") for s in ("left", "right")}
    head = tree.segment_at("neck")
    factors = np.zeros(len(aims.sites))
    for n, (site, segment) in enumerate(zip(aims.sites, aims.segment, strict=True)):
        at_joint = site.startswith(("hip", "shoulder", "neck"))
        if at_joint or (segment not in limbs and segment != head and aims.spread[n] < 0.06):
            factors[n] = 3.0 if segment == 0 or site.startswith("hip") else 1.0
    return factors


def _whole_ratio(tree: Tree, aims: Aims) -> float:
    """Size of the person ÷ size of the tree: median over pairs that keep their distance."""
    rest = tree.rest()[aims.segment] + aims.local
    ratios = []
    for a, b in RIGID_PAIRS:
        measured = _distance(aims, a, b)
        if measured is not None:
            apart = np.linalg.norm(rest[aims.sites.index(a)] - rest[aims.sites.index(b)])
            ratios.append(measured / float(apart))
    if not ratios:
        return 1.0
    ratio = float(np.median(ratios))
    if not 0.05 < ratio < 20.0:
        raise FitError(f"the recorded person is {ratio:.3g} times the size of the body: are the clip's units right?")
    return ratio


def _guess_trunk(tree: Tree, aims: Aims, offset: Array) -> None:
    """Widths of hips and shoulders, and the trunk's height where it is most stretched."""
    for joint in ("hip", "shoulder"):
        width = _distance(aims, f"{joint}_left", f"{joint}_right")
        pair = [tree.segment_at(f"{joint}_{side}") for side in ("left", "right")]
        if width is None or min(pair) < 0:
            continue
        rest = tree.with_offset(offset).rest()
        ratio = width / abs(rest[pair[0], 1] - rest[pair[1], 1])
        for s in pair:
            while s > 0:
                offset[s, 1] *= ratio
                s = tree.parent[s]
    height = _trunk_height(aims)
    pair = [tree.segment_at("shoulder_left"), tree.segment_at("hip_left")]
    if height is None or min(pair) < 0:
        return
    rest = tree.with_offset(offset).rest()
    ratio = height / (rest[pair[0], 2] - rest[pair[1], 2])
    ratio = min(max(ratio, 0.5), 1.5)
    trunk = {tree.segment_at("neck")}
    for s in (tree.segment_at("shoulder_left"), tree.segment_at("shoulder_right")):
        while s > 0:
            trunk.add(s)
            s = int(tree.parent[s])
    for s in trunk - {-1, 0}:
        offset[s, 2] *= ratio
    rise, head = _neck_height(aims), tree.segment_at("neck")
    if rise is not None and head > 0:  # skeletons disagree on where the neck begins
        rest = tree.with_offset(offset).rest()
        offset[head, 2] += rest[pair[1], 2] + rise - rest[head, 2]


def _trunk_height(aims: Aims) -> float | None:
    """Distance between the midpoints of hips and shoulders in the most stretched tenth of the frames [m]."""
    needed = ("hip_left", "hip_right", "shoulder_left", "shoulder_right")
    if not set(needed) <= set(aims.sites):
        return None
    hip_left, hip_right, left, right = (aims.target[:, aims.sites.index(site)] for site in needed)
    apart = np.linalg.norm(0.5 * (left + right) - 0.5 * (hip_left + hip_right), axis=-1)
    return float(np.nanpercentile(apart, 90)) if np.isfinite(apart).any() else None


def _neck_height(aims: Aims) -> float | None:
    """Height of the neck over the hips along the line from mid-hips to mid-shoulders [m], median."""
    needed = ("hip_left", "hip_right", "shoulder_left", "shoulder_right", "neck")
    if not set(needed) <= set(aims.sites):
        return None
    hip_left, hip_right, left, right, neck = (aims.target[:, aims.sites.index(site)] for site in needed)
    hips = 0.5 * (hip_left + hip_right)
    line = 0.5 * (left + right) - hips
    along = np.sum((neck - hips) * line, axis=-1) / np.linalg.norm(line, axis=-1)
    return float(np.nanmedian(along)) if np.isfinite(along).any() else None


def _pelvis_of_markers(tree: Tree, aims: Aims) -> tuple[Tree, Aims]:
    """Hip centres and pelvis markers from the pelvis's width and depth.

    Harrington et al. 2007, "Prediction of the hip joint centre in adults, children, and patients with cerebral palsy",
    J. Biomech. 40: behind the front bony points by 0.24 depth + 9.9 mm, below them by 0.30 width + 10.9 mm, sideways
    from their midpoint by 0.33 width + 7.3 mm.
    """
    at = {
        site: aims.target[:, aims.sites.index(site)] for site in ("asis_left", "asis_right", "psis_left", "psis_right")
    }
    width = float(np.nanmedian(np.linalg.norm(at["asis_left"] - at["asis_right"], axis=-1)))
    back_width = float(np.nanmedian(np.linalg.norm(at["psis_left"] - at["psis_right"], axis=-1)))
    middle = 0.5 * (at["asis_left"] + at["asis_right"]) - 0.5 * (at["psis_left"] + at["psis_right"])
    depth = float(np.nanmedian(np.linalg.norm(middle, axis=-1)))
    forward, up, sideways = 0.24 * depth + 0.0099, 0.30 * width + 0.0109, 0.33 * width + 0.0073
    offset, local = tree.offset.copy(), aims.local.copy()
    for side, sign in (("left", 1.0), ("right", -1.0)):
        offset[tree.segment_at(f"hip_{side}")] = (0.0, sign * sideways, 0.0)
        local[aims.sites.index(f"asis_{side}")] = (forward, sign * 0.5 * width, up)
        local[aims.sites.index(f"psis_{side}")] = (forward - depth, sign * 0.5 * back_width, up)
    return tree.with_offset(offset), aims.with_local(local)


def _distance(aims: Aims, a: str, b: str) -> float | None:
    """Median distance between two sites' targets [m], None when one is missing or never seen."""
    if a not in aims.sites or b not in aims.sites:
        return None
    apart = np.linalg.norm(aims.target[:, aims.sites.index(a)] - aims.target[:, aims.sites.index(b)], axis=-1)
    if not np.isfinite(apart).any():
        return None
    median = float(np.nanmedian(apart))
    return median if median > 1e-6 else None
