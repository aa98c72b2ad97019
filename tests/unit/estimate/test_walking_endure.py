"""Practice under pushes: what is measured, which scenes it takes, and that it is the same every time."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from recorded_walk import recorded_walk

from reenact.control.machine import layout as at
from reenact.estimate.walking import endure as under_pushes
from reenact.estimate.walking import grounds, in_pairs, together, walkers, withstand
from reenact.estimate.walking.endure import endure
from reenact.estimate.walking.rehearse import NOTHING, Scene
from reenact.estimate.walking.walk import Walk
from reenact.estimate.walking.withstand import SIDES, STRENGTH, Withstood, push, withstood


@pytest.fixture(scope="module")
def walk() -> Walk:
    return recorded_walk()


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """So short that a walk which has not been practised stays up."""
    measured = {"RECOVERY": 24, "EVERY": 24, "PHASES": 2, "SETTLED": (0,), "FORCES": 4, "STRONGER": 4.0, "USUAL": 1}
    pairs = {"FRESH": 4, "AGAIN": 3, "ALONE": 2, "GROUND": 2, "GENERATIONS": 2}
    practised = {
        withstand: measured,
        under_pushes: {"PHASES": 2, "STILL": 0.3},
        together: {"PHASES": 2, "ROUNDS": 2, "UNSURE": 1},
        in_pairs: {"PHASES": 2, "RECOVERY": 24, "PRACTISED": 0.2, **pairs},
    }
    for place in (withstand, together, in_pairs):
        monkeypatch.setattr(place, "settled_moments", lambda walk, delay: [walk.at_strike()] * 2)
    for place, values in practised.items():
        for name, value in values.items():
            monkeypatch.setattr(place, name, value)
    for name, value in {"PUSHED": 4, "ALONE": 2, "GROUND": 2, "TENTHS": 3}.items():
        monkeypatch.setattr(walkers, name, value)
    monkeypatch.setattr(grounds, "SECONDS", 0.2)
    for place in (grounds, withstand):
        monkeypatch.setattr(place, "LEVELS", {"uphill": (2.0, 40.0), "bumps": (0.01,)})


def known(front: float, rear: float, right: float) -> Withstood:
    forces = {"front": front, "rear": rear, "right": right}
    starts = tuple(np.zeros(1) for _ in range(withstand.PHASES))
    return Withstood(starts=starts, forces={side: np.full(withstand.PHASES, force) for side, force in forces.items()})


def test_the_score_asks_for_the_weakest_side_first() -> None:
    even = known(*STRENGTH.values())
    assert even.score == pytest.approx(0.0)
    strong = known(2.0 * STRENGTH["front"], STRENGTH["rear"], STRENGTH["right"])
    weak = known(STRENGTH["front"], STRENGTH["rear"], 0.5 * STRENGTH["right"])
    assert weak.score < -0.25 < 0.1 < strong.score


def test_who_runs_where_the_recorded_person_walks_has_a_lower_score(walk: Walk) -> None:
    even = known(*STRENGTH.values())
    assert replace(even, unlike=0.5).score == pytest.approx(-0.5)
    assert walk.task.aloft == pytest.approx(0.0, abs=1e-9)
    np.testing.assert_allclose(walk.flown(np.array([0.0, 0.02, 0.3])), [0.0, 0.0, 0.28])
    runner = replace(walk, task=replace(walk.task, aloft=0.2))
    np.testing.assert_allclose(runner.flown(np.array([0.1, 0.3])), [0.0, 0.08])


def test_steps_at_another_pace_count_as_another_gait(walk: Walk) -> None:
    recorded = 2.0 / (walk.cycle * walk.task.model.timestep)
    free = np.log(1.0 + 1.0 / (4.0 * recorded))  # a step more or less in 4 s is none
    hasty = walk.hasty(recorded * np.array([1.0, 1.1, 2.0, 0.5, np.nan]))
    np.testing.assert_allclose(hasty, [0.0, 0.0, np.log(2.0) - free, np.log(2.0) - free, 0.0])
    both = walk.unlike(np.array([0.22]), np.array([2.0 * recorded]))
    np.testing.assert_allclose(both, 2.0 * 0.2 + 3.0 * (np.log(2.0) - free))


def test_time_in_the_air_is_counted(walk: Walk) -> None:
    high = walk.at_strike()
    high[3] += 0.3  # the root's height: it falls for a quarter of a second
    tried = walk.rehearsal([Scene(start=walk.at_strike()), Scene(start=high)], 24).try_out(
        walk.machine, walk.machine.rows().reshape(1, -1)
    )
    assert tried.aloft[0, 0] < 0.2
    assert tried.aloft[0, 1] > 0.9


def test_a_push_goes_where_it_is_sent_for_as_long_as_in_the_test(walk: Walk) -> None:
    given = push(walk, 100.0, walk.way + SIDES["right"])
    np.testing.assert_array_equal(given.span, [[0, 48]])
    x, y = given.wrench[0, :2]
    left = (-np.sin(walk.way), np.cos(walk.way))
    assert x * left[0] + y * left[1] == pytest.approx(100.0)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("number", [0, under_pushes.QUICK])
def test_a_part_of_the_practice_is_the_same_every_time_and_never_keeps_what_is_much_worse(
    walk: Walk, number: int
) -> None:
    once, again = (endure(walk, np.random.default_rng(3), number) for _ in range(2))
    assert once is not None
    assert again is not None
    np.testing.assert_array_equal(once.walk.machine.rows(), again.walk.machine.rows())
    least = {side: float(force.min()) for side, force in once.before.forces.items()}
    assert all(value > 0.0 for value in least.values())
    assert set(once.before.grounds) == {"uphill", "bumps"}
    assert (once.critic is None) == (number > 0), "by pairs of runs none is needed"
    assert once.after is None or once.after.score > once.before.score - under_pushes.SLACK[number == 0]
    if once.after is None:
        changed = np.flatnonzero((np.abs(once.walk.machine.rows() - walk.machine.rows()) > 1e-12).any(axis=0))
        own = {at.SOLE, at.INWARD, at.HURRY, *range(at.USUAL, at.USUAL + at.CUES)}
        assert set(changed) <= own, "nothing that was learned"


def test_later_parts_go_less_far(walk: Walk, short: None, monkeypatch: pytest.MonkeyPatch) -> None:
    far = []
    known = Withstood(
        starts=(walk.at_strike(),) * 2,
        forces={side: np.full(4, 30.0) for side in SIDES},
        pushed={side: (walk.at_strike(),) * 2 for side in SIDES},
    )
    for number in (1, 4):
        slopes: list[np.ndarray] = []

        def step(self: together.Explorer, slope: np.ndarray, kept: list[np.ndarray] = slopes) -> np.ndarray:
            kept.append(slope)
            return np.zeros(self.space.size)

        monkeypatch.setattr(together.Explorer, "step", step)
        together.practised_together(walk, known, np.random.default_rng(0), number, None)
        far.append(float(np.linalg.norm(slopes[0])))
    assert far[1] / far[0] == pytest.approx(together.NEARER ** (3.0 / 2.0))


def test_scenes_after_a_push_begin_where_that_has_led(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(withstand, "EVERY", 12)
    starts = [walk.at_strike()] * 3
    rows, up = withstand.later(
        walk, starts, withstand.EVERY, [push(walk, 40.0, walk.way + SIDES["right"])] * len(starts)
    )
    assert up.tolist() == [True] * 3
    np.testing.assert_array_equal(rows[0], rows[1])
    assert rows[0][0] == 0.0, "time begins anew"
    known = Withstood(starts=tuple(starts), forces={}, pushed={"right": rows})
    assert known.start("right", 1) is starts[1]
    assert known.start("right", 4) is rows[1]
    left = np.array([-np.sin(walk.way), np.cos(walk.way)])
    still = withstand.later(walk, starts[:1], withstand.EVERY, [NOTHING])[0][0]
    assert (rows[0][1:3] - still[1:3]) @ left > 0.0, "it has been pushed to the left"
    monkeypatch.setattr(withstand, "EVERY", 240)
    fell, up = withstand.later(walk, starts[:1], withstand.EVERY, [push(walk, 900.0, walk.way + SIDES["right"])])
    assert not up[0]
    assert fell[0] is starts[0]


def test_a_walk_that_falls_by_itself_is_not_pushed(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(withstand, "SETTLED", (240,))
    assert withstood(walk, 0.0) is None
    assert endure(walk, np.random.default_rng(0)) is None


class Pushed:
    """Stands in for runs: a scene stays up under some forces."""

    def __init__(self, stays: dict[int, set[int]]) -> None:
        """stays: by the scene, the numbers of forces under which it stays up."""
        self.stays, self.tried = stays, 0

    def __call__(self, walk: Walk, starts: list[np.ndarray], steps: int, plans: list[Any]) -> Any:
        forces = [float(np.linalg.norm(plan.wrench[0, :3])) for plan in plans]
        least = float(withstand._force(walk, 0))
        numbers = [round(np.log(force / least) / np.log(withstand.STRONGER)) for force in forces]
        self.tried += len(plans)
        return SimpleNamespace(
            ok=np.array([n in self.stays[int(start[0])] for start, n in zip(starts, numbers, strict=True)])
        )


@pytest.mark.parametrize("guess", [0, 9, 20, 39])
def test_the_force_that_is_just_withstood_is_found_from_any_guess(
    walk: Walk, monkeypatch: pytest.MonkeyPatch, guess: int
) -> None:
    every = set(range(withstand.FORCES))
    runs = Pushed({0: set(range(14)), 1: set(), 2: every, 3: set(range(11))})
    monkeypatch.setattr(withstand, "_run", runs)
    starts = [np.array([float(i)]) for i in range(4)]
    just = withstand._just(walk, starts, 0.0, np.full(4, float(withstand._force(walk, guess))))
    np.testing.assert_allclose(just, withstand._force(walk, np.array([13, -1, withstand.FORCES - 1, 10])))


def test_a_good_guess_saves_runs(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []
    for guess in (20, 3):
        runs = Pushed({0: set(range(21))})
        monkeypatch.setattr(withstand, "_run", runs)
        withstand._just(walk, [np.zeros(1)], 0.0, np.array([float(withstand._force(walk, guess))]))
        tried.append(runs.tried)
    assert tried == [2, 19]
