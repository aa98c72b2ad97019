"""Where named sites lie on a body: joint centres, and points on the bones or the skin.

A joint's site is the joint itself ("knee_left"). A point's place is a first guess from a grown person of 1.75 m,
relative to joints; fitting estimates it along with the body's size.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np

from reenact.body.body import Body
from reenact.geometry.rotation import Array
from reenact.motion.tree import Tree

REFERENCE_STATURE: Final = 1.75  # of the person whose points are listed below [m]

CENTRE_JOINTS: Final = ("lumbar", "thoracic", "neck")
SIDE_JOINTS: Final = ("hip", "knee", "ankle", "toe", "clavicle", "shoulder", "elbow", "wrist")


@dataclass(frozen=True, slots=True)
class Point:
    """A point on a segment: part-way between two joints or landmarks, then (forward, outward, up) [m]."""

    part: str  # "pelvis", "thorax", "head", or the joint that the segment hangs on
    start: str  # joint or landmark; "hips" and "shoulders" are midpoints
    end: str = ""
    fraction: float = 0.0
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    sigma: float = 0.03  # how far off the guess may be [m]


# Of the left side; the right side is its mirror image. "@" stands for the side.
SIDE_POINTS: Final[Mapping[str, Point]] = MappingProxyType(
    {
        # Pelvis: bony points from the hip centres by Harrington et al. 2007 at width 240 mm and depth 150 mm.
        "asis": Point("pelvis", "hip_@", offset=(0.046, 0.033, 0.083), sigma=0.02),
        "psis": Point("pelvis", "hip_@", offset=(-0.104, -0.042, 0.083), sigma=0.02),
        "trochanter": Point("hip_@", "hip_@", offset=(0.0, 0.075, 0.0)),
        "thigh_cluster": Point("hip_@", "hip_@", "knee_@", 0.55, (0.04, 0.06, 0.0), 0.10),
        "knee_lateral": Point("hip_@", "knee_@", offset=(0.0, 0.055, 0.0), sigma=0.015),
        "knee_medial": Point("hip_@", "knee_@", offset=(0.0, -0.055, 0.0), sigma=0.015),
        "shank_cluster": Point("knee_@", "knee_@", "ankle_@", 0.5, (0.03, 0.03, 0.0), 0.10),
        "ankle_lateral": Point("knee_@", "ankle_@", offset=(0.0, 0.04, 0.0), sigma=0.015),
        "ankle_medial": Point("knee_@", "ankle_@", offset=(0.0, -0.04, 0.0), sigma=0.015),
        "heel": Point("ankle_@", "heel_@", offset=(0.0, 0.0, 0.015), sigma=0.025),
        "heel_marker": Point("ankle_@", "heel_@", offset=(-0.01, 0.0, 0.035), sigma=0.025),
        "toe_marker": Point("ankle_@", "toe_@", offset=(0.01, -0.01, 0.02), sigma=0.04),
        "fifth_metatarsal": Point("ankle_@", "toe_@", offset=(-0.03, 0.045, 0.0), sigma=0.03),
        "big_toe": Point("toe_@", "toe_tip_@", offset=(-0.015, -0.02, 0.01), sigma=0.03),
        "small_toe": Point("toe_@", "toe_@", offset=(0.02, 0.04, 0.0), sigma=0.03),
        "toe_tip": Point("toe_@", "toe_tip_@", sigma=0.04),
        "hand": Point("wrist_@", "wrist_@", "fingertip_@", 0.45, sigma=0.05),
        "fingertip": Point("wrist_@", "fingertip_@", sigma=0.05),
        "acromion": Point("thorax", "shoulder_@", offset=(0.0, 0.0, 0.045), sigma=0.025),
        "collar_marker": Point("thorax", "shoulders", offset=(0.10, 0.03, -0.03), sigma=0.05),
        "upper_arm_cluster": Point("shoulder_@", "shoulder_@", "elbow_@", 0.5, (0.02, 0.04, 0.0), 0.10),
        "elbow_lateral": Point("shoulder_@", "elbow_@", offset=(0.0, 0.04, 0.0), sigma=0.02),
        "elbow_medial": Point("shoulder_@", "elbow_@", offset=(0.0, -0.04, 0.0), sigma=0.02),
        "forearm_cluster": Point("elbow_@", "elbow_@", "wrist_@", 0.5, (0.0, 0.04, 0.0), 0.08),
        "wrist_radial": Point("elbow_@", "wrist_@", offset=(0.03, 0.01, 0.0), sigma=0.025),
        "wrist_ulnar": Point("elbow_@", "wrist_@", offset=(-0.03, 0.01, 0.0), sigma=0.025),
        "wrist_marker": Point("elbow_@", "wrist_@", offset=(0.0, 0.02, 0.0), sigma=0.03),
        "hand_marker": Point("wrist_@", "wrist_@", "fingertip_@", 0.45, (0.0, 0.015, 0.0), 0.04),
        "eye": Point("head", "vertex", offset=(0.09, 0.03, -0.11), sigma=0.03),
        "ear": Point("head", "vertex", offset=(0.0, 0.075, -0.13), sigma=0.03),
        "head_front": Point("head", "vertex", offset=(0.08, 0.06, -0.06), sigma=0.04),
        "head_back": Point("head", "vertex", offset=(-0.08, 0.06, -0.06), sigma=0.04),
    }
)
CENTRE_POINTS: Final[Mapping[str, Point]] = MappingProxyType(
    {
        "pelvis": Point("pelvis", "hips", offset=(0.0, 0.0, 0.04), sigma=0.10),
        "head": Point("head", "neck", "vertex", 0.4, sigma=0.10),
        "vertex": Point("head", "vertex", sigma=0.05),
        "nose": Point("head", "vertex", offset=(0.11, 0.0, -0.14), sigma=0.03),
        "chest": Point("thorax", "shoulders", sigma=0.10),
        "jugular_notch": Point("thorax", "shoulders", offset=(0.09, 0.0, -0.02), sigma=0.05),
        "c7": Point("thorax", "shoulders", offset=(-0.07, 0.0, 0.07), sigma=0.05),
        "t10": Point("thorax", "shoulders", offset=(-0.12, 0.0, -0.15), sigma=0.05),
        "xiphoid": Point("thorax", "shoulders", offset=(0.12, 0.0, -0.18), sigma=0.05),
        "sacrum": Point("pelvis", "hips", offset=(-0.12, 0.0, 0.08), sigma=0.03),
    }
)


def all_sites() -> tuple[str, ...]:
    """Every site name that a mapping may use."""
    sides = [f"{name}_{side}" for name in (*SIDE_JOINTS, *SIDE_POINTS) for side in ("left", "right")]
    return tuple(sorted({*CENTRE_JOINTS, *CENTRE_POINTS, *sides}))


def is_joint(site: str) -> bool:
    """True for a joint centre, False for a point whose place on its segment is estimated."""
    return site in CENTRE_JOINTS or _bare(site)[0] in SIDE_JOINTS


def find_part(tree: Tree, part: str) -> int:
    """Index of a segment by role ("pelvis", "thorax", "head") or by the joint it hangs on; −1 when absent."""
    if part == "pelvis":
        return 0
    head = tree.segment_at("neck")
    if part == "head":
        return head
    if part == "thorax":
        return int(tree.parent[head]) if head >= 0 else -1
    return tree.segment_at(part)


def place_site(tree: Tree, body: Body, site: str) -> tuple[int, Array, float] | None:
    """Segment index, first guess in its frame (3,) [m] and its spread [m]; None when the body lacks the site."""
    bare, side = _bare(site)
    if is_joint(site):
        segment = tree.segment_at(site)
        return None if segment < 0 else (segment, np.zeros(3), 0.0)
    point = SIDE_POINTS.get(bare) if side else CENTRE_POINTS.get(site)
    if point is None:
        return None
    segment = find_part(tree, point.part.replace("@", side))
    start = _anchor(tree, body, point.start.replace("@", side))
    end = _anchor(tree, body, point.end.replace("@", side)) if point.end else start
    if segment < 0 or start is None or end is None:
        return None
    scale = body.stature / REFERENCE_STATURE
    forward, outward, up = point.offset
    offset = scale * np.array([forward, -outward if side == "right" else outward, up])
    return (
        segment,
        (1 - point.fraction) * start + point.fraction * end + offset - tree.rest()[segment],
        scale * point.sigma,
    )


def _bare(site: str) -> tuple[str, str]:
    for side in ("left", "right"):
        if site.endswith(f"_{side}"):
            return site.removesuffix(f"_{side}"), side
    return site, ""


def _anchor(tree: Tree, body: Body, name: str) -> Array | None:
    """Rest position (3,) of a joint, a landmark, or the midpoint of the hips or shoulders; root at the origin."""
    rest = tree.rest()
    if name in ("hips", "shoulders"):
        pair = [tree.segment_at(f"{name[:-1]}_{side}") for side in ("left", "right")]
        return None if min(pair) < 0 else np.asarray(rest[pair].mean(axis=0))
    segment = tree.segment_at(name)
    if segment >= 0:
        return np.asarray(rest[segment])
    if name in body.landmarks:
        owner, local = body.landmarks[name]
        return np.asarray(rest[tree.names.index(owner)] + local)
    return None
