"""The least-squares equations of a camera and the poses it sees: residuals, and how they change.

Each residual is divided by the spread that it may have. Clicks far off pull with constant force (Huber), so one wrong
click does not bend the whole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reenact.geometry.rotation import Array
from reenact.motion.tree import Tree
from reenact.observe.camera_guess import COUNT, FOCAL, HEIGHT, ROLL, TILT, Known
from reenact.observe.camera_lens import bent
from reenact.observe.camera_points import BodyPoints

CLICK = 0.003  # spread of a click, in shorter sides of the picture: 3 px at 1080
DOUBT = 3.0  # spreads beyond which a click is doubted
BALANCE = 0.08  # spread of a standing trunk's middle about the middle of its feet, on the ground [m]
GROUND = 0.02  # spread of the lowest point of a standing foot about the ground [m]
LIMIT = 0.03  # spread beyond a hinge's limit [rad]
BEHIND = 0.1  # [m] least depth: a point nearer than this counts as there


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frame:
    """What was clicked in one frame."""

    points: BodyPoints
    pixels: Array  # (K, 2) [px]
    standing: bool = True
    spread: float | None = None  # of a click [px]; CLICK of the picture unless said

    @property
    def tree(self) -> Tree:
        """The body's hinges."""
        return self.points.tree


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """Frames of one video with one camera."""

    frames: tuple[Frame, ...]
    soles: BodyPoints  # which are on the ground or above it
    trunk: BodyPoints  # whose middle is over the feet where a body stands or walks
    size: tuple[int, int]
    known: Known
    stiffness: Array  # (A,) pull of the hinges to their rest [1/rad²]
    balance: float = BALANCE  # spread of a standing trunk's middle about the middle of its feet [m]

    def cost(self, numbers: Array, poses: Array) -> float:
        """Half the sum of squared residuals, clicks in doubt counted less."""
        middle, spread = self.known.expected(self.size)
        total = 0.5 * float(np.sum(((numbers - middle) / spread) ** 2))
        for frame, pose in zip(self.frames, poses, strict=True):
            off = self._clicks(numbers, frame.points.at(pose), frame)
            length = np.linalg.norm(off, axis=1)
            total += float(np.where(length <= DOUBT, 0.5 * length**2, DOUBT * (length - 0.5 * DOUBT)).sum())
            total += 0.5 * float(np.sum(self.own(frame, pose) ** 2))
        return total

    def equations(self, numbers: Array, poses: Array) -> tuple[Array, Array]:
        """Normal matrix (N, N) and gradient (N,), N = 4 + F·(6 + A): the camera first, then the frames' tangents."""
        middle, spread = self.known.expected(self.size)
        dofs = self.frames[0].tree.dofs
        size = COUNT + dofs * len(self.frames)
        matrix, gradient = np.zeros((size, size)), np.zeros(size)
        matrix[range(COUNT), range(COUNT)] = 1.0 / spread**2
        gradient[:COUNT] = (numbers - middle) / spread**2
        for i, (frame, pose) in enumerate(zip(self.frames, poses, strict=True)):
            own = slice(COUNT + dofs * i, COUNT + dofs * (i + 1))
            residual, by_camera, by_pose = self._clicked(numbers, frame, pose)
            more, by_own = self.owning(frame, pose)
            matrix[:COUNT, :COUNT] += by_camera.T @ by_camera
            matrix[:COUNT, own] += by_camera.T @ by_pose
            matrix[own, :COUNT] += by_pose.T @ by_camera
            matrix[own, own] += by_pose.T @ by_pose + by_own.T @ by_own
            gradient[:COUNT] += by_camera.T @ residual
            gradient[own] += by_pose.T @ residual + by_own.T @ more
        return matrix, gradient

    def _clicks(self, numbers: Array, points: Array, frame: Frame) -> Array:
        """Distance (K, 2) of points (K, 3) from where they were clicked, in spreads."""
        return (self.seen(numbers, points)[0] - frame.pixels) / self._spread(frame)

    def _spread(self, frame: Frame) -> float:
        return CLICK * min(self.size) if frame.spread is None else frame.spread

    def seen(self, numbers: Array, points: Array) -> tuple[Array, Array, Array]:
        """Pixels (K, 2) of points (K, 3), how they move with the points, (K, 2, 3), and with the camera, (K, 2, 4)."""
        camera = self.known.camera(numbers, self.size)
        turn = camera.turn
        local = (points - camera.position) @ turn.T
        deep = np.maximum(local[:, 2:], BEHIND)
        flat = local[:, :2] / deep
        drawn, slope = bent(flat, camera.distortion)
        by_flat = np.concatenate([np.broadcast_to(np.eye(2), (len(points), 2, 2)), -flat[:, :, None]], axis=2)
        by_local = camera.focal[:, None] * np.einsum("kij,kjm->kim", slope, by_flat / deep[:, :, None])
        by_point = by_local @ turn
        by_camera = np.empty((len(points), 2, COUNT))
        by_camera[:, :, FOCAL] = camera.focal * drawn
        # A camera that tilts down turns about its right, one that rolls about its optical axis; its world turns back.
        across = np.array([np.cos(numbers[ROLL]), -np.sin(numbers[ROLL]), 0.0])
        by_camera[:, :, TILT] = np.einsum("kij,kj->ki", by_local, np.cross(across, local))
        by_camera[:, :, ROLL] = np.einsum("kij,kj->ki", by_local, np.cross(local, [0.0, 0.0, 1.0]))
        by_camera[:, :, HEIGHT] = -by_point[:, :, 2]
        return camera.focal * drawn + camera.centre, by_point, by_camera

    def _clicked(self, numbers: Array, frame: Frame, pose: Array) -> tuple[Array, Array, Array]:
        """Weighed residuals (2K,) of the clicks and their derivatives by camera (2K, 4) and pose (2K, 6 + A)."""
        points, moving = frame.points.moving(pose)
        pixels, by_point, by_camera = self.seen(numbers, points)
        spread = self._spread(frame)
        off = (pixels - frame.pixels) / spread
        length = np.linalg.norm(off, axis=1)
        weight = np.sqrt(np.minimum(1.0, DOUBT / np.maximum(length, 1e-12)))[:, None]
        share, rows = weight[:, :, None] / spread, 2 * len(points)
        return (
            (weight * off).ravel(),
            (share * by_camera).reshape(rows, -1),
            (share * (by_point @ moving)).reshape(rows, -1),
        )

    def own(self, frame: Frame, pose: Array) -> Array:
        """Residuals of a frame's pose alone: rest, limits, ground, balance."""
        points = self.soles.at(pose)
        lean = np.zeros(2)
        if frame.standing and self.trunk.names:
            lean = (self.trunk.at(pose).mean(axis=0) - points.mean(axis=0))[:2] / self.balance
        held = _held(points[:, 2], frame.standing)
        return np.concatenate([*self._hinges(frame, pose), held * points[:, 2] / GROUND, lean])

    def _hinges(self, frame: Frame, pose: Array) -> tuple[Array, Array]:
        """How far the hinges are from their rest and beyond their limits, in spreads."""
        (lower, upper), hinges = frame.tree.limits, pose[7:]
        beyond = np.minimum(0.0, hinges - lower) + np.maximum(0.0, hinges - upper)
        return np.sqrt(self.stiffness) * (hinges - frame.tree.neutral()[7:]), beyond / LIMIT

    def owning(self, frame: Frame, pose: Array) -> tuple[Array, Array]:
        """The same residuals and their derivatives."""
        tree = frame.tree
        rest, beyond = self._hinges(frame, pose)
        count = len(rest)
        jacobian = np.zeros((2 * count + len(self.soles.names) + 2, tree.dofs))
        jacobian[range(count), range(6, 6 + count)] = np.sqrt(self.stiffness)
        jacobian[range(count, 2 * count), range(6, 6 + count)] = (beyond != 0.0) / LIMIT
        points, moving = self.soles.moving(pose)
        held = _held(points[:, 2], frame.standing)
        jacobian[2 * count : -2] = held[:, None] * moving[:, 2] / GROUND
        lean = np.zeros(2)
        if frame.standing and self.trunk.names:
            above, above_moving = self.trunk.moving(pose)
            lean = (above.mean(axis=0) - points.mean(axis=0))[:2] / self.balance
            jacobian[-2:] = (above_moving.mean(axis=0) - moving.mean(axis=0))[:2] / self.balance
        return np.concatenate([rest, beyond, held * points[:, 2] / GROUND, lean]), jacobian


def _held(height: Array, standing: bool) -> NDArray[np.bool_]:
    """Which points at these heights (S,) [m] are held to the ground: those below, and the lowest of a standing body."""
    held = height < 0.0
    if standing:
        held[np.argmin(height)] = True
    return held
