"""The bundled walk at video rate, and a camera that sees it from the side."""

from __future__ import annotations

from functools import cache

import numpy as np

from reenact.body.load import load_body
from reenact.formats.bench_motions import bench_motion, bench_reference
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.observe.camera import Camera

BODY = load_body("adult")
RATE = 30.0
GRID = (160, 90)


@cache
def side_walk() -> Array:
    """Poses of the bundled walk at RATE, which pose models were not trained on, along +x over the origin."""
    motion = bench_reference(bench_motion("walk"), BODY)
    poses = motion.qpos[np.round(np.arange(0.0, motion.frames - 1, motion.rate / RATE)).astype(int)]
    way = poses[-1, :2] - poses[0, :2]
    turn = rotation.from_axis_angle([0.0, 0.0, 1.0], -np.arctan2(way[1], way[0]))
    turned = poses.copy()
    turned[:, :3] = rotation.rotate(turn, poses[:, :3] - [*poses[7, :2], 0.0])
    turned[:, 3:7] = rotation.multiply(turn, poses[:, 3:7])
    return np.asarray(turned)


def side_view(distance: float = 5.0) -> Camera:
    """Looks along +y; the person is as large in the picture from any distance."""
    axes = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    return Camera(
        size=(1920, 1080),
        focal=np.array([480.0, 480.0]) * distance,
        centre=np.array([960.0, 540.0]),
        position=np.array([0.0, -distance, 1.0]),
        orientation=rotation.from_matrix(axes),
    )
