"""The search for a state machine: first guesses, windows that resume, Newton steps, structure from a chain."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from reenact.control.machine.machine import Machine
from reenact.control.machine.text import as_written
from reenact.estimate.states import search as module
from reenact.estimate.states.evolve import evolve
from reenact.estimate.states.gait import Strike, stride, strikes_of
from reenact.estimate.states.incremental import extended, first_machine, improved, window_ends, window_from
from reenact.estimate.states.kinematic import approach
from reenact.estimate.states.newton import descend
from reenact.estimate.states.refine import CYCLES_TRIED, contact_near, cycles, on_contact, perform, settled
from reenact.estimate.states.search import search
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.space import outside, space_of
from reenact.estimate.states.task import Task, task_of
from reenact.estimate.states.window import Tried
from reenact.formats.read import read_clip
from reenact.formats.samples import find_clip
from reenact.geometry.rotation import Array
from reenact.motion.clip import SkeletonClip
from reenact.motion.fit import fit
from reenact.motion.motion import Motion
from reenact.world.world import World

QUICK = Settings(beam=4, growth=24, rounds=2, whole_rounds=2, samples=24, reopened=(1,))


@pytest.fixture(scope="module")
def walk() -> Motion:
    clip = read_clip(find_clip("walk"))
    assert isinstance(clip, SkeletonClip)
    return fit(clip.cut(0, round(2.2 * clip.rate)))


@pytest.fixture(scope="module")
def task(walk: Motion) -> Task:
    from reenact.motion.cut import cut_motion

    return task_of(cut_motion(walk, 0, round(0.5 * walk.rate)), World())


def test_an_approach_is_found_again() -> None:
    start, target = np.array([0.1, -0.2]), np.array([0.5, 0.3])
    way = 1.0 - (1.0 - 0.1) ** np.arange(1, 31)
    gain, found, price = approach(start, start + way[:, None] * (target - start))
    assert gain == 0.1
    assert np.allclose(found, target, atol=1e-9)
    assert price < 1e-5


def test_zero_is_the_machine_itself_and_priors_charge_outside(task: Task) -> None:
    machine = first_machine(task, QUICK, 24)
    space = space_of(machine, task.limbs, task.model.body, (0,), feedback=True)
    params, charge = space.params(np.zeros((2, space.size)))
    assert np.allclose(params, machine.rows().reshape(1, -1), atol=1e-15)
    assert charge[0] == charge[1]
    assert np.array_equal(outside(np.array([-1.0, 0.5, 3.0]), 0.0, 1.0), [1.0, 0.0, 2.0])


def test_windows_grow_and_a_short_rest_joins_the_last() -> None:
    assert window_ends(100, 36) == [36, 72, 100]
    assert window_ends(80, 36) == [36, 80]
    assert window_ends(20, 36) == [20]


def test_a_window_that_begins_late_gives_the_same_costs(task: Task) -> None:
    machine = extended(task, first_machine(task, QUICK, 24), 24, 48)
    rows = machine.rows().reshape(1, -1)
    whole, late = window_from(task, machine, 0, 48), window_from(task, machine, 1, 48)
    assert late.begin == 24
    assert whole.begin == 0
    assert late.try_out(machine, rows).cost[0] == whole.try_out(machine, rows).cost[0]


def test_newton_steps_solve_least_squares_better_than_evolution() -> None:
    rng = np.random.default_rng(0)
    matrix, goal = rng.standard_normal((40, 12)), rng.standard_normal(40)
    best = np.linalg.lstsq(matrix, goal, rcond=None)[0]

    def trial(vectors: Array) -> tuple[Array, Tried]:
        offsets = vectors @ matrix.T - goal
        cost = np.sum(offsets**2, axis=1)
        return cost, Tried(cost=cost, joints=cost, offsets=offsets, final=vectors)

    least = float(trial(best[None])[0][0])
    found = descend(trial, 12, np.random.default_rng(1), rounds=6, samples=24)
    slow = evolve(trial, 12, np.random.default_rng(1), rounds=6, population=34)
    assert found.cost < 1.01 * least
    assert slow.cost > found.cost
    assert list(found.history) == sorted(found.history, reverse=True)


def test_a_chain_gets_better_and_repeats(task: Task) -> None:
    machine = first_machine(task, QUICK, 24)
    rows = machine.rows().reshape(1, -1)
    before = window_from(task, machine, 0, 24).try_out(machine, rows).cost[0]
    one, two = (improved(task, QUICK, machine, 24, np.random.default_rng(3)) for _ in range(2))
    assert one.cost < 0.7 * before
    assert np.array_equal(one.machine.rows(), two.machine.rows())


def test_the_whole_search_ends_with_what_its_text_says(task: Task) -> None:
    events = list(search(task, QUICK))
    assert [event.phase for event in events][-1] == "done"
    assert all(a.fraction <= b.fraction for a, b in itertools.pairwise(events))
    found = events[-1].best
    assert found is not None
    assert found.joints < 6.0
    assert np.array_equal(as_written(found.machine).rows(), found.machine.rows())


def test_a_transition_near_a_single_contact_happens_on_it(task: Task) -> None:
    bearing = np.zeros((60, 3), bool)
    bearing[30:, 1] = True
    assert contact_near(bearing, 36, 24) == (1, 30)
    assert contact_near(bearing, 6, 12) is None
    bearing[40:, 2] = True
    assert contact_near(bearing, 36, 24) is None
    machine = extended(task, first_machine(task, QUICK, 24), 24, 48)
    seen = perform(task, machine, 48)
    assert seen.entered.tolist() == [0, 24]
    assert seen.bearing.shape == (48, len(task.limbs.parts))
    foot = task.limbs.parts.index("left foot")
    seen.bearing[:] = False
    seen.bearing[26:, foot] = True
    assert on_contact(machine, seen, task).states[0].until == "left foot"


def test_flicker_is_no_contact() -> None:
    spans = "..####.####......#......####.."
    bearing = np.array([[mark == "#"] for mark in spans])
    shown = "".join("#" if own else "." for own in settled(bearing, 4)[:, 0])
    assert shown == "###########.............####.."


def test_like_states_close_a_cycle(task: Task) -> None:
    first = first_machine(task, QUICK, 24).states[0]
    far = replace(first, pose=first.pose + 1.0)
    poses = [first, far, first, far]
    states = tuple(replace(state, name=str(i), then=str(i + 1) if i < 3 else None) for i, state in enumerate(poses))
    machine = replace(first_machine(task, QUICK, 24), states=states)
    closed: Machine = cycles(machine)[0]
    assert [state.then for state in closed.states] == ["1", "0"]


def test_another_structure_is_fitted_window_by_window_and_goes_on_from_anywhere(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = replace(QUICK, growth=12, rounds=1)  # a chain of four states

    def changed(machine: Machine, *_: object) -> Machine:
        return replace(machine, states=(replace(machine.states[0], until="left foot"), *machine.states[1:]))

    def closed(machine: Machine) -> list[Machine]:
        return [replace(machine, states=(machine.states[0], replace(machine.states[1], then=machine.states[0].name)))]

    monkeypatch.setattr(module, "on_contact", changed)
    monkeypatch.setattr(module, "cycles", closed)
    monkeypatch.setattr(module, "HOPELESS", 1e6)
    events = list(search(task, settings))
    tried = {phase: [e.tried[0].last for e in events if e.phase == phase and e.tried] for phase in ("contact", "cycle")}
    last = task.reference.frames - 1
    for frames in tried.values():
        assert frames[0] < last
        assert frames == sorted(frames)
    for start in [e for e in events if e.phase in ("contact", "cycle") and e.tried][1::3]:
        ended = list(search(task, settings, start))[-1].best
        assert ended is not None
        assert events[-1].best is not None
        assert np.array_equal(ended.machine.rows(), events[-1].best.machine.rows())


def test_a_structure_that_costs_far_more_is_left_at_once(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = replace(QUICK, growth=12, rounds=1)  # a chain of four states
    monkeypatch.setattr(module, "HOPELESS", 0.0)
    begun = next(e for e in search(task, settings) if e.phase == "contact")
    events = list(search(task, settings, begun))
    left = [e.tried for e in events if e.phase in ("contact", "cycle") and e.tried]
    assert len(left) < CYCLES_TRIED  # the next cycle, never more of the first one
    open_ended = list(search(task, settings, begun, close=False))[-1].best
    assert open_ended is not None
    assert events[-1].best is not None
    assert np.array_equal(open_ended.machine.rows(), events[-1].best.machine.rows())


def test_strides_are_found_in_a_walk(walk: Motion, task: Task) -> None:
    found = stride(strikes_of(walk, task.limbs, 120.0), 120.0)
    assert found is not None
    a, b, c = found
    assert a.leg == c.leg != b.leg
    assert 0.9 < (c.frame - a.frame) / 120.0 < 1.6
    assert stride((Strike(frame=0, leg=0), Strike(frame=60, leg=0)), 120.0) is None


def test_a_recording_that_ends_at_rest_is_not_gone_round(task: Task) -> None:
    assert not task.reference.ends_at_rest  # a walk
    still = replace(task.reference, com_velocity=np.zeros_like(task.reference.com_velocity))
    assert still.ends_at_rest
