"""A small video of a body that walks before a wall, drawn by our own outlines: camera, poses and masks are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from clicked_walk import BODY, CAMERA, walking
from reenact.geometry import rotation
from reenact.observe.camera import Camera
from reenact.observe.camera_file import write_cameras
from reenact.observe.first_poses import FirstPoses, save_first_poses
from reenact.observe.mask import mask_of
from reenact.observe.outlines import outlines
from reenact.observe.silhouettes import Silhouettes
from synthetic_video import Picture, wall, write_video

SIZE = (320, 180)
RATE = 30
FRAMES = 14
NAME = "walk.mp4"


def camera() -> Camera:
    """Of the video."""
    small = CAMERA.resized(*SIZE)
    return Camera(
        name="walk", size=SIZE, focal=small.focal, centre=small.centre, position=small.position,
        orientation=small.orientation,
    )  # fmt: skip


def second_camera() -> Camera:
    """Another that looks at the same place from 50° farther round."""
    turn = rotation.from_axis_angle([0.0, 0.0, 1.0], np.radians(50.0))
    place = np.array([-0.35, 4.0, 0.0])
    return replace(camera().moved(turn, place - rotation.rotate(turn, place)), name="side")


@cache
def empty() -> Picture:
    """The scene without the body."""
    return wall(3, *SIZE)


def times(frames: int = FRAMES) -> np.ndarray:
    """Of the frames [s]."""
    return np.arange(frames) / RATE


def drawn(time: float, seen_by: Camera | None = None) -> tuple[Picture, np.ndarray]:
    """A frame, and the pixels that the body covers."""
    picture, mask = Image.fromarray(empty()), Image.new("1", SIZE)
    over, under = ImageDraw.Draw(picture), ImageDraw.Draw(mask)
    for shape in outlines(BODY, seen_by or camera(), walking(time)):
        corners = [(u, v) for u, v in shape.corners.tolist()]
        over.polygon(corners, fill=(60, 70, 190))
        under.polygon(corners, fill=1)
    return np.asarray(picture), np.asarray(mask, bool)


def write_walk(folder: Path, when: Sequence[float] | None = None) -> Path:
    """The video with its camera, first pose and empty scene beside it: cam.toml, cam.poses.npz, plate.png."""
    clock = times() if when is None else np.asarray(when, float)
    video = write_video(folder / NAME, [drawn(t)[0] for t in clock], clock.tolist())
    Image.fromarray(empty()).save(folder / "plate.png")
    write_cameras(folder / "cam.toml", [camera()])
    save_first_poses(folder / "cam.poses.npz", first_poses([0.0]))
    return video


def first_poses(when: Sequence[float], video: str = NAME) -> FirstPoses:
    """The true poses at some times."""
    return FirstPoses(
        video=video,
        body=BODY,
        time=np.asarray(when, float),
        qpos=np.stack([walking(t) for t in when]),
        error_px=np.zeros(len(when)),
    )


@cache
def silhouettes(frames: int = FRAMES, name: str = NAME, seen_by: Camera | None = None) -> Silhouettes:
    """The true masks, of the video or of another view of the same."""
    return Silhouettes(
        name=name,
        video_size=SIZE,
        time=times(frames),
        masks=tuple(mask_of(drawn(t, seen_by)[1]) for t in times(frames)),
        quality=np.ones(frames),
        doubts=((),) * frames,
    )
