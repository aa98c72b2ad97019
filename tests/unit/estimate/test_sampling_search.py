"""The search: same answer however it is run, nothing found is lost, and what it found is what happens again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Literal

import mujoco
import numpy as np
import pytest
from bending_motion import bending
from same_search import same

from reenact.control.recipe import rerun_take
from reenact.control.replay import replay, same_motion
from reenact.estimate.sampling import sampler, visit
from reenact.estimate.sampling.capture import SearchError, capture, controller_of
from reenact.estimate.sampling.cost import distances, total
from reenact.estimate.sampling.deviation import deviation
from reenact.estimate.sampling.evaluate import Request
from reenact.estimate.sampling.features import Features
from reenact.estimate.sampling.onward import gain, is_lost
from reenact.estimate.sampling.sampler import Event, search
from reenact.estimate.sampling.settings import Settings
from reenact.estimate.sampling.so_far import Search, found
from reenact.estimate.sampling.sweeps import sweeps_of
from reenact.estimate.sampling.task import Task, task_of
from reenact.estimate.sampling.threads import Threads
from reenact.estimate.sampling.tree import Layer, best_path, root_layer
from reenact.estimate.sampling.windows import draw
from reenact.formats.take import Source
from reenact.geometry.rotation import Array
from reenact.physics.audit import audit_motion
from reenact.physics.simulate import simulate
from reenact.world.load import load_world
from reenact.world.pushes import Push
from reenact.world.world import World

SMALL = Settings(samples=60, save=12, visits=3, horizon=6, seed=4, settled=0.0)
SOURCE = Source(name="bend.bvh", sha256="0" * 64)


@pytest.fixture(scope="module")
def task() -> Task:
    return task_of(bending(), World(), SMALL)


@pytest.fixture(scope="module")
def events(task: Task) -> list[Event]:
    return list(search(task, SMALL, Threads(task.stage)))


@pytest.fixture(scope="module")
def whole(events: list[Event]) -> Search:
    return events[-1].search


def shoved(newtons: float) -> World:
    push = Push(segment="thorax", newtons=newtons, origin="rear", start=0.05, duration=0.2)
    return World(pushes=(push,))


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_number_of_threads_does_not_change_the_answer(task: Task, whole: Search, threads: int) -> None:
    assert same(list(search(task, SMALL, Threads(task.stage, threads=threads)))[-1].search, whole)


def test_another_machine_that_gets_only_the_setup_answers_the_same(task: Task, whole: Search) -> None:
    assert same(list(search(task, SMALL, Threads(task.setup.open())))[-1].search, whole)


def test_another_seed_gives_another_answer(task: Task, whole: Search) -> None:
    other = list(search(task, replace(SMALL, seed=5), Threads(task.stage)))[-1].search
    assert not np.array_equal(found(other).displacement, found(whole).displacement)


def test_what_a_candidate_draws_does_not_depend_on_how_many_there_are() -> None:
    np.testing.assert_array_equal(draw(1, (2, 0), 5, 7), draw(1, (2, 0), 50, 7)[:5])
    assert (draw(1, (2, 0), 5, 7) != draw(1, (2, 1), 5, 7)).all()
    assert np.abs(draw(0, (0,), 1000, 3)).max() <= 1.0


def test_every_step_is_visited_in_the_order_of_the_sweeps(task: Task, events: list[Event]) -> None:
    sweeps = sweeps_of(len(task.ends), SMALL.horizon, SMALL.visits)
    order = [(number, step + 1) for number, (begin, end) in enumerate(sweeps) for step in range(begin, end)]
    assert [(e.search.sweep, e.search.done) for e in events] == order
    assert [known.visits for known in events[-1].search.known] == [SMALL.visits] * len(task.ends)
    fractions = [0.0, *(e.fraction for e in events)]
    assert all(before < after for before, after in pairwise(fractions))
    assert fractions[-1] == 1.0
    assert events[-1].seconds == pytest.approx(task.reference.duration, abs=1e-9)


@pytest.mark.parametrize("actuation", ["motor", "servo"])
def test_the_controller_makes_the_path_again_bit_for_bit(actuation: Literal["motor", "servo"]) -> None:
    settings = replace(SMALL, actuation=actuation)
    task = task_of(bending(), World(), settings)
    now = list(search(task, settings, Threads(task.stage)))[-1].search
    path = found(now)
    trace = simulate(task.model, controller_of(task, now), task.start, steps=task.ends[-1])
    nq, nv = task.model.mj.nq, task.model.mj.nv
    ends = list(task.ends)
    np.testing.assert_array_equal(trace.qpos[ends], path.state[:, 1 : 1 + nq])
    np.testing.assert_array_equal(trace.qvel[ends], path.state[:, 1 + nq : 1 + nq + nv])


def test_a_capture_is_an_honest_take_that_replays(task: Task) -> None:
    shown: list[Event] = []
    take = capture(task, SMALL, Threads(task.stage), source=SOURCE, watch=shown.append)
    assert take.info.metrics["success"], take.info.reason
    assert take.info.metrics["joint_error_cm"] < 10.0
    assert shown[-1].fraction == 1.0
    model = mujoco.MjModel.from_xml_string(take.model_xml)
    verdict = audit_motion(model, dict(take.motion), dict(take.reference), declared=False)
    assert verdict.honest, verdict.faults
    np.testing.assert_array_equal(rerun_take(take).qpos, take.motion["qpos"])
    assert same_motion(replay(take), take)
    assert replay(take, seconds=0.2).seconds == pytest.approx(0.2)
    assert not same_motion(replay(take, world=load_world("ice")), take)


def test_nothing_that_was_found_is_lost() -> None:
    """A sweep goes the guide's own way as far as that led, so it ends no worse where it ends at the same step."""
    settings = replace(SMALL, samples=80, visits=4, horizon=12)
    task = task_of(bending(), shoved(150.0), settings)
    events = list(search(task, settings, Threads(task.stage)))
    sweeps = [[e.search for e in group] for _, group in groupby(events, key=lambda e: (e.search.sweep, e.rewound))]
    for before, after in pairwise(sweeps):
        guide = found(before[-1])
        cost = np.cumsum(guide.cost)
        again = [now for now in after if now.done <= len(cost)]
        assert again
        for now in again:
            layer, last = now.layers[-1], now.done - 1
            np.testing.assert_array_equal(now.known[last].guide, guide.displacement[last])
            assert layer.state[0].tobytes() == guide.state[last].tobytes()
            assert layer.total[0] == cost[last] >= layer.total.min()
    costs = [found(sweep[-1]).cost.sum() for sweep in sweeps if sweep[-1].done == len(task.ends)]
    assert len(costs) == 4
    assert all(before >= after for before, after in pairwise(costs))
    assert costs[-1] < 0.99 * costs[0]


def lost_when(monkeypatch: pytest.MonkeyPatch, lost: Callable[[Search], bool]) -> None:
    monkeypatch.setattr(sampler, "is_lost", lambda _, now: lost(now))


def test_a_lost_search_goes_back_as_often_as_it_may(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    lost_when(monkeypatch, lambda now: True)
    settings = replace(SMALL, rewinds=3)
    events = list(search(task, settings, Threads(task.stage)))
    back = [e for e in events if e.rewound]
    assert [(e.search.sweep, e.search.done, e.search.rewinds) for e in back] == [(0, 0, 1), (0, 0, 2), (0, 0, 3)]
    last = events[-1].search
    assert (last.done, last.rewinds, events[-1].fraction) == (len(task.ends), 3, 1.0)
    first = sweeps_of(len(task.ends), SMALL.horizon, SMALL.visits)[0]
    assert [known.visits - SMALL.visits for known in last.known] == [3] * first.end + [0] * (len(task.ends) - first.end)


def test_a_search_that_may_not_go_back_does_not(
    task: Task, whole: Search, events: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not any(e.rewound for e in events)  # this one was never lost
    lost_when(monkeypatch, lambda now: True)
    assert same(list(search(task, replace(SMALL, rewinds=0), Threads(task.stage)))[-1].search, whole)


def test_a_search_goes_back_to_where_its_sweep_began_and_draws_anew(
    task: Task, events: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    sweeps = sweeps_of(len(task.ends), SMALL.horizon, SMALL.visits)
    late = next(k for k, sweep in enumerate(sweeps) if sweep.begin)
    begin, end = sweeps[late]
    lost_when(monkeypatch, lambda now: now.sweep == late and not now.rewinds)
    made = list(search(task, SMALL, Threads(task.stage)))
    assert [(e.search.sweep, e.search.done) for e in made if e.rewound] == [(late, begin)]
    at = next(k for k, e in enumerate(made) if e.rewound)
    assert same(made[at - 1].search, events[at - 1].search)
    failed, back, again = (made[k].search for k in (at - 1, at, at + end - begin))
    assert (failed.done, again.done, again.sweep) == (end, end, late)
    assert back.layers == failed.layers[: begin + 1]
    np.testing.assert_array_equal(
        [known.guide for known in back.known[:end]], found(failed).displacement
    )  # it knows the best way so far
    for step in range(begin, end):
        assert again.known[step].visits == failed.known[step].visits + 1
        tried = again.known[step].tried[-1].displacement, failed.known[step].tried[-1].displacement
        assert not np.isin(tried[0][1:], tried[1][1:]).any()
    assert found(again).cost.sum() <= found(failed).cost.sum()


def test_no_two_visits_draw_the_same(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[int, ...]] = []

    def recorded(seed: int, turn: tuple[int, ...], count: int, axes: int) -> Array:
        drawn.append((seed, *turn))
        return draw(seed, turn, count, axes)

    lost_when(monkeypatch, lambda now: now.sweep in (0, 3))
    monkeypatch.setattr(visit, "draw", recorded)
    events = list(search(task, replace(SMALL, rewinds=3), Threads(task.stage)))
    assert sum(e.rewound for e in events) == 3
    assert len(drawn) == len(events) - 3
    assert len(set(drawn)) == len(drawn)


def test_what_is_remembered_is_what_was_tried(task: Task) -> None:
    """Of the last visit to a step: where its samples began, what they did in windows, where that led."""
    requests: list[tuple[Request, Array]] = []

    class Remembering(Threads):
        def evaluate(self, request: Request) -> Array:
            requests.append((request, super().evaluate(request)))
            return requests[-1][1]

    for event in search(task, SMALL, Remembering(task.stage)):
        step, (request, final) = event.search.done - 1, requests[-1]
        tried = event.search.known[step].tried[-1]
        count = len(final)
        np.testing.assert_allclose(tried.displacement[-count:] * task.windows, request.displacement, atol=1e-12)
        began = deviation(features(task, request.starts[request.start_of]), task.reference_at(step))
        np.testing.assert_allclose(tried.start[-count:], began, atol=1e-12)
        ended, aim = features(task, final), task.aims.at(step)
        np.testing.assert_allclose(tried.end[-count:], deviation(ended, aim), atol=1e-12)
        cost = total(distances(ended, aim, task.anatomy.stature), SMALL.weights)
        np.testing.assert_allclose(tried.cost[-count:], cost)


def features(task: Task, rows: Array) -> Features:
    """Of state rows: time, positions, velocities."""
    nq, nv = task.model.mj.nq, task.model.mj.nv
    return task.anatomy.features(rows[:, 1 : 1 + nq], rows[:, 1 + nq : 1 + nq + nv])


def test_a_search_is_lost_when_its_best_sample_is(task: Task, whole: Search) -> None:
    def sunk(samples: list[int]) -> Search:
        last = whole.layers[-1]
        state = last.state.copy()
        state[samples, 3] -= 0.4  # time, then the root's place
        return replace(whole, layers=(*whole.layers[:-1], replace(last, state=state)))

    best = whole.layers[-1].best
    others = [k for k in range(len(whole.layers[-1].cost)) if k != best]
    assert others
    assert not is_lost(task, whole)
    assert not is_lost(task, sunk(others))
    assert is_lost(task, sunk([best]))


class Counting(Threads):
    """Also counts candidates, and loses those that it is told to."""

    def __init__(self, task: Task, diverges: Callable[[Request], Array] | None = None) -> None:
        super().__init__(task.stage)
        self.count = 0
        self.diverges = diverges

    def evaluate(self, request: Request) -> Array:
        self.count += len(request.displacement)
        final = super().evaluate(request)
        if self.diverges is not None:
            final[self.diverges(request)] = np.nan
        return final


def test_visiting_again_finds_more_with_as_many_samples() -> None:
    once = Settings(samples=120, save=20, visits=1)
    task = task_of(bending(), shoved(150.0), once)
    for seed in range(3):
        costs, counts = [], []
        for settings in (replace(once, seed=seed), replace(once, seed=seed, visits=6)):
            executor = Counting(task)
            costs.append(found(list(search(task, settings, executor))[-1].search).cost.mean())
            counts.append(executor.count)
        assert counts[1] <= counts[0]
        assert costs[1] < 0.85 * costs[0], seed


def test_a_motion_that_diverges_at_once_is_an_error(task: Task) -> None:
    executor = Counting(task, lambda request: np.ones(len(request.displacement), bool))
    assert list(search(task, SMALL, executor)) == []
    with pytest.raises(SearchError, match="every candidate diverged in the first step of 'bend'"):
        capture(task, SMALL, executor, source=SOURCE)


def test_a_motion_that_diverges_later_is_kept_up_to_there(task: Task) -> None:
    late = task.ends[3] * task.model.timestep - 1e-6

    def diverges(request: Request) -> Array:
        return request.starts[request.start_of, 0] > late

    executor = Counting(task, diverges)
    take = capture(task, SMALL, executor, source=SOURCE)
    assert take.info.metrics["sampling_steps"] == 4
    assert not take.info.metrics["success"]
    assert len(take.motion["qpos"]) == task.ends[3] + 1


def test_samples_that_diverge_are_neither_saved_nor_learned_from(task: Task) -> None:
    def every_other(request: Request) -> Array:
        return np.arange(len(request.displacement)) % 2 == 1

    now = list(search(task, SMALL, Counting(task, every_other)))[-1].search
    assert now.done == len(task.ends)
    for layer in now.layers:
        assert np.isfinite(layer.state).all()
        assert np.isfinite(layer.total).all()
    for known in now.known:
        assert len(known.tried) == 2
        for tried in known.tried:
            assert len(tried.cost) <= SMALL.samples_each // 2 + 1
            assert all(np.isfinite(getattr(tried, name)).all() for name in tried.__slots__)


def test_the_path_of_least_total_cost_is_found() -> None:
    def layer(parent: list[int], cost: list[float], total: list[float]) -> Layer:
        state = np.array(cost)[:, None]
        return Layer(
            parent=np.array(parent), displacement=state, state=state, cost=np.array(cost), total=np.array(total)
        )

    tree = [root_layer(np.zeros(1), 1), layer([0, 0], [1.0, 5.0], [1.0, 5.0])]
    tree.append(layer([1, 0, 0], [0.5, 2.0, 3.0], [5.5, 3.0, 4.0]))
    np.testing.assert_array_equal(best_path(tree).cost, [1.0, 2.0])


def test_sweeps_are_left_out_where_nothing_is_gained(task: Task, whole: Search) -> None:
    quick = list(search(task, replace(SMALL, settled=2.0), Threads(task.stage)))
    last = quick[-1].search
    assert (last.done, quick[-1].fraction) == (len(task.ends), 1.0)
    assert all(1 <= few.visits <= many.visits for few, many in zip(last.known, whole.known, strict=True))
    assert sum(known.visits for known in last.known) < sum(known.visits for known in whole.known)
    numbers = [event.search.sweep for event in quick]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize(("horizon", "visits"), [(3, 2), (5, 3), (1, 1), (4, 1), (7, 4)])
def test_no_sweep_is_left_out_that_leads_to_the_next(task: Task, horizon: int, visits: int) -> None:
    """Where windows overlap by less than their stride, the one after the next begins beyond what was reached."""
    settings = Settings(samples=12, save=2, horizon=horizon, visits=visits, settled=2.0)
    last = list(search(task, settings, Threads(task.stage)))[-1].search
    assert last.done == len(task.ends)
    assert all(known.visits for known in last.known)


def test_a_gain_is_what_the_best_way_saves_of_the_guides(task: Task) -> None:
    sweeps = sweeps_of(len(task.ends), SMALL.horizon, SMALL.visits)
    ends = {}
    for event in search(task, SMALL, Threads(task.stage)):
        ends[event.search.sweep] = event.search
    assert gain(ends[0], sweeps[0]) == 1.0  # nothing was known before
    for number in list(ends)[1:]:
        assert gain(ends[number], sweeps[number]) < 1.0
