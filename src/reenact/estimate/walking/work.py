"""How much of a search for a walk is still to be done, in simulated steps, about: what the time left is told from.

How many parts a practice takes shows only in its course. So a part that is done counts as done, however many there were
before, and what is left is what is usual from here on: a practice that takes long keeps saying that a little is left,
rather than more and more.
"""

from __future__ import annotations

from typing import Final

from reenact.estimate.states.effort import steps_of, within
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task
from reenact.estimate.walking.follow import parts_of
from reenact.estimate.walking.walk import enters_early

WALK, PUSH, ENTER, FOLLOW, DONE = "walk", "push", "enter", "follow", "done"  # phases after that of the chain
HARDEN: Final = "harden"  # the same of a motion that ends standing
USUAL: Final = 2  # parts that are enough for a walk that goes on
MOST: Final = 24  # parts of it at most
PATIENCE: Final = 5  # parts in a row that gain nothing, after which it is left as it is
PART: Final = {WALK: 0.6e6, PUSH: 6e6, ENTER: 1.2e6, HARDEN: 6e6}  # steps of one part of each phase
USUAL_FRAMES, STANDING = 240, 300  # frames of a recording of which a part has so many steps, and after its end
FITTING, SURELY = 5.0, 20.0  # times the square of the recording's length [frames]: steps of a part of following it


def chain_work(task: Task, settings: Settings) -> float:
    """Steps of the search for a chain."""
    return float(steps_of(task, within(task, settings)))


def part_work(task: Task, settings: Settings, phase: str) -> float:
    """Steps of one part of a phase."""
    if phase == HARDEN:
        return PART[HARDEN] * (task.reference.frames + STANDING) / (USUAL_FRAMES + STANDING)
    fitting = SURELY if enters_early(task, settings) else FITTING
    return PART[phase] if phase in PART else fitting * task.reference.frames**2


def left(task: Task, settings: Settings, phase: str, number: int, idle: int = 0) -> float:
    """Steps that are left before part `number` of a phase; idle: parts just before it that gained nothing."""
    if phase == DONE:
        return 0.0
    usual = {
        WALK: USUAL,
        PUSH: settings.pushes,
        ENTER: 1,
        FOLLOW: len(parts_of(task, early=enters_early(task, settings))),
    }
    own = usual[phase] - number
    if phase == WALK and number >= USUAL:
        own = min(USUAL, MOST - number, PATIENCE - idle)
    later = list(usual)[list(usual).index(phase) + 1 :]
    return max(1, own) * part_work(task, settings, phase) + sum(
        usual[name] * part_work(task, settings, name) for name in later
    )


def advanced(fraction: float, before: float, spent: float, after: float) -> float:
    """The share of all work that is done after a part; fraction: the share before it, when so many steps were left."""
    done = before * fraction / max(1.0 - fraction, 1e-9) + spent
    return max(fraction, done / (done + after)) if after > 0.0 else 1.0
