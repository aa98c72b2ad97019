"""Ways out of what leads into a walk: where they lie, that they are taken, but not where nothing has changed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reenact.control.machine.machine import TIME
from reenact.control.machine.performance import performance_of
from reenact.estimate.states.incremental import first_machine
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import task_of
from reenact.estimate.states.ways_out import ABOUT, EARLY, LATE, watched
from reenact.estimate.walking import watchful as on_guard
from reenact.estimate.walking.grounds import terrain
from reenact.estimate.walking.walk import Walk, walks_of
from reenact.estimate.walking.watchful import watchful
from reenact.formats.read import read_clip
from reenact.formats.samples import find_clip
from reenact.motion.clip import SkeletonClip
from reenact.motion.fit import fit
from reenact.physics.simulate import simulate
from reenact.physics.state import State
from reenact.world.world import World


@pytest.fixture(scope="module")
def walks() -> list[Walk]:
    clip = read_clip(find_clip("walk"))
    assert isinstance(clip, SkeletonClip)
    task = task_of(fit(clip.cut(round(0.5 * clip.rate), round(2.7 * clip.rate))), World(), threads=2)
    chain = walks_of(task, first_machine(task, Settings(), 40))[0].machine  # makes a step or two
    return [walk for walk in walks_of(task, chain) if walk.entry.frame > 60]


@pytest.fixture
def proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to where a walk that has not been practised stays up."""
    monkeypatch.setattr(on_guard, "PROVED", 0.1)


def feet(*spans: tuple[int, int], frames: int = 60) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    down = np.zeros(frames, bool)
    for first, last in spans:
        down[first:last] = True
    return down


def test_a_foot_that_comes_down_in_a_state_is_watched_before_and_after_but_not_while_it_scuffs() -> None:
    down = np.stack([feet((0, 60)), feet((0, 10), (40, 60))], axis=1)
    pieces = list(watched(5, 55, None, down, 15))
    assert pieces == [(5, 25, 1, ABOUT), (25, 39, 1, EARLY), (39, 41, 1, ABOUT), (41, 55, 1, LATE)]


def test_a_foot_that_is_waited_for_is_watched_until_shortly_before() -> None:
    down = np.stack([feet((0, 60)), feet((0, 10), (40, 60))], axis=1)
    assert list(watched(28, 40, 1, down, 15)) == [(28, 39, 1, EARLY), (39, 40, 1, ABOUT)]


def test_a_foot_in_the_air_may_come_down_at_no_time_and_one_that_stands_only_late() -> None:
    down = np.stack([feet((0, 60)), feet((0, 10), (40, 60))], axis=1)
    assert list(watched(15, 35, None, down, 15)) == [(15, 25, 1, ABOUT), (25, 35, 1, EARLY)]
    both = np.stack([feet((0, 20)), feet((0, 60))], axis=1)
    assert list(watched(10, 30, None, both, 15)) == [(10, 30, 1, LATE)]


@pytest.mark.usefixtures("proved")
def test_where_nothing_has_changed_nothing_changes_to_the_last_bit(walks: list[Walk]) -> None:
    walk = walks[0]
    wary = watchful(walk)
    assert wary is not walk
    lead, cycle = wary.machine.states[: wary.first], wary.machine.states[wary.first :]
    assert [state.name for state in cycle] == [state.name for state in walk.machine.states[walk.first :]]
    assert [state.until for state in lead] == [TIME] * wary.first
    assert wary.begins[wary.first :] == walk.begins[walk.first :]
    ways = {state.early for state in lead} - {None}
    sides = {0: "left foot", 1: "right foot"}
    first, second = sides[walk.stride[0].leg], sides[walk.stride[1].leg]
    assert ways
    assert ways <= {(first, "a1"), (second, "b1")}
    start, steps = replace(State.from_row(walk.task.start, walk.task.model), memory=None), walk.entry.frame + 10
    once, again = (simulate(walk.task.model, each.machine, start, steps=steps).qpos for each in (walk, wary))
    np.testing.assert_array_equal(once, again)


@pytest.mark.usefixtures("proved")
def test_on_other_ground_the_way_out_is_taken(walks: list[Walk]) -> None:
    walk = walks[-1]
    steep = terrain(walk, "uphill", 10.0, 0)
    start = State.from_row(steep.put(walk.start), steep.model)
    entered = []
    for each in (walk, watchful(walk)):
        trace = simulate(
            steep.model, each.machine, replace(start, memory=None), steps=walk.entry.frame, record_senses=True
        )
        state = performance_of(each.machine, trace)["state"]
        entered.append(int(np.argmax(np.append(state, each.first) >= each.first)))
    assert entered[1] < entered[0] - 5


def test_a_walk_that_is_entered_at_once_stays_as_it_is(walks: list[Walk]) -> None:
    walk = walks[0]
    bare = replace(walk, first=0, machine=replace(walk.machine, states=walk.machine.states[walk.first :]))
    assert watchful(bare) is bare
