"""Which numbers of a machine a search may change, as a vector whose entries are all of about the same size.

Zero is the machine as it stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from reenact.body.body import Body
from reenact.control.machine import layout as at
from reenact.control.machine.limbs import Limbs
from reenact.control.machine.machine import Machine
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

SECONDS, LOG_GAIN, ROOT, POSE, LEG_POSE = 0.03, 0.25, 0.06, 0.06, 0.1
BALANCE: Final = (0.3, 0.1, 0.2)  # of ϑ₁, ϑ₂, ϑ₃
REFLEX: Final = (0.1, 0.03, 0.1, 0.03, 0.3, 0.1)  # of the ankle, the lean, and ϑ₁, ϑ₂ to the side

# Uniform priors, [V12] §5: what lies outside costs in proportion.
SECONDS_RANGE: Final = (0.1, 0.5)
GAIN_RANGE: Final = (0.001, 0.2)
BEYOND_LIMITS: Final = 0.3  # [rad] that a target may lie outside the joint's range


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Space:
    """Numbers of some states of a machine."""

    machine: Machine
    limbs: Limbs
    states: tuple[int, ...]  # whose numbers change
    feedback: bool  # whether balance changes too
    scale: Array  # (D,) of the vector's entries, one state after the other
    low: Array  # (A,) [rad]
    high: Array  # (A,) [rad]

    @property
    def size(self) -> int:
        """Length D of the vector."""
        return len(self.scale)

    def params(self, vectors: Array) -> tuple[Array, Array]:
        """Params (n, M·W) of machines and what the priors charge for them (n,), from vectors (n, D)."""
        count, groups = len(vectors), len(self.machine.groups)
        rows = np.repeat(self.machine.rows()[None], count, axis=0)
        charge = np.zeros(count)
        each = self.size // len(self.states)
        for i, state in enumerate(self.states):
            step = vectors[:, i * each : (i + 1) * each] * self.scale[i * each : (i + 1) * each]
            row = rows[:, state]
            seconds = row[:, at.SECONDS] + step[:, 0]
            charge += outside(seconds, *SECONDS_RANGE)
            row[:, at.SECONDS] = np.clip(seconds, 0.05, 1.0)
            gains = np.exp(np.log(np.maximum(row[:, at.GAINS : at.root_at(groups)], 1e-4)) + step[:, 1 : 1 + groups])
            charge += outside(gains, *GAIN_RANGE).sum(axis=1)
            row[:, at.GAINS : at.root_at(groups)] = np.clip(gains, 1e-4, 0.5)
            root = slice(at.root_at(groups), at.pose_at(groups))
            turn = rotation.from_rotvec(step[:, 1 + groups : 4 + groups])
            row[:, root] = rotation.normalize(rotation.multiply(row[:, root], turn))
            axes = len(self.machine.axes)
            pose = row[:, at.pose_at(groups) :] + step[:, 4 + groups : 4 + groups + axes]
            charge += outside(pose, self.low, self.high).sum(axis=1)
            row[:, at.pose_at(groups) :] = pose
            if self.feedback:
                row[:, at.PLACE : at.BLEND + 1] += step[:, -9:-6]
                row[:, at.ANKLE : at.GAINS] += step[:, -6:]
        return rows.reshape(count, -1), charge


def space_of(machine: Machine, limbs: Limbs, body: Body, states: tuple[int, ...], *, feedback: bool = False) -> Space:
    """The space of some states of a machine."""
    limits = np.array([axis.range for axis in body.axes])
    legs = {limbs.groups[limbs.group_of[leg.hip]] for leg in limbs.legs} | {"knee", "ankle"}
    pose = [LEG_POSE if limbs.groups[group] in legs else POSE for group in limbs.group_of]
    one = [SECONDS, *[LOG_GAIN] * len(limbs.groups), *[ROOT] * 3, *pose]
    if feedback:
        one += [*BALANCE, *REFLEX]
    return Space(
        machine=machine,
        limbs=limbs,
        states=states,
        feedback=feedback,
        scale=np.tile(np.array(one), len(states)),
        low=limits[:, 0] - BEYOND_LIMITS,
        high=limits[:, 1] + BEYOND_LIMITS,
    )


def outside(values: Array, low: float | Array, high: float | Array) -> Array:
    """How far values lie outside a range, [V12] §5."""
    return np.asarray(np.maximum(0.0, values - high) + np.maximum(0.0, low - values))
