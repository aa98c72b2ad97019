"""Learned responses and the plans made from them, each found a second way."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from reenact.estimate.sampling.planning import Plan, Prices, plans_of
from reenact.estimate.sampling.response import RIDGE_PULL, RIDGE_STATE, Response, Tried, response_of

SIZE, AXES, STEPS = 5, 3, 6  # of deviations, displacements, and steps planned


def line(rng: np.random.Generator) -> Response:
    """How some body might respond."""
    return Response(
        state=np.eye(SIZE) + 0.3 * rng.normal(size=(SIZE, SIZE)),
        pull=0.4 * rng.normal(size=(SIZE, AXES)),
        shift=0.02 * rng.normal(size=SIZE),
    )


def tried(rng: np.random.Generator, response: Response, around: np.ndarray, count: int, noise: float = 0.0) -> Tried:
    """Samples that follow a straight line up to noise, cheaper ones nearer to no deviation."""
    start, displacement = rng.normal(size=(count, SIZE)), around + rng.uniform(-1, 1, (count, AXES))
    end = start @ response.state.T + (displacement - around) @ response.pull.T + response.shift
    end += noise * rng.normal(size=end.shape)
    return Tried(start=start, displacement=displacement, end=end, cost=np.linalg.norm(end, axis=1))


def test_a_response_is_recovered_from_noisy_samples() -> None:
    rng = np.random.default_rng(1)
    real, around = line(rng), rng.normal(size=AXES)
    found = response_of(tried(rng, real, around, 20_000, noise=0.05), around)
    np.testing.assert_allclose(found.state, real.state, atol=0.01)
    np.testing.assert_allclose(found.shift, real.shift, atol=0.01)
    # the ridge draws the pull towards nothing, by its share of the displacements' spread
    np.testing.assert_allclose(found.pull, real.pull, rtol=0.15, atol=0.01)
    assert np.linalg.norm(found.pull) < np.linalg.norm(real.pull)


def test_a_response_solves_its_least_squares_problem() -> None:
    """The ridge written as samples of its own: a deviation that stays as it is, a displacement that does nothing."""
    rng = np.random.default_rng(6)
    around = rng.normal(size=AXES)
    lessons = tried(rng, line(rng), around, 40, noise=0.3)
    above = lessons.cost - lessons.cost.min()
    weight = 1.0 / (1.0 + (above / np.median(above)) ** 2)
    known = np.concatenate([lessons.start, lessons.displacement - around, np.ones((40, 1))], axis=1)
    ridge = np.sqrt(weight.sum() * np.repeat([RIDGE_STATE, RIDGE_PULL], [SIZE, AXES]))
    more = np.concatenate([np.diag(ridge), np.zeros((SIZE + AXES, 1))], axis=1)
    aims = np.zeros((SIZE + AXES, SIZE))
    aims[:SIZE] = np.diag(ridge[:SIZE])
    heavy = np.sqrt(weight)[:, None]
    answer = np.linalg.lstsq(np.concatenate([heavy * known, more]), np.concatenate([heavy * lessons.end, aims]))[0]
    found = response_of(lessons, around)
    np.testing.assert_allclose(np.concatenate([found.state, found.pull, found.shift[:, None]], axis=1), answer.T)


def test_a_response_is_counted_from_the_displacement_it_is_asked_around() -> None:
    rng = np.random.default_rng(2)
    real = line(rng)
    lessons = tried(rng, real, np.zeros(AXES), 2000)
    away = np.array([0.3, 0.0, -0.4])
    here, there = response_of(lessons, np.zeros(AXES)), response_of(lessons, away)
    np.testing.assert_allclose(there.shift - here.shift, real.pull @ away, atol=0.15 * np.abs(real.pull).max())
    assert not np.allclose(there.shift, here.shift, atol=0.02)


def test_few_samples_teach_carefully() -> None:
    """With fewer samples than unknowns: no singular equations, and what was not tried is taken to do nothing."""
    rng = np.random.default_rng(3)
    few = Tried(start=np.zeros((2, SIZE)), displacement=np.zeros((2, AXES)), end=np.ones((2, SIZE)), cost=np.ones(2))
    found = response_of(few, np.zeros(AXES))
    np.testing.assert_allclose(found.state, np.eye(SIZE))
    np.testing.assert_allclose(found.pull, 0.0)
    np.testing.assert_allclose(found.shift, 1.0)
    real = line(rng)
    scant = response_of(tried(rng, real, np.zeros(AXES), 4), np.zeros(AXES))
    assert np.linalg.norm(scant.pull) < 2.0 * np.linalg.norm(real.pull)


def test_dear_samples_teach_less() -> None:
    """The line is to hold near the motion: samples that went astray by another law hardly bend it."""
    rng = np.random.default_rng(4)
    real, other, around = line(rng), line(rng), np.zeros(AXES)
    good, bad = tried(rng, real, around, 600), tried(rng, other, around, 400)
    both = good.joined(Tried(start=bad.start, displacement=bad.displacement, end=bad.end, cost=bad.cost + 100.0))
    assert len(both.cost) == 1000
    np.testing.assert_array_equal(both.end, np.concatenate([good.end, bad.end]))
    found, plain = response_of(both, around), response_of(good, around)
    np.testing.assert_allclose(found.state, plain.state, atol=0.01)
    np.testing.assert_allclose(found.shift, plain.shift, atol=0.01)


class Problem:
    """Steps to plan, and their costs written out."""

    def __init__(self, discount: float, *, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        root = rng.normal(size=(SIZE - 1, SIZE))  # a direction stays free of charge
        self.responses = [line(rng) for _ in range(STEPS)]
        self.guide, self.seed = 0.3 * rng.normal(size=(2, STEPS, AXES))
        self.prices = Prices(
            deviation=root.T @ root, displacement=rng.uniform(0.1, 2.0, AXES), trust=0.1, discount=discount
        )
        self.starts = 0.15 * rng.normal(size=(4, SIZE))

    def plans(self) -> list[Plan]:
        return plans_of(self.responses, self.guide, self.seed, self.prices)

    def after(self, step: int, start: np.ndarray, displacement: np.ndarray) -> np.ndarray:
        r = self.responses[step]
        return np.asarray(r.state @ start + r.pull @ displacement + r.shift)

    def price(self, step: int, end: np.ndarray, displacement: np.ndarray) -> float:
        away = self.guide[step] + displacement - self.seed[step]
        effort = self.prices.displacement @ away**2 + self.prices.trust * displacement @ displacement
        return float(end @ self.prices.deviation @ end + effort)

    def cost(self, first: int, start: np.ndarray, displacements: np.ndarray) -> float:
        """Of the steps from `first` on, each discounted once more."""
        whole, here = 0.0, start
        for k, displacement in enumerate(displacements):
            here = self.after(first + k, here, displacement)
            whole += self.prices.discount**k * self.price(first + k, here, displacement)
        return whole

    def best(self, first: int, start: np.ndarray) -> np.ndarray:
        """The best displacements (n, A) of all steps from `first` on, as one least-squares problem."""
        n = STEPS - first

        def residuals(flat: np.ndarray) -> np.ndarray:
            here, rows = start, []
            values, vectors = np.linalg.eigh(self.prices.deviation)
            root = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T
            for k, displacement in enumerate(flat.reshape(n, AXES)):
                here = self.after(first + k, here, displacement)
                away = self.guide[first + k] + displacement - self.seed[first + k]
                share = self.prices.discount ** (k / 2)
                rows += [
                    share * root @ here,
                    share * np.sqrt(self.prices.displacement) * away,
                    share * np.sqrt(self.prices.trust) * displacement,
                ]
            return np.concatenate(rows)

        none = residuals(np.zeros(n * AXES))
        columns = np.stack([residuals(unit) - none for unit in np.eye(n * AXES)], axis=1)
        return np.linalg.lstsq(columns, -none)[0].reshape(n, AXES)

    def followed(self, plans: list[Plan], first: int, start: np.ndarray) -> np.ndarray:
        """Displacements (n, A) of a body that responds as learned and is fed back as planned."""
        here, made = start, []
        for k in range(first, STEPS):
            made.append(plans[k].displacements(here[None])[0])
            here = self.after(k, here, made[-1])
        return np.array(made)


@pytest.mark.parametrize("discount", [1.0, 0.9])
@pytest.mark.parametrize("seed", [0, 1])
def test_plans_are_the_best_of_all_ways_through_the_steps(discount: float, seed: int) -> None:
    problem = Problem(discount, seed=seed)
    plans = problem.plans()
    assert len(plans) == STEPS
    for start in problem.starts:
        best, made = problem.best(0, start), problem.followed(plans, 0, start)
        assert np.abs(best).max() < 1.0  # else the limit of one window would show
        np.testing.assert_allclose(made, best, atol=1e-9)
        assert np.abs(best).max() > 0.01


@pytest.mark.parametrize("discount", [1.0, 0.9])
def test_what_is_to_come_is_what_will_be_paid(discount: float) -> None:
    problem = Problem(discount)
    plans = problem.plans()
    for step, plan in enumerate(plans[:-1]):
        expected = plan.to_come(problem.starts)
        for start, value in zip(problem.starts, expected, strict=True):
            paid = problem.cost(step + 1, start, problem.followed(plans, step + 1, start))
            least = problem.cost(step + 1, start, problem.best(step + 1, start))
            assert value == pytest.approx(paid, abs=1e-9)
            assert value == pytest.approx(least, abs=1e-9)
    assert (plans[-1].to_come(problem.starts) == 0.0).all()
    assert (plans[0].to_come(problem.starts) > 0.0).all()


def test_a_plan_sees_what_only_later_steps_pay_for() -> None:
    """A displacement that does no good now, but moves what the next step would have to pay for."""
    quiet = np.zeros((2, 2))
    carries = Response(state=quiet, pull=np.array([[0.0], [1.0]]), shift=np.zeros(2))  # u moves the free number
    turns = Response(state=np.array([[0.0, 1.0], [0.0, 0.0]]), pull=np.zeros((2, 1)), shift=np.array([-0.5, 0.0]))
    prices = Prices(deviation=np.diag([1.0, 0.0]), displacement=np.zeros(1), trust=0.01, discount=1.0)
    alone = plans_of([carries], np.zeros((1, 1)), np.zeros((1, 1)), prices)
    both = plans_of([carries, turns], np.zeros((2, 1)), np.zeros((2, 1)), prices)
    start = np.zeros((1, 2))
    np.testing.assert_allclose(alone[0].displacements(start), 0.0)
    np.testing.assert_allclose(both[0].displacements(start), 0.5 / 1.01)  # of (u − ½)² + 0.01 u²
    np.testing.assert_allclose(both[0].to_come(np.array([[7.0, 0.5], [7.0, 0.0]])), [0.0, 0.25], atol=1e-12)


def test_displacements_stay_within_a_window() -> None:
    problem = Problem(1.0)
    shown = problem.plans()[0].displacements(1e3 * problem.starts)
    assert np.abs(shown).max() == 1.0


def test_a_dearer_trust_keeps_nearer_to_the_guide() -> None:
    problem = Problem(1.0)
    lengths = []
    for trust in (0.01, 0.1, 1.0, 10.0):
        prices = Prices(
            deviation=problem.prices.deviation, displacement=problem.prices.displacement, trust=trust, discount=1.0
        )
        plan = plans_of(problem.responses, problem.guide, problem.seed, prices)[0]
        lengths.append(np.linalg.norm(plan.displacements(problem.starts)))
    assert all(looser > tighter for looser, tighter in pairwise(lengths))


def test_nothing_tried_gives_no_plans() -> None:
    none = np.zeros((0, AXES))
    assert plans_of([], none, none, Problem(1.0).prices) == []
