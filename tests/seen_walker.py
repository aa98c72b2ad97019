"""A recorded walk before a camera, as the pose network would see it: landmarks beside the joints, which tremble."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.formats.read import read_clip
from reenact.formats.samples import find_clip
from reenact.geometry import rotation
from reenact.motion.clip import SkeletonClip
from reenact.motion.fit import fit
from reenact.motion.motion import Motion
from reenact.observe.camera import Camera
from reenact.observe.camera_guess import Known
from reenact.observe.camera_points import points_of
from reenact.observe.mask import empty_mask
from reenact.observe.network.keypoints import Keypoints
from reenact.observe.network.landmarks import NAMES
from reenact.observe.network.marks import INDEX, POINTS

Array = NDArray[np.float64]
SIZE = (1920, 1080)
NUMBERS = np.array([np.log(1500.0), 0.08, 0.01, 1.3])  # log focal, tilt, roll, height


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenWalker:
    """What the network sees, and the truth."""

    keypoints: Keypoints
    camera: Camera
    body: Body  # of the recorded person
    poses: Array  # (T, 7 + A) in the camera's world


@cache
def recorded() -> Motion:
    clip = read_clip(find_clip("walk"))
    assert isinstance(clip, SkeletonClip)
    return fit(clip)


def seen_walker(
    *,
    heading: float = 0.0,  # of the walk: 0 to the right across the picture, π/2 away from the camera
    away: float = 5.0,  # [m] at the middle of the walk
    seconds: float = 2.4,
    numbers: Array = NUMBERS,
    beside: float = 0.02,  # [m] of each kind of landmark, in all frames alike
    tremble: float = 0.012,  # [m] of each landmark in each frame
    deep: float = 0.06,  # [m] of the points in space
    exchanged: tuple[float, float] | None = None,  # [s] from … to: left and right legs taken for each other
    seed: int = 0,
) -> SeenWalker:
    motion, rng = recorded(), np.random.default_rng(seed)
    poses = motion.qpos[: round(seconds * motion.rate)].copy()
    way = poses[-1, :2] - poses[0, :2]
    turn = rotation.from_axis_angle([0.0, 0.0, 1.0], heading - np.arctan2(way[1], way[0]))
    middle = 0.5 * (poses[0, :3] + poses[-1, :3]) * [1.0, 1.0, 0.0]
    poses[:, :3] = rotation.rotate(turn, poses[:, :3] - middle) + np.array([0.0, away, 0.0])
    poses[:, 3:7] = rotation.multiply(turn, poses[:, 3:7])
    camera = Known().camera(numbers, SIZE)
    points = points_of(motion.body, POINTS)
    offset = {name.rsplit("_", 1)[0]: rng.normal(0.0, beside, 3) for name in POINTS}
    local = np.array([offset[name.rsplit("_", 1)[0]] * ([1, -1, 1] if "right" in name else 1.0) for name in POINTS])
    at = np.array([points.at(pose) + np.einsum("kij,kj->ki", points.turns(pose), local) for pose in poses])
    pixels = camera.project(at + rng.normal(0.0, tremble, at.shape))
    space = (at - at.mean(axis=1, keepdims=True)) @ camera.turn.T + rng.normal(0.0, deep, at.shape)
    time = np.arange(len(poses)) / motion.rate
    if exchanged is not None:
        for i in np.flatnonzero((time >= exchanged[0]) & (time <= exchanged[1])):
            for kind in ("hip", "knee", "ankle", "heel", "toe_tip"):
                a, b = POINTS.index(f"{kind}_left"), POINTS.index(f"{kind}_right")
                pixels[i, [a, b]] = pixels[i, [b, a]]
    return SeenWalker(
        keypoints=_keypoints(time, pixels, space), camera=camera, body=motion.body, poses=poses
    )  # fmt: skip


def _keypoints(time: Array, pixels: Array, space: Array) -> Keypoints:
    """Landmarks that are none of ours lie where the nose is."""
    nearest = np.full(len(NAMES), POINTS.index("nose"))
    nearest[INDEX] = np.arange(len(INDEX))
    inside = ((pixels >= 0) & (pixels <= np.array(SIZE))).all(axis=2)
    return Keypoints(
        name="walk.mp4",
        video_size=SIZE,
        time=time,
        points=pixels[:, nearest],
        visibility=np.where(inside, 0.98, 0.1)[:, nearest],
        presence=np.where(inside, 0.99, 0.1)[:, nearest],
        world=space[:, nearest],
        masks=(empty_mask(SIZE[::-1]),) * len(time),
        score=np.ones(len(time)),
    )
