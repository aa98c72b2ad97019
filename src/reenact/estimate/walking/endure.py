"""A walk is pushed until it falls, and practised there: what it withstands grows, most parts.

At every phase of the gait and from every side the force that it just withstands is measured, and again once it has
been pushed before: the test of [V12] pushes every 4 s, and whom the second push meets has not quite settled. Then it is
practised: in the first parts by many bodies that walk on side by side, a critic telling what came of all that each does
otherwise (`together.py`), later by pairs of runs, each in a scene and a direction of its own (`in_pairs.py`). Slopes,
bumps and less strength are measured and practised beside the pushes until it masters them (`grounds.py`). Each part
begins with measuring, so its only memory are machine and critic: a stopped practice goes on as if it had not been
stopped.

Staying up is what is asked for, not likeness: Gauss–Newton on marker offsets (`learn.py`) learns a few pushes by heart
and more slowly. How the two ways compare: docs/notes/pushes.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from reenact.control.machine import layout as at
from reenact.control.machine.machine import Machine
from reenact.estimate.critic import Critic
from reenact.estimate.walking.in_pairs import practised_in_pairs
from reenact.estimate.walking.practise import upright
from reenact.estimate.walking.together import practised_together
from reenact.estimate.walking.usual import with_usual_cues
from reenact.estimate.walking.walk import Walk
from reenact.estimate.walking.withstand import PHASES, Withstood, with_grounds, withstood

QUICK: Final = 3  # parts side by side; those after them by pairs of runs
SLACK: Final = {True: 0.1, False: 0.03}  # of the score: may be lost in a part, quick or not; the next may gain it back
SOLE, INWARD, HURRY = 0.8, 0.2, 0.4  # feedback to begin with, haste when falling ahead: docs/notes/pushes.md
STILL: Final = 20.0  # [s] that it must walk undisturbed after a part, if it did before


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Endured:
    """A walk after a part of its practice under pushes."""

    walk: Walk
    before: Withstood
    after: Withstood | None  # None where all that was learned is worse by more than the slack, and nothing is kept
    critic: Critic | None  # as it is by then, while that is of use


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
    quick = number < QUICK
    slack, machines = SLACK[quick], tuple[Machine, ...]()
    if quick:
        machines, critic = practised_together(walk, before, rng, number, critic)
    else:
        machines, critic = practised_in_pairs(walk, before, rng, number - QUICK), None
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
