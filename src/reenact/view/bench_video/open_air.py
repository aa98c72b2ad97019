"""A real video without a reference: a woman walks across a meadow; what an eye sees in the frames is the yardstick.

Read off the frames of Sports2D's demo.mp4 (1768 × 994, 30 frames a second, numbered from 0): the first frame in which
a heel no longer moves. She walks to the left, her left side towards the camera.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np

from reenact.body.adult import adult
from reenact.body.toml import parse_body
from reenact.estimate.bench.run import Done
from reenact.estimate.bench.share import stretch
from reenact.estimate.states.bench.search import Piece, searched
from reenact.estimate.states.settings import Settings
from reenact.estimate.video.evidence import Evidence
from reenact.estimate.video.measures import jerk, resting, slide_cm_s, strikes, sunk_cm
from reenact.estimate.video.subject import subject_seen
from reenact.formats.take import Source, Take, sha256_of
from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.motion.resample import resample_poses
from reenact.observe.camera_file import read_camera
from reenact.observe.camera_points import points_of
from reenact.observe.person import Hint
from reenact.view.bench_video.pipeline import Look, evidence_of, pose_models
from reenact.view.bench_video.real import first_poses
from reenact.world.world import World

RATE: Final = 30.0  # frames per second of the video
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
    known = ("silhouette_mismatch", "track_mismatch", "explains_video", "track_poses")
    figures: dict[str, Any] = {**done.figures, **figures_of(take, seen.start), "track_s": seconds}
    figures |= {name: take.info.metrics[name] for name in known}
    return replace(done, take=take, figures=figures), seen


def figures_of(take: Take, start: float) -> dict[str, Any]:
    """Contact times, speed, step length, slide, sinking and jerk of a take that begins at `start` [s] of the video."""
    body = parse_body(take.body_toml)
    clock = take.motion["time"]
    rate, last = 1.0 / float(clock[1] - clock[0]), float(clock[-1])
    poses = np.asarray(take.motion["qpos"][:, : 7 + len(body.axes)], float)
    time = np.arange(int(last * 2 * RATE)) / (2 * RATE)
    poses = resample_poses(poses, rate, time)
    heels = _points(body, ("heel_left", "heel_right"), poses)
    feet = _points(body, ("heel_left", "toe_tip_left", "heel_right", "toe_tip_right"), poses)
    off, matched = contact_errors(heels, 2 * RATE, start)
    way = np.linalg.norm(poses[-1, :2] - poses[0, :2])
    sunk = sunk_cm(feet)
    return {
        "speed_m_s": float(way / time[-1]),
        "step_m": step_length(heels, 2 * RATE),
        "contact_ms": off,
        "contacts_found": matched,
        "slide_cm_s": slide_cm_s(feet, resting(feet, 2 * RATE), 2 * RATE),
        "sunk_cm": sunk[0],
        "sunk_most_cm": sunk[1],
        "jerk": jerk(_points(body, ("hip_left", "knee_left", "ankle_left", "wrist_left"), poses), 2 * RATE),
    }


def contact_errors(heels: Array, rate: float, start: float) -> tuple[float | None, int]:
    """Mean distance in time [ms] of strikes seen by eye from those of heels (T, 2, 3), left and right, and how many.

    A strike counts as found within a quarter of a step's time pair, 0.3 s, on the right foot.
    """
    found = {side: [start + begin for foot, begin, _ in strikes(heels, rate) if foot == i]
             for i, side in enumerate(("left", "right"))}  # fmt: skip
    last = start + (len(heels) - 1) / rate
    off = []
    for frame, side, _ in SEEN:
        if start <= frame / RATE <= last and found[side]:
            near = min(abs(each - frame / RATE) for each in found[side])
            off += [near] if near <= 0.3 else []
    return (1000.0 * float(np.mean(off)) if off else None), len(off)


def step_length(heels: Array, rate: float) -> float | None:
    """Mean distance over the ground [m] between places where heels (T, 2, 3) rest one after the other."""
    rests = [heels[round(0.5 * (begin + end) * rate), foot, :2] for foot, begin, end in strikes(heels, rate)]
    steps = [float(np.linalg.norm(b - a)) for a, b in pairwise(rests)]
    steps = [step for step in steps if step > 0.2]
    return float(np.mean(steps)) if steps else None


def _points(body: Any, names: tuple[str, ...], poses: Array) -> Array:
    points = points_of(body, names)
    return np.stack([points.at(pose) for pose in poses])
