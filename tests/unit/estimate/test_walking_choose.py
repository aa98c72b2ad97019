"""A practice that is stopped or gains nothing: what it leaves, when it ends, and the time that it says is left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from recorded_walk import recorded_walk

from reenact.control.machine import layout as at
from reenact.estimate.exact_json import dumps
from reenact.estimate.states.incremental import Stage, first_machine
from reenact.estimate.states.search import Progress, weighed
from reenact.estimate.states.settings import Settings
from reenact.estimate.walking import choose, grounds, work
from reenact.estimate.walking import search as whole_search
from reenact.estimate.walking.choose import found_so_far
from reenact.estimate.walking.practise import LONG, Practised
from reenact.estimate.walking.walk import Walk
from reenact.estimate.walking.work import DONE, ENTER, FOLLOW, MOST, PATIENCE, PUSH, WALK, advanced, left
from reenact.geometry.rotation import Array
from reenact.physics.model import Model


@pytest.fixture(scope="module")
def walk() -> Walk:
    return recorded_walk()


@pytest.fixture(scope="module")
def chain(walk: Walk) -> Stage:
    return weighed(walk.task, Settings(), first_machine(walk.task, Settings(), 40), walk.task.reference.frames - 1)


def practised(walk: Walk, chain: Stage, phase: str, number: int) -> Progress:
    made = weighed(walk.task, Settings(), walk.machine, chain.last)
    return Progress(phase=phase, number=number, best=made, fraction=0.9, tried=(chain, made))


def test_before_the_first_part_the_chain_is_what_was_found(walk: Walk, chain: Stage) -> None:
    begun = Progress(phase=WALK, number=0, best=chain, fraction=0.5, tried=(chain,))
    assert found_so_far(walk.task, Settings(), begun) is chain
    growing = Progress(phase="grow", number=2, best=chain, fraction=0.1)
    assert found_so_far(walk.task, Settings(), growing) is chain
    assert found_so_far(walk.task, Settings(), replace(growing, best=None)) is None


@pytest.mark.parametrize(("phase", "number"), [(WALK, 1), (PUSH, 0), (ENTER, 2), (FOLLOW, 0)])
def test_stopped_the_walk_takes_the_chains_place_where_it_keeps_walking(
    walk: Walk, chain: Stage, phase: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = practised(walk, replace(chain, cost=1.0), phase, number)
    monkeypatch.setattr(choose, "worth", lambda one: (LONG, 0.0))
    monkeypatch.setattr(choose, "stays_up", lambda one, seconds: False)
    before = dumps(now)
    found = found_so_far(walk.task, Settings(), now)
    assert found is not None
    assert found.machine is chain.machine, "a walk that falls and is farther from the recording"
    monkeypatch.setattr(choose, "stays_up", lambda one, seconds: True)
    found = found_so_far(walk.task, Settings(), now)
    assert found is not None
    assert [state.name for state in found.machine.states] == [state.name for state in walk.machine.states]
    assert found.cost == pytest.approx(now.best.cost if now.best else 0.0, rel=0.2)
    assert dumps(now) == before


def test_a_walk_that_falls_but_is_as_near_to_the_recording_is_kept(
    walk: Walk, chain: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choose, "worth", lambda one: (2.0, 0.0))
    monkeypatch.setattr(choose, "stays_up", lambda one, seconds: False)
    far = replace(chain, cost=1e6)
    found = found_so_far(walk.task, Settings(), practised(walk, far, WALK, 1))
    assert found is not None
    assert len(found.machine.states) > len(chain.machine.states)


def test_a_practice_that_gains_nothing_ends_and_says_so_evenly(
    walk: Walk, chain: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_search, "along", lambda one, rng, first: Practised(walk=one, learned=None))  # type: ignore[arg-type]
    monkeypatch.setattr(whole_search, "survive", lambda one, rng: one)
    for module in (whole_search, choose):
        monkeypatch.setattr(module, "worth", lambda one: (3.0, -50.0))
    monkeypatch.setattr(whole_search, "parts_of", lambda task, early: ())
    begun = Progress(phase=WALK, number=0, best=chain, fraction=0.6, tried=(chain,))
    events = list(whole_search.search(walk.task, Settings(), begun))
    parts = [event for event in events if event.phase == WALK]
    assert [event.part for event in parts] == list(range(PATIENCE))
    assert len(parts) == PATIENCE < MOST
    phases = [event.phase for event in events[len(parts) :]]
    assert phases == [ENTER] * (whole_search.MOST_ENTERING + 1) + [FOLLOW, DONE]
    fractions = [event.fraction for event in events]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0


@pytest.mark.parametrize("pushes", [0, 20])
def test_the_time_left_does_not_grow_while_a_practice_goes_on(walk: Walk, pushes: int) -> None:
    task, settings = walk.task, Settings(pushes=pushes)
    chain = work.chain_work(task, settings)
    before = left(task, settings, WALK, 0)
    fraction, spent = chain / (chain + before), chain
    told = [spent * (1.0 - fraction) / fraction]
    for number in range(1, MOST):
        after = left(task, settings, WALK, number, idle=number % PATIENCE)
        fraction = advanced(fraction, before, work.part_work(task, settings, WALK), after)
        spent, before = spent + work.part_work(task, settings, WALK), after
        told.append(spent * (1.0 - fraction) / fraction)
    assert max(told) <= told[0] * (1.0 + 1e-9)
    assert min(told) > 0.2 * told[0]
    assert advanced(fraction, before, 1.0, 0.0) == 1.0
    assert left(task, settings, DONE, 0) == 0.0
    assert left(task, settings, PUSH, 0) == pytest.approx(
        max(1, pushes) * work.part_work(task, settings, PUSH) + left(task, settings, ENTER, 0)
    )


def test_a_fit_that_would_cost_other_ground_is_not_kept(
    walk: Walk, chain: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, rows = Settings(pushes=1), walk.machine.rows()
    rows[0, at.SECONDS] += 0.01

    def followed(one: Walk, *_: object, keeps: Callable[[Walk], bool], **__: object) -> Walk:
        other = replace(one, machine=one.machine.with_rows(rows))
        return other if keeps(other) else one

    monkeypatch.setattr(whole_search, "followed", followed)
    monkeypatch.setattr(whole_search, "stays_up", lambda one, seconds: True)
    monkeypatch.setattr(choose, "on_guard", lambda one: one)
    now = practised(walk, chain, FOLLOW, 1)
    falls = grounds.terrain(walk, "uphill", 3.0, 0)
    monkeypatch.setattr(grounds.Terrain, "upright", lambda *_: np.array([[0.9]]))
    for sure, seconds in (((), rows[0, at.SECONDS]), ((falls,), walk.machine.rows()[0, at.SECONDS])):
        monkeypatch.setattr(choose, "walked_on", lambda one, sure=sure: sure)
        monkeypatch.setattr(choose, "jolts_taken", lambda one: 5)
        then = whole_search._practised(walk.task, settings, now)
        assert (then.phase, then.number) == (FOLLOW, 2)
        assert then.best is not None
        assert then.best.machine.rows()[0, at.SECONDS] == seconds


def test_grounds_to_be_sure_of_are_walked_on_from_the_start(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert grounds.walked_on(replace(walk, task=replace(walk.task, model=on_a_slope(walk)))) == ()
    asked = []

    def upright(self: grounds.Terrain, one: Walk, params: Array, starts: list[Array], seconds: float) -> Array:
        asked.append((self.model.world.name, self.model.world.ground.slope_deg, starts[0].tobytes()))
        return np.array([[1.0 if self.model.world.ground.slope_deg < 4.0 else 0.9]])

    monkeypatch.setattr(grounds.Terrain, "upright", upright)
    own = walk.task.model.world.name
    forms = len(grounds.TURNS)
    walked = [each.model.world.name for each in grounds.walked_on(walk)]
    assert walked == [*["uphill"] * forms, *["downhill"] * forms, *["bumps"] * forms, own]
    every = [(kind, steep) for kind, steep in grounds.SURE if kind.endswith("hill")]
    slopes = [(kind, steep, walk.start.tobytes()) for kind, steep in every for _ in range(forms)]
    others = [(name, 0.0, walk.start.tobytes()) for name in (*["bumps"] * forms, own)]
    assert asked == [*slopes, *others]


def test_a_walk_may_have_less_strength_and_starts_that_are_disturbed(walk: Walk) -> None:
    own = walk.task.model
    weaker = grounds.terrain(walk, "weaker", 0.75, 0).model
    np.testing.assert_allclose(weaker.mj.dof_frictionloss, 0.75 * own.mj.dof_frictionloss, rtol=1e-5)  # as written
    assert weaker.world == own.world
    assert 0 <= grounds.jolts_taken(walk) == grounds.jolts_taken(walk) <= grounds.JOLTS


def test_a_walk_that_bears_fewer_jolts_is_not_kept(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose, "on_guard", lambda one: one)
    monkeypatch.setattr(choose, "walked_on", lambda one: ())
    before = replace(walk, bare=not walk.bare)
    monkeypatch.setattr(choose, "jolts_taken", lambda one: 6 if one is before else 5)
    assert not choose.sure_of(before).covered_by(walk)
    assert choose.sure_of(walk).covered_by(before)


def on_a_slope(walk: Walk) -> Model:
    model = walk.task.model
    return replace(model, world=replace(model.world, ground=replace(model.world.ground, slope_deg=3.0)))
