"""Motions on an adult for the tests of pose models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from reenact.formats.read import read_clip
from reenact.formats.samples import find_clip
from reenact.geometry.rotation import Array
from reenact.motion.clip import SkeletonClip
from reenact.motion.fit import fit
from reenact.motion.motion import Motion

Made = Callable[[Array, str], Motion]


def fitted(name: str) -> Motion:
    clip = read_clip(find_clip(name))
    assert isinstance(clip, SkeletonClip)
    return fit(clip)


@pytest.fixture(scope="session")
def walk() -> Motion:
    return fitted("walk")


@pytest.fixture(scope="session")
def cartwheel() -> Motion:
    return fitted("cartwheel")


@pytest.fixture(scope="session")
def of_poses(walk: Motion) -> Made:
    """A motion of the walker's body with other poses (T, 7 + A)."""

    def made(qpos: Array, name: str = "made") -> Motion:
        frames = len(qpos)
        joints = np.full((frames, len(walk.joint_names), 3), np.nan)
        return replace(walk, name=name, qpos=qpos, joints=joints, lift=np.zeros(frames), contacts=())

    return made
