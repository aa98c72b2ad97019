"""What a take from video is held against: masks and track, in the take's own time and world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reenact.body.toml import parse_body
from reenact.estimate.video.explain import Explained, explained
from reenact.estimate.video.sighting import Sighting, mean_times
from reenact.estimate.video.track import Track
from reenact.formats.observed import Observed, ObservedView
from reenact.formats.take import Take
from reenact.formats.video import Video
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.motion import Motion
from reenact.observe.camera import Camera
from reenact.observe.silhouettes import Silhouettes
from reenact.observe.take_views import observed_view


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """All that a capture from video began with."""

    videos: tuple[Video, ...]
    silhouettes: tuple[Silhouettes, ...]  # of each view, all that were cut out
    sightings: tuple[Sighting, ...]  # what was used of them
    track: Track  # in the cameras' world
    motion: Motion  # made from it
    model: str  # pose model of the track
    prices: tuple[float, ...] = ()  # of the tracks from all beginnings that it is the cheapest of, see `price`
    core_seconds: float | None = None  # of processor time that masks, joints and track took; None where not known

    @property
    def start(self) -> float:
        """Time in the videos at which takes begin [s]."""
        return float(mean_times(self.sightings)[0])

    def judged(self, take: Take) -> Take:
        """The take with how well it explains the video among its figures."""
        found = self.explained(take)
        said: dict[str, Any] = {
            "silhouette_mismatch": _rounded(found.mean),
            "track_mismatch": _rounded(found.track_mean),
            "explains_video": found.by_physics if np.isfinite(found.mean) else None,
            "video_start_s": round(self.start, 6),
            "track_poses": self.model,
        }
        if len(self.prices) > 1:
            said["track_costs"] = [round(each, 1) for each in self.prices]
        if self.core_seconds is not None:
            said["track_core_s"] = round(self.core_seconds, 1)
        return replace(take, info=replace(take.info, metrics={**take.info.metrics, **said}))

    def explained(self, take: Take) -> Explained:
        """The take's silhouettes against the masks."""
        moved = self._moved(take.reference["qpos"][0])
        width = self.track.poses.shape[1]
        rate = 1.0 / float(take.motion["time"][1] - take.motion["time"][0])
        sightings = self.sightings_at(take.reference["qpos"][0])
        body = parse_body(take.body_toml)
        qpos = np.asarray(take.motion["qpos"][:, :width], float)
        return explained(body, sightings, self.start, qpos, rate, moved.poses(self.track.poses))

    def observed(self, take: Take) -> Observed:
        """What is kept beside the take: cameras and track in its world."""
        moved = self._moved(take.reference["qpos"][0])
        views: list[ObservedView] = []
        for video, found, seen in zip(self.videos, self.silhouettes, self.sightings, strict=True):
            camera, names = moved.camera(seen.camera), [view.name for view in views]
            views.append(observed_view(video, camera, found, self.start, name=seen.name, taken=names))
        times = mean_times(self.sightings) - self.start
        poses = moved.poses(self.track.poses)
        return Observed(views=tuple(views), time=times, poses=poses, mismatch=self.track.mismatch)

    def sightings_at(self, there: Array) -> tuple[Sighting, ...]:
        """What was seen, by cameras of a world that has the first pose `there` (7 + A,)."""
        moved = self._moved(there)
        return tuple(replace(each, camera=moved.camera(each.camera)) for each in self.sightings)

    def _moved(self, there: Array) -> _Moved:
        """Where a world has the motion, by its first pose there: elsewhere, where places in that world differ."""
        here = self.motion.qpos[0]
        turn = rotation.multiply(there[3:7], rotation.conjugate(here[3:7]))
        shift = (there[:3] - rotation.rotate(turn, here[:3])) * [1.0, 1.0, 0.0]
        same = abs(turn[0]) > 1.0 - 1e-12 and float(np.abs(shift).max()) < 1e-9
        return _Moved(turn=rotation.IDENTITY if same else turn, shift=np.zeros(3) if same else shift, same=same)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Moved:
    turn: Array
    shift: Array
    same: bool

    def camera(self, camera: Camera) -> Camera:
        return camera if self.same else camera.moved(self.turn, self.shift)

    def poses(self, poses: Array) -> Array:
        if self.same:
            return poses
        out = poses.copy()
        out[:, :3] = rotation.rotate(self.turn, poses[:, :3]) + self.shift
        out[:, 3:7] = rotation.multiply(self.turn, poses[:, 3:7])
        return out


def sight_axes(cameras: Sequence[Camera]) -> Array:
    """Across the picture, up, and along the line of sight of the first camera, as rows (3, 3) in the world."""
    ahead = cameras[0].turn[2] * [1.0, 1.0, 0.0]
    length = float(np.linalg.norm(ahead))
    ahead = ahead / length if length > 1e-6 else np.array([0.0, 1.0, 0.0])
    up = np.array([0.0, 0.0, 1.0])
    return np.stack([np.cross(ahead, up), up, ahead])


def _rounded(value: float) -> float | None:
    return round(value, 4) if np.isfinite(value) else None
