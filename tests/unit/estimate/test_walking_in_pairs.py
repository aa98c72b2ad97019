"""Practice by pairs of runs: which scenes it takes, and what runs in them are worth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from recorded_walk import recorded_walk

from reenact.estimate.walking import in_pairs
from reenact.estimate.walking.walk import Walk
from reenact.estimate.walking.withstand import SIDES, Withstood


@pytest.fixture(scope="module")
def walk() -> Walk:
    return recorded_walk()


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """So short that a walk which has not been practised stays up."""
    pairs = {"FRESH": 4, "AGAIN": 3, "ALONE": 2, "GROUND": 2}
    for name, value in {"RECOVERY": 24, "PHASES": 2, **pairs}.items():
        monkeypatch.setattr(in_pairs, name, value)


def course(walk: Walk, forces: dict[str, np.ndarray]) -> in_pairs._Course:
    starts = tuple(walk.at_strike() for _ in range(2))
    pushed = {side: (walk.at_strike(),) * 2 for side in forces}
    return in_pairs._Course(walk, Withstood(starts=starts, forces=forces, pushed=pushed))


def test_scenes_are_pushed_with_about_as_much_as_is_withstood_in_them(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_pairs, "SELDOM", 0.0)
    alone = {"front": [60.0, 300.0], "rear": [90.0, 400.0], "right": [50.0, 55.0]}
    practice = course(walk, {side: np.array([*own, 20.0, 20.0]) for side, own in alone.items()})
    trials = practice.pushed([walk.at_strike()] * 2, np.random.default_rng(0))
    assert len(trials) == in_pairs.FRESH
    for trial in trials:
        own = alone[list(SIDES)[trial.side]][trial.kind]
        assert 0.95 * own <= np.linalg.norm(trial.scene.push.wrench[0, :3]) <= 1.1 * own
        assert trial.told
    again = practice.pushed_again(np.random.default_rng(0))
    assert {trial.kind for trial in again} == {2}, "all begin in the cycle's first state"
    assert all(19.0 <= np.linalg.norm(trial.scene.push.wrench[0, :3]) <= 22.0 for trial in again)
    itself = practice.alone(np.random.default_rng(0))
    assert all(trial.side < 0 and len(trial.scene.push.wrench) == 0 for trial in itself)


def test_now_and_then_a_scene_is_pushed_less_and_the_staircase_is_not_told(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_pairs, "SELDOM", 1.0)
    practice = course(walk, {side: np.full(4, 100.0) for side in SIDES})
    trials = practice.pushed([walk.at_strike()] * 2, np.random.default_rng(0))
    assert all(40.0 <= np.linalg.norm(trial.scene.push.wrench[0, :3]) <= 95.0 for trial in trials)
    assert not any(trial.told for trial in trials)


@pytest.mark.usefixtures("short")
def test_who_stays_up_is_worth_more_and_the_unpushed_walk_counts_by_its_own_share(walk: Walk) -> None:
    practice = course(walk, {side: np.full(4, 1.0) for side in SIDES})
    rng = np.random.default_rng(0)
    practice._walk = replace(walk, fall=None)
    trials = [*practice.pushed([walk.at_strike()] * 2, rng), *practice.alone(rng)]
    params = np.broadcast_to(walk.machine.rows().ravel(), (2, len(trials), walk.machine.rows().size))
    worth = practice.worth(trials, params, rng)
    assert worth.shape == (2, len(trials))
    np.testing.assert_array_equal(worth[0], worth[1])
    np.testing.assert_allclose(worth[:, : in_pairs.FRESH], 1.0)
    share = in_pairs.ITSELF * len(trials) / in_pairs.ALONE
    assert np.all(worth[:, in_pairs.FRESH :] <= share)
    assert np.all(worth[:, in_pairs.FRESH] > 0.0), "from where it begins, it is like the recording"
    assert all(practice._staircase.strength(t.side, t.kind) > 1.0 for t in trials if t.side >= 0 and t.told)
    assert max(len(pool) for pool in practice._pools) > 2, "pushed again from where pushes have led"
