"""A walk is pushed until it falls, and practised there: what it withstands grows, most parts.

At every phase of the gait and from every side the force that it just withstands is measured, and again once it has
been pushed before: the test of [V12] pushes every 4 s, and whom the second push meets has not quite settled. Then many
bodies walk on side by side, pushed again and again, each doing something otherwise (`walkers.py`, `explore.py`), and
what came of it, beside what a critic expected (`critic.py`), moves the numbers of a step: poses, paces and feedback of
the states, what every joint of legs and trunk does against falling (`react.py`) and answers to cues (`cues.py`).
Slopes, bumps and less strength are measured and practised beside the pushes until it masters them (`grounds.py`). Each
part begins with measuring, so its only memory are machine and critic: a stopped practice goes on as if it had not been
stopped.

Staying up is what is asked for, not likeness: Gauss–Newton on marker offsets (`learn.py`) learns a few pushes by heart
and more slowly, and runs that tell no more than whether they fell take several times as long (docs/notes/pushes.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from reenact.control.machine import layout as at
from reenact.control.machine.machine import Machine
from reenact.estimate.critic import Critic, advantages, new_critic
from reenact.estimate.walking.explore import ALL, Explorer
from reenact.estimate.walking.grounds import next_levels
from reenact.estimate.walking.practise import upright
from reenact.estimate.walking.space import AGAINST_PUSHES, gait_space
from reenact.estimate.walking.usual import with_usual_cues
from reenact.estimate.walking.walk import Walk
from reenact.estimate.walking.walkers import Walkers
from reenact.estimate.walking.withstand import (
    PHASES,
    STRENGTH,
    Withstood,
    settled_moments,
    with_grounds,
    withstood,
)
from reenact.geometry.rotation import Array
from reenact.physics.state import row_width

ROUNDS: Final = 36  # of walking on and learning in a part
UNSURE: Final = 3  # rounds before these, in which a new critic learns alone
SPREAD: Final = 1  # the same of one that knows something: until bodies are spread over all moments
ANEW: Final = 4  # rounds after which those who fall begin at the walk as it is by then
FIRST, NEARER, LEAST = 0.4, 0.8, 0.04  # how far a round goes: in the first part, times so much in each later one
STEADY: Final = 0.3  # share of a round's direction that is the last one's
RUNNING: Final = 0.1  # share of the running mean of all rounds that is the last one's
OUTLIER: Final = 4.0  # standard deviations, beyond which what came of something counts as that
SLACK: Final = 0.1  # of the score: may be lost in the first part, as often the next one gains more from there
SOLE, INWARD, HURRY = 0.8, 0.2, 0.4  # feedback to begin with, haste when falling ahead: docs/notes/pushes.md
STILL: Final = 20.0  # [s] that it must walk undisturbed after a part, if it did before


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Endured:
    """A walk after a part of its practice under pushes."""

    walk: Walk
    before: Withstood
    after: Withstood | None  # None where all that was learned is worse by more than the slack, and nothing is kept
    critic: Critic  # as it is by then


def endure(walk: Walk, rng: np.random.Generator, number: int = 0, critic: Critic | None = None) -> Endured | None:
    """A part of the practice, so many came before, the last with this critic.

    None where the walk falls before it can be pushed.
    """
    delay = rng.uniform(0.0, walk.cycle / PHASES)
    before = withstood(walk, delay)
    if before is None:
        return None
    walk, before = _prepared(with_usual_cues(walk, before.starts[0]), before, delay)
    before = with_grounds(walk, before)
    still = min(STILL, upright(walk, STILL))
    slack = SLACK * NEARER**number
    machines, critic = _practised(walk, before, rng, number, critic)
    for machine in machines:
        other = replace(walk, machine=machine)
        after = withstood(other, delay, before) if upright(other, STILL) >= still else None
        if after is None or after.score <= before.score - slack:  # other ground only takes from it
            continue
        after = with_grounds(other, after)
        if after.score > before.score - slack:
            return Endured(walk=other, before=before, after=after, critic=critic)
    return Endured(walk=walk, before=before, after=None, critic=critic)


def _prepared(walk: Walk, known: Withstood, delay: float) -> tuple[Walk, Withstood]:
    """A walk that keeps no sole level yet with what helps against pushes, where it does; and what it withstands.

    Other ground is not looked at: it is practised from here on.
    """
    rows = walk.machine.rows()
    cycle = rows[walk.first :]
    if cycle[:, at.SOLE].any():
        return walk, known
    cycle[:, at.SOLE], cycle[:, at.HURRY] = SOLE, HURRY
    cycle[:, at.INWARD] = np.minimum(cycle[:, at.INWARD], INWARD)
    ready = replace(walk, machine=walk.machine.with_rows(rows))
    found = withstood(ready, delay, known) if upright(ready, STILL) >= min(STILL, upright(walk, STILL)) else None
    return (walk, known) if found is None or found.score < known.score else (ready, found)


def _practised(
    walk: Walk, known: Withstood, rng: np.random.Generator, number: int, critic: Critic | None
) -> tuple[tuple[Machine, Machine], Critic]:
    """The machine after some rounds, and the running mean of those on the way there; and the critic by then."""
    space = gait_space(
        walk.machine, walk.task.limbs, walk.task.model.body, first=walk.first, way=walk.turn, feedback=AGAINST_PUSHES,
        reactions=True,
    )  # fmt: skip
    explorer = Explorer(space)
    forces = _forces(walk, known, space.half)
    walkers = Walkers(walk, explorer, *forces, next_levels(walk, known.grounds), rng)
    walkers.settle(known.starts)
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
        far = max(LEAST, FIRST * NEARER**number)
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
