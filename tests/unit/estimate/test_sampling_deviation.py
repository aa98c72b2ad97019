"""Deviations and their price: the form is as steep as the cost it stands in for, where it says so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from reenact.body.load import load_body
from reenact.body.mjcf import bare_model
from reenact.estimate.sampling.cost import AHEAD, Weights, distances, total
from reenact.estimate.sampling.deviation import deviation, price_of, price_of_displacing, size_of
from reenact.estimate.sampling.features import Anatomy, Features, anatomy_of

NONE = Weights(pose=0, root=0, effectors=0, balance=0, place=0)
COM, SPEED, TURN, SPIN = range(3), range(3, 6), range(6, 9), range(9, 12)
SPIN_TIME = 0.1  # [s]


@pytest.fixture(scope="module")
def anatomy() -> Anatomy:
    return anatomy_of(load_body("human50"))


@pytest.fixture(scope="module")
def reference(anatomy: Anatomy) -> Features:
    rng = np.random.default_rng(2)
    axes = sum(len(span) for span in anatomy.hinged)
    turn = Rotation.random(1, random_state=2).as_quat(scalar_first=True)
    qpos = np.concatenate([rng.normal(size=(1, 3)), turn, rng.uniform(-0.7, 0.7, (1, axes))], axis=1)
    return anatomy.features(qpos, rng.normal(size=(1, 6 + axes)))


def deviated(reference: Features, by: np.ndarray) -> Features:
    """A state that is off the reference by a deviation (E,)."""
    com = by[COM]
    turned = Rotation.from_rotvec(by[TURN]) * Rotation.from_quat(reference.root[0], scalar_first=True)
    return replace(
        reference,
        com=reference.com + com,
        com_velocity=reference.com_velocity + by[SPEED] / AHEAD,
        root=turned.as_quat(scalar_first=True)[None],
        root_spin=reference.root_spin + by[SPIN] / SPIN_TIME,
        tips=reference.tips + com + by[12:].reshape(1, -1, 3),
    )


def test_a_deviation_is_read_back(anatomy: Anatomy, reference: Features) -> None:
    by = np.random.default_rng(5).uniform(-0.5, 0.5, size_of(len(anatomy.effectors)))
    np.testing.assert_allclose(deviation(deviated(reference, by), reference), [by], atol=1e-12)
    np.testing.assert_allclose(deviation(reference, reference), 0.0, atol=1e-12)


def typical(weight: str, effectors: int) -> dict[int, float]:
    """The errors at which the form is to be as steep as the distance, by place in the vector and in its units."""
    tips = range(12, 12 + 3 * effectors, 3)
    return {
        "place": dict.fromkeys([*COM, 3, 4], 0.15),
        "root": dict.fromkeys(TURN, 0.2) | dict.fromkeys(SPIN, 1.5 * SPIN_TIME),
        "effectors": dict.fromkeys([COM[2], *(tip + 2 for tip in tips)], 0.05),
        "balance": dict.fromkeys(SPEED, 0.33 * AHEAD) | {tip + i: 0.1 for tip in tips for i in range(2)},
    }[weight]


@pytest.mark.parametrize("weight", ["place", "root", "effectors", "balance"])
def test_a_price_is_as_steep_as_the_cost_at_a_typical_error(anatomy: Anatomy, reference: Features, weight: str) -> None:
    effectors, stature = len(anatomy.effectors), anatomy.stature
    weights = replace(NONE, **{weight: 7.0})
    price, near = price_of(weights, effectors, stature), typical(weight, effectors)
    for i, unit in enumerate(np.eye(size_of(effectors))):
        at = near.get(i, 0.1)
        around = [deviated(reference, d * unit) for d in (at - 1e-5, at + 1e-5)]
        low, high = (float(total(distances(f, reference, stature), weights)[0]) for f in around)
        steep = (high - low) / 2e-5
        form = float(unit @ price @ unit)
        assert form == pytest.approx(steep / (2 * at) if i in near else 0.0, rel=1e-6, abs=1e-9), i
        assert (steep > 1e-3) == (i in near), i  # what is priced is what costs


def test_the_place_is_priced_where_it_heads(anatomy: Anatomy, reference: Features) -> None:
    """Being behind but faster is as good as in place; on the ground plan only."""
    price = price_of(replace(NONE, place=20.0), len(anatomy.effectors), anatomy.stature)
    by = np.zeros(len(price))
    by[[0, 3]] = -0.1, 0.1
    assert by @ price @ by == pytest.approx(0.0, abs=1e-12)
    cost = total(distances(deviated(reference, by), reference, anatomy.stature), replace(NONE, place=20.0))
    assert cost == pytest.approx(0.0, abs=1e-9)
    by = np.zeros(len(price))
    by[[2, 5]] = -0.1, 0.1
    assert by @ price @ by > 0.1


@pytest.mark.parametrize("weights", [Weights(), replace(NONE, place=1.0), replace(NONE, effectors=1.0), NONE])
@pytest.mark.parametrize("effectors", [1, 4, 5])
def test_no_deviation_is_rewarded(weights: Weights, effectors: int) -> None:
    price = price_of(weights, effectors, 1.7)
    np.testing.assert_array_equal(price, price.T)
    values = np.linalg.eigvalsh(price)
    assert values.min() >= -1e-12 * max(values.max(), 1.0)
    if weights == Weights():
        assert values.min() > 1e-3  # all of it costs something


def test_displacing_is_priced_as_the_pose_it_changes() -> None:
    body = load_body("human50")
    anatomy, model = anatomy_of(body), bare_model(body)
    weights, window = replace(NONE, pose=8.0), np.linspace(0.05, 0.4, len(body.axes))
    price = price_of_displacing(weights, window, len(anatomy.hinged))
    still = np.zeros((1, 6 + len(body.axes)))
    reference = anatomy.features(model.qpos0[None], still)
    for axis in range(len(body.axes)):
        turned = np.tile(model.qpos0, (2, 1))
        turned[:, 7 + axis] += 0.15 - 1e-5, 0.15 + 1e-5
        low, high = total(distances(anatomy.features(turned, np.tile(still, (2, 1))), reference, 1.7), weights)
        steep = (high - low) / 2e-5 * window[axis]  # per window
        assert 2 * price[axis] * 0.15 / window[axis] == pytest.approx(steep, rel=1e-6)
