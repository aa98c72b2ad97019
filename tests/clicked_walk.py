"""A body that walks before a known camera, clicked where it is seen: clicks with exact truth, and a video of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reenact.body.adult import adult
from reenact.geometry import rotation
from reenact.observe.camera import Camera
from reenact.observe.camera_guess import Known
from reenact.observe.camera_points import points_of
from reenact.observe.camera_solve import SOLES
from reenact.observe.clicks import CLICKABLE, ClickedFrame, ClickedVideo, KnownCamera, PersonSize
from reenact.observe.outlines import outlines
from synthetic_video import write_video

Array = NDArray[np.float64]
SIZE = (1280, 720)
HEIGHT_M = 1.70
NUMBERS = np.array([np.log(1100.0), 0.08, 0.01, 1.2])  # log focal, tilt, roll, height
KNOWN = KnownCamera(focal_px=1100.0, height=1.2)
TIMES = (0.0, 0.4)
RATE = 10
BODY = adult("female", HEIGHT_M)
CAMERA: Camera = Known().camera(NUMBERS, SIZE)


def walking(time: float) -> Array:
    """A pose of a walk to the right with its lowest foot point on the ground, 4 m ahead of the camera."""
    points = points_of(BODY, SOLES)
    pose = points.tree.neutral()
    for side, sign in (("left", 1.0), ("right", -1.0)):
        for joint, swing, bend in (("hip", 0.45, 0.1), ("knee", -0.2, 0.4), ("shoulder", -0.4, 0.0)):
            pose[7 + points.tree.hinges.index(f"{joint}_{side}_flexion")] = bend + sign * swing * np.cos(5.0 * time)
    pose[:3] = 1.8 * time - 0.8, 4.0, 0.0
    pose[3:7] = rotation.from_axis_angle([0.0, 0.0, 1.0], 0.3)
    pose[2] = -points.at(pose)[:, 2].min()
    return pose


def clicked_walk(frames: int = 2, known: KnownCamera = KNOWN, noise: float = 2.0) -> ClickedVideo:
    """Clicks in some frames, each `noise` pixels off."""
    rng = np.random.default_rng(4)
    points = points_of(BODY, CLICKABLE)
    clicked = []
    for time in TIMES[:frames]:
        seen = CAMERA.project(points.at(walking(time))) + rng.normal(0.0, noise, (len(CLICKABLE), 2))
        pixels = {name: (float(u), float(v)) for name, (u, v) in zip(CLICKABLE, np.round(seen, 1), strict=True)}
        clicked.append(ClickedFrame(time=time, points=pixels))
    person = PersonSize(sex="female", height=HEIGHT_M)
    return ClickedVideo(video="walk.mp4", size=SIZE, frames=tuple(clicked), person=person, known=known)


def clicked_video(folder: Path) -> Path:
    """A second of the walk, drawn as filled outlines."""
    images = [_drawn(walking(i / RATE)) for i in range(RATE)]
    return write_video(folder / "walk.mp4", images, rate=RATE)


def _drawn(pose: Array) -> NDArray[np.uint8]:
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", SIZE, (150, 160, 150))
    pen = ImageDraw.Draw(picture)
    for shape in outlines(BODY, CAMERA, pose):
        pen.polygon([(u, v) for u, v in shape.corners.tolist()], fill=(60, 70, 120), outline=(20, 20, 40))
    return np.asarray(picture)
