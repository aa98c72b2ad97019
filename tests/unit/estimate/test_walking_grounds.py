"""Slopes and bumps under a walk, how it is put there and counted, and where a practised walk is entered."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from recorded_walk import recorded_walk

from reenact.control.machine import layout as at
from reenact.errors import InputError
from reenact.estimate.critic import Critic, new_critic
from reenact.estimate.exact_json import dumps, loads
from reenact.estimate.states.incremental import first_machine
from reenact.estimate.states.search import Progress, weighed
from reenact.estimate.states.settings import Settings
from reenact.estimate.walking import choose, follow
from reenact.estimate.walking import search as whole_search
from reenact.estimate.walking.endure import Endured
from reenact.estimate.walking.grounds import (
    LEVELS,
    TURNS,
    Terrain,
    hardest_levels,
    mastered,
    next_levels,
    terrain,
    terrains,
)
from reenact.estimate.walking.practise import LONG, upright
from reenact.estimate.walking.search import ENTER, FOLLOW
from reenact.estimate.walking.survive import survive
from reenact.estimate.walking.walk import Walk, walks_of
from reenact.estimate.walking.withstand import PHASES, STRENGTH, Withstood
from reenact.geometry.rotation import Array
from reenact.physics.state import State
from reenact.world.ground import ground_height


@pytest.fixture(scope="module")
def walk() -> Walk:
    return recorded_walk()


def ahead(walk: Walk, metres: float) -> tuple[float, float]:
    x, y = State.from_row(walk.start, walk.task.model).qpos[:2]
    return float(x + metres * math.cos(walk.way)), float(y + metres * math.sin(walk.way))


@pytest.mark.parametrize(("kind", "sign"), [("uphill", 1.0), ("downhill", -1.0)])
def test_a_slope_rises_or_falls_along_the_way(walk: Walk, kind: str, sign: float) -> None:
    for form, turn in zip(terrains(walk, kind, 5.0), TURNS, strict=True):
        world = form.model.world
        rise = float(ground_height(world, *ahead(walk, 10.0)) - ground_height(world, *ahead(walk, 0.0)))
        steep = math.tan(math.radians(5.0)) * math.cos(math.radians(turn))
        assert rise == pytest.approx(sign * 10.0 * steep, rel=1e-3)


def test_forms_of_a_slope_rise_to_either_side_and_bumps_lie_elsewhere(walk: Walk) -> None:
    x, y = ahead(walk, 5.0)
    left = (x - 2.0 * math.sin(walk.way), y + 2.0 * math.cos(walk.way))
    tilts = [
        float(ground_height(form.model.world, *left) - ground_height(form.model.world, x, y))
        for form in terrains(walk, "uphill", 5.0)
    ]
    assert [tilt > 0.0 for tilt in tilts] == [turn > 0.0 for turn in TURNS]
    fields = {
        tuple(float(ground_height(form.model.world, *ahead(walk, m))) for m in np.linspace(1.0, 9.0, 20))
        for form in terrains(walk, "bumps", 0.02)
    }
    assert len(fields) == len(TURNS)
    assert len(terrains(walk, "weaker", 0.75)) == 1


def test_bumps_lie_where_it_goes(walk: Walk) -> None:
    world = terrain(walk, "bumps", 0.04, 0).model.world
    heights = [float(ground_height(world, *ahead(walk, metres))) for metres in np.linspace(0.0, 25.0, 80)]
    assert 0.02 < max(heights) <= 0.04
    assert np.std(heights) > 0.004


def test_it_begins_there_as_it_goes_on_the_flat_but_as_high_as_the_ground(walk: Walk) -> None:
    row = walk.at_strike()
    steep = terrain(walk, "uphill", 7.0, 0)
    there = State.from_row(steep.put(row), steep.model)
    own = State.from_row(row, walk.task.model)
    lift = there.qpos[2] - own.qpos[2]
    assert lift == pytest.approx(float(ground_height(steep.model.world, *own.qpos[:2])), abs=0.1)
    np.testing.assert_array_equal(np.delete(there.qpos, 2), np.delete(own.qpos, 2))
    assert there.memory is not None
    np.testing.assert_array_equal(there.memory, own.memory)
    assert there.memory[at.STATE] == walk.first


def test_candidates_are_told_apart_by_how_long_they_stay_up(walk: Walk) -> None:
    own = walk.machine.rows()
    bent = own.copy()
    groups, axes = len(walk.machine.groups), len(walk.machine.axes)
    bent[:, at.pose_at(groups) : at.reactions_at(groups, axes)] = 1.2
    params = np.array([own.ravel(), bent.ravel()])
    up = terrain(walk, "downhill", 3.0, 0).upright(walk, params, [walk.at_strike()], 1.0)
    assert up.shape == (2, 1)
    assert up[1, 0] < 1.0
    assert up[0, 0] > up[1, 0]


def test_levels_are_counted_from_the_easiest_and_the_next_is_practised(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def up_to_four(self: Terrain, walk: Walk, params: Array, starts: list[Array], seconds: float) -> Array:
        ground = self.model.world.ground
        stays = ground.slope_deg < 4.5 or ground.slope_deg > 5.5  # a steeper one by luck does not count
        return np.full((1, len(starts)), 1.0 if stays and not self.model.world.parts else 0.7)

    monkeypatch.setattr(Terrain, "upright", up_to_four)
    known = mastered(walk, [walk.start, walk.at_strike()])
    assert known == {"uphill": 3, "downhill": 3, "bumps": 0, "weaker": 4}
    known = {**known, "uphill": len(LEVELS["uphill"])}
    following = {kind: forms[-1].model.world for kind, forms in next_levels(walk, known).items()}
    assert {kind: world.ground.slope_deg for kind, world in following.items()} == {"downhill": 5.0, "bumps": 0.0}
    assert len(following["bumps"].parts) == 1
    every = {kind: forms[-1].model.world for kind, forms in hardest_levels(walk, known).items()}
    assert list(every) == ["downhill", "bumps", "uphill", "weaker"]
    assert every["uphill"].ground.slope_deg == 7.0, "what is mastered is not forgotten"


def test_where_the_world_is_not_flat_there_is_no_other_ground(walk: Walk) -> None:
    model = walk.task.model
    sloping = replace(model.world, ground=replace(model.world.ground, slope_deg=3.0))
    task = replace(walk.task, model=replace(model, world=sloping))
    assert mastered(replace(walk, task=task), [walk.start]) == {}


def test_ground_that_it_does_not_master_costs_some_of_the_score() -> None:
    forces = {side: np.full(PHASES, force) for side, force in STRENGTH.items()}
    starts = tuple(np.zeros(1) for _ in range(PHASES))
    plain, firm, unsure = (
        Withstood(starts=starts, forces=forces, grounds=known)
        for known in ({}, {kind: len(levels) for kind, levels in LEVELS.items()}, {"uphill": 3, "bumps": 4})
    )
    assert plain.score == firm.score == pytest.approx(0.0)
    assert unsure.score == pytest.approx(-0.125)
    assert len(unsure.footing) == 4


def test_a_bare_walk_begins_at_the_strike(walk: Walk) -> None:
    bare = replace(walk, bare=True)
    np.testing.assert_array_equal(bare.start, walk.at_strike())
    assert bare.entered_after == 0 < walk.entered_after
    assert bare.arrivals() == []
    assert not np.array_equal(walk.start, bare.start)


def test_it_may_be_entered_at_every_strike_that_the_chain_reaches(walk: Walk) -> None:
    task = walk.task
    walks = walks_of(task, first_machine(task, Settings(), 40))
    assert walks[0].entry == walk.entry
    frames = [each.entry.frame for each in walks]
    assert len(set(frames)) == len(frames)
    assert min(frames) == walk.stride[0].frame
    for each in walks:
        lead = sum(state.seconds for state in each.machine.states[: each.first])
        assert lead == pytest.approx(each.entry.frame * task.model.timestep)


def _to_enter(walk: Walk, settings: Settings, number: int) -> Progress:
    """A practised walk that is to be led into, its cycle marked."""
    task, chain = walk.task, first_machine(walk.task, settings, 40)
    marked = walk.machine.rows()
    marked[walk.first :, at.HURRY] = 0.5
    best = weighed(task, settings, walk.machine.with_rows(marked), task.reference.frames - 1)
    return Progress(phase=ENTER, number=number, best=best, fraction=0.9, tried=(replace(best, machine=chain),))


def test_a_walk_that_goes_on_from_its_last_entry_is_entered_there(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (whole_search, choose):
        monkeypatch.setattr(module, "worth", lambda one: (LONG, 0.0))
    now = whole_search._practised(walk.task, Settings(), _to_enter(walk, Settings(), 0))
    assert (now.phase, now.part) == (FOLLOW, 0)
    assert now.best is not None
    names = [state.name for state in now.best.machine.states]
    lead = sum(state.seconds for state in now.best.machine.states[: names.index("a1")])
    assert lead == pytest.approx(walk.entry.frame * walk.task.model.timestep, abs=1e-6)


def test_one_that_does_not_is_practised_from_there_and_keeps_what_is_better(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = walk.machine.rows()
    rows[walk.first :, at.HURRY] = 0.7
    better = walk.machine.with_rows(rows)
    monkeypatch.setattr(whole_search, "survive", lambda one, rng: replace(one, machine=better))
    monkeypatch.setattr(whole_search, "worth", lambda one: (one.machine.rows()[-1, at.HURRY], 0.0))
    now = whole_search._practised(walk.task, Settings(), _to_enter(walk, Settings(), 0))
    assert (now.phase, now.number) == (ENTER, 1)
    assert now.best is not None
    assert now.best.machine.rows()[-1, at.HURRY] == 0.7
    monkeypatch.setattr(whole_search, "worth", lambda one: (-one.machine.rows()[-1, at.HURRY], 0.0))
    now = whole_search._practised(walk.task, Settings(), _to_enter(walk, Settings(), 0))
    assert now.best is not None
    assert now.best.machine.rows()[-1, at.HURRY] == 0.5


def test_in_the_end_it_is_entered_where_it_goes_on_longest(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    task, settings = walk.task, Settings(pushes=1)
    chain = first_machine(task, settings, 40)
    first, last = (stage.entry for stage in walks_of(task, chain)[:: len(walks_of(task, chain)) - 1])
    monkeypatch.setattr(choose, "worth", lambda one: (5.0 if one.entry == last else 3.0, 0.0))
    now = whole_search._practised(task, settings, _to_enter(walk, settings, whole_search.MOST_ENTERING))
    assert (now.phase, now.part) == (FOLLOW, len(walks_of(task, chain)) - 1)
    assert now.best is not None
    states = now.best.machine.states
    names = [state.name for state in states]
    lead = sum(state.seconds for state in states[: names.index("a1")])
    assert first != last
    assert lead == pytest.approx(last.frame * task.model.timestep, abs=1e-6)
    assert all(state.balance.hurry[0] == 0.5 for state in states[names.index("a1") :])


def test_a_walk_stays_up_longer_after_it_was_practised_by_staying_up(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"GENERATIONS": 6, "POPULATION": 12, "SECONDS": 3.0}.items():
        monkeypatch.setattr(f"reenact.estimate.walking.survive.{name}", value)
    bare = replace(walk, bare=True)
    better = survive(bare, np.random.default_rng(0))
    assert upright(better, 3.0) > upright(bare, 3.0)
    again = survive(bare, np.random.default_rng(0))
    assert (again.machine.rows() == better.machine.rows()).all()


def test_a_stopped_practice_under_pushes_goes_on_to_the_same_bits(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"FIRST_ROUNDS": 1, "SAMPLES": 8, "HORIZON": 0.4, "LONG": 1.0, "LIKE": 1.0}.items():
        monkeypatch.setattr(f"reenact.estimate.walking.practise.{name}", value)
    monkeypatch.setattr("reenact.estimate.walking.steady.CLOSER", ())
    monkeypatch.setattr(whole_search, "MOST", 1)
    seen: list[bool] = []

    def endured(own: Walk, rng: np.random.Generator, number: int, critic: Critic | None) -> Endured:
        """A part in which the critic alone learns."""
        seen.append(critic is None)
        moments = rng.normal(size=(30, 3))
        learned = (critic or new_critic(moments, rng)).learned(moments, moments[:, 0], rng)
        return Endured(walk=own, before=Withstood(starts=(), forces={}), after=None, critic=learned)

    monkeypatch.setattr(whole_search, "endure", endured)
    monkeypatch.setattr(whole_search, "STILL", 0.1)
    monkeypatch.setattr(whole_search, "MOST_ENTERING", 0)
    task, settings = walk.task, Settings(pushes=2, samples=8)
    short = tuple(replace(part, rounds=1) for part in follow.parts_of(task, early=True)[:2])
    for place in (whole_search, follow):
        monkeypatch.setattr(place, "parts_of", lambda task, early: short)
    monkeypatch.setattr("reenact.estimate.walking.grounds.SURE", ())
    monkeypatch.setattr("reenact.estimate.walking.grounds.JOLTS", 2)
    chain = weighed(task, settings, first_machine(task, settings, 40), task.reference.frames - 1)
    begun = Progress(phase="walk", number=0, best=chain, fraction=0.5, tried=(chain,))
    events = list(whole_search.search(task, settings, begun))
    assert [event.phase for event in events] == ["push", "push", "enter", "follow", "follow", "done"]
    assert (events[-1].disturbed, events[-1].bought) == (2, 0)
    assert seen == [True, False], "each part goes on with the critic of the last one"
    assert [event.critic is None for event in events] == [True, False, True, True, True, True]
    for number in (0, 1, 4):
        again = list(whole_search.search(task, settings, loads(dumps(events[number]))))
        assert dumps(again[-1]) == dumps(events[-1])
    best = events[1].best
    assert best is not None
    other = replace(best, machine=replace(best.machine, states=best.machine.states[1:]))
    with pytest.raises(InputError, match="another version"):
        list(whole_search.search(task, settings, replace(events[1], best=other)))
