"""How tall the recorded person stands, from bone lengths alone; also which way is up in the recording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from reenact.geometry.rotation import Array
from reenact.motion.clip import Skeleton

# Fractions of stature: Drillis & Contini in Winter, Biomechanics and Motor Control of Human Movement, Fig. 4.1.
LEG_FRACTION: Final = 0.491  # hip to ankle: 0.530 − 0.039
HEAD_FRACTION: Final = 0.340  # hip to the base of the skull: 0.870 − 0.530
NECK_FRACTION: Final = 0.300  # hip to the base of the neck

_ANKLE_WORDS: Final = ("foot", "ankle", "feet", "talus", "toe")
_HEAD_WORDS: Final = ("head", "skull")
_NECK_WORDS: Final = ("neck",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trunk:
    """Joints of a skeleton that show its size and its direction, by index."""

    ankles: tuple[int, ...]
    hips: tuple[int, ...]  # the joint where each leg begins
    head: int | None
    head_fraction: float  # of stature, from the hips to `head`
    leg_length: float  # mean over the legs, along the bones, in the units of the offsets


def find_trunk(skeleton: Skeleton) -> Trunk | None:
    """Legs and head by name and by tree; None where the names say nothing of feet."""
    ankles = _first_on_each_branch(skeleton, _ANKLE_WORDS)
    if not ankles:
        return None
    chains = [_chain(skeleton, ankle) for ankle in ankles]
    chains = [chain for chain in chains if chain[0] == chains[0][0]]  # legs of one tree
    pelvis = _common_ancestor(chains) if len(chains) > 1 else chains[0][0]
    hips, lengths = [], []
    for chain in chains:
        below = chain[chain.index(pelvis) + 1 :]
        bones = [float(np.linalg.norm(skeleton.offsets[joint])) for joint in below]
        # The first bone with a length leads from the pelvis to the hip; the leg is what follows.
        first = next((i for i, bone in enumerate(bones) if bone > 0), None)
        if first is None or first + 1 == len(bones):
            continue
        hips.append(below[first])
        lengths.append(sum(bones[first + 1 :]))
    if not lengths:
        return None
    heads, necks = _first_on_each_branch(skeleton, _HEAD_WORDS), _first_on_each_branch(skeleton, _NECK_WORDS)
    return Trunk(
        ankles=tuple(ankles),
        hips=tuple(hips),
        head=next(iter(heads or necks), None),
        head_fraction=HEAD_FRACTION if heads else NECK_FRACTION,
        leg_length=float(np.mean(lengths)),
    )


def standing_height(skeleton: Skeleton, position: Array) -> float | None:
    """Stature from leg and trunk lengths, in the units of `position` (T, J, 3); within about 5 % for adults.

    The trunk is measured between the hips and the head in the frames where it is most stretched.
    """
    trunk = find_trunk(skeleton)
    if trunk is None:
        return None
    if trunk.head is None:
        return trunk.leg_length / LEG_FRACTION
    hip = position[:, list(trunk.hips)].mean(axis=1)
    stretched = float(np.percentile(np.linalg.norm(position[:, trunk.head] - hip, axis=-1), 90))
    return (trunk.leg_length + stretched) / (LEG_FRACTION + trunk.head_fraction)


def upright_direction(skeleton: Skeleton, position: Array) -> Array | None:
    """Mean direction (3,) from the ankles to the head, of length ≤ 1; near 1 where the person stays upright."""
    trunk = find_trunk(skeleton)
    if trunk is None:
        return None
    above = position[:, trunk.head] if trunk.head is not None else position[:, list(trunk.hips)].mean(axis=1)
    line = above - position[:, list(trunk.ankles)].mean(axis=1)
    length = np.linalg.norm(line, axis=-1, keepdims=True)
    unit = np.where(length > 0, line / np.where(length > 0, length, 1.0), 0.0)
    return np.asarray(unit.mean(axis=0))


def _first_on_each_branch(skeleton: Skeleton, words: Sequence[str]) -> list[int]:
    """Joints whose name holds one of `words` and none of whose ancestors does, at most two."""
    found: list[int] = []
    inside = [False] * skeleton.size
    for joint, parent in enumerate(skeleton.parents):
        inside[joint] = parent >= 0 and inside[parent]
        name = skeleton.names[joint].lower()
        if not inside[joint] and not skeleton.ends[joint] and any(word in name for word in words):
            inside[joint] = True
            found.append(joint)
    return found[:2]


def _chain(skeleton: Skeleton, joint: int) -> list[int]:
    chain = [joint]
    while skeleton.parents[chain[-1]] >= 0:
        chain.append(skeleton.parents[chain[-1]])
    return chain[::-1]


def _common_ancestor(chains: Sequence[list[int]]) -> int:
    shared = chains[0][0]
    for joints in zip(*chains, strict=False):
        if len(set(joints)) > 1:
            break
        shared = joints[0]
    return shared
