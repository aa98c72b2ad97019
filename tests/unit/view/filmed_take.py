"""A take from a tiny video: the standing body as a camera with a lens filmed it, every pixel found by its ray."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from standing_take import standing_take

from reenact.body.adult import adult
from reenact.body.toml import dump_body
from reenact.formats.observed import Observed
from reenact.formats.take import Take, write_take
from reenact.formats.video import open_video
from reenact.formats.video_write import MovieWriter
from reenact.geometry import rotation
from reenact.observe.camera import Camera
from reenact.observe.mask import Mask, mask_of
from reenact.observe.silhouettes import Silhouettes
from reenact.observe.take_views import observed_view

SIZE = (192, 144)
SECONDS = 0.5
START = 0.2  # of the take in the video [s]
TIMES = np.array([0.0, 0.1, 0.2, 0.235, 0.3, 0.36, 0.4, 0.45, 0.5, 0.54, 0.6, 0.64, 0.7, 0.8])  # uneven, as phones film
BACKGROUND = np.array([60, 110, 70])
PERSON = np.array([200, 190, 170])


def camera_at(side: float, name: str) -> Camera:
    """A camera 3.6 m off, on the left (+1) or right (−1) of the body, a little ahead, with a lens that bends lines."""
    position = np.array([0.9, 3.5 * side, 1.3])
    ahead = np.array([0.0, 0.0, 0.85]) - position
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    return Camera(
        name=name,
        size=SIZE,
        focal=np.array([230.0, 232.0]),
        centre=np.array([99.0, 70.0]),
        distortion=np.array([-0.25, 0.1, 0.004, -0.003]),
        position=position,
        orientation=rotation.from_matrix(np.stack([right, np.cross(ahead, right), ahead], axis=1)),
    )


def true_mask(camera: Camera, pose: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Pixels (H, W) whose rays hit the body, by the engine."""
    model = mujoco.MjModel.from_xml_string(filmed_take().model_xml)
    data = mujoco.MjData(model)
    data.qpos[:] = pose
    mujoco.mj_kinematics(model, data)
    wide, high = camera.size
    u, v = np.meshgrid(np.arange(wide) + 0.5, np.arange(high) + 0.5)
    rays = camera.rays(np.stack([u, v], axis=-1)).reshape(-1)
    geom, reach = np.full(wide * high, -1, np.int32), np.zeros(wide * high)
    mujoco.mj_multiRay(model, data, camera.position, rays, None, False, -1, geom, reach, None, wide * high, 100.0)
    return np.asarray(geom >= 0).reshape(high, wide)


@cache
def filmed_take() -> Take:
    take = standing_take(seconds=SECONDS, name="stand.mp4", method="states")
    return replace(take, body_toml=dump_body(adult()))


def write_filmed_take(folder: Path, videos: Path, names: tuple[str, ...] = ("cam01",)) -> tuple[Take, Observed]:
    """Write videos NAME.mp4 to a folder, and a take that was made from them to another."""
    take = filmed_take()
    views = []
    for i, name in enumerate(names):
        camera = replace(camera_at(1.0 if i % 2 else -1.0, name), name=name)
        movie, masks = _filmed(1.0 if i % 2 else -1.0)
        path = videos / f"{name}.mp4"
        path.write_bytes(movie)
        seen = Silhouettes(
            name=path.name,
            video_size=SIZE,
            time=TIMES,
            masks=masks,
            quality=np.ones(len(TIMES)),
            doubts=((),) * len(TIMES),
        )
        views.append(observed_view(open_video(path), camera, seen, START, name=name))
    inside = TIMES[(TIMES >= START - 1e-6) & (TIMES <= START + SECONDS + 1e-6)] - START
    poses = np.stack([take.motion["qpos"][_nearest(time)] for time in inside])
    observed = Observed(views=tuple(views), time=inside, poses=poses, mismatch=np.full(len(inside), 0.2))
    write_take(folder, take, observed=observed)
    return take, observed


@cache
def _filmed(side: float) -> tuple[bytes, tuple[Mask, ...]]:
    """What a camera filmed: the file's content and the true masks."""
    camera, qpos = camera_at(side, "camera"), filmed_take().motion["qpos"]
    masks = [true_mask(camera, qpos[_nearest(time - START)]) for time in TIMES]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.mp4"
        with MovieWriter(path) as movie:
            for time, mask in zip(TIMES, masks, strict=True):
                movie.add(time, np.where(mask[..., None], PERSON, BACKGROUND).astype(np.uint8))
        return path.read_bytes(), tuple(mask_of(mask) for mask in masks)


def _nearest(time: float) -> int:
    """The recorded state nearest to a time of the take [s]."""
    return int(np.abs(filmed_take().motion["time"] - time).argmin())
