"""The pose at one time of a video whose camera is known, from the pose network, and others that look much the same.

The network's landmarks a little before and after are solved together with the camera held. Its guess at depth decides
which way limbs point, but it is weak, and left and right may be confused: without it, with exchanged legs and with
mirrored depth other poses come out. Those that differ are returned, for a contest in which the video itself decides.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.formats.video import Video, open_video
from reenact.geometry import rotation
from reenact.geometry.one_thread import one_thread
from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.motion.tree import difference
from reenact.observe.camera import Camera
from reenact.observe.camera_guess import COUNT, all_known
from reenact.observe.network.keypoints import Keypoints
from reenact.observe.network.sides import steady_sides
from reenact.observe.network.walk import seen_walk, well_seen
from reenact.observe.person import Hint
from reenact.observe.walk_seen import SeenWalk
from reenact.observe.walk_sides import with_exchanged
from reenact.observe.walk_solve import descend, first_guesses, walk_of

AROUND: Final = 0.3  # [s] before and after that are looked at
APART: Final = 0.09  # [s] between frames, at least
NEAR: Final = 0.15  # [s] by which the person may be seen well too early or too late
ALIKE: Final = 0.12  # [rad] root mean square of all hinges and the heading below which two poses are the same
SIZE: Final = 960  # [px] of the longer side at which the network is shown the video
STEPS: Final = 40


def first_poses_by_network(
    video: Video | Path | str,
    camera: Camera,
    body: Body,
    time: float,
    *,
    hint: Hint | None = None,
    progress: Progress | None = None,
) -> list[Array]:
    """Poses (7 + A,) in the camera's world at a time [s] of a video: as the network sees it, then others."""
    from reenact.observe.network.look import keypoints_of
    from reenact.observe.watch import Asked

    opened = video if isinstance(video, Video) else open_video(video)
    end = time + AROUND if opened.duration is None else min(time + AROUND, opened.duration)
    asked = Asked(begin=max(0.0, time - AROUND), end=end, hint=hint, long_side=SIZE)
    return poses_from_keypoints(keypoints_of(opened.path, asked, progress=progress), camera, body, time)


def poses_from_keypoints(keypoints: Keypoints, camera: Camera, body: Body, time: float) -> list[Array]:
    """The same from landmarks at hand, those of the whole video for example."""
    keypoints, _ = steady_sides(keypoints)
    frames, place = frames_around(keypoints, time)
    camera = camera.for_video(*keypoints.video_size)
    seen = seen_walk(keypoints, frames)
    legs = [(i, "legs") for i in range(len(frames))]
    mirrored = replace(seen, space=seen.space * [1.0, 1.0, -1.0])
    trials = ((seen, False), (seen, True), (with_exchanged(seen, legs), False), (mirrored, True))
    with one_thread():
        plain, deep, *others = (_posed(trial, camera, body, place, depth) for trial, depth in trials)
    out = [plain] if alike(plain, deep) else [deep, plain]  # the guess at depth is for flips, not for exactness
    for pose in others:
        if not any(alike(pose, other) for other in out):
            out.append(pose)
    return out


def frames_around(keypoints: Keypoints, time: float) -> tuple[NDArray[np.int64], int]:
    """Frames around a time in which the person is seen well, and the place among them of the one nearest to it."""
    good = np.flatnonzero(well_seen(keypoints))
    off = np.abs(keypoints.time[good] - time) if len(good) else np.full(1, np.inf)
    if off.min() > NEAR:
        raise InputError(f"{keypoints.name}: the network does not see the whole person at {time:g} s")
    middle = int(np.argmin(off))
    times, picked = keypoints.time[good], [middle]
    for step in (-1, 1):
        at = middle
        while 0 <= at + step < len(good) and abs(times[at + step] - time) <= AROUND:
            at += step
            if abs(times[at] - times[picked[0 if step < 0 else -1]]) >= APART - 1e-6:
                picked.insert(0 if step < 0 else len(picked), at)
    return good[picked], picked.index(middle)


def _posed(seen: SeenWalk, camera: Camera, body: Body, place: int, depth: bool) -> Array:
    """The pose of one of the frames in the camera's world; with `depth` the network's guess at depth counts."""
    walk = walk_of(seen, body, camera.size, all_known(camera), depth=depth)
    shared = np.zeros(walk.shared)
    shared[:COUNT] = walk.scene.known.expected(camera.size)[0]
    shared, poses = descend(walk, shared, first_guesses(seen, walk, shared[:COUNT]), STEPS)
    solved = walk.scene.known.camera(shared[:COUNT], camera.size)
    turn = rotation.multiply(camera.orientation, rotation.conjugate(solved.orientation))
    pose = poses[place].copy()
    pose[:3] = camera.position + rotation.rotate(turn, pose[:3] - solved.position)
    pose[3:7] = rotation.normalize(rotation.multiply(turn, pose[3:7]))
    return np.asarray(pose)


def alike(first: Array, second: Array) -> bool:
    """Whether two poses (7 + A,) are nearly the same."""
    return bool(np.sqrt(np.mean(difference(first, second)[3:] ** 2)) < ALIKE)
