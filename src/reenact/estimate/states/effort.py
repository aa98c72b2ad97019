"""How much to search within a time that was asked for: counted in simulated steps, so that no clock has a say.

The same budget gives the same bits on any machine. A second stands for as many steps as two cores do in it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from reenact.estimate.states.first_windows import WINDOWS
from reenact.estimate.states.incremental import ends_of
from reenact.estimate.states.newton import DAMPING, LENGTHS
from reenact.estimate.states.pose_choice import contest_of
from reenact.estimate.states.refine import CYCLES_TRIED
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task

# Of an adult on two cores, with all that is done between simulations; from 20,000, shared with others, to 90,000 seen.
STEPS_PER_SECOND: Final = 40_000

# From little to much; what is taken is the last that fits the budget.
LADDER: Final[tuple[dict[str, Any], ...]] = (
    {"beam": 1, "reopened": (1,), "rounds": 2, "whole_rounds": 2, "samples": 48},
    {"beam": 1, "reopened": (1, 2), "rounds": 2, "whole_rounds": 2, "samples": 48},
    {"beam": 1, "reopened": (1, 2), "rounds": 3, "whole_rounds": 2},
    {"beam": 1, "reopened": (1, 2), "rounds": 6, "whole_rounds": 4},
    {"beam": 1, "reopened": (1, 2, 3), "rounds": 6, "whole_rounds": 6},
    {"beam": 2, "reopened": (1, 2, 3), "rounds": 6, "whole_rounds": 6},
    {"beam": 3, "reopened": (1, 2, 3), "rounds": 6, "whole_rounds": 8},
    {"beam": 4, "reopened": (1, 2, 3), "rounds": 6, "whole_rounds": 12},
    {"beam": 4, "reopened": (1, 2, 3), "rounds": 8, "whole_rounds": 12},
    {"beam": 6, "reopened": (1, 2, 3), "rounds": 8, "whole_rounds": 16},
    {"beam": 8, "reopened": (1, 2, 3), "rounds": 8, "whole_rounds": 24},
    {"beam": 8, "reopened": (1, 2, 3), "rounds": 12, "whole_rounds": 32},
    {"beam": 12, "reopened": (1, 2, 3), "rounds": 12, "whole_rounds": 48},
    {"beam": 16, "reopened": (1, 2, 3), "rounds": 16, "whole_rounds": 64},
)


SOUND: Final = 4  # of the ways above: with less, chains that follow a video are often lost on the way


def sound(task: Task, settings: Settings) -> float:
    """Seconds of a budget below which a chain that follows a video is often lost on the way."""
    return steps_of(task, replace(settings, budget=None, **LADDER[SOUND])) / STEPS_PER_SECOND


def within(task: Task, settings: Settings) -> Settings:
    """The settings with as much effort as their budget allows; as they are where they have none."""
    if settings.budget is None:
        return settings
    steps = settings.budget * STEPS_PER_SECOND
    ways = [replace(settings, budget=None, **way) for way in LADDER]
    work = [steps_of(task, way) for way in ways]
    return max(
        ((count, way) for count, way in zip(work, ways, strict=True) if count <= steps),
        key=lambda counted: counted[0],
        default=(0, ways[0]),
    )[1]


def steps_of(task: Task, settings: Settings) -> int:
    """Simulated steps of a search for a chain, about, with nothing ended early and two changes of structure tried.

    Cycles are counted where a walk is not practised: practice gives it its own. A cycle has about half of the states.
    """
    ends = ends_of(task, settings)
    begins = (0, *ends[:-1])
    last = ends[-1]
    newton = len(DAMPING) * len(LENGTHS)

    def rounds(states: range, end: int) -> int:
        each = sum(settings.samples * (end - begins[state]) for state in states)
        return each + (newton + len(states)) * (end - begins[states[0]]) + 2 * end

    held = 2 if task.reference.ends_at_rest else 0  # ways to stand at the end that are tried
    total, contest = 0, len(contest_of(settings.poses, task.model.body).names)
    for k, end in enumerate(ends):
        far = min(end + settings.look, last)
        tries = [range(max(0, k + 1 - count), k + 1) for count in settings.reopened if count <= k + 1]
        longest = range(max(0, k - max(settings.reopened)), max(k, 1))
        if contest > 1 and k < WINDOWS:
            total += settings.rounds * contest * sum(rounds(states, far) for states in tries)
        each = settings.beam * sum(rounds(states, far) for states in tries) + rounds(longest, far)
        again = (2 + held) * rounds(tries[-1], far)  # once more at the end, and for another structure
        total += settings.rounds * (each + again)
    half = range((len(ends) + 1) // 2)
    if not task.reference.ends_at_rest and not settings.walk:
        windows = sum(rounds(half, min(end + settings.look, last)) for end in ends[len(half) :])
        total += CYCLES_TRIED * (settings.rounds * windows + settings.later_rounds * rounds(half, last))
    return total + (settings.whole_rounds + (3 + held) * settings.later_rounds) * rounds(range(len(ends)), last)
