"""What the pose network saw of the person whose masks are followed: landmarks beside the masks, and first poses.

The camera is held and the network's landmarks of many frames are solved together, its guess at depth included: that
tells how each kind of landmark lies beside the body's own point, and a pose in each of those frames. Frames in which
the landmarks are not on the mask, of somebody else for example, are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.estimate.video.keypoints import HIPS, SeenMarks
from reenact.estimate.video.sighting import Sighting, nearest_times
from reenact.geometry.one_thread import one_thread
from reenact.geometry.rotation import Array
from reenact.observe.between_worlds import between_worlds
from reenact.observe.camera import Camera
from reenact.observe.camera_guess import COUNT, all_known
from reenact.observe.network.keypoints import Keypoints
from reenact.observe.network.marks import INDEX, POINTS, seen_marks
from reenact.observe.network.sides import steady_sides
from reenact.observe.network.walk import chosen_frames, seen_walk
from reenact.observe.projection_table import unpack
from reenact.observe.silhouettes import TRUSTED
from reenact.observe.walk_equations import Walk
from reenact.observe.walk_seen import SeenWalk
from reenact.observe.walk_solve import descend, first_guesses, walk_of

MOST: Final = 20  # frames that offsets are solved from
BESIDE: Final = 3  # cells by which a landmark may lie off the mask
ON: Final = 0.7  # share of a frame's landmarks that must lie on its mask
FEW: Final = 0.4  # share of the frames below which it is somebody else
STEPS: Final = 40  # of their solution


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Watched:
    """Landmarks of a view at its moments, and poses at some of them."""

    marks: SeenMarks
    frames: int  # in which there are some
    time: Array  # (F,) [s] of the poses
    qpos: Array  # (F, 7 + A) in the camera's world
    error_px: Array  # (F,)


def watched(keypoints: Keypoints, sighting: Sighting, body: Body) -> Watched:
    """The landmarks of the person in a sighting; an error where the network saw somebody else."""
    keypoints, _ = steady_sides(keypoints)
    near = _near(keypoints.time, sighting.times)
    pixels, spread = seen_marks(keypoints)
    pixels = np.where((near >= 0)[:, None, None], pixels[near], np.nan)
    on = on_mask(pixels, sighting)
    if np.count_nonzero(on) < FEW * len(on):
        raise InputError(
            f"{sighting.name}: the pose network looked at somebody else than the masks are of, in all but "
            f"{np.count_nonzero(on)} of {len(on)} frames; --person x,y,seconds says who is meant"
        )
    pixels[~on] = np.nan
    used = _only(keypoints, near[on])
    seen = seen_walk(used, chosen_frames(used, MOST))
    walk, shared, poses = _solved(seen, body, sighting.camera)
    local = walk.sense * shared[COUNT:].reshape(-1, 3)[walk.group]
    off = [np.linalg.norm(walk.seen(shared, pose) - seen.pixels[i], axis=1) for i, pose in enumerate(poses)]
    own = walk.scene.known.camera(shared[:COUNT], sighting.camera.size)
    return Watched(
        marks=SeenMarks(
            names=POINTS, pixels=pixels, spread=spread[near], offsets=local, deeper=_deeper(keypoints)[near]
        ),
        frames=int(np.count_nonzero(on)),
        time=seen.time,
        qpos=between_worlds(poses, own, sighting.camera),
        error_px=np.sqrt(np.nanmean(np.square(off), axis=1)),
    )


def _solved(seen: SeenWalk, body: Body, camera: Camera) -> tuple[Walk, Array, Array]:
    """Poses (F, 7 + A) of frames in the world of a camera that stands there alike, and what they share."""
    walk = walk_of(seen, body, camera.size, all_known(camera), depth=True)
    shared = np.zeros(walk.shared)
    shared[:COUNT] = walk.scene.known.expected(camera.size)[0]
    with one_thread():
        shared, poses = descend(walk, shared, first_guesses(seen, walk, shared[:COUNT]), STEPS)
    return walk, shared, poses


def on_mask(pixels: Array, sighting: Sighting) -> NDArray[np.bool_]:
    """Frames (T,) in which landmarks at pixels (T, K, 2), NaN where unseen, lie on a mask that can be trusted."""
    columns, rows = sighting.size
    masks = unpack(sighting.masks, columns)
    wide = ndimage.binary_dilation(masks, ndimage.generate_binary_structure(3, 1)[1:2], iterations=BESIDE)
    if sighting.camera.distortion.any():  # which the masks are without
        camera = sighting.camera
        pixels = camera.without_lens().project(camera.position + camera.rays(pixels))
    seen = np.isfinite(pixels).all(axis=2)
    cells = np.nan_to_num(pixels) * [columns / sighting.camera.size[0], rows / sighting.camera.size[1]]
    across = np.clip(cells[..., 0].astype(int), 0, columns - 1)
    down = np.clip(cells[..., 1].astype(int), 0, rows - 1)
    inside = wide[np.arange(len(wide))[:, None], down, across] & seen
    return np.asarray((inside.sum(axis=1) >= ON * np.maximum(seen.sum(axis=1), 1)) & (sighting.quality >= TRUSTED))


def _deeper(keypoints: Keypoints) -> Array:
    """How much farther off than the middle of the hips each of POINTS is said to be, (T, K) [m]."""
    deep = keypoints.world[:, INDEX, 2]
    hips = [POINTS.index(name) for name in HIPS]
    return np.asarray(deep - deep[:, hips].mean(axis=1, keepdims=True))


def _near(times: Array, moments: Array) -> NDArray[np.int64]:
    """The frame nearest to each moment (T,), −1 where it is more than half a frame off."""
    step = float(np.median(np.diff(times))) if len(times) > 1 else 0.0
    return nearest_times(times, moments, 0.51 * step)


def _only(keypoints: Keypoints, frames: NDArray[np.int64]) -> Keypoints:
    """The same with nobody in any but these frames."""
    hidden = np.ones(keypoints.frames, bool)
    hidden[frames] = False
    return replace(
        keypoints,
        points=np.where(hidden[:, None, None], np.nan, keypoints.points),
        world=np.where(hidden[:, None, None], np.nan, keypoints.world),
        visibility=np.where(hidden[:, None], 0.0, keypoints.visibility),
        presence=np.where(hidden[:, None], 0.0, keypoints.presence),
        score=np.where(hidden, 0.0, keypoints.score),
    )
