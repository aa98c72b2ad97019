"""Numbers of a chain that hardening changes: what its search does, and how states on both feet answer to falling.

Reflexes of ankles and hips belong to each state that stands on both feet; reactions are the same in all of them: what
helps a body that is about to fall does not depend on when in the motion it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.control.machine import layout as at
from reenact.control.machine.falling import WAYS
from reenact.control.machine.machine import Machine
from reenact.estimate.states.space import REFLEX, Space, space_of
from reenact.estimate.states.task import Task
from reenact.geometry.rotation import Array

REACTION: Final = 0.4  # [rad/m]
LONGEST: Final = 1.0  # [s] of a state whose seconds change
OWN: Final = 6  # reflexes of a state: ankle, lean, lean aside


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HardSpace:
    """A chain as a vector; zero is the machine as it stands."""

    states: Space
    standing: tuple[int, ...]  # states on both feet that balance

    @property
    def machine(self) -> Machine:
        """The machine as it stands."""
        return self.states.machine

    @property
    def size(self) -> int:
        """Length D of the vector: states, reflexes, reactions."""
        return self.states.size + OWN * len(self.standing) + len(WAYS) * len(self.machine.axes)

    def params(self, vectors: Array) -> tuple[Array, Array]:
        """Params (n, M·W) and what the priors charge (n,), from vectors (n, D)."""
        parts = np.cumsum([self.states.size, OWN * len(self.standing)])
        own, reflexes, reactions = np.split(vectors, parts, axis=1)
        params, charge = self.states.params(own)
        rows = params.reshape(len(vectors), len(self.machine.states), -1)
        long = self.machine.rows()[:, at.SECONDS] > LONGEST
        rows[:, long, at.SECONDS] = self.machine.rows()[long, at.SECONDS]  # which a search would cut short
        for i, state in enumerate(self.standing):
            step = reflexes[:, OWN * i : OWN * (i + 1)] * np.array([*REFLEX[:4], *REFLEX[2:4]])
            rows[:, state, at.ANKLE : at.ASIDE] += step[:, :4]
            rows[:, state, at.LEAN_ASIDE : at.INWARD] += step[:, 4:]
            rows[:, state, self._reactions] += REACTION * reactions
        return rows.reshape(len(vectors), -1), charge

    @property
    def _reactions(self) -> NDArray[np.int64]:
        groups, axes = len(self.machine.groups), len(self.machine.axes)
        return at.reactions_at(groups, axes) + np.arange(len(WAYS) * axes)

    def machine_at(self, vector: Array) -> Machine:
        """The machine that a vector (D,) stands for."""
        params, _ = self.params(vector[None])
        return self.machine.with_rows(params.reshape(len(self.machine.states), -1))


def hard_space(task: Task, machine: Machine) -> HardSpace:
    """The space around a machine."""
    states = tuple(range(len(machine.states)))
    rows = machine.rows()
    reflexes = [*range(at.ANKLE, at.ASIDE), *range(at.LEAN_ASIDE, at.INWARD)]
    standing = [i for i in states if rows[i, at.BLEND] == 0.0 and rows[i, reflexes].any()]
    return HardSpace(states=space_of(machine, task.limbs, task.model.body, states), standing=tuple(standing))
