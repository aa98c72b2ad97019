"""What to do about deviations: from the learned responses of coming steps, by dynamic programming.

The responses are linear and the prices quadratic, so that the best displacement of each step is a linear feedback of
its deviation, and what is still to come costs a quadratic form of it (a linear-quadratic regulator). Both look as far
ahead as steps have been tried: a foot that is put down now is known to push the body where it has to be later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reenact.estimate.sampling.response import Response
from reenact.geometry.rotation import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What deviations and displacements cost."""

    deviation: Array  # (E, E) form of the deviation at a step's end
    displacement: Array  # (A,) of displacing each axis by its window, squared
    trust: float  # the same for departing from the guide, equal for all axes
    discount: float  # of what comes one step later


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """For one sampling step; vectors of deviations have a 1 appended."""

    feedback: Array  # (A, E+1) displacement beyond the guide's, in windows, per deviation at the start
    after: Array  # (E+1, E+1) what a deviation at the end will cost in later steps, as a form

    def displacements(self, start: Array) -> Array:
        """Displacements (n, A) beyond the guide's, in windows and at most one, for deviations (n, E)."""
        return np.clip(_with_one(start) @ self.feedback.T, -1.0, 1.0)

    def to_come(self, end: Array) -> Array:
        """What deviations (n, E) at the end are expected to cost later, (n,)."""
        known = _with_one(end)
        return np.asarray(np.sum((known @ self.after) * known, axis=1))


def plans_of(responses: Sequence[Response], guide: Array, seed: Array, prices: Prices) -> list[Plan]:
    """Plans for n consecutive steps, found from the last to the first.

    guide: (n, A) displacements, in windows, that the responses are counted from. seed: (n, A) those that would keep
    the pose, which are free of charge.
    """
    size, plans = len(prices.deviation), []
    here = np.zeros((size + 1, size + 1))
    here[:size, :size] = prices.deviation
    after = np.zeros_like(here)
    for k in range(len(responses) - 1, -1, -1):
        state, pull = _extended(responses[k])
        form = here + prices.discount * after
        away = prices.displacement * (guide[k] - seed[k])
        steer = pull.T @ form @ state
        steer[:, size] += away
        effort = np.diag(prices.displacement + prices.trust) + pull.T @ form @ pull
        feedback = np.asarray(-np.linalg.solve(effort, steer), float)
        plans.append(Plan(feedback=feedback, after=after))
        after = state.T @ form @ state + steer.T @ feedback
        after[size, size] += float(away @ (guide[k] - seed[k]))
        after = _positive(after)
    return plans[::-1]


def _extended(response: Response) -> tuple[Array, Array]:
    """The response as matrices (E+1, E+1) and (E+1, A) on vectors with a 1 appended."""
    size = len(response.shift)
    state = np.zeros((size + 1, size + 1))
    state[:size, :size], state[:size, size], state[size, size] = response.state, response.shift, 1.0
    return state, np.concatenate([response.pull, np.zeros((1, response.pull.shape[1]))])


def _positive(form: Array) -> Array:
    """The nearest symmetric form that is nowhere negative; rounding may have made it so."""
    values, axes = np.linalg.eigh(0.5 * (form + form.T))
    return np.asarray((axes * np.maximum(values, 0.0)) @ axes.T)


def _with_one(deviations: Array) -> Array:
    return np.concatenate([deviations, np.ones((len(deviations), 1))], axis=1)
