"""The bundled walk as the tests of gaits begin with it: its task, and the cycle of it before any practice."""

from __future__ import annotations

from functools import cache

from reenact.estimate.states.incremental import first_machine
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task, task_of
from reenact.estimate.walking.walk import Walk, walks_of
from reenact.formats.read import read_clip
from reenact.formats.samples import find_clip
from reenact.motion.clip import SkeletonClip
from reenact.motion.fit import fit
from reenact.world.world import World


@cache
def walk_task() -> Task:
    """From 0.5 to 2.7 s, on an adult of the walker's size."""
    clip = read_clip(find_clip("walk"))
    assert isinstance(clip, SkeletonClip)
    return task_of(fit(clip.cut(round(0.5 * clip.rate), round(2.7 * clip.rate))), World(), threads=2)


@cache
def recorded_walk() -> Walk:
    """Its cycle, with the numbers that a search begins with."""
    found = next(iter(walks_of(walk_task(), first_machine(walk_task(), Settings(), 40))), None)
    assert found is not None
    return found
