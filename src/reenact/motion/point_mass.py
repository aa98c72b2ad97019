"""The centre of mass of a person of whom only joint centres or markers are known, before any body is fitted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from reenact.body.anthropometrics import TableSegment, tables
from reenact.errors import FitError
from reenact.geometry.rotation import Array
from reenact.motion.clip import Clip, SkeletonClip
from reenact.motion.mapping import map_clip

# What stands for the end of a bone, the best first; where several of one line are seen, their mean.
_STANDS_FOR: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    "hip": (("hip",), ("asis", "psis")),
    "knee": (("knee",), ("knee_lateral", "knee_medial"), ("shank_cluster",)),
    "ankle": (("ankle",), ("ankle_lateral", "ankle_medial"), ("heel_marker",)),
    "toe": (("toe",), ("big_toe",), ("toe_marker", "fifth_metatarsal"), ("ankle",)),
    "shoulder": (("shoulder",), ("acromion",)),
    "elbow": (("elbow",), ("elbow_lateral", "elbow_medial")),
    "wrist": (("wrist",), ("wrist_radial", "wrist_ulnar"), ("wrist_marker",)),
}
_SIDES: Final = ("left", "right")
_LEAST_MASS: Final = 90.0  # of the body's mass that must be known [%]
_HEAD: Final = ("head", "vertex", "neck", "c7")
# Segment, its proximal and distal end. Hands move with the wrists, near enough.
_LIMBS: Final[tuple[tuple[TableSegment, str, str], ...]] = (
    ("thigh", "hip", "knee"),
    ("shank", "knee", "ankle"),
    ("foot", "ankle", "toe"),
    ("upper_arm", "shoulder", "elbow"),
    ("forearm", "elbow", "wrist"),
    ("hand", "wrist", "wrist"),
)


def sites_of(clip: Clip) -> dict[str, Array] | None:
    """Site of the body → its path (T, 3) [m], the mean where several markers share a site; None for no human clip."""
    try:
        links = map_clip(clip).links
    except FitError:
        return None
    if isinstance(clip, SkeletonClip):
        names, position = clip.skeleton.names, clip.world()[0]
    else:
        names, position = clip.names, clip.position
    sources: dict[str, list[int]] = {}
    for link in links:
        sources.setdefault(link.site, []).append(names.index(link.source))
    return {site: position[:, found].mean(axis=1) for site, found in sources.items()}


def centre_of_points(sites: Mapping[str, Array]) -> Array | None:
    """Centre of mass (T, 3) [m] by the mass shares of [B09] Table 4, NaN where a point is not seen.

    None where the trunk or most of the limbs have no points. What has none is left out.
    """
    hip, shoulder = _middle(sites, "hip"), _middle(sites, "shoulder")
    if hip is None or shoulder is None:
        return None
    rows = tables().male.segment
    head = next((sites[site] for site in _HEAD if site in sites), shoulder)
    weighed = [(rows["head"].mass, head), (rows["trunk"].mass, _along(shoulder, hip, rows["trunk"].com))]
    for segment, proximal, distal in _LIMBS:
        for side in _SIDES:
            a, b = _end(sites, proximal, side), _end(sites, distal, side)
            if a is not None and b is not None:
                weighed.append((rows[segment].mass, _along(a, b, rows[segment].com)))
    total = sum(mass for mass, _ in weighed)  # [%]
    if total < _LEAST_MASS:
        return None
    return np.asarray(sum(mass * centre for mass, centre in weighed) / total)


def _along(start: Array, end: Array, percent: float) -> Array:
    return np.asarray(start + percent / 100.0 * (end - start))


def _middle(sites: Mapping[str, Array], end: str) -> Array | None:
    left, right = (_end(sites, end, side) for side in _SIDES)
    return None if left is None or right is None else 0.5 * (left + right)


def _end(sites: Mapping[str, Array], end: str, side: str) -> Array | None:
    for line in _STANDS_FOR[end]:
        found = [sites[f"{site}_{side}"] for site in line if f"{site}_{side}" in sites]
        if found:
            return np.asarray(np.mean(found, axis=0))
    return None
