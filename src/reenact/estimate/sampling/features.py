"""What the cost compares of states: joint rotations, root, end effectors, centre of mass, for many states at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.errors import BodyError
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.tree import Tree, move, tree_of

_NUDGE = 1e-5  # [s] along which positions are differentiated


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
        turns, spins = self._joints(qpos, qvel)
        before, after = (self._points(move(qpos, side * _NUDGE * qvel)) for side in (-1.0, 1.0))
        here = self._points(qpos)
        speed = (after - before) / (2.0 * _NUDGE)
        return Features(
            turns=turns,
            spins=spins,
            root=qpos[:, 3:7],
            root_spin=rotation.rotate(qpos[:, 3:7], qvel[:, 3:6]),
            tips=here[:, :-1],
            tip_velocities=speed[:, :-1],
            com=here[:, -1],
            com_velocity=speed[:, -1],
        )

    def _points(self, qpos: Array) -> Array:
        """Centres of the end effectors and of the whole mass, (n, k+1, 3) [m]."""
        position, frame = forward(self.tree, qpos)
        centres = position + np.einsum("nsij,sj->nsi", frame, self.centre)
        com = np.einsum("nsi,s->ni", centres, self.mass / self.mass.sum())
        return np.concatenate([centres[:, self.effectors], com[:, None]], axis=1)

    def _joints(self, qpos: Array, qvel: Array) -> tuple[Array, Array]:
        """Rotation and angular velocity of each joint from its hinges, the first outermost."""
        axes = self.tree.arrays.axis
        turns = np.tile(rotation.IDENTITY, (len(qpos), len(self.hinged), 1))
        spins = np.zeros((len(qpos), len(self.hinged), 3))
        for depth in range(max(map(len, self.hinged))):
            joints = [j for j, hinges in enumerate(self.hinged) if len(hinges) > depth]
            hinges = [self.hinged[j][depth] for j in joints]
            spins[:, joints] += rotation.rotate(turns[:, joints], axes[hinges] * qvel[:, 6:][:, hinges, None])
            own = rotation.from_axis_angle(axes[hinges], qpos[:, 7:][:, hinges])
            turns[:, joints] = rotation.multiply(turns[:, joints], own)
        return turns, spins


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
