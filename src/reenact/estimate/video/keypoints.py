"""Landmarks that a detector saw in the picture, as a term of a track beside its masks.

A silhouette does not tell of an arm before the trunk, nor which of two legs is in front. A detector's landmarks do,
though each lies a few centimetres beside our joint, about the same in all frames, and some are of the other leg or of
nothing. So a landmark may have an offset on its segment, and its cost levels off where it is far away. A detector may
also guess how much farther off than the hips a landmark is: far from exact, but it tells towards from away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.estimate.video.responses import Limbs, point_responses
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.tree import Tree
from reenact.observe.camera import Camera
from reenact.observe.camera_points import points_of

HIPS: Final = ("hip_left", "hip_right")  # depths count from their middle
FAR: Final = 2.5  # spreads from which on a landmark's cost levels off
DEEP: Final = 0.15  # [m] spread of a detector's guess at depth
NEAREST: Final = 0.1  # [m] ahead of the camera that a point is taken to be at least


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeenMarks:
    """Landmarks in the frames of a view, beside its masks."""

    names: tuple[str, ...]  # (K) points of the body: joints, landmarks, ears and nose
    pixels: Array  # (T, K, 2) [px] of the camera's picture, NaN where unseen
    spread: Array  # (T, K) [px]
    offsets: Array  # (K, 3) of each beside the body's point, in its segment's frame [m]
    deeper: Array  # (T, K) how much farther off than the middle of the hips it is said to be [m], NaN where unsaid

    def __post_init__(self) -> None:
        """Refuse arrays that do not belong together."""
        frames, count = len(self.pixels), len(self.names)
        got = tuple(array.shape for array in self.arrays)
        if got != ((frames, count, 2), (frames, count), (count, 3), (frames, count)):
            raise InputError(f"{count} landmarks with pixels, spread, offsets and depths of shapes {got}")
        if np.isfinite(self.deeper).any() and not set(HIPS) <= set(self.names):
            raise InputError(f"depths count from the hips, which are not among the landmarks: {', '.join(self.names)}")

    @property
    def arrays(self) -> tuple[Array, ...]:
        """All numbers."""
        return self.pixels, self.spread, self.offsets, self.deeper

    def at(self, frames: slice | NDArray[np.int64]) -> SeenMarks:
        """Those of some frames, in their order."""
        return replace(
            self, pixels=self.pixels[frames], spread=self.spread[frames], deeper=self.deeper[frames]
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Marks:
    """Landmarks of one view, as equations of poses."""

    camera: Camera
    tree: Tree
    segments: NDArray[np.int64]  # (K,)
    points: Array  # (K, 3) in the segments' frames [m]
    flat: Array  # (T, K, 2) where they were seen, at one metre ahead of the camera, the lens's distortion taken out
    weight: Array  # (T, K) by which a distance there becomes one in spreads; 0 where unseen
    deeper: Array  # (T, K) [m] see `SeenMarks`; 0 where unsaid
    said: Array  # (T, K) by which a depth becomes one in spreads; 0 where unsaid
    hips: Array  # (K,) shares of the landmarks in the point from which depths count

    def costs(self, poses: Array, frames: NDArray[np.int64]) -> Array:
        """Twice the cost (n,) of poses (n, 7 + A) in frames (n,)."""
        ahead = self._ahead(poses)
        square = np.sum(self._off(ahead, frames) ** 2, axis=-1)
        depth = self._deep(ahead[..., 2], frames) ** 2
        return np.asarray(FAR**2 * (np.log1p(square / FAR**2) + np.log1p(depth / FAR**2)).sum(axis=1))

    def equations(self, poses: Array, frames: NDArray[np.int64], limbs: Limbs) -> tuple[Array, Array]:
        """Gauss–Newton's matrices (n, V, V) and slopes (n, V)."""
        moving = point_responses(
            self.tree.arrays, limbs.below, limbs.moved, np.ascontiguousarray(poses), self.segments, self.points
        )  # (n, V, K, 3)
        ahead = self._ahead(poses)
        local = moving @ self.camera.turn.T
        slopes = (local[..., :2] - (ahead[..., :2] / ahead[..., 2:])[:, None] * local[..., 2:]) / ahead[:, None, :, 2:]
        slopes = (slopes * self.weight[frames][:, None, :, None]).reshape(*slopes.shape[:2], -1)  # (n, V, 2K)
        off = self._off(ahead, frames)
        share = np.repeat(1.0 / (1.0 + np.sum(off**2, axis=-1) / FAR**2), 2, axis=1)
        deep = self._deep(ahead[..., 2], frames)
        inwards = (local[..., 2] - (local[..., 2] @ self.hips)[..., None]) * self.said[frames][:, None]  # (n, V, K)
        slopes = np.concatenate([slopes, inwards], axis=2)
        share = np.concatenate([share, 1.0 / (1.0 + deep**2 / FAR**2)], axis=1)
        shared = slopes * share[:, None]
        residual = np.concatenate([off.reshape(len(off), -1), deep], axis=1)
        return shared @ slopes.swapaxes(1, 2), np.einsum("nvk,nk->nv", shared, residual)

    def _ahead(self, poses: Array) -> Array:
        """The landmarks of poses in the camera's frame, (n, K, 3)."""
        position, turned = forward(self.tree, poses)
        world = position[:, self.segments] + np.einsum("nkij,kj->nki", turned[:, self.segments], self.points)
        out = world @ self.camera.turn.T + self.camera.shift
        out[..., 2] = np.maximum(out[..., 2], NEAREST)
        return np.asarray(out)

    def _deep(self, depth: Array, frames: NDArray[np.int64]) -> Array:
        """How much farther off than said, in spreads, landmarks at depths (n, K) [m] are; zero where unsaid."""
        return np.asarray((depth - (depth @ self.hips)[:, None] - self.deeper[frames]) * self.said[frames])

    def _off(self, ahead: Array, frames: NDArray[np.int64]) -> Array:
        """Distances (n, K, 2) from where they were seen, in spreads; zero where unseen."""
        return np.asarray((ahead[..., :2] / ahead[..., 2:] - self.flat[frames]) * self.weight[frames][..., None])


def marks_of(body: Body, camera: Camera, seen: SeenMarks) -> Marks:
    """The equations of what was seen by a camera, for a body."""
    points = points_of(body, seen.names)
    there = np.isfinite(seen.pixels).all(axis=2) & (seen.spread > 0)
    said = there & np.isfinite(seen.deeper)
    local = camera.rays(np.where(there[..., None], seen.pixels, camera.centre)) @ camera.turn.T
    told = np.asarray(np.isfinite(local).all(axis=2))  # a lens may show nothing there
    there, said, local = there & told, said & told, np.where(told[..., None], local, [0.0, 0.0, 1.0])
    return Marks(
        camera=camera,
        tree=points.tree,
        segments=points.segment,
        points=points.local + seen.offsets,
        flat=local[..., :2] / local[..., 2:],
        weight=np.where(there, float(camera.focal.mean()) / np.where(there, seen.spread, 1.0), 0.0),
        deeper=np.where(said, seen.deeper, 0.0),
        said=np.where(said, 1.0 / DEEP, 0.0),
        hips=np.array([0.5 * (name in HIPS) for name in seen.names]),
    )


def all_marks(body: Body, views: Sequence[tuple[Camera, SeenMarks | None]]) -> tuple[Marks, ...]:
    """Of the views in which landmarks were seen."""
    return tuple(marks_of(body, camera, seen) for camera, seen in views if seen is not None)
