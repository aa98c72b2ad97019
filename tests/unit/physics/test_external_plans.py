"""Each candidate of a batch may feel forces of its own, and no other's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from waving_adult import Wave, adult_model, standing

from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.physics.model import Model
from reenact.physics.prepare import Wrenches
from reenact.physics.rollout import BatchResult, rollout_batch
from reenact.physics.simulate import simulate

STEPS = 30
NONE = Wrenches(span=np.zeros((0, 2), np.int64), bodies=np.zeros(0, np.int64), wrench=np.zeros((0, 6)))


def shove(model: Model, segment: str, force: tuple[float, float, float], *spans: tuple[int, int]) -> Wrenches:
    """A force [N] on a segment over spans of steps."""
    body = model.mj.body(segment).id
    wrench = np.tile([*force, 0.0, 0.0, 0.0], (len(spans), 1))
    return Wrenches(span=np.array(spans), bodies=np.full(len(spans), body), wrench=wrench)


def plans_of(model: Model) -> list[Wrenches]:
    """Pushes of other segments, at other times, several that overlap, and none."""
    first = shove(model, "thorax", (300.0, 0.0, 0.0), (3, 9))
    second = shove(model, "head", (0.0, -80.0, 0.0), (0, 4), (2, 6))
    return [first, NONE, second]


def batch(model: Model, count: int, **given: Any) -> BatchResult:
    params = np.linspace(0.1, 0.4, count)[:, None]
    return rollout_batch(model, Wave().compile(model), standing(model), STEPS, params=params, every=STEPS, **given)


def alone(model: Model, swing: float, plan: Wrenches | None) -> Array:
    return simulate(model, Wave(swing=swing), standing(model), steps=STEPS, external=plan).qpos[-1]


@pytest.mark.parametrize("threads", [1, 3])
def test_each_candidate_feels_its_own_plan(threads: int) -> None:
    model = adult_model()
    plans, which = plans_of(model), np.array([2, 0, 1, 0, 2, 1, 1, 0])
    result = batch(model, len(which), external=plans, external_of=which, threads=threads)
    assert result.qpos is not None
    for i, plan in enumerate(which):
        expected = alone(model, float(np.linspace(0.1, 0.4, len(which))[i]), plans[plan])
        np.testing.assert_array_equal(result.qpos[i, -1], expected, err_msg=str(i))


def test_one_plan_is_felt_by_all_and_an_empty_one_is_none() -> None:
    model = adult_model()
    plan = plans_of(model)[0]
    for given in (plan, [plan]):
        result = batch(model, 2, external=given)
        assert result.qpos is not None
        np.testing.assert_array_equal(result.qpos[1, -1], alone(model, 0.4, plan))
    calm, empty = batch(model, 2), batch(model, 2, external=NONE)
    np.testing.assert_array_equal(calm.final, empty.final)
    assert np.abs(calm.final - batch(model, 2, external=plan).final).max() > 1e-3


def test_a_plan_is_counted_in_steps_from_time_zero_also_after_a_resume() -> None:
    model = adult_model()
    plans, which = plans_of(model), np.array([0, 2])
    program, params = Wave().compile(model), np.array([[0.1], [0.4]])
    first = rollout_batch(model, program, standing(model), 5, params=params, external=plans, external_of=which)
    second = rollout_batch(
        model, program, first.final, STEPS - 5, params=params, external=plans, external_of=which,
        start_of=np.array([0, 1]),
    )  # fmt: skip
    whole = rollout_batch(model, program, standing(model), STEPS, params=params, external=plans, external_of=which)
    np.testing.assert_array_equal(second.final, whole.final)


@pytest.mark.parametrize(
    ("which", "message"),
    [
        (np.array([0, 3]), r"external_of must be \(2,\) with values 0 … 2"),
        (np.array([-1, 0]), r"external_of must be \(2,\) with values 0 … 2"),
        (np.array([0]), r"external_of must be \(2,\)"),
        (None, "3 plans of external forces need external_of"),
    ],
)
def test_plans_that_nobody_or_nothing_is_told_of_are_refused(which: Any, message: str) -> None:
    model = adult_model()
    with pytest.raises(InputError, match=message):
        batch(model, 2, external=plans_of(model), external_of=which)


def test_a_bad_force_in_any_plan_is_refused() -> None:
    model = adult_model()
    good = plans_of(model)[0]
    bodies = np.array([model.mj.nbody])
    for bad, message in (
        (Wrenches(span=good.span, bodies=good.bodies, wrench=np.full((1, 6), np.nan)), "not finite"),
        (Wrenches(span=good.span, bodies=bodies, wrench=good.wrench), "act on bodies 1"),
        (Wrenches(span=good.span, bodies=good.bodies, wrench=good.wrench[:, :3]), r"wrenches \(1, 6\)"),
    ):
        with pytest.raises(InputError, match=message):
            batch(model, 2, external=[good, bad], external_of=np.array([0, 0]))
    with pytest.raises(InputError, match="0 plans of external forces"):
        batch(model, 2, external=[])
