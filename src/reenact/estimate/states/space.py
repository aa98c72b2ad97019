"""Which numbers of a machine a search may change, as a vector whose entries are all of about the same size.

Zero is the machine as it stands. In a space of modelled poses (`pose_space.py`) a pose moves as the model's nearest one
does, and what lies between the two stays as it is: next to nothing of a pose that came from the model, its digits as
text for example, so that to open a state again and again does not shift it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from reenact.body.body import Body
from reenact.control.machine import layout as at
from reenact.control.machine.limbs import Limbs
from reenact.control.machine.machine import Machine, MachineState
from reenact.estimate.states.pose_space import PoseSpace
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

SECONDS, LOG_GAIN, ROOT, POSE, LEG_POSE = 0.03, 0.25, 0.06, 0.06, 0.1
BALANCE: Final = (0.3, 0.1, 0.2)  # of ϑ₁, ϑ₂, ϑ₃
REFLEX: Final = (0.1, 0.03, 0.1, 0.03, 0.3, 0.1)  # of the ankle, the lean, and ϑ₁, ϑ₂ to the side

# Uniform priors, [V12] §5: what lies outside costs in proportion.
SECONDS_RANGE: Final = (0.1, 0.5)
GAIN_RANGE: Final = (0.001, 0.2)
BEYOND_LIMITS: Final = 0.3  # [rad] that a target may lie outside the joint's range


class Centre(NamedTuple):
    """A state's own pose in a space of modelled poses."""

    coefficients: Array  # (k,) of the model's nearest pose
    root: Array  # (4,) from that one's root to the state's own, in the former's frame
    pose: Array  # (A,) the same of the angles [rad]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Space:
    """Numbers of some states of a machine: per state its seconds, gains, root and pose, and feedback."""

    machine: Machine
    limbs: Limbs
    states: tuple[int, ...]  # whose numbers change
    feedback: bool  # whether balance changes too
    scale: Array  # (D,) of the vector's entries, one state after the other
    low: Array  # (A,) [rad]
    high: Array  # (A,) [rad]
    poses: PoseSpace | None = None  # None: plain angles, and a rotation vector of the root
    centres: tuple[Centre, ...] = ()  # of the states, where their poses are modelled

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
            if self.poses is None:
                charge += self._turn(row, step[:, 1 + groups :])
            else:
                charge += self._remodel(row, step[:, 1 + groups :], i)
            if self.feedback:
                row[:, at.PLACE : at.BLEND + 1] += step[:, -9:-6]
                row[:, at.ANKLE : at.LEAN_ASIDE] += step[:, -6:]
                row[:, at.LEAN_ASIDE : at.INWARD] += step[:, -4:-2]  # leans aside as it does ahead
        return rows.reshape(count, -1), charge

    def _turn(self, row: Array, step: Array) -> Array:
        """Turn the roots and add to the angles of rows (n, W); what the prior charges (n,)."""
        root, pose = _places(self.machine)
        row[:, root] = rotation.normalize(rotation.multiply(row[:, root], rotation.from_rotvec(step[:, :3])))
        row[:, pose] += step[:, 3 : 3 + len(self.machine.axes)]
        return np.asarray(outside(row[:, pose], self.low, self.high).sum(axis=1))

    def _remodel(self, row: Array, step: Array, i: int) -> Array:
        """Give rows (n, W) of the i-th state the poses of changed coefficients; what the prior charges (n,)."""
        assert self.poses is not None
        root, pose = _places(self.machine)
        size, centre = self.poses.model.size, self.centres[i]
        own = self.machine.states[self.states[i]].root
        roots, angles, charge = self.poses.poses(centre.coefficients + step[:, :size], step[:, size], own)
        row[:, root] = rotation.normalize(rotation.multiply(roots, centre.root))
        row[:, pose] = angles + centre.pose
        return charge


def space_of(
    machine: Machine,
    limbs: Limbs,
    body: Body,
    states: tuple[int, ...],
    *,
    feedback: bool = False,
    poses: PoseSpace | None = None,
) -> Space:
    """The space of some states of a machine; `poses`: what target poses are made of, plain angles where None."""
    limits = np.array([axis.range for axis in body.axes])
    one = [SECONDS, *[LOG_GAIN] * len(limbs.groups)]
    one += [*[ROOT] * 3, *_strides(limbs)] if poses is None else list(poses.scales)
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
        poses=poses,
        centres=() if poses is None else tuple(_centre(poses, machine.states[state]) for state in states),
    )


def outside(values: Array, low: float | Array, high: float | Array) -> Array:
    """How far values lie outside a range, [V12] §5."""
    return np.asarray(np.maximum(0.0, values - high) + np.maximum(0.0, low - values))


def _centre(poses: PoseSpace, state: MachineState) -> Centre:
    s = poses.coefficients(state.root, state.pose)
    roots, angles, _ = poses.poses(s[None], np.zeros(1), state.root)
    rest = rotation.multiply(rotation.conjugate(roots[0]), state.root)
    return Centre(coefficients=s, root=rest, pose=state.pose - angles[0])


def _strides(limbs: Limbs) -> list[float]:
    """Steps of the plain angles, (A,) [rad]."""
    legs = {limbs.groups[limbs.group_of[leg.hip]] for leg in limbs.legs} | {"knee", "ankle"}
    return [LEG_POSE if limbs.groups[group] in legs else POSE for group in limbs.group_of]


def _places(machine: Machine) -> tuple[slice, slice]:
    """Where the root's orientation and the angles stand in a state's row."""
    groups = len(machine.groups)
    return slice(at.root_at(groups), at.pose_at(groups)), slice(
        at.pose_at(groups), at.reactions_at(groups, len(machine.axes))
    )
