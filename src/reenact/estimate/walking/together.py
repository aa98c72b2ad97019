"""Practice of a walk under pushes by many bodies that walk on side by side, each doing something otherwise.

What came of it (`walkers.py`, `explore.py`), beside what a critic expected (`critic.py`), moves the numbers of a step:
poses, paces and times of the states, their haste, what every joint of legs and trunk does against falling (`react.py`)
and answers to cues (`cues.py`).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import numpy as np

from reenact.control.machine import layout as at
from reenact.control.machine.machine import Machine
from reenact.estimate.critic import Critic, advantages, new_critic
from reenact.estimate.walking.explore import ALL, Explorer
from reenact.estimate.walking.grounds import hardest_levels
from reenact.estimate.walking.space import AGAINST_PUSHES, gait_space
from reenact.estimate.walking.walk import Walk
from reenact.estimate.walking.walkers import Walkers
from reenact.estimate.walking.withstand import PHASES, STRENGTH, Withstood, settled_moments
from reenact.geometry.rotation import Array
from reenact.physics.state import row_width

ROUNDS: Final = 36  # of walking on and learning in a part
UNSURE: Final = 3  # rounds before these, in which a new critic learns alone
SPREAD: Final = 1  # the same of one that knows something: until bodies are spread over all moments
ANEW: Final = 4  # rounds after which those who fall begin at the walk as it is by then
FIRST, LATER = 0.4, 0.15  # how far a round goes, in the first part and in the second
NEARER: Final = 0.93  # times as far in each later one
BOLD: Final = 2.5  # times as much is done otherwise after the first part: who is sure on its feet learns more by it
STEADY: Final = 0.3  # share of a round's direction that is the last one's
RUNNING: Final = 0.1  # share of the running mean of all rounds that is the last one's
OUTLIER: Final = 4.0  # standard deviations, beyond which what came of something counts as that


def practised_together(
    walk: Walk, known: Withstood, rng: np.random.Generator, number: int, critic: Critic | None
) -> tuple[tuple[Machine, Machine], Critic]:
    """The machine after some rounds, and the running mean of those on the way there; and the critic by then."""
    space = gait_space(
        walk.machine, walk.task.limbs, walk.task.model.body, first=walk.first, way=walk.turn, feedback=AGAINST_PUSHES,
        reactions=True, answers=True,
    )  # fmt: skip
    explorer = Explorer(space, bold=1.0 if number == 0 else BOLD)
    forces = _forces(walk, known, space.half)
    walkers = Walkers(walk, explorer, *forces, hardest_levels(walk, known.grounds), rng)
    walkers.settle(known.starts)
    far = FIRST if number == 0 else LATER * NEARER ** (number - 1)
    vector = running = np.zeros(space.size)
    moving, unsure = np.zeros((space.half, ALL, explorer.size)), UNSURE if critic is None else SPREAD
    for done in range(unsure + ROUNDS):
        if done % ANEW == ANEW - 1:
            now = replace(walk, machine=space.machine_at(vector))
            if (starts := settled_moments(now, rng.uniform(0.0, walk.cycle / PHASES))) is not None:
                walkers.settle(starts)
        seen = walkers.walk_on(vector)
        moments = seen.course.moments.reshape(-1, seen.course.moments.shape[-1])
        critic = new_critic(moments, rng) if critic is None else critic
        better, worth = advantages(seen.course, critic)
        critic = critic.learned(moments, worth.ravel(), rng)
        if done < unsure:
            continue
        told = np.clip((better.ravel() - better.mean()) / (better.std() + 1e-9), -OUTLIER, OUTLIER)
        moving = STEADY * moving + (1.0 - STEADY) * explorer.slope(seen.entered, seen.other, seen.spread, told)
        length = explorer.length(moving, seen.entered, seen.spread)
        vector = vector + explorer.step(math.sqrt(far / max(length, 1e-12)) * moving)
        running = running + RUNNING * (vector - running)
    assert critic is not None
    return (space.machine_at(vector), space.machine_at(running)), critic


def _forces(walk: Walk, known: Withstood, half: int) -> tuple[Array, Array]:
    """Forces (4, S) that are about withstood, by the way of falling and the state of a step, and those (4,) of [V12].

    From the right goes over a left leg that stands, and to a left one that swings.
    """
    memory, first = row_width(walk.task.model), walk.stride[0].leg
    sides = ("rear", "front", "right", "right")
    out = np.zeros((len(sides), half))
    for way, side in enumerate(sides):
        forces = known.forces[side]
        rows = np.stack([known.start(side, scene) for scene in range(len(forces))])
        state = rows[:, memory + at.STATE].astype(np.int64) - walk.first
        left = (state < half) == (first == 0)  # whether the left leg stands
        counts = np.full(len(rows), True) if way < 2 else left if way == 2 else ~left
        for own in range(half):
            here = counts & (state % half == own)
            out[way, own] = np.median(forces[here] if here.any() else forces)
    return out, np.array([STRENGTH[side] for side in sides])
