"""Sites of the body that a skeleton's names do not give but its tree does, and the joints whose orientation matters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from reenact.geometry.rotation import Array
from reenact.motion.clip import Skeleton

REACH: Final[Mapping[str, float]] = {
    "toe_tip": 0.20,
    "fingertip": 0.30,
    "vertex": 0.40,
    "wrist": 0.45,
    "toe": 0.30,
    "head": 0.50,
}
"""Greatest believable length of a bone to an end site [m]: longer ones are rig parts parked somewhere."""

COINCIDENT: Final = 0.005  # joints nearer than this are one point [m]

_BELOW: Final = (("elbow", "wrist"), ("ankle", "toe"), ("toe", "toe_tip"), ("wrist", "fingertip"))
_DIRECT: Final = ("wrist", "toe", "head")  # the end of this very bone; the others may lie beyond more joints

# How much a source's orientation counts beside a joint centre's 1: feet, trunk and head more than the twist of limbs.
_TURN_WEIGHTS: Final[Mapping[str, float]] = {"hip": 0.02, "ankle": 0.3, "shoulder": 0.02, "wrist": 0.02, "toe": 0.02}
_PELVIS_WEIGHT: Final = 0.1
_CHEST_WEIGHT: Final = 0.05
_HEAD_WEIGHT: Final = 0.1


def add_by_tree(skeleton: Skeleton, sites: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Site → source with wrists at the forearms' ends, toe tips, fingertips, vertex, pelvis; and what was left out."""
    found, notes = dict(sites), list[str]()
    rest = _rest(skeleton)
    if {"neck", "shoulder_left", "shoulder_right"} <= found.keys():
        found["neck"] = _neck_above_chest(skeleton, rest, found)
    wanted = [(f"{above}_{side}", f"{below}_{side}") for side in ("left", "right") for above, below in _BELOW]
    wanted += [("neck", "head"), ("head", "vertex")]
    if "neck" not in found and "head" not in found and {"shoulder_left", "shoulder_right"} <= found.keys():
        end = _end_below(skeleton, rest, chest_of(skeleton, found), "head", set(found.values()), notes)
        found |= {"head": end} if end else {}
    for above, below in wanted:
        if above in found and below not in found:
            end = _end_below(skeleton, rest, found[above], _bare(below), set(found.values()), notes)
            found |= {below: end} if end else {}
    if "pelvis" not in found and {"hip_left", "hip_right"} <= found.keys():
        found["pelvis"] = skeleton.names[_meeting(skeleton, found["hip_left"], found["hip_right"])]
    return found, tuple(notes)


def orientations(skeleton: Skeleton, sites: Mapping[str, str]) -> dict[str, tuple[str, float]]:
    """Part of the body → (source joint whose orientation tells its own, weight).

    Foot roll, the head, the hands, the trunk, and the twist of straight limbs are not told by joint centres.
    """
    ends = {name for name, end in zip(skeleton.names, skeleton.ends, strict=True) if end}
    turns = {}
    if "pelvis" in sites:
        turns["pelvis"] = (sites["pelvis"], _PELVIS_WEIGHT)
    chest = chest_of(skeleton, sites)
    if chest != sites.get("pelvis"):
        turns["thorax"] = (chest, _CHEST_WEIGHT)
    head = next((sites[s] for s in ("head", "neck") if s in sites and sites[s] not in ends), None)
    if head is not None:
        turns["head"] = (head, _HEAD_WEIGHT)
    for side in ("left", "right"):
        for joint, weight in _TURN_WEIGHTS.items():
            source = sites.get(f"{joint}_{side}")
            if source is not None and source not in ends:
                turns[f"{joint}_{side}"] = (source, weight)
    return turns


def chest_of(skeleton: Skeleton, sites: Mapping[str, str]) -> str:
    """The joint that carries both shoulders."""
    return skeleton.names[_meeting(skeleton, sites["shoulder_left"], sites["shoulder_right"])]


def _neck_above_chest(skeleton: Skeleton, rest: Array, sites: Mapping[str, str]) -> str:
    """The neck; the next joint of the neck where it lies on the joint that carries the shoulders, as in CMU's BVH.

    There "Neck" only repeats "Spine1", between the shoulder blades: a head put on it would sink into the chest.
    """
    neck, chest = skeleton.index(sites["neck"]), skeleton.index(chest_of(skeleton, sites))
    above = [j for j, parent in enumerate(skeleton.parents) if parent == neck and not skeleton.ends[j]]
    if neck == chest or len(above) != 1 or skeleton.names[above[0]] == sites.get("head"):
        return sites["neck"]
    return skeleton.names[above[0]] if np.linalg.norm(rest[neck] - rest[chest]) < COINCIDENT else sites["neck"]


def _end_below(skeleton: Skeleton, rest: Array, above: str, site: str, used: set[str], notes: list[str]) -> str | None:
    """Name of the farthest end site below a joint that is within reach of it."""
    top = skeleton.index(above)
    best, best_length = None, 0.01
    for j in range(top + 1, skeleton.size):
        below = skeleton.parents[j] == top if site in _DIRECT else _is_below(skeleton, j, top)
        if not (below and skeleton.ends[j]) or skeleton.names[j] in used:
            continue
        length = float(np.linalg.norm(rest[j] - rest[top]))
        if length > REACH[site]:
            notes.append(f"end site '{skeleton.names[j]}' is {length:.2f} m from '{above}' and was left out")
        elif length > best_length:
            best, best_length = skeleton.names[j], length
    return best


def _bare(site: str) -> str:
    return site.removesuffix("_left").removesuffix("_right")


def _rest(skeleton: Skeleton) -> Array:
    position = np.array(skeleton.offsets)
    for j, parent in enumerate(skeleton.parents):
        if parent >= 0:
            position[j] += position[parent]
    return position


def _is_below(skeleton: Skeleton, joint: int, top: int) -> bool:
    while joint > top:
        joint = skeleton.parents[joint]
    return joint == top


def _meeting(skeleton: Skeleton, a: str, b: str) -> int:
    """The lowest joint above both; the first joint where they have none in common."""
    chains = []
    for name in (a, b):
        j, chain = skeleton.index(name), []
        while j >= 0:
            chain.append(j)
            j = skeleton.parents[j]
        chains.append(chain)
    return next((j for j in chains[0] if j in chains[1]), 0)
