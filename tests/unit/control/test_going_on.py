"""A controller that goes on after its clip's end is judged by the ground under it, not by where the clip ended."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from swinging_motion import swinging

from reenact.control.fall import DROP, _sunk
from reenact.control.over_ground import first_frames
from reenact.control.place import staged
from reenact.geometry.rotation import Array
from reenact.physics.model import Model, compile_model
from reenact.world.ground import ground_height
from reenact.world.toml import parse_world

SPEED = 1.3  # [m/s]


@pytest.fixture(scope="module")
def slope() -> Model:
    down = parse_world('name = "downhill"\n[ground]\nslope_deg = 5.0\nuphill_deg = 180.0\n')
    return compile_model(swinging(0.5).body, down)


def walked(model: Model, height: Array, seconds: float) -> Any:
    """A root that goes along x at so many metres above the ground (N+1,)."""
    time = np.arange(len(height)) * seconds / (len(height) - 1)
    qpos = np.zeros((len(height), 7))
    qpos[:, 0] = SPEED * time
    qpos[:, 2] = ground_height(model.world, qpos[:, 0], qpos[:, 1]) + height
    return SimpleNamespace(time=time, qpos=qpos, model=model)


def test_who_walks_on_down_a_slope_has_not_fallen(slope: Model) -> None:
    motion = staged(swinging(0.5), slope)
    own = float(motion.qpos[-1, 2] - motion.moved[-1, 2])
    trace = walked(slope, np.full(1201, own), 10.0)
    assert trace.qpos[0, 2] - trace.qpos[-1, 2] > DROP * motion.body.stature, "the ground is much lower there"
    assert _sunk(trace, motion) is None
    sinking = np.full(1201, own)
    sinking[900:] -= 0.4
    fallen = _sunk(walked(slope, sinking, 10.0), motion)
    assert fallen is not None
    assert fallen.time == pytest.approx(7.5)


def test_the_first_frames_are_a_motion_of_their_own(slope: Model) -> None:
    motion = staged(swinging(0.5), slope)
    short = first_frames(motion, 11)
    assert short.frames == 11
    np.testing.assert_array_equal(short.moved, motion.moved[:11])
    assert first_frames(motion, 1000).frames == motion.frames
