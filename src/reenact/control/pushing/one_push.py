"""One push on the torso, as the compiled loop takes it: for practice, where thousands are tried."""

from __future__ import annotations

import math

import numpy as np

from reenact.control.pushing.protocol import torso_of
from reenact.physics.model import Model
from reenact.physics.prepare import Wrenches


def one_push(model: Model, newtons: float, angle: float, seconds: float, *, begin: int = 0) -> Wrenches:
    """A level force at the torso's centre of mass from a step on; angle: where it goes, in the world [rad]."""
    body = int(model.segment_body[model.body.segment_names.index(torso_of(model.body))])
    wrench = [newtons * math.cos(angle), newtons * math.sin(angle), 0.0, 0.0, 0.0, 0.0]
    span = [[begin, begin + round(seconds / model.timestep)]]
    return Wrenches(span=np.array(span, np.int64), bodies=np.array([body], np.int64), wrench=np.array([wrench]))
