"""A real video with a reference: the man on the platform, against points triangulated from four views.

The reference is itself estimated, by other networks from four cameras: no marker truth. A peer, the pose network's own
landmarks in space from the same single view, is measured by the same code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from reenact.body.adult import adult
from reenact.body.body import Body
from reenact.body.toml import parse_body
from reenact.errors import InputError, ReenactError
from reenact.estimate.bench.run import Done
from reenact.estimate.bench.share import stretch
from reenact.estimate.states.bench.search import Piece, searched
from reenact.estimate.states.settings import Settings
from reenact.estimate.video.evidence import Evidence
from reenact.estimate.video.measures import aligned_error_cm, error_cm, jerk, resting, slide_cm_s, sunk_cm
from reenact.estimate.video.subject import subject_seen
from reenact.formats.read import read_clip
from reenact.formats.take import Source, Take, sha256_of
from reenact.formats.video import open_video
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.motion.clip import MarkerClip
from reenact.motion.resample import resample_poses
from reenact.observe.between_worlds import points_between_worlds
from reenact.observe.camera import Camera
from reenact.observe.camera_file import read_cameras
from reenact.observe.camera_points import BodyPoints, points_of
from reenact.observe.network.first_pose import first_poses_by_network
from reenact.observe.network.keypoints import Keypoints
from reenact.observe.network.landmarks import NAMES
from reenact.observe.network.look import keypoints_of
from reenact.view.bench_video.lines import REFERENCE
from reenact.view.bench_video.pipeline import Look, evidence_of, pose_models
from reenact.world.world import World

FLOOR: Final = 0.05  # [m] height of what he stands on in the cameras' world, read off the reference's toes
HEIGHT: Final = 1.73  # [m] of the man: head marker over that, and the head's half above it
SIDES: Final = (("left", "L"), ("right", "R"))
JOINTS: Final = {
    f"{joint}_{side}": f"{letter}{joint.title()}"
    for joint in ("hip", "knee", "ankle", "shoulder", "elbow", "wrist")
    for side, letter in SIDES
}  # our names, and the network's: the reference's
FEET: Final = {"heel_left": "LHeel", "toe_tip_left": "LBigToe", "heel_right": "RHeel", "toe_tip_right": "RBigToe"}
NETWORK_FEET: Final = ("heel_left", "toe_left", "heel_right", "toe_right")
JUDGED: Final = ("silhouette_mismatch", "track_mismatch", "explains_video", "track_poses")  # of all takes from video
HIPS: Final = [i for i, name in enumerate(JOINTS) if name.startswith("hip")]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """Videos with their cameras, and the reference, in a world whose ground is at 0."""

    videos: tuple[Path, ...]
    cameras: tuple[Camera, ...]
    rate: float
    joints: Array  # (T, 12, 3) in the order of JOINTS [m]
    feet: Array  # (T, 4, 3) in the order of FEET [m]

    @property
    def time(self) -> Array:
        """Of the reference's frames in the videos [s]."""
        return np.arange(len(self.joints)) / self.rate


def scene_of(data: Path, videos: Sequence[Path]) -> Scene:
    """Read cameras and reference; the cameras are cut to the videos' size."""
    clip = read_clip(data / REFERENCE / "Pose2Sim_markers.trc")
    if not isinstance(clip, MarkerClip):
        raise InputError("holds no markers", path=data / REFERENCE)
    points = np.stack([-clip.position[..., 1], clip.position[..., 0], clip.position[..., 2] - FLOOR], axis=-1)
    known = {
        camera.name.replace("_", ""): camera for camera in read_cameras(data / REFERENCE / "Pose2Sim_cameras.toml")
    }
    cameras = []
    for path in videos:
        video = open_video(path)
        camera = known[path.stem].moved(rotation.IDENTITY, [0.0, 0.0, -FLOOR])
        cameras.append(replace(camera.cropped(0.0, 0.0, video.width, video.height), name=path.stem))
    return Scene(
        videos=tuple(videos),
        cameras=tuple(cameras),
        rate=clip.rate,
        joints=points[:, [clip.names.index(name) for name in JOINTS.values()]],
        feet=points[:, [clip.names.index(name) for name in FEET.values()]],
    )


def captured(
    scene: Scene, keep: Path, begun: Path, settings: Settings, *, threads: int | None = None,
    progress: Progress | None = None,
) -> tuple[Done, Evidence]:  # fmt: skip
    """Capture from the videos and measure against the reference."""
    body = adult("male", HEIGHT)
    looks = tuple(
        Look(video=video, camera=camera, by_network=True, joints=True)
        for video, camera in zip(scene.videos, scene.cameras, strict=True)
    )
    seen, seconds = evidence_of(
        looks, body, first_poses(looks[0], body), pose_models(body), keep, seed=settings.seed,
        progress=stretch(progress, 0.0, 0.5),
    )  # fmt: skip
    source = Source(name=scene.videos[0].name, sha256=sha256_of(scene.videos[0]))
    piece = Piece(subject=subject_seen(seen, World(), settings, threads=threads), source=source)

    def judged(take: Take) -> float:
        return float(_measured(scene, take, seen)["error_cm"])

    done = searched(piece, settings, begun, judged=judged, progress=stretch(progress, 0.5, 1.0))
    take = seen.judged(done.take)
    figures: dict[str, Any] = {**done.figures, "from_track_cm": done.figures["error_cm"], "track_s": seconds}
    figures |= {name: take.info.metrics[name] for name in JUDGED}
    figures |= _measured(scene, take, seen)
    figures |= {f"track_{name}": value for name, value in _of_track(scene, seen).items()}
    return replace(done, take=take, figures=figures), seen


def _measured(scene: Scene, take: Take, seen: Evidence) -> dict[str, Any]:
    """Figures of a take, in the reference's world."""
    joints, feet, inside = points_of_take(take, seen.start, scene.time)
    return figures_of(scene, _there(scene, seen, joints), _there(scene, seen, feet), inside)


def _of_track(scene: Scene, seen: Evidence) -> dict[str, Any]:
    """The same of the poses before any physics."""
    track, since = seen.track, scene.time - seen.start
    last = (len(track.poses) - 1) / track.rate
    poses = resample_poses(track.poses, track.rate, np.clip(since, 0.0, last))
    joints, feet = (np.stack([points.at(p) for p in poses]) for points in _points(track.body))
    inside = (since >= -1e-6) & (since <= last + 1e-6)
    return figures_of(scene, _there(scene, seen, joints), _there(scene, seen, feet), inside)


def _points(body: Body) -> tuple[BodyPoints, BodyPoints]:
    """What is measured of a body: its joints, and its feet."""
    return points_of(body, JOINTS), points_of(body, FEET)


def _there(scene: Scene, seen: Evidence, points: Array) -> Array:
    """Points (…, 3) of the capture's world, whose ground was put where feet rest, in the reference's."""
    return points_between_worlds(points, seen.sightings[0].camera, scene.cameras[0])


def first_poses(look: Look, body: Body, time: float | None = None) -> list[Array]:
    """Poses in the first frame by the network; none, to be searched for by the mask, where it is not installed."""
    try:
        return first_poses_by_network(look.video, look.camera, body, time or look.begin or 0.0, hint=look.hint)
    except ReenactError:
        return []


def by_network(scene: Scene, progress: Progress | None = None) -> dict[str, Any]:
    """The same figures of the network's landmarks."""
    found = keypoints_of(scene.videos[0], progress=progress)
    points = placed(found, scene.cameras[0])
    which = np.abs(found.time[:, None] - scene.time).argmin(axis=0)
    order = [NAMES.index(name) for name in JOINTS], [NAMES.index(name) for name in NETWORK_FEET]
    return figures_of(scene, points[which][:, order[0]], points[which][:, order[1]], np.ones(len(scene.joints), bool))


def placed(found: Keypoints, camera: Camera) -> Array:
    """The network's landmarks in the world (T, 33, 3) [m]: moved, frame by frame, to where their picture is seen best.

    The network tells of space around the hips only; with the camera known, least squares tell where that is.
    """
    flat = camera.rays(found.points) @ camera.turn.T
    flat = flat[..., :2] / flat[..., 2:]
    out = np.full(found.world.shape, np.nan)
    for t in np.flatnonzero(found.seen):
        points, rays = found.world[t], flat[t]
        matrix = np.zeros((2 * len(points), 3))
        matrix[0::2, 0], matrix[1::2, 1] = 1.0, 1.0
        matrix[:, 2] = -rays.ravel()
        wanted = (rays * points[:, 2:] - points[:, :2]).ravel()
        shift = np.linalg.lstsq(matrix, wanted, rcond=None)[0]
        out[t] = (points + shift) @ camera.turn + camera.position
    return out


def points_of_take(take: Take, start: float, time: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Joints (T, 12, 3) and feet (T, 4, 3) of a take at times (T,) of the video, and whether it was on then (T,)."""
    body = parse_body(take.body_toml)
    clock = take.motion["time"]
    rate, last = 1.0 / float(clock[1] - clock[0]), float(clock[-1])
    poses = np.asarray(take.motion["qpos"][:, : 7 + len(body.axes)], float)
    inside = (time - start >= -1e-6) & (time - start <= last + 0.5 / rate)
    poses = resample_poses(poses, rate, np.clip(time - start, 0.0, last))
    joints, feet = (np.stack([points.at(p) for p in poses]) for points in _points(body))
    return joints, feet, inside


def figures_of(scene: Scene, joints: Array, feet: Array, on: NDArray[np.bool_]) -> dict[str, Any]:
    """All figures of points at the reference's times."""
    rest = resting(scene.feet, scene.rate)[on]
    sunk = sunk_cm(feet[on])
    return {
        "error_cm": error_cm(joints[on], scene.joints[on]),
        "aligned_cm": aligned_error_cm(joints[on], scene.joints[on], HIPS),
        "slide_cm_s": slide_cm_s(feet[on], rest, scene.rate),
        "sunk_cm": sunk[0],
        "sunk_most_cm": sunk[1],
        "jerk": jerk(joints[on], scene.rate),
        "reference_slide_cm_s": slide_cm_s(scene.feet[on], rest, scene.rate),
        "reference_jerk": jerk(scene.joints[on], scene.rate),
    }
