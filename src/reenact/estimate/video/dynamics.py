"""Newton's and Euler's laws as a prior: a track's motion has to be one that the ground and gravity can make.

The centre of mass and the angular momentum about it change as gravity and forces at feet and hands make them: in the
air the one follows a parabola and the other stays, on the ground the forces push, within their friction cones, at
points that are down. One view does not show depth, but most of what is wrong in depth breaks these laws. Forces are not
unknowns: for given poses those are taken that leave least over (`support`), and what is left over is the residual.

The moments of landing and take-off fall between frames, where what is left over is large, so its cost levels off.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.estimate.video.banded import Equations
from reenact.estimate.video.feet import Feet
from reenact.estimate.video.point_masses import point_masses
from reenact.estimate.video.responses import Limbs, point_responses
from reenact.estimate.video.settings import Settings
from reenact.estimate.video.support import Support, given
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.tree import Tree

HANDS: Final = ("fingertip_left", "fingertip_right")
WRISTS: Final = ("wrist_left", "wrist_right")
REACH: Final = (0.03, 0.06, 0.06)  # [m] height from which on soles, fingertips and wrists hardly bear
SIZE: Final = 0.5  # [m] by which moments are divided to be weighed as forces
GRAVITY: Final = 9.81  # [m/s²]
USUAL: Final = 30.0  # frames per second that the settings are for


class Needed(NamedTuple):
    """What moves a body of mass 1 in the frames but the first and last, as it moves."""

    wrench: Array  # (n, 6) force [m/s²] and moment about the centre of mass, divided by SIZE
    pull: Array  # (n, P, 3) [m/s²] of each point mass: acceleration less gravity
    about: Array  # (n, P, 3) [m] the point masses about the centre of mass
    arms: Array  # (n, K, 3) [m] what may bear about the centre of mass


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Dynamics:
    """Residuals, six for each frame but the first and last."""

    tree: Tree
    segments: NDArray[np.int64]  # (P + K,) of the point masses, then of what may bear
    points: Array  # (P + K, 3) in the segments' frames [m]
    shares: Array  # (P,) of the mass
    reach: Array  # (K,) [m]
    rate: float  # frames per second
    settings: Settings

    def places(self, poses: Array) -> Array:
        """Point masses and what may bear in the world, (n, P + K, 3) [m]."""
        position, frame = forward(self.tree, poses)
        return np.asarray(position[:, self.segments] + np.einsum("tfij,fj->tfi", frame[:, self.segments], self.points))

    def down(self, places: Array, ground: float) -> Array:
        """How far each point is down in the frames but the first and last or in one beside them, (n − 2, K), 0 … 1.

        ground: its height [m].
        """
        height = np.maximum(places[:, len(self.shares) :, 2] - ground, 0.0)
        touch = np.exp(-((height / self.reach) ** 2))
        return np.asarray(np.maximum(np.maximum(touch[:-2], touch[1:-1]), touch[2:]))

    def costs(self, before: Array, here: Array, then: Array, down: Array) -> Array:
        """Twice the cost of frames (n,) by the places (n, P + K, 3) in the frames before, in them, and after."""
        return self._levelled(self._given(self._needed(before, here, then), down).value)

    def all_costs(self, poses: Array, down: Array) -> Array:
        """Twice the costs (n − 2,) of poses (n, 7 + A) that follow each other, where points are down (n − 2, K)."""
        places = self.places(poses)
        return self.costs(places[:-2], places[1:-1], places[2:], down)

    def add(self, to: Equations, poses: Array, limbs: Limbs, ground: float) -> None:
        """Add curvature and slope at poses (n, 7 + A)."""
        if len(poses) < 3:
            return
        places, masses = self.places(poses), len(self.shares)
        needed = self._needed(places[:-2], places[1:-1], places[2:])
        got = self._given(needed, self.down(places, ground))
        weight = 1.0 / (self._spread**2 * (1.0 + got.value / self._level))
        response = point_responses(
            self.tree.arrays, limbs.below, limbs.moved, np.ascontiguousarray(poses), self.segments, self.points
        )  # (n, V, P + K, 3)
        count, size = response.shape[:2]
        beside = self._by_acceleration(needed)  # (n − 2, P · 3, 6)
        within = self._by_place(needed, got)  # (n − 2, (P + K) · 3, 6)
        within[:, : 3 * masses] -= 2.0 * beside
        every = response.reshape(count, size, -1)
        massive = response[:, :, :masses].reshape(count, size, -1)
        parts = (massive[:-2] @ beside, every[1:-1] @ within, massive[2:] @ beside)  # (n − 2, V, 6) each
        left, stiff = got.left * weight[:, None], got.stiff * weight[:, None, None]
        for i, one in enumerate(parts):
            frames = slice(i, count - 2 + i)
            to.slope[frames] += np.einsum("nvk,nk->nv", one, left)
            pulled = one @ stiff
            to.own[frames] += pulled @ one.swapaxes(1, 2)
            if i < 2:
                to.next[frames] += pulled @ parts[i + 1].swapaxes(1, 2)
            if i < 1:
                to.after[frames] += pulled @ parts[2].swapaxes(1, 2)

    @property
    def _spread(self) -> float:
        """What may be left over [m/s²]: errors of places weigh more in the accelerations of many frames a second."""
        return self.settings.physics * max(1.0, self.rate / USUAL) ** 2

    @property
    def _level(self) -> float:
        return (self._spread * self.settings.impact) ** 2

    def _levelled(self, value: Array) -> Array:
        return np.asarray(self.settings.impact**2 * np.log1p(value / self._level))

    def _needed(self, before: Array, here: Array, then: Array) -> Needed:
        masses, shares = len(self.shares), self.shares
        own = here[:, :masses]
        pull = self.rate**2 * (then[:, :masses] - 2.0 * own + before[:, :masses]) + [0.0, 0.0, GRAVITY]
        centre = np.einsum("p,npi->ni", shares, own)[:, None]
        about = own - centre
        force = np.einsum("p,npi->ni", shares, pull)
        moment = np.einsum("p,npi->ni", shares, np.cross(about, pull)) / SIZE
        return Needed(np.concatenate([force, moment], axis=1), pull, about, here[:, masses:] - centre)

    def _given(self, needed: Needed, down: Array) -> Support:
        return given(needed.wrench, needed.arms, down, SIZE)

    def _by_acceleration(self, needed: Needed) -> Array:
        """Derivatives of what is needed by the point masses' places in a frame beside, (n, P · 3, 6)."""
        count, masses = needed.about.shape[:2]
        out = np.zeros((count, masses, 3, 6))
        out[..., :3] = np.eye(3)
        out[..., 3:] = _crossing(needed.about).swapaxes(-1, -2) / SIZE
        out *= self.rate**2 * self.shares[:, None, None]
        return out.reshape(count, -1, 6)

    def _by_place(self, needed: Needed, got: Support) -> Array:
        """Derivatives of what is left over by all places in the frame, accelerations apart, (n, (P + K) · 3, 6)."""
        pulls = np.concatenate([self.shares[:, None] * needed.pull, -got.force], axis=1)
        pulls[:, : len(self.shares)] -= self.shares[:, None] * pulls.sum(axis=1, keepdims=True)  # the centre moves, too
        out = np.zeros((*pulls.shape, 6))
        out[..., 3:] = -_crossing(pulls).swapaxes(-1, -2) / SIZE
        return out.reshape(len(pulls), -1, 6)


def _crossing(vectors: Array) -> Array:
    """Matrices (…, 3, 3) whose products with another vector are the cross products of vectors (…, 3) with it."""
    out = np.zeros((*vectors.shape, 3))
    x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    out[..., 0, 1], out[..., 0, 2] = -z, y
    out[..., 1, 0], out[..., 1, 2] = z, -x
    out[..., 2, 0], out[..., 2, 1] = -y, x
    return out


def dynamics_of(body: Body, feet: Feet) -> Dynamics:
    """Of a body that may touch the ground with its feet, fingertips and wrists."""
    tree, masses = feet.tree, point_masses(body)
    tips = [body.landmarks[name] for name in HANDS if name in body.landmarks]
    wrists = [(tree.names[s], np.zeros(3)) for s in map(tree.segment_at, WRISTS) if s >= 0]
    hands = [(tree.names.index(segment), point) for segment, point in (*tips, *wrists)]
    segments = np.array([s for s, _ in hands], np.int64)
    points = np.array([point for _, point in hands], float).reshape(-1, 3)
    return Dynamics(
        tree=tree,
        segments=np.concatenate([masses.segments, feet.segments, segments]),
        points=np.concatenate([masses.points, feet.points, points]),
        shares=masses.shares,
        reach=np.repeat(REACH, [len(feet.points), len(tips), len(wrists)]),
        rate=feet.rate,
        settings=feet.settings,
    )
