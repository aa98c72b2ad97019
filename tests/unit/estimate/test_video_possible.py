"""Tracks as a body can do them: simulated motions near them, found by sampling."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from bending_motion import bending

from reenact.estimate.sampling.capture import SearchError
from reenact.estimate.sampling.settings import Settings
from reenact.estimate.states.task import task_of
from reenact.estimate.video import possible as by_sampling
from reenact.estimate.video.possible import Possible, possible
from reenact.estimate.video.subject import followed_instead
from reenact.motion.motion import Motion
from reenact.physics.state import State
from reenact.world.world import World


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_sampling, "Settings", partial(Settings, visits=2, horizon=4))
    monkeypatch.setattr(by_sampling, "SAMPLES", 48)
    monkeypatch.setattr(by_sampling, "SAVED", 8)


def trembling(seconds: float = 0.4) -> Motion:
    """Poses at 30 Hz, each a little off: more than joints can do."""
    motion = bending(seconds, rate=30.0)
    noise = np.random.default_rng(0).normal(0.0, 0.03, motion.qpos[:, 7:].shape)
    return replace(motion, qpos=np.concatenate([motion.qpos[:, :7], motion.qpos[:, 7:] + noise], axis=1))


@pytest.mark.usefixtures("few")
def test_what_is_found_has_been_done_and_is_near() -> None:
    motion = trembling()
    found = possible(motion, World(), 0, threads=1)
    assert found is not None
    task = task_of(motion, World(), threads=1)
    assert found.qpos.shape == task.reference.qpos.shape
    np.testing.assert_array_equal(found.qpos[0], task.reference.qpos[0])
    assert np.abs(found.qpos[:, :3] - task.reference.qpos[:, :3]).max() < 0.1
    again = possible(motion, World(), 0, threads=2)
    assert again is not None
    np.testing.assert_array_equal(again.qpos, found.qpos)


@pytest.mark.usefixtures("few")
def test_what_is_not_done_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    def lost(_task: Any, settings: Settings, *_: Any, **__: Any) -> Any:
        tried.append(settings.seed)
        raise SearchError("every candidate diverged")

    monkeypatch.setattr(by_sampling, "capture", lost)
    assert possible(trembling(), World(), 3) is None
    assert tried == [6, 7]


def test_a_search_follows_it_from_its_own_start() -> None:
    task = task_of(bending(0.4), World(), threads=1)
    qpos = task.reference.qpos + 0.0
    qpos[:, 0] += 0.05
    found = Possible(qpos=qpos, qvel=np.full(qpos.shape[1] - 1, 0.1))
    then = followed_instead(task, found)
    start = State.from_row(then.start, then.model)
    np.testing.assert_array_equal(start.qpos[: qpos.shape[1]], qpos[0])
    np.testing.assert_array_equal(start.qvel[: qpos.shape[1] - 1], found.qvel)
    assert then.start.shape == task.start.shape
    np.testing.assert_array_equal(then.reference.qpos, qpos)
    np.testing.assert_allclose(then.reference.markers[..., 0] - task.reference.markers[..., 0], 0.05)
