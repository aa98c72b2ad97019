"""Ways to do the same thing, side by side: a chain is grown over a clip, alike in all but the one thing in question.

Every window adds a state from the kinematic guess and opens the last two, with so many simulations; nothing is refined
afterwards and one chain is carried on, so that the figures are those of the thing itself and not of what makes up for
it later. They are therefore above those of the whole search.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from reenact.control.machine.machine import Law, Machine, RootBy
from reenact.estimate.states.evolve import evolve
from reenact.estimate.states.first_windows import in_poses
from reenact.estimate.states.incremental import Stage, ends_of, extended, first_machine
from reenact.estimate.states.newton import DAMPING, LENGTHS, Found, descend
from reenact.estimate.states.pose_space import PLAIN
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.space import space_of
from reenact.estimate.states.task import Task
from reenact.estimate.states.window import Tried, snapshots
from reenact.geometry.rotation import Array

SIMULATIONS: Final = 1280  # of a window, about
POPULATION: Final = 16  # of CMA, as in the experiments that chose it
SAMPLES: Final = 64  # of a round of Newton steps
OPEN: Final = 2  # last states that are improved


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """What is in question; the defaults are what the search does."""

    root_by: RootBy = "standing hip"
    law: Law = "deviation"
    feedback: bool = False  # whether balance is searched for
    by: Literal["Gauss-Newton", "CMA"] = "Gauss-Newton"
    poses: tuple[tuple[str, str], ...] = ()  # pose model by motion; plain angles where none is named


# By question: what each answer is called, the usual one first. The laws differ only where balance is searched for.
QUESTIONS: Final[dict[str, dict[str, Way]]] = {
    "root": {
        "standing hip": Way(),
        "swing thigh, [V12] Algorithm 1": Way(root_by="swing thigh"),
    },
    "balance": {
        "deviation from the nominal": Way(feedback=True),
        "[V12] §4.1.1": Way(feedback=True, law="paper"),
    },
    "optimiser": {
        "sampled Gauss-Newton": Way(),
        "CMA, [V12] Algorithm 2": Way(by="CMA"),
    },
    "poses": {
        "plain angles": Way(),
        "PCA of the activity, [V12] Eq. 7": Way(poses=(("fast_walk", "walk"), ("states_jump", "jump"))),
    },
}


def grown(
    task: Task, settings: Settings, way: Way, motion: str, watch: Callable[[float, Stage], None] | None = None
) -> Stage:
    """A chain over the whole clip; motion: its row in bench_motions.toml, for which pose models are chosen."""
    ends = ends_of(task, settings)
    task = in_poses(task, dict(way.poses).get(motion, PLAIN))
    best: Stage | None = None
    for number, end in enumerate(ends):
        if best is None:
            machine = replace(first_machine(task, settings, end), root_by=way.root_by, law=way.law)
        else:
            machine = extended(task, best.machine, best.last, end)
        rng = np.random.default_rng([settings.seed, number])
        best = _improved(task, settings, way, machine, end, rng)
        if watch is not None:
            watch((number + 1) / len(ends), best)
    assert best is not None
    return best


def _improved(task: Task, settings: Settings, way: Way, machine: Machine, last: int, rng: np.random.Generator) -> Stage:
    first = max(0, len(machine.states) - OPEN)
    window = snapshots(task, machine, last).window(first)
    states = tuple(range(first, len(machine.states)))
    space = space_of(machine, task.limbs, task.model.body, states, feedback=way.feedback, poses=task.poses)

    def trial(vectors: Array) -> tuple[Array, Tried]:
        params, charge = space.params(vectors)
        tried = window.try_out(machine, params)
        return tried.cost + settings.prior * charge, tried

    found = searched_by(way.by, trial, space.size, rng)
    params, _ = space.params(found.vector[None])
    better = machine.with_rows(params[0].reshape(len(machine.states), -1))
    return Stage(machine=better, last=last, cost=found.cost, joints=snapshots(task, better, last).joints)


def searched_by(
    by: Literal["Gauss-Newton", "CMA"], trial: Callable[[Array], tuple[Array, Tried]], size: int,
    rng: np.random.Generator,
) -> Found:  # fmt: skip
    """The best vector after about SIMULATIONS, by either."""
    if by == "CMA":
        return evolve(trial, size, rng, rounds=SIMULATIONS // POPULATION, population=POPULATION)
    each = SAMPLES + len(DAMPING) * len(LENGTHS)
    return descend(trial, size, rng, rounds=SIMULATIONS // each, samples=SAMPLES)
