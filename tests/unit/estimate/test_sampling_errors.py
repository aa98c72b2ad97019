"""What cannot be reconstructed is refused in one line, before any work."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from bending_motion import bending
from blocked_worlds import WALL

from reenact.control.judge import judge
from reenact.errors import BodyError, InputError, WorldError
from reenact.estimate.sampling.features import anatomy_of
from reenact.estimate.sampling.settings import Settings
from reenact.estimate.sampling.task import task_of
from reenact.physics.simulate import simulate
from reenact.world.toml import parse_world
from reenact.world.world import World


def test_a_clip_too_short() -> None:
    with pytest.raises(InputError, match=r"lasts 0\.100 s.*at least 0\.2 s"):
        task_of(bending(0.1), World(), Settings())


def test_a_clip_that_leaves_the_floor_entirely() -> None:
    with pytest.raises(InputError, match=r"'bend' never touches the floor"):
        task_of(bending(1.5, lift=0.5), World(), Settings())


def test_a_body_without_joints_or_end_effectors() -> None:
    body = bending().body
    with pytest.raises(BodyError, match="names no end_effectors"):
        anatomy_of(replace(body, end_effectors=()))


def test_a_world_inside_the_character() -> None:
    with pytest.raises(WorldError, match="inside the character"):
        task_of(bending(), parse_world(WALL), Settings())


def test_numbers_that_cannot_work() -> None:
    with pytest.raises(InputError, match="100 samples of which 80"):
        Settings(samples=100, save=80)
    with pytest.raises(InputError, match="seed is -1"):
        Settings(seed=-1)


def test_a_body_that_does_not_turn_with_the_reference_is_no_success() -> None:
    task = task_of(bending(), World(), Settings(samples=60, save=8))
    trace = simulate(task.model, task.track, task.start, steps=task.ends[-1])
    assert judge(trace, task.reference).success
    qpos = task.reference.qpos.copy()
    angle = np.linspace(0.0, 2.8, len(qpos))
    qpos[:, 3:7] = np.stack([np.cos(angle / 2), 0 * angle, 0 * angle, np.sin(angle / 2)], axis=1)
    verdict = judge(trace, replace(task.reference, qpos=qpos))
    assert not verdict.success
    assert "did not turn over" in verdict.reason
    away = task.reference.qpos + np.eye(1, qpos.shape[1]) * 1.5
    assert "lost its place" in judge(trace, replace(task.reference, qpos=away)).reason
