"""Takes to push: one that stands, one that slides over slick ice at a steady speed, the simplest way to go on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from swinging_motion import swinging

from reenact.control.follow import follow
from reenact.control.pushing.gait import Gait
from reenact.control.pushing.unpushed import Unpushed
from reenact.formats.take import Take
from reenact.geometry import rotation
from reenact.motion.motion import Motion
from reenact.world.parts import Ground
from reenact.world.world import World

SLICK = World(name="slick", ground=Ground(friction=1e-4))


def still(*, heading: float = 0.0, speed: float = 0.0, way: float = 0.0) -> Motion:
    """The rest pose for 0.1 s, facing `heading` [rad], moving at `speed` [m/s] in the direction `way` from there."""
    motion = swinging(0.1)
    qpos = np.tile(motion.qpos[0], (motion.frames, 1))
    angle = heading + way
    qpos[:, :2] += speed * motion.time[:, None] * np.array([np.cos(angle), np.sin(angle)])
    qpos[:, 3:7] = rotation.from_axis_angle(rotation.AXES["z"], heading)
    return replace(motion, qpos=qpos)


def standing() -> Take:
    """Stands on level ground."""
    return follow(still(), seconds=0.2)


def sliding(*, heading: float = 0.0, speed: float = 1.0, way: float = 0.0) -> Take:
    """Slides on."""
    return follow(still(heading=heading, speed=speed, way=way), SLICK, seconds=0.2)


def with_steps(base: Unpushed, cycle: float = 1.0) -> Unpushed:
    """The run as if its feet came down in turn, the left one on whole cycles."""
    times = np.arange(0.0, base.time[-1], cycle)
    return replace(base, gait=Gait(left=times, right=times[:-1] + 0.5 * cycle))
