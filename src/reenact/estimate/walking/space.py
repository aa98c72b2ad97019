"""Numbers of a gait that rehearsing changes: those of one step; the other step is its mirror image.

Legs, trunk, gains, times and feedback; arms and head swing as they did.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.control.machine import layout as at
from reenact.control.machine.falling import WAYS
from reenact.control.machine.limbs import Limbs
from reenact.control.machine.machine import ANY, Machine
from reenact.control.machine.mirror import mirrored_rows
from reenact.estimate.states.space import GAIN_RANGE, LEG_POSE, LOG_GAIN, POSE, ROOT, SECONDS, outside
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

REACTION: Final = 0.8  # [rad/m]
MOST_CHANGE, MOST_POSE = 20.0, 6.0  # of reactions and answers, in their units, and of angles [rad]
ANSWERS: Final = (0.8, 0.8, 0.1, 0.4, 0.4, 0.4, 0.2)  # by cue [rad/m, rad/m, s, 1, 1, 1, 1]
SHORTEST, LONGEST = 0.05, 0.5  # [s] of a state
FEEDBACK: Final = {
    at.PLACE: 0.3,
    at.SPEED: 0.1,
    at.ANKLE: 0.1,
    at.ANKLE + 1: 0.03,
    at.LEAN: 0.1,
    at.LEAN + 1: 0.03,
    at.ASIDE: 0.3,
    at.ASIDE + 1: 0.1,
}
AGAINST_PUSHES: Final = {
    **FEEDBACK,
    at.ASIDE: 0.5,
    at.LEAN_ASIDE: 0.1,
    at.LEAN_ASIDE + 1: 0.03,
    at.INWARD: 0.05,
    at.SOLE: 0.1,
    **{at.HURRY + way: 2.0 for way in range(len(WAYS))},
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GaitSpace:
    """The states of one step as a vector, state after state; zero is the machine as it stands."""

    machine: Machine
    body: Body
    first: int  # state of the cycle; those before it lead into it and stay as they are
    way: float  # where the gait goes [rad], from the heading at the start
    gains: tuple[int, ...]  # groups whose gains change
    axes: tuple[int, ...]  # hinges whose targets change
    feedback: tuple[int, ...]  # places in a state's row of the feedback that changes
    reacting: tuple[int, ...]  # hinges whose reactions change
    answering: tuple[int, ...]  # hinges whose answers change
    scale: Array  # (d,) of one state

    @property
    def half(self) -> int:
        """States of a step."""
        return (len(self.machine.states) - self.first) // 2

    @property
    def size(self) -> int:
        """Length of the vector."""
        return self.half * len(self.scale)

    def params(self, vectors: Array) -> tuple[Array, Array]:
        """Params (n, M·W) and what lies outside the gains' prior (n,), from vectors (n, D)."""
        count, groups = len(vectors), len(self.machine.groups)
        every = np.repeat(self.machine.rows()[None], count, axis=0)
        rows = every[:, self.first : self.first + self.half].copy()
        step = vectors.reshape(count, self.half, -1) * self.scale
        parts = np.cumsum([1, len(self.gains), 3, len(self.axes), len(self.feedback)])
        seconds, gains, root, pose, feedback, reactions = np.split(step, parts, axis=2)
        rows[..., at.SECONDS] = np.clip(rows[..., at.SECONDS] + seconds[..., 0], SHORTEST, LONGEST)
        own = at.GAINS + np.array(self.gains)
        asked = np.maximum(rows[..., own], 1e-4) * np.exp(gains)
        charge = outside(asked, *GAIN_RANGE).sum(axis=(1, 2))
        rows[..., own] = np.clip(asked, 1e-4, 0.5)
        turn = slice(at.root_at(groups), at.pose_at(groups))
        rows[..., turn] = rotation.normalize(rotation.multiply(rows[..., turn], rotation.from_rotvec(root)))
        angles = at.pose_at(groups) + np.array(self.axes)
        rows[..., angles] = _within(rows[..., angles], pose, MOST_POSE)
        rows[..., list(self.feedback)] += feedback
        rows[..., self._reactions] = _within(rows[..., self._reactions], reactions, MOST_CHANGE)
        self._bound(rows)
        every[:, self.first : self.first + self.half] = rows
        every[:, self.first + self.half :] = mirrored_rows(rows, self.body, groups, way=self.way)
        return every.reshape(count, -1), charge

    @property
    def _reactions(self) -> NDArray[np.int64]:
        """Places in a state's row of what changes: reactions to all ways to fall, then answers to all cues."""
        groups, axes = len(self.machine.groups), len(self.machine.axes)
        falls = at.reactions_at(groups, axes) + axes * np.arange(at.FALLS)
        cues = at.answers_at(groups, axes) + axes * np.arange(at.CUES)
        reactions = falls[:, None] + np.array(self.reacting, np.int64)
        answers = cues[:, None] + np.array(self.answering, np.int64)
        return np.concatenate([reactions.ravel(), answers.ravel()])

    def _bound(self, rows: Array) -> None:
        """Keep feedback (n, half, W) where it has a meaning; the lean aside goes with that ahead unless on its own."""
        own = self.machine.rows()[self.first : self.first + self.half]
        rows[..., at.SOLE] = np.clip(rows[..., at.SOLE], 0.0, 1.0)
        rows[..., at.INWARD] = np.where(own[:, at.INWARD] >= ANY, ANY, np.maximum(rows[..., at.INWARD], 0.0))
        if at.LEAN_ASIDE not in self.feedback:
            lean, aside = slice(at.LEAN, at.LEAN + 2), slice(at.LEAN_ASIDE, at.LEAN_ASIDE + 2)
            rows[..., aside] = own[:, aside] + rows[..., lean] - own[:, lean]

    def machine_at(self, vector: Array) -> Machine:
        """The machine that a vector (D,) stands for."""
        params, _ = self.params(vector[None])
        return self.machine.with_rows(params.reshape(len(self.machine.states), -1))


def _within(own: Array, more: Array, most: float) -> Array:
    """Sums that are no greater than `most`, or than what there was."""
    most_of_each = np.maximum(most, np.abs(own))
    return np.clip(own + more, -most_of_each, most_of_each)


def gait_space(
    machine: Machine,
    limbs: Limbs,
    body: Body,
    *,
    first: int = 0,
    way: float = 0.0,
    feedback: Mapping[int, float] = FEEDBACK,
    reactions: bool = False,
    answers: bool = False,
) -> GaitSpace:
    """The space around a machine whose states from `first` on are two mirrored steps.

    feedback: places and scales; reactions, answers: whether they change too.
    """
    moved = moved_segments(body, limbs)
    axes = [i for i, segment in enumerate(_segment_of_axes(body)) if segment in moved]
    gains = [0, *dict.fromkeys(limbs.group_of[i] for i in axes)]
    legs = {limbs.groups[limbs.group_of[leg.hip]] for leg in limbs.legs} | {"knee", "ankle"}
    pose = [LEG_POSE if limbs.groups[limbs.group_of[i]] in legs else POSE for i in axes]
    scale = [SECONDS, *[LOG_GAIN] * len(gains), *[ROOT] * 3, *pose, *feedback.values()]
    reacting = tuple(axes) if reactions else ()
    answering = tuple(axes) if answers else ()
    scale += [REACTION] * len(WAYS) * len(reacting) + np.repeat(ANSWERS, len(answering)).tolist()
    return GaitSpace(
        machine=machine,
        body=body,
        first=first,
        way=way,
        gains=tuple(gains),
        axes=tuple(axes),
        feedback=tuple(feedback),
        reacting=reacting,
        answering=answering,
        scale=np.array(scale),
    )


def moved_segments(body: Body, limbs: Limbs) -> set[str]:
    """Segments of the trunk and of the legs."""
    found = {segment.name for segment in body.segments if segment.part == "trunk"}
    for leg in limbs.legs:
        thigh = body.segments[leg.thigh].name
        below = {thigh}
        for segment in body.segments:
            if segment.parent in below:
                below.add(segment.name)
        found |= below
    return found


def _segment_of_axes(body: Body) -> list[str]:
    return [segment.name for segment in body.segments for _ in segment.axes]
