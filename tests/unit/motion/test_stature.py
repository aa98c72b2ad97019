"""Stature from bone lengths, for trees of different shapes."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.motion.clip import Skeleton
from reenact.motion.stature import find_trunk, standing_height, upright_direction


def person(*, reference=False, names=("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "Head")):
    """A 1.80 m person by Drillis & Contini's fractions, one or two legs, standing."""
    h = 1.8
    hips, thigh, shank, foot, head = names
    rows = [
        (hips, -1, (0, 0, 0.55 * h)),
        (thigh, 0, (0, 0.1, -0.02 * h)),
        (shank, 1, (0, 0, -0.245 * h)),
        (foot, 2, (0, 0, -0.246 * h)),
        ("R" + thigh, 0, (0, -0.1, -0.02 * h)),
        ("R" + shank, 4, (0, 0, -0.245 * h)),
        ("R" + foot, 5, (0, 0, -0.246 * h)),
        (head, 0, (0, 0, 0.32 * h)),
    ]
    if reference:  # some programs put a node on the floor above the hips in the tree
        rows = [("Reference", -1, (3, 4, 0))] + [(n, p + 1, o) for n, p, o in rows]
    skeleton = Skeleton(
        names=tuple(row[0] for row in rows),
        parents=tuple(row[1] for row in rows),
        offsets=np.array([row[2] for row in rows], float),
        ends=(False,) * len(rows),
    )
    position = skeleton.offsets.copy()
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            position[joint] += position[parent]
    return skeleton, position[None]


@pytest.mark.parametrize("reference", [False, True])
@pytest.mark.parametrize(
    "names", [("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "Head"), ("root", "hip", "knee", "ankle", "head")]
)
def test_stature(reference, names):
    skeleton, position = person(reference=reference, names=names)
    assert standing_height(skeleton, position) == pytest.approx(1.8, rel=0.02)
    np.testing.assert_allclose(upright_direction(skeleton, position), [0, 0, 1], atol=0.01)


def test_scale_follows():
    skeleton, position = person()
    double = Skeleton(names=skeleton.names, parents=skeleton.parents, offsets=2 * skeleton.offsets, ends=skeleton.ends)
    assert standing_height(double, 2 * position) == pytest.approx(2 * standing_height(skeleton, position))


def test_nothing_named_like_a_foot():
    skeleton, position = person(names=("a", "b", "c", "d", "e"))
    assert find_trunk(skeleton) is None
    assert standing_height(skeleton, position) is None
    assert upright_direction(skeleton, position) is None
