"""The least-squares equations of one camera and a motion seen in many frames by a detector of landmarks.

To what `camera_equations` asks of each frame by itself they add what holds between frames: a root that does not leap,
hinges that turn only so fast, feet that stay where they are planted. A detector's errors are not those of a hand: each
landmark lies beside our joint by about the same in all frames, and people differ from the body's proportions. So each
kind of landmark has an offset on its segment, the same for left and right, near zero; what the frames tell is then not
counted as if every frame's error were a new one, and the spread stays honest.

Unknowns: the camera's four numbers, offsets (G, 3) [m], then the frames' tangents.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.observe.camera_equations import DOUBT, GROUND, Frame, Scene
from reenact.observe.camera_guess import COUNT, TILT
from reenact.observe.camera_points import BodyPoints

OFFSET: Final = 0.025  # spread of a landmark's offset on its segment [m]
LEAP: Final = 4.0  # spread of the root's acceleration [m/s²]
TURN: Final = 2.0  # spread of the root's turning [rad/s]
SPEED: Final = 5.0  # spread of a hinge's speed [rad/s]
STIFF: Final = 1.0  # the same for hinges of the trunk [rad/s]
DEPTH: Final = 0.2  # spread of a detector's guess at how much farther off a landmark is than the hips [m]
SLIP: Final = 0.02  # spread of a planted point's way from frame to frame [m]
TRUNK_HINGES: Final = ("lumbar", "thoracic", "neck")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Walk:
    """Landmarks of one person in F frames of a video with one camera."""

    scene: Scene  # what is asked of a frame by itself; its frames are not looked at
    time: Array  # (F,) [s]
    points: BodyPoints  # K of them, at their places without offsets
    group: NDArray[np.int64]  # (K,) which offset is a point's
    sense: Array  # (K, 3) how an offset acts on a point: left as it is, right mirrored, in the middle not sideways
    pixels: Array  # (F, K, 2) [px], NaN where unseen
    spread: Array  # (F, K) [px]
    depth: Array  # (F, K) how much farther off than the middle of the hips [m], NaN where nothing is said
    standing: NDArray[np.bool_]  # (F,)
    planted: NDArray[np.bool_]  # (F, S) which of the scene's soles rest on the ground

    @property
    def shared(self) -> int:
        """How many unknowns come before the poses."""
        return COUNT + 3 * (int(self.group.max()) + 1)

    def placed(self, shared: Array) -> BodyPoints:
        """The points at their places on the segments, moved by their offsets."""
        return replace(self.points, local=self.points.local + self.sense * shared[COUNT:].reshape(-1, 3)[self.group])

    def cost(self, shared: Array, poses: Array) -> float:
        """Half the sum of squared residuals; landmarks and planted feet far off are counted less."""
        middle, spread = self.scene.known.expected(self.scene.size)
        total = 0.5 * float(np.sum(((shared[:COUNT] - middle) / spread) ** 2))
        total += 0.5 * float(np.sum((shared[COUNT:] / OFFSET) ** 2))
        for i, pose in enumerate(poses):
            points = self.placed(shared).at(pose)
            length = np.linalg.norm(self._off(i, self.scene.seen(shared[:COUNT], points)[0]), axis=1)
            total += float(doubted(length).sum())
            total += float(doubted(np.abs(self._deeper(i, shared, points))).sum())
            total += 0.5 * float(np.sum(self.scene.own(self._frame(i), pose) ** 2))
            total += 0.5 * float(np.sum((self.planted[i] * self.scene.soles.at(pose)[:, 2] / GROUND) ** 2))
        for i in range(len(poses) - 1):
            total += 0.5 * float(np.sum(self._tied(i, poses)[0] ** 2)) + float(doubted(self._slips(i, poses)).sum())
        for i in range(1, len(poses) - 1):
            total += 0.5 * float(np.sum((self._leaps(i) @ poses[i - 1 : i + 2, :3]) ** 2))
        return total

    def seen(self, shared: Array, pose: Array) -> Array:
        """Pixels (K, 2) at which the points of a pose are seen."""
        return self.scene.seen(shared[:COUNT], self.placed(shared).at(pose))[0]

    def equations(self, shared: Array, poses: Array) -> tuple[Array, Array]:
        """Normal matrix (N, N) and gradient (N,) of all unknowns."""
        dofs, first = self.points.tree.dofs, self.shared
        size = first + dofs * len(poses)
        matrix, gradient = np.zeros((size, size)), np.zeros(size)
        middle, spread = self.scene.known.expected(self.scene.size)
        pull = np.concatenate([1.0 / spread**2, np.full(first - COUNT, OFFSET**-2)])
        matrix[range(first), range(first)] = pull
        gradient[:first] = pull * (shared - np.concatenate([middle, np.zeros(first - COUNT)]))

        def add(residual: Array, *parts: tuple[slice, Array]) -> None:
            for a, left in parts:
                gradient[a] += left.T @ residual
                for b, right in parts:
                    matrix[a, b] += left.T @ right

        at = [slice(first + dofs * i, first + dofs * (i + 1)) for i in range(len(poses))]
        for i, pose in enumerate(poses):
            for residual, by_shared, by_pose in (self._landmarks(i, shared, pose), self._depths(i, shared, pose)):
                add(residual, (slice(0, first), by_shared), (at[i], by_pose))
            own, by_own = self.scene.owning(self._frame(i), pose)
            add(own, (at[i], by_own))
            soles, moving = self.scene.soles.moving(pose)
            held = self.planted[i] / GROUND
            add(held * soles[:, 2], (at[i], held[:, None] * moving[:, 2]))
        for i in range(len(poses) - 1):
            tied, before, after = self._tied(i, poses)
            add(tied, (at[i], before), (at[i + 1], after))
            slip, before, after = self._slipping(i, poses)
            add(slip, (at[i], before), (at[i + 1], after))
        for i in range(1, len(poses) - 1):
            shares = self._leaps(i)
            places = [slice(at[i + k - 1].start, at[i + k - 1].start + 3) for k in range(3)]
            add(shares @ poses[i - 1 : i + 2, :3], *((p, s * np.eye(3)) for p, s in zip(places, shares, strict=True)))
        return matrix, gradient

    def _frame(self, i: int) -> Frame:
        return Frame(points=self.points, pixels=self.pixels[i], standing=bool(self.standing[i]))

    def _off(self, i: int, seen: Array) -> Array:
        """Distances (K, 2) from where the landmarks were seen, in spreads; zero where unseen."""
        return np.asarray(np.nan_to_num((seen - self.pixels[i]) / self.spread[i][:, None]))

    def _landmarks(self, i: int, shared: Array, pose: Array) -> tuple[Array, Array, Array]:
        """Weighed residuals (2K,) and their derivatives by what is shared and by the pose."""
        points, moving = self.placed(shared).moving(pose)
        pixels, by_point, by_camera = self.scene.seen(shared[:COUNT], points)
        off = self._off(i, pixels)
        length = np.linalg.norm(off, axis=1)
        weight = np.sqrt(np.minimum(1.0, DOUBT / np.maximum(length, 1e-12)))
        weight *= np.isfinite(self.pixels[i]).all(axis=1)
        share = (weight / self.spread[i])[:, None, None]
        count = len(points)
        by_shared = np.zeros((count, 2, self.shared))
        by_shared[:, :, :COUNT] = by_camera
        by_offset = by_point @ self.points.turns(pose) * self.sense[:, None, :]
        for k, g in enumerate(self.group):
            by_shared[k, :, COUNT + 3 * g : COUNT + 3 * g + 3] = by_offset[k]
        return (
            (weight[:, None] * off).ravel(),
            (share * by_shared).reshape(2 * count, -1),
            (share * (by_point @ moving)).reshape(2 * count, -1),
        )

    def _deeper(self, i: int, shared: Array, points: Array) -> Array:
        """How much farther off than said points (K, 3) are, in spreads; zero where nothing is said."""
        tilt = shared[TILT]
        ahead = np.array([0.0, np.cos(tilt), -np.sin(tilt)])
        off = (points - points[self._hips].mean(axis=0)) @ ahead - self.depth[i]
        return np.asarray(np.nan_to_num(off / DEPTH))

    @property
    def _hips(self) -> list[int]:
        return [self.points.names.index(f"hip_{side}") for side in ("left", "right")]

    def _depths(self, i: int, shared: Array, pose: Array) -> tuple[Array, Array, Array]:
        """Weighed residuals (K,) of `_deeper` and their derivatives by what is shared and by the pose."""
        points, moving = self.placed(shared).moving(pose)
        tilt, turns = shared[TILT], self.points.turns(pose)
        ahead = np.array([0.0, np.cos(tilt), -np.sin(tilt)])
        off = self._deeper(i, shared, points)
        weight = np.sqrt(np.minimum(1.0, DOUBT / np.maximum(np.abs(off), 1e-12))) * np.isfinite(self.depth[i])
        by_shared = np.zeros((len(points), self.shared))
        by_shared[:, TILT] = points @ np.array([0.0, -np.sin(tilt), -np.cos(tilt)])
        for k, g in enumerate(self.group):
            by_shared[k, COUNT + 3 * g : COUNT + 3 * g + 3] = ahead @ turns[k] * self.sense[k]
        by_pose = np.einsum("i,kij->kj", ahead, moving)
        share = (weight / DEPTH)[:, None]
        return (
            weight * off,
            share * (by_shared - by_shared[self._hips].mean(axis=0)),
            share * (by_pose - by_pose[self._hips].mean(axis=0)),
        )

    def _tied(self, i: int, poses: Array) -> tuple[Array, Array, Array]:
        """Turning of the root and hinges from frame i to the next, in spreads, and how it changes with both."""
        tree = self.points.tree
        gap = float(self.time[i + 1] - self.time[i])
        speed = np.array([STIFF if name.startswith(TRUNK_HINGES) else SPEED for name in tree.hinges])
        between = rotation.multiply(rotation.conjugate(poses[i, 3:7]), poses[i + 1, 3:7])
        turned = rotation.to_rotvec(between) / (TURN * gap)
        residual = np.concatenate([turned, (poses[i + 1, 7:] - poses[i, 7:]) / (speed * gap)])
        before, after = np.zeros((len(residual), tree.dofs)), np.zeros((len(residual), tree.dofs))
        before[:3, 3:6] = -rotation.to_matrix(rotation.conjugate(between)) / (TURN * gap)
        after[:3, 3:6] = np.eye(3) / (TURN * gap)
        before[range(3, len(residual)), range(6, tree.dofs)] = -1.0 / (speed * gap)
        after[range(3, len(residual)), range(6, tree.dofs)] = 1.0 / (speed * gap)
        return residual, before, after

    def _held(self, i: int) -> NDArray[np.bool_]:
        """Which soles are planted in frame i and in the next."""
        return np.asarray(self.planted[i] & self.planted[i + 1])

    def _slips(self, i: int, poses: Array) -> Array:
        """Way (S,) of planted points from frame i to the next, in spreads."""
        soles = self.scene.soles
        way = np.linalg.norm(soles.at(poses[i + 1]) - soles.at(poses[i]), axis=1)
        return np.asarray(self._held(i) * way / SLIP)

    def _slipping(self, i: int, poses: Array) -> tuple[Array, Array, Array]:
        """Weighed residuals of `_slips` and their derivatives by both poses."""
        (first, before), (second, after) = (self.scene.soles.moving(poses[i + k]) for k in (0, 1))
        way = (second - first) / SLIP
        length = np.linalg.norm(way, axis=1)
        weight = self._held(i) * np.sqrt(np.minimum(1.0, DOUBT / np.maximum(length, 1e-12)))
        share = (weight / SLIP)[:, None, None]
        rows = 3 * len(way)
        flat = [(share * part).reshape(rows, -1) for part in (before, after)]
        return (weight[:, None] * way).ravel(), -flat[0], flat[1]

    def _leaps(self, i: int) -> Array:
        """What three places around frame i are multiplied by to give the acceleration in spreads, (3,)."""
        before, after = np.diff(self.time[i - 1 : i + 2])
        shares = np.array([1.0 / before, -1.0 / before - 1.0 / after, 1.0 / after])
        return np.asarray(shares / (0.5 * (before + after) * LEAP))


def doubted(length: Array) -> Array:
    """Huber's cost of distances in spreads."""
    return np.where(length <= DOUBT, 0.5 * length**2, DOUBT * (length - 0.5 * DOUBT))
