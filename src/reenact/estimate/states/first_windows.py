"""How a pose model does on the beginning of a motion: the first few states of a chain, grown as the whole would be."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from reenact.estimate.states.incremental import Stage, ends_of, with_a_state
from reenact.estimate.states.pose_space import PLAIN, pose_space_of
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task

WINDOWS: Final = 2  # the first states of a chain: with one alone there is nothing that must be carried on
_SEED: Final = 20  # in the seeds of random numbers, the same for every model


def in_poses(task: Task, name: str) -> Task:
    """The task with target poses made of a model; itself where they are plain."""
    return task if name == PLAIN and task.poses is None else replace(task, poses=pose_space_of(name, task.model.body))


def first_windows(task: Task, settings: Settings, name: str) -> Stage:
    """The best chain over the first windows, one carried on, with target poses of a model; its cost is compared."""
    ends, posed = ends_of(task, settings), in_poses(task, name)
    best: Stage | None = None
    for number in range(min(WINDOWS, len(ends))):
        rng = np.random.default_rng([settings.seed, _SEED, number])
        best = min(with_a_state(posed, settings, best, ends, number, rng), key=lambda stage: stage.cost)
    assert best is not None
    return best
