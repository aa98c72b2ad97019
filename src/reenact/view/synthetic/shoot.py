"""A recorded motion filmed: videos by one or more cameras, and the exact truth beside them.

In a folder: cameras.toml, truth.npz (time, qpos, joints), body.toml (the skeleton that moves), and for each view
VIEW.mp4, which begins with a second of the empty scene, VIEW-plate.png, the mean of that second, and VIEW-clicks.json,
the joints of the first pose as somebody clicks them, some pixels off.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from reenact.body.body import Body
from reenact.body.toml import dump_body, parse_body
from reenact.errors import InputError, MissingExtraError
from reenact.formats.npz_file import packed_arrays
from reenact.formats.replace_file import replace_file
from reenact.formats.video_write import MovieWriter
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.motion.kinematics import forward
from reenact.motion.motion import Motion
from reenact.motion.resample import resample_poses
from reenact.motion.tree import tree_of
from reenact.observe.camera import Camera
from reenact.observe.camera_file import read_cameras, write_cameras
from reenact.observe.camera_points import points_of
from reenact.observe.clicks import (
    CLICKABLE,
    ClickedFrame,
    ClickedVideo,
    KnownCamera,
    PersonSize,
    dump_clicks,
    read_clicks,
)
from reenact.view.synthetic.drawing import Drawing
from reenact.view.synthetic.person import dressed
from reenact.view.synthetic.place import empty_place

SIZE: Final = (1920, 1080)
RATE: Final = 60.0  # frames per second, [V12] §6
EMPTY: Final = 1.0  # [s] before anybody is there
CLICKED: Final = 3.0  # [px] by which clicks are off, standard deviation
QUALITY: Final = "17"  # x264's constant rate factor
DISTANCE: Final = 5.5  # [m] from the camera to the person
MARGIN: Final = (1.3, 0.55)  # [m] of the picture beyond the joints, across and above
FILLED: Final = 0.92  # share of the picture that motion and margin fill
VIEWS: Final = {"side": 0.0, "oblique": 60.0}  # [°] each from the side view


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Filmed:
    """What was filmed, and the truth."""

    folder: Path
    body: Body  # the skeleton that moved, with flesh of its own, not that which was drawn
    cameras: tuple[Camera, ...]  # one a view, by the view's name
    time: Array  # (T,) [s] in the videos
    qpos: Array  # (T, 7 + A)

    @property
    def joints(self) -> Array:
        """Joint centres (T, S, 3) in the world [m], in the order of the body's segments."""
        return forward(tree_of(self.body), self.qpos)[0]

    @property
    def begin(self) -> float:
        """When the person is there first [s]."""
        return float(self.time[0])

    def video(self, view: str) -> Path:
        """A view's video."""
        return self.folder / f"{view}.mp4"

    def plate(self, view: str) -> Path:
        """A view's empty scene."""
        return self.folder / f"{view}-plate.png"

    def clicks(self, view: str) -> ClickedVideo:
        """The joints clicked in a view."""
        return read_clicks(self.folder / f"{view}-clicks.json")


def film(
    motion: Motion, folder: Path, *, seed: int = 0, views: Sequence[str] = ("side",), progress: Progress | None = None
) -> Filmed:
    """Film a motion; the same seed gives the same pictures."""
    try:
        import PIL.Image  # noqa: F401
    except ImportError:
        raise MissingExtraError("video", "drawing videos") from None
    tell = progress or (lambda fraction, what: None)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "truth.npz").unlink(missing_ok=True)
    frames = int(np.floor(motion.duration * RATE + 1e-6)) + 1
    clock = np.arange(frames) / RATE
    qpos = resample_poses(motion.qpos, motion.rate, np.minimum(clock, motion.duration))
    cameras = tuple(camera_for(motion, qpos, view, seed) for view in views)
    filmed = Filmed(folder=folder, body=motion.body, cameras=cameras, time=EMPTY + clock, qpos=qpos)
    for i, (view, camera) in enumerate(zip(views, cameras, strict=True)):
        _film_view(filmed, view, camera, seed, partial(_tell, tell, i, len(views), f"filming {view}"))
        rng = np.random.default_rng([seed, 14, i])
        replace_file(folder / f"{view}-clicks.json", dump_clicks(clicked(filmed, view, camera, rng)))
    write_cameras(folder / "cameras.toml", cameras)
    replace_file(folder / "body.toml", dump_body(motion.body))
    replace_file(folder / "truth.npz", packed_arrays(time=filmed.time, qpos=qpos, joints=filmed.joints))
    return filmed


def _tell(tell: Progress, done: int, of: int, what: str, share: float) -> None:
    tell((done + share) / of, what)


def read_filmed(folder: Path) -> Filmed:
    """What was filmed into a folder before."""
    try:
        with np.load(folder / "truth.npz", allow_pickle=False) as content:
            time, qpos = content["time"], content["qpos"]
    except FileNotFoundError:
        raise InputError("holds no filmed motion: truth.npz is not there", path=folder) from None
    body = parse_body((folder / "body.toml").read_text(encoding="utf-8"), folder / "body.toml")
    return Filmed(folder=folder, body=body, cameras=read_cameras(folder / "cameras.toml"), time=time, qpos=qpos)


def camera_for(motion: Motion, qpos: Array, view: str, seed: int) -> Camera:
    """A camera that sees all of the poses (T, 7 + A) from the side of the way, or from so many degrees off that."""
    rng = np.random.default_rng([seed, 15])
    around, high, away = rng.uniform(-4.0, 4.0), rng.uniform(1.1, 1.5), DISTANCE * rng.uniform(0.95, 1.1)
    centres = forward(tree_of(motion.body), qpos)[0].reshape(-1, 3)
    low, top = centres.min(axis=0), centres.max(axis=0)
    middle = np.array([0.5 * (low[0] + top[0]), 0.5 * (low[1] + top[1]), 0.5 * (top[2] + MARGIN[1])])
    way = _way(qpos)
    turn = rotation.from_axis_angle([0.0, 0.0, 1.0], np.radians(around + VIEWS[view]))
    to_camera = rotation.rotate(turn, np.array([way[1], -way[0], 0.0]))
    position = middle + away * to_camera
    position[2] = high
    ahead = middle - position
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    width = float(np.ptp(centres @ right)) + MARGIN[0]
    focal = FILLED * away * min(SIZE[0] / width, SIZE[1] / (float(top[2]) + MARGIN[1]))
    return Camera(
        name=view,
        size=SIZE,
        focal=np.array([focal, focal]),
        centre=0.5 * np.array(SIZE),
        position=position,
        orientation=rotation.from_matrix(np.stack([right, np.cross(ahead, right), ahead], axis=1)),
    )


def _way(qpos: Array) -> Array:
    """Which way somebody goes (2,), or faces at first where they stay about where they are."""
    way = qpos[-1, :2] - qpos[0, :2]
    if np.linalg.norm(way) < 0.8:
        way = rotation.rotate(qpos[0, 3:7], np.array([1.0, 0.0, 0.0]))[:2]
    return np.asarray(way / np.linalg.norm(way))


def clicked(filmed: Filmed, view: str, camera: Camera, rng: np.random.Generator) -> ClickedVideo:
    """The joints of the first pose clicked in a view, with what a user knows of the person and of the camera."""
    points = points_of(filmed.body, CLICKABLE)
    pixels = camera.project(points.at(filmed.qpos[0])) + rng.normal(0.0, CLICKED, (len(CLICKABLE), 2))
    pixels = np.clip(np.round(pixels, 1), 0.0, SIZE)
    seen = {name: (float(u), float(v)) for name, (u, v) in zip(CLICKABLE, pixels, strict=True)}
    body = filmed.body
    return ClickedVideo(
        video=filmed.video(view).name,
        size=SIZE,
        frames=(ClickedFrame(time=filmed.begin, points=seen),),
        person=PersonSize(height=round(body.stature, 3), mass=round(body.mass, 1)),
        known=KnownCamera(focal_px=float(camera.focal[0]), height=round(camera.height, 2)),
    )


def _film_view(filmed: Filmed, view: str, camera: Camera, seed: int, tell: Callable[[float], None]) -> None:
    from PIL import Image

    root = filmed.qpos[:, :3]
    stands = 0.5 * (root.min(axis=0) + root.max(axis=0)) * [1.0, 1.0, 0.0]
    place, person = empty_place(camera, stands, seed), dressed(filmed.body, seed)
    before = round(EMPTY * RATE)
    count = before + len(filmed.qpos)
    total = np.zeros((SIZE[1], SIZE[0], 3), np.uint32)
    drawn = Drawing(person, place, camera, filmed.qpos, seed)
    with drawn as drawing, MovieWriter(filmed.video(view), quality=QUALITY, threads=1) as movie:
        for i in range(before):
            picture = drawing.empty()
            total += picture
            movie.add(i / RATE, picture)
            tell(i / count)
        for i, pose in enumerate(filmed.qpos):
            movie.add((before + i) / RATE, drawing.picture(pose)[0])
            tell((before + i) / count)
    packed = io.BytesIO()
    Image.fromarray(np.asarray((total + before // 2) // before, np.uint8)).save(packed, format="PNG")
    replace_file(filmed.plate(view), packed.getvalue())
