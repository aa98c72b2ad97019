"""A real video without a reference: a woman walks across a meadow; what an eye sees in the frames is the yardstick.

Read off the frames of Sports2D's demo.mp4 (1768 × 994, 30 frames a second, numbered from 0): the first frame in which
a heel no longer moves. She walks to the left, her left side towards the camera.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from reenact.body.adult import adult
from reenact.body.body import Body
from reenact.body.toml import parse_body
from reenact.estimate.bench.run import Done
from reenact.estimate.bench.share import stretch
from reenact.estimate.states.bench.search import Piece, searched
from reenact.estimate.states.settings import Settings
from reenact.estimate.video.evidence import Evidence
from reenact.estimate.video.measures import jerk, resting, slide_cm_s, sunk_cm
from reenact.estimate.video.sighting import mean_times
from reenact.estimate.video.subject import subject_seen
from reenact.estimate.video.track import Track
from reenact.formats.take import Source, Take, sha256_of
from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.motion.resample import resample_poses
from reenact.observe.camera_file import read_camera
from reenact.observe.camera_points import points_of
from reenact.observe.person import Hint
from reenact.view.bench_video.pipeline import Look, evidence_of, pose_models
from reenact.view.bench_video.real import FEET, JUDGED, first_poses
from reenact.view.bench_video.steps import (
    HEELS,
    Step,
    in_frames,
    off_by_eye,
    step_length,
    steps_of_heels,
    steps_of_take,
)
from reenact.world.world import World

RATE: Final = 30.0  # frames per second of the video
TWICE: Final = 2 * RATE  # poses per second that figures are read off
SEX: Final = "female"
HEIGHT: Final = 1.65  # [m], as the demonstration's own settings say
SPAN: Final = (1.9, 6.1)  # [s] in which she is wholly in the picture and nobody else near
WHO: Final = Hint(x=0.58, y=0.73, time=3.3)
# Frames in which a heel comes to rest, and where the foot's tip then is across the picture [px].
SEEN: Final = (
    (60, "right", 1296),
    (79, "left", 1097),
    (98, "right", 904),
    (117, "left", 727),
    (135, "right", 538),
    (153, "left", 358),
)
TALL: Final = 426.0  # [px] of her from head to sole where she stands on one leg, frames 110 and 130


def by_eye() -> dict[str, float]:
    """What the image gives: time of a step [s], length of a step and speed in metres, by her height."""
    frames = np.array([frame for frame, _, _ in SEEN])
    places = np.array([place for _, _, place in SEEN], float)
    step = float(np.mean(np.diff(frames))) / RATE
    length = HEIGHT / TALL * float(-np.mean(np.diff(places)))
    return {"step_s": step, "step_m": length, "speed_m_s": length / step}


def captured(
    video: Path, calibration: Path, keep: Path, begun: Path, settings: Settings, *, threads: int | None = None,
    progress: Progress | None = None,
) -> tuple[Done, Evidence]:  # fmt: skip
    """Capture her walk and hold it against what an eye sees."""
    body = adult(SEX, HEIGHT)
    camera = read_camera(calibration, video.stem)
    look = Look(video=video, camera=camera, begin=SPAN[0], end=SPAN[1], hint=WHO, joints=True)
    seen, seconds = evidence_of(
        [look], body, first_poses(look, body, SPAN[0]), pose_models(body), keep, seed=settings.seed,
        progress=stretch(progress, 0.0, 0.5),
    )  # fmt: skip
    source = Source(name=video.name, sha256=sha256_of(video))
    piece = Piece(subject=subject_seen(seen, World(), settings, threads=threads), source=source)
    done = searched(piece, settings, begun, progress=stretch(progress, 0.5, 1.0))
    take = seen.judged(done.take)
    figures: dict[str, Any] = {**done.figures, **figures_of(take, seen.start), "track_s": seconds}
    followed = figures_of_track(seen.track, mean_times(seen.sightings))
    figures |= {f"track_{name}": value for name, value in followed.items()}
    figures |= {name: take.info.metrics[name] for name in JUDGED}
    return replace(done, take=take, figures=figures), seen


def figures_of(take: Take, start: float) -> dict[str, Any]:
    """Contact times, speed, step length, slide, sinking and jerk of a take that begins at `start` [s] of the video.

    A walk that goes on after the video is judged by what it does while the video lasts.
    """
    body = parse_body(take.body_toml)
    clock, width = take.motion["time"], 7 + len(body.axes)
    rate, last = 1.0 / float(clock[1] - clock[0]), min(float(clock[-1]), float(take.reference["time"][-1]))
    poses = np.asarray(take.motion["qpos"][:, :width], float)
    time = np.arange(int(last * TWICE)) / TWICE
    steps = [one for one in steps_of_take(take, start) if one.begin <= start + last]
    return _judged(body, resample_poses(poses, rate, time), steps, start)


def figures_of_track(track: Track, times: Array) -> dict[str, Any]:
    """The same of the poses before any physics, at times (T,) [s] of the video; its steps by its heels."""
    time = np.arange(int((times[-1] - times[0]) * TWICE)) / TWICE
    poses = resample_poses(track.poses, track.rate, np.minimum(time, (len(track.poses) - 1) / track.rate))
    heels = _points(track.body, HEELS, poses)
    return _judged(track.body, poses, steps_of_heels(heels, TWICE, float(times[0])), float(times[0]))


def _judged(body: Body, poses: Array, steps: Sequence[Step], start: float) -> dict[str, Any]:
    """Figures of poses (T, 7 + A), TWICE a second from `start` [s] on."""
    feet = _points(body, tuple(FEET), poses)
    seconds = (len(poses) - 1) / TWICE
    off, found, asked = off_by_eye(steps, [(frame / RATE, side) for frame, side, _ in SEEN], (start, start + seconds))
    sunk = sunk_cm(feet)
    return {
        "speed_m_s": float(np.linalg.norm(poses[-1, :2] - poses[0, :2])) / seconds,
        "step_m": step_length(steps),
        "contact_ms": off,
        "contacts_found": found,
        "contacts_seen": asked,
        "contacts_frames": in_frames(steps, RATE),
        "slide_cm_s": slide_cm_s(feet, resting(feet, TWICE), TWICE),
        "sunk_cm": sunk[0],
        "sunk_most_cm": sunk[1],
        "jerk": jerk(_points(body, ("hip_left", "knee_left", "ankle_left", "wrist_left"), poses), TWICE),
    }


def _points(body: Body, names: tuple[str, ...], poses: Array) -> Array:
    points = points_of(body, names)
    return np.stack([points.at(pose) for pose in poses])
