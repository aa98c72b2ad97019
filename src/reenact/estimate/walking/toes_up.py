"""Toes of a walk that is practised are kept up.

A person's toes yield as the body rolls over the ball of the foot. A motor that holds them level makes the foot longer
than that, and a foot that swings catches the floor with them: from a recording with level toes it takes several times
as much practice until a walk goes on (docs/notes/walking.md).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from reenact.body.toes import toes_of
from reenact.estimate.states.reference import reference_of_poses
from reenact.estimate.states.task import Task

UP: Final = -0.45  # [rad] that they are bent up at least


def with_toes_up(task: Task) -> Task:
    """The task with toes of its reference bent up as far as is good for a walk."""
    poses, body = task.reference.qpos.copy(), task.model.body
    for toes in toes_of(body):
        angle = poses[:, 7 + toes.hinge]
        poses[:, 7 + toes.hinge] = np.maximum(np.minimum(angle, UP), body.axes[toes.hinge].range[0])
    return replace(task, reference=reference_of_poses(poses, task.model))
