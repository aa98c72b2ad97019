"""Cameras, first poses and the person's body for a capture from video: as given, or as calibrated before."""

from __future__ import annotations

import itertools
import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from reenact.cli import by_video_network, terminal
from reenact.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reenact.body.body import Body
    from reenact.cli.watching import Watching
    from reenact.formats.video import Video
    from reenact.formats.video_content import Origin
    from reenact.observe.camera import Camera
    from reenact.observe.camera_file import Up
    from reenact.observe.clicks import PersonSize
    from reenact.observe.first_poses import FirstPoses

CAMERA = "cam.toml"  # as `reenact calibrate` calls it
SAME_HEIGHT = 0.01  # share by which the person may be taller than the one whose camera was solved


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Calibration:
    """Where the cameras stand, and what is known of the person beside them; the ground is at z = 0."""

    cameras: tuple[Camera, ...]  # of each video, at its size
    files: tuple[Path, ...]
    poses: FirstPoses | None  # in the cameras' world
    sided: bool  # whether somebody has told left from right in them, by clicking joints
    person: PersonSize | None = None  # whose joints were clicked


def cameras_at_hand(videos: Sequence[Video], watching: Watching) -> tuple[Path, ...] | None:
    """Files of the cameras of all videos; None where there is none but the pose network can solve one."""
    if watching.camera:
        for file in watching.camera:
            if not file.is_file():
                raise InputError("there is no such file; `reenact calibrate` makes one", path=file)
        return watching.camera if len(watching.camera) == len(videos) else watching.camera * len(videos)
    if (beside := _beside(videos[0])) is not None:
        return (beside,)
    if lacks := by_video_network.network_lacks():
        name = shlex.quote(str(videos[0].path))
        raise InputError(
            f"no camera is known for it: click the joints once, `reenact calibrate {name} --height METRES`, or let the "
            f"pose network see them, {lacks}, then this command again; or give --camera FILE",
            path=videos[0].path,
        )
    return None


def calibration_of(videos: Sequence[Video], files: tuple[Path, ...], watching: Watching, up: Up) -> Calibration:
    """Cameras of all videos, and what is known of the person beside them."""
    cameras = []
    for video, file in zip(videos, files, strict=True):
        if stale(file, video):
            terminal.say(
                f"[yellow]warning[/]: {terminal.escape(file)} was solved from another file named "
                f"{terminal.escape(video.path.name)} than this one: its first poses are left out; calibrate again "
                "where the camera has moved since"
            )
        camera = _camera(video, file, up)
        ground = camera.ground if watching.ground is None else watching.ground
        camera = _on_ground(camera, ground)
        if camera.height <= 0.0:
            cause = f"camera '{camera.name}' is {-camera.height:.2f} m under the ground"
            raise InputError(f"{cause}: --ground is its height in the file's world, --up the axis", path=file)
        cameras.append(camera)
    for one, other in itertools.combinations(range(len(cameras)), 2):
        if np.allclose(cameras[one].position, cameras[other].position, atol=1e-6):
            raise InputError(
                f"{videos[one].path.name} and {videos[other].path.name} get the same camera, '{cameras[one].name}': "
                "each view needs its own, by --camera once for each or a file with cameras of the videos' names",
                path=files[other],
            )
    poses = _poses(videos[0], files[0], watching, up)
    sided = poses is not None and _clicked_by_hand(files[0])
    person = None if poses is None else _person(files[0])
    return Calibration(cameras=tuple(cameras), files=files, poses=poses, sided=sided, person=person)


def body_of(
    watching: Watching, named: str | None, poses: FirstPoses | None, person: PersonSize | None = None
) -> tuple[Body, list[str]]:
    """Who is to be followed, and what there is to say about that; what is not given is the calibration's, or usual."""
    from reenact.body.adult import adult
    from reenact.body.load import load_body
    from reenact.observe.clicks import PersonSize

    size = (watching.height, watching.mass, watching.sex)
    if named is not None:
        if any(each is not None for each in size):
            raise InputError("--body has its own size: leave out --height, --mass and --sex, or --body")
        return load_body(named), []
    if all(each is None for each in size):
        if poses is not None:
            return poses.body, []
        body = adult()
        return body, [_not_given(body, poses)]
    known = PersonSize() if person is None else person
    own = watching.height or known.height or (None if poses is None else poses.body.stature)
    mass = known.mass if watching.mass is None and watching.height is None else watching.mass
    body = PersonSize(sex=watching.whole_sex or known.sex, height=own, mass=mass).body()
    remarks = []
    if own is None:
        remarks.append(_not_given(body, poses))
    if poses is not None and abs(body.stature / poses.body.stature - 1.0) > SAME_HEIGHT:
        remarks.append(
            f"the camera was solved for a person {poses.body.stature:.2f} m tall, this one has {body.stature:.2f} m: "
            "calibrate again with that height"
        )
    return body, remarks


def tells_height(watching: Watching, named: str | None, poses: FirstPoses | None) -> bool:
    """Whether the person's height is to be told from the track: nobody gave it, nor was the camera solved from them."""
    return watching.height is None and named is None and poses is None


def _not_given(body: Body, poses: FirstPoses | None) -> str:
    taken = f"the person's height was not given and is taken as {body.stature:.2f} m"
    if poses is None:
        return f"{taken} at first: where the feet are on the camera's ground tells it later, to a few centimetres"
    return f"{taken}: distances scale with it"


def _beside(video: Video) -> Path | None:
    """The camera that was solved for a video, beside it or in this folder."""
    own = video.path.with_suffix(".toml")
    if own.is_file():
        return _not_stale(own, video)
    for place in dict.fromkeys((video.path.parent, Path())):
        if (place / CAMERA).is_file() and _is_for(place / CAMERA, video):
            return _not_stale(place / CAMERA, video)
    return None


def _not_stale(camera: Path, video: Video) -> Path:
    """The file of a camera that nobody named, unless it was solved from another video of this name."""
    if stale(camera, video):
        raise InputError(
            f"was solved from another file named {video.path.name} than this one: calibrate again with another -o, or "
            f"give --camera {shlex.quote(str(camera))} where the camera has not moved since",
            path=camera,
        )
    return camera


def _is_for(camera: Path, video: Video) -> bool:
    """Whether the clicks or the poses beside a camera, or itself, are of a video, or of an earlier one of its name."""
    from reenact.observe.clicks import read_clicks

    clicks = camera.with_suffix(".clicks.json")
    if clicks.is_file() and tuple(read_clicks(clicks).size) != (video.width, video.height):
        return False
    return any(each.relation(video.path) != "other" for each in _origins(camera))


def stale(camera: Path, video: Video) -> bool:
    """Whether a camera, or what lies beside it, was solved from another video of the same name."""
    return any(each.relation(video.path) == "stale" for each in _origins(camera))


def _origins(camera: Path) -> list[Origin]:
    """Videos that a camera and what lies beside it were solved from, as far as is known."""
    from reenact.observe.camera_file import origin_of_cameras
    from reenact.observe.clicks import read_clicks
    from reenact.observe.first_poses import load_first_poses

    clicks, poses = camera.with_suffix(".clicks.json"), camera.with_suffix(".poses.npz")
    found = [origin_of_cameras(camera)]
    found += [read_clicks(clicks).origin] if clicks.is_file() else []
    found += [load_first_poses(poses).origin] if poses.is_file() else []
    return [each for each in found if each is not None]


def _clicked_by_hand(camera: Path) -> bool:
    """Whether the joints that a camera was solved from were clicked by a person, in all frames."""
    from reenact.observe.clicks import read_clicks

    clicks = camera.with_suffix(".clicks.json")
    return clicks.is_file() and all(frame.spread_px is None for frame in read_clicks(clicks).frames)


def _person(camera: Path) -> PersonSize | None:
    """Who was clicked on, where that is known beside a camera."""
    from reenact.observe.clicks import read_clicks

    clicks = camera.with_suffix(".clicks.json")
    return read_clicks(clicks).person if clicks.is_file() else None


def _camera(video: Video, file: Path, up: Up) -> Camera:
    from reenact.observe.camera import CameraError
    from reenact.observe.camera_file import read_camera

    try:
        return read_camera(file, video.path.stem, up=up).for_video(video.width, video.height)
    except CameraError as error:
        raise error if error.path is not None else InputError(error.cause, path=file) from None


def _on_ground(camera: Camera, ground: float) -> Camera:
    """The camera in a world whose ground is at z = 0."""
    return replace(camera.moved([1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -ground]), ground=0.0)


def _poses(video: Video, file: Path, watching: Watching, up: Up) -> FirstPoses | None:
    """The poses saved beside a camera, where they are of this video."""
    from reenact.observe.camera_file import read_camera
    from reenact.observe.first_poses import load_first_poses

    beside = file.with_suffix(".poses.npz")
    if not beside.is_file():
        return None
    poses = load_first_poses(beside)
    if poses.origin.relation(video.path) != "this":
        return None
    ground = watching.ground if watching.ground is not None else read_camera(file, video.path.stem, up=up).ground
    qpos = poses.qpos.copy()
    qpos[:, 2] -= ground
    return replace(poses, qpos=qpos)
