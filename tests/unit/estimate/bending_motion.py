"""A short made-up motion of the adult, cheap to reconstruct."""

from __future__ import annotations

import numpy as np

from made_motion import made_motion
from reenact.body.adult import adult
from reenact.body.mjcf import bare_model
from reenact.motion.contact import Contact
from reenact.motion.motion import Motion


def bending(seconds: float = 0.5, *, rate: float = 120.0, lift: float = 0.0) -> Motion:
    """The adult swings its arms and drifts forward, feet on the ground."""
    body = adult()
    frames = round(seconds * rate) + 1
    time = np.arange(frames) / rate
    qpos = np.tile(bare_model(body).qpos0, (frames, 1))
    qpos[:, 0] += 0.1 * time  # more than the hinges alone would bring about
    qpos[:, 2] += lift
    for name, swing in (("shoulder_left_flexion", 0.8), ("shoulder_right_flexion", -0.6), ("elbow_left_flexion", 0.4)):
        qpos[:, 7 + body.axis_index(name)] = swing * np.sin(6.0 * time) ** 2
    feet = (
        Contact(segment="foot_left", start=0.0, end=0.27),
        Contact(segment="foot_right", start=0.0, end=seconds),
    )
    return made_motion("bend", body, qpos, feet, rate)
