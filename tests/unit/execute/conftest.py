"""A short task, and Ray kept to itself: its tests use a token of their own and leave none in the home folder."""

from __future__ import annotations

import os
import secrets

import numpy as np
import pytest

from made_motion import made_motion
from reenact.body.load import load_body
from reenact.body.mjcf import bare_model
from reenact.estimate.sampling.settings import Settings
from reenact.estimate.sampling.task import Task, task_of
from reenact.motion.contact import Contact
from reenact.world.world import World

SECONDS = 0.4
RATE = 120.0

# Read when ray is imported, here and in the processes that tests start.
os.environ["RAY_AUTH_MODE"] = "token"
os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
os.environ.pop("RAY_ADDRESS", None)


@pytest.fixture(scope="session")
def settings() -> Settings:
    """A search of some seconds."""
    return Settings(samples=240, save=24, seed=5)


@pytest.fixture(scope="session")
def task(settings: Settings) -> Task:
    """The body of [L10] bends its knees and swings an arm."""
    body = load_body("human50")
    frames = round(SECONDS * RATE) + 1
    time = np.arange(frames) / RATE
    qpos = np.tile(bare_model(body).qpos0, (frames, 1))
    for name, swing in (("knee_left_flexion", 0.5), ("knee_right_flexion", 0.4), ("shoulder_left_flexion", 0.8)):
        qpos[:, 7 + body.axis_index(name)] = swing * np.sin(5.0 * time) ** 2
    feet = tuple(Contact(segment=f"foot_{side}", start=0.0, end=SECONDS) for side in ("left", "right"))
    motion = made_motion("bend", body, qpos, feet, RATE)
    return task_of(motion, World(), settings)
