"""Single shoves on a body that slides over ice, where mechanics gives the answer, and beside people."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sliding_takes import sliding, standing, with_steps

from reenact.control.pushing.gait import Gait, _strikes
from reenact.control.pushing.people import bins_of, quartiles, shove_like
from reenact.control.pushing.protocol import Protocol
from reenact.control.pushing.shove import AFTER, SETTLE, STEPS, Recovery, Shove, pushed_run, pushed_runs, walking
from reenact.control.pushing.subject import Subject, subject_of
from reenact.control.pushing.unpushed import Unpushed, unpushed
from reenact.errors import InputError
from reenact.formats.pushed_trials import PushedTrial, read_pushed_trials

CYCLE = 1.0  # of the steps that the slider is taken to make [s]


@pytest.fixture(scope="module")
def slider() -> Subject:
    return subject_of(sliding(heading=2.0))


@pytest.fixture(scope="module")
def base(slider: Subject) -> Unpushed:
    plan = Protocol(segment="thorax", seconds=SETTLE + AFTER, every=SETTLE)
    return with_steps(unpushed(slider, plan), CYCLE)


@pytest.mark.parametrize("origin", ["left", "right"])
def test_the_detour_is_the_momentum_s(slider: Subject, base: Unpushed, origin: str) -> None:
    shove = Shove(impulse=4.0, duration=0.2, phase=0.5, origin=origin)  # type: ignore[arg-type]
    came = pushed_run(slider, shove, base=base)
    travelled = 0.5 * STEPS * CYCLE - 0.5 * shove.duration  # [s] at full speed, the push itself on average at half
    assert came.detour == pytest.approx(shove.impulse / slider.mass * travelled, rel=0.1)
    assert came.sway < 0.01


def test_it_is_pushed_at_the_phase_of_the_step(slider: Subject, base: Unpushed) -> None:
    from reenact.control.pushing.shove import _moment

    assert _moment(base, Shove(impulse=1.0, duration=0.2, phase=0.5)) == pytest.approx(SETTLE + 0.25 - 0.1)
    assert _moment(base, Shove(impulse=1.0, duration=0.2, phase=0.0, stance="right")) == pytest.approx(
        SETTLE + 0.5 - 0.1
    )
    with pytest.raises(InputError, match="never comes down on its right foot"):
        _moment(
            replace(base, gait=Gait(left=base.gait.left, right=np.array([]))),
            Shove(impulse=1, duration=1, stance="right"),
        )


def test_a_hard_shove_fells_it(slider: Subject, base: Unpushed) -> None:
    soft, hard = pushed_runs(
        slider, [Shove(impulse=1.0, duration=0.1), Shove(impulse=300.0, duration=0.1)], base=base, threads=2
    )
    assert not hard.upright
    assert hard.reason
    assert 0.0 < hard.seconds < 3.0
    assert hard.detour > soft.detour > 0.0


def test_who_does_not_walk_cannot_be_shoved_at_a_phase() -> None:
    with pytest.raises(InputError, match="the track controller does not walk"):
        walking(subject_of(standing()))


@pytest.mark.parametrize(
    ("change", "words"),
    [({"impulse": 0.0}, "impulse of a shove is 0"), ({"duration": math.inf}, "duration"), ({"phase": 3.0}, "phase"),
     ({"origin": "front"}, "'front', expected 'left' or 'right'")],
)  # fmt: skip
def test_a_shove_that_cannot_be_is_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Shove(**{"impulse": 1.0, "duration": 0.1, **change})  # type: ignore[arg-type]


def test_feet_come_down_after_a_swing() -> None:
    down = np.array([1, 1, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0], bool)
    assert _strikes(down, 3).tolist() == [6, 14]
    assert Gait(left=np.array([0.0, 1.0, 2.1]), right=np.array([0.5])).cycle == pytest.approx(1.05)
    assert Gait(left=np.array([0.0, 1.0]), right=np.array([0.5])).cycle is None


def person(impulse: float = 35.0, detour: float = 0.3, **change: object) -> PushedTrial:
    facts = {
        "subject": "A", "mass": 70.0, "stature": 1.7, "crouch_deg": 0.0, "stride": 1.2, "speed": 1.1,
        "impulse": impulse, "duration": 0.2, "phase": 0.4, "from_stance_side": True, "mid_stance": True,
        "detour": detour, "detour_step": 1,
    }  # fmt: skip
    return PushedTrial(**{**facts, **change})  # type: ignore[arg-type]


def test_a_walker_gets_what_a_person_got_per_kilogram() -> None:
    shove = shove_like(person(), 80.0)
    assert shove == Shove(impulse=40.0, duration=0.2, phase=0.4, stance="left", origin="left")
    assert shove_like(person(from_stance_side=False), 80.0).origin == "right"


def test_bins_hold_people_beside_the_walker() -> None:
    trials = [person(35.1, 0.2), person(36.0, 0.4), person(50.0, 0.5)]
    came = [
        Recovery(upright=up, reason="", seconds=10.0, detour=d, root_detour=d, sway=0.0)
        for up, d in ((True, 0.1), (False, 9.0), (False, 9.0))
    ]
    low, high = bins_of(trials, came)
    assert (low.low, low.high) == pytest.approx((0.5, 0.6))
    assert (low.upright, low.people[1], low.walker[1]) == (1, pytest.approx(0.3), 0.1)
    assert np.isnan(high.walker).all()
    assert high.interval[0] == 0.0
    assert np.isnan(quartiles([])).all()


def test_every_recorded_person_can_be_matched(shared_data: Path) -> None:
    trials = read_pushed_trials(shared_data / "snu_pushed_walking_stats" / "human-data.csv")
    shoves = [shove_like(trial, 80.0) for trial in trials]
    assert max(shove.impulse for shove in shoves) == pytest.approx(80.0 * max(t.impulse_per_mass for t in trials))
    assert sum(len(one.trials) for one in bins_of(trials)) == len(trials)
