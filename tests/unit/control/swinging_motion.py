"""A short made-up motion of the adult, for tests of controllers."""

from __future__ import annotations

import numpy as np

from made_motion import made_motion
from reenact.body.adult import adult
from reenact.body.body import Body
from reenact.body.mjcf import bare_model
from reenact.motion.motion import Motion


def swinging(seconds: float = 0.6, *, rate: float = 120.0, lift: float = 0.0) -> Motion:
    """The adult at rest height, arms and knees swinging gently."""
    body: Body = adult()
    frames = round(seconds * rate) + 1
    time = np.arange(frames) / rate
    qpos = np.tile(bare_model(body).qpos0, (frames, 1))
    qpos[:, 2] += lift
    for name, swing in (("shoulder_left_flexion", 0.5), ("shoulder_right_flexion", -0.5), ("elbow_left_flexion", 0.4)):
        qpos[:, 7 + body.axis_index(name)] = swing * np.sin(4.0 * time) ** 2
    return made_motion("swing", body, qpos, rate=rate)
