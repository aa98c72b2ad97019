"""What the cost compares of states: joint rotations, root, end effectors, centre of mass, for many states at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.errors import BodyError
from reenact.geometry.rotation import Array
from reenact.motion.compiled import compiled
from reenact.motion.kinematics import new_placed, place
from reenact.motion.tree import Tree, TreeArrays, tree_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """Of n states of one body; J joints, k end effectors; in the world unless said otherwise."""

    turns: Array  # (n, J, 4) rotation of each joint, from the parent's frame
    spins: Array  # (n, J, 3) its angular velocity in the parent's frame [rad/s]
    root: Array  # (n, 4) orientation
    root_spin: Array  # (n, 3) [rad/s]
    tips: Array  # (n, k, 3) centres of the end effectors [m]
    tip_velocities: Array  # (n, k, 3) [m/s]
    com: Array  # (n, 3) centre of mass [m]
    com_velocity: Array  # (n, 3) [m/s]

    def at(self, index: int) -> Features:
        """One of the states, as a batch of one."""
        return self.of(np.array([index]))

    def of(self, which: NDArray[np.int64]) -> Features:
        """Some of the states."""
        return Features(**{name: getattr(self, name)[which] for name in self.__slots__})

    def joined(self, others: Features) -> Features:
        """These states and then others."""
        names = self.__slots__
        return Features(**{name: np.concatenate([getattr(self, name), getattr(others, name)]) for name in names})


@dataclass(frozen=True, slots=True, kw_only=True)
class Anatomy:
    """What features are computed from: a body's tree, masses and end effectors."""

    tree: Tree
    mass: Array  # (S,) [kg]
    centre: Array  # (S, 3) centre of mass in the segment's frame [m]
    effectors: NDArray[np.int64]  # (k,) segments
    hinged: tuple[tuple[int, ...], ...]  # (J,) hinges of each joint that has some, outermost first
    stature: float  # [m]

    def features(self, qpos: Array, qvel: Array) -> Features:
        """Features of positions (n, 7+A) and velocities (n, 6+A) in MuJoCo's convention."""
        n, joints, tips = len(qpos), len(self.hinged), len(self.effectors)
        turns, spins, root_spin = np.empty((n, joints, 4)), np.empty((n, joints, 3)), np.empty((n, 3))
        points, speeds = np.empty((n, tips + 1, 3)), np.empty((n, tips + 1, 3))
        poses, rates = np.ascontiguousarray(qpos, float), np.ascontiguousarray(qvel, float)
        _joints(self.tree.arrays, self.bearers, poses, rates, turns, spins)
        _points(self.tree.arrays, self.mass, self.centre, self.effectors, poses, rates, points, speeds, root_spin)
        return Features(
            turns=turns,
            spins=spins,
            root=poses[:, 3:7],
            root_spin=root_spin,
            tips=points[:, :-1],
            tip_velocities=speeds[:, :-1],
            com=points[:, -1],
            com_velocity=speeds[:, -1],
        )

    @property
    def bearers(self) -> NDArray[np.int64]:
        """Segments whose joint has hinges (J,)."""
        first = self.tree.arrays.first_axis
        return np.flatnonzero(first[1:] > first[:-1])


@compiled
def _joints(tree: TreeArrays, bearers: Any, poses: Array, rates: Array, turns: Array, spins: Array) -> None:
    """Rotation and angular velocity of each joint from its hinges, the first outermost, in the parent's frame."""
    for n in range(len(poses)):
        for j in range(len(bearers)):
            w, x, y, z = 1.0, 0.0, 0.0, 0.0
            spins[n, j] = 0.0
            for a in range(tree.first_axis[bearers[j]], tree.first_axis[bearers[j] + 1]):
                rate = rates[n, 6 + a]
                u, v, t = tree.axis[a, 0], tree.axis[a, 1], tree.axis[a, 2]
                cx, cy, cz = 2 * (y * t - z * v), 2 * (z * u - x * t), 2 * (x * v - y * u)
                spins[n, j, 0] += rate * (u + w * cx + y * cz - z * cy)
                spins[n, j, 1] += rate * (v + w * cy + z * cx - x * cz)
                spins[n, j, 2] += rate * (t + w * cz + x * cy - y * cx)
                c, s = np.cos(0.5 * poses[n, 7 + a]), np.sin(0.5 * poses[n, 7 + a])
                u, v, t = s * u, s * v, s * t
                w, x, y, z = (
                    w * c - x * u - y * v - z * t,
                    w * u + x * c + y * t - z * v,
                    w * v - x * t + y * c + z * u,
                    w * t + x * v - y * u + z * c,
                )
            turns[n, j, 0], turns[n, j, 1], turns[n, j, 2], turns[n, j, 3] = w, x, y, z


@compiled
def _points(
    tree: TreeArrays,
    mass: Array,
    centre: Array,
    effectors: Any,
    poses: Array,
    rates: Array,
    points: Array,
    speeds: Array,
    spin: Array,
) -> None:
    """Centres of the end effectors, the last one of the whole mass, (n, k+1, 3), their velocities, the root's spin."""
    count, whole = len(mass), mass.sum()
    placed = new_placed(tree)
    position, frame, hinge = placed.position, placed.frame, placed.hinge
    turning, moving = np.empty((count, 3)), np.empty((count, 3))
    arm, lever = np.empty(3), np.empty(3)
    for n in range(len(poses)):
        place(tree, poses[n], placed)
        points[n, -1] = 0.0
        speeds[n, -1] = 0.0
        for s in range(count):
            if s == 0:
                for i in range(3):
                    moving[0, i] = rates[n, i]
                    turning[0, i] = 0.0
                    for j in range(3):
                        turning[0, i] += frame[0, i, j] * rates[n, 3 + j]
                    spin[n, i] = turning[0, i]
            else:
                p = tree.parent[s]
                for i in range(3):
                    lever[i] = position[s, i] - position[p, i]
                for i in range(3):
                    j, k = (i + 1) % 3, (i + 2) % 3
                    moving[s, i] = moving[p, i] + turning[p, j] * lever[k] - turning[p, k] * lever[j]
                    turning[s, i] = turning[p, i]
                for a in range(tree.first_axis[s], tree.first_axis[s + 1]):
                    for i in range(3):
                        turning[s, i] += hinge[a, i] * rates[n, 6 + a]
            for i in range(3):
                arm[i] = 0.0
                for j in range(3):
                    arm[i] += frame[s, i, j] * centre[s, j]
            share = mass[s] / whole
            for i in range(3):
                j, k = (i + 1) % 3, (i + 2) % 3
                speed = moving[s, i] + turning[s, j] * arm[k] - turning[s, k] * arm[j]
                points[n, -1, i] += share * (position[s, i] + arm[i])
                speeds[n, -1, i] += share * speed
                for e in range(len(effectors)):
                    if effectors[e] == s:
                        points[n, e, i] = position[s, i] + arm[i]
                        speeds[n, e, i] = speed


def anatomy_of(body: Body) -> Anatomy:
    """The anatomy of a body; one without hinges or without end effectors cannot be sampled."""
    if not body.axes:
        raise BodyError(f"body '{body.name}' has no joints to sample")
    if not body.end_effectors:
        raise BodyError(f"body '{body.name}' names no end_effectors, which the cost of a sample is measured at")
    tree = tree_of(body)
    first = tree.arrays.first_axis
    spans = [tuple(range(first[s], first[s + 1])) for s in range(len(body.segments))]
    return Anatomy(
        tree=tree,
        mass=np.array([s.mass for s in body.segments]),
        centre=np.array([s.com for s in body.segments], float),
        effectors=_indices(body, body.end_effectors),
        hinged=tuple(span for span in spans if span),
        stature=body.stature,
    )


def _indices(body: Body, names: Sequence[str]) -> NDArray[np.int64]:
    return np.array([body.segment_names.index(name) for name in names], np.int64)
