"""What tracks with other bodies and models cost beside each other."""

from __future__ import annotations

import numpy as np
import pytest
from side_walk import BODY, RATE, side_walk

from reenact.body.body import Body
from reenact.body.girth import with_girths
from reenact.estimate.video.flesh import CROWN, GIRTH, GROUND, SIZE, flesh_of
from reenact.estimate.video.likely import likely
from reenact.estimate.video.price import price
from reenact.estimate.video.settings import Settings
from reenact.estimate.video.track import Track
from reenact.priors.load import model_for

WALK = model_for("walk", BODY)


def _price(body: Body, model: str = "walk", cost: float = 100.0) -> float:
    poses = side_walk()[:10]
    track = Track(body=body, rate=RATE, poses=poses, mismatch=np.zeros(len(poses)), cost=cost, swaps=0)
    return price(track, model_for(model, BODY), BODY, Settings())


def test_the_numbers_of_a_body_are_those_that_it_was_made_with() -> None:
    flesh, rng = flesh_of(BODY), np.random.default_rng(0)
    values = rng.normal(0.0, 0.2, len(flesh.names))
    values[flesh.names.index(SIZE)] = -0.03
    values[flesh.names.index(GROUND)] = 0.0
    made = flesh.made(values)
    assert flesh.numbers(BODY) == pytest.approx(np.zeros(len(values)), abs=1e-12)
    assert flesh.numbers(made) == pytest.approx(values, abs=1e-12)
    again = flesh_of(made).made(0.5 * values)
    assert flesh.numbers(again) == pytest.approx(1.5 * values, abs=1e-12), "made in turns"


def test_a_fixed_stature_is_no_number() -> None:
    flesh = flesh_of(BODY, size=None)
    values = np.where(np.array(flesh.names) == CROWN, 0.1, 0.0)
    assert flesh.numbers(flesh.made(values)) == pytest.approx(values, abs=1e-12)


def test_an_unlikely_body_costs_what_it_is_unlikely() -> None:
    thighs = {"thigh_left": np.exp(2.0 * GIRTH), "thigh_right": np.exp(2.0 * GIRTH)}
    assert _price(with_girths(BODY, thighs)) - _price(BODY) == pytest.approx(2.0), "half the square of two spreads"
    thinner = {name: 1.0 / factor for name, factor in thighs.items()}
    assert _price(with_girths(BODY, thinner)) - _price(BODY) == pytest.approx(2.0)


def test_models_are_compared_by_what_is_left_over() -> None:
    usual = {name: likely(model_for(name, BODY)).usual for name in ("walk", "identity")}
    assert usual["walk"] != pytest.approx(usual["identity"], abs=0.1)
    for name, each in usual.items():
        assert _price(BODY, name, 100.0 + 10 * each) == pytest.approx(100.0)
