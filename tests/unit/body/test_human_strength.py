"""Joint torque bounds like people's."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.body.body import Body
from reenact.body.human_strength import PEAKS, peak_torques, strengthened
from reenact.body.load import load_body
from reenact.body.toml import dump_body, parse_body
from reenact.errors import BodyError


def limits(body: Body) -> dict[str, float]:
    return {axis.name: axis.torque_limit for axis in body.axes}


def test_a_man_of_75_kg_is_as_strong_as_measured() -> None:
    strong = limits(strengthened(adult("male", height=1.78, mass=75.0), "human"))
    assert strong["knee_left_flexion"] == pytest.approx(213.5, abs=0.5)  # extension, 0.163 of 1310 N·m
    assert strong["hip_left_flexion"] == pytest.approx(210.9, abs=0.5)
    assert strong["ankle_left_flexion"] == pytest.approx(124.4, abs=0.5)
    assert strong["elbow_right_flexion"] == pytest.approx(75.0)
    assert peak_torques(adult("male", height=1.78, mass=75.0), "ankle", "flexion")[0] == pytest.approx(43.2, abs=0.5)


def test_all_joints_are_bounded_alike_on_both_sides_and_below_the_papers() -> None:
    body = adult()
    before, after = limits(body), limits(strengthened(body, "human"))
    assert {name.split("_")[0] for name in after} == set(PEAKS)
    for name, limit in after.items():
        assert 5.0 < limit < 0.6 * before[name], name
        assert limit == after[name.replace("left", "right")]


def test_strength_grows_with_size_and_nothing_else_changes() -> None:
    small, large = adult(height=1.6, mass=50.0), adult(height=1.6, mass=100.0)
    weak, strong = strengthened(small, "human"), strengthened(large, "human")
    np.testing.assert_allclose(list(limits(strong).values()), 2.0 * np.array(list(limits(weak).values())))
    assert weak.mass == small.mass
    assert [a.stiffness for a in weak.axes] == [a.stiffness for a in small.axes]
    assert limits(parse_body(dump_body(weak))) == pytest.approx(limits(weak))


def test_bodies_and_strengths_that_are_not_known_are_refused() -> None:
    with pytest.raises(BodyError, match=r"waist_flexion.*human50.*is not known; known are: lumbar"):
        strengthened(load_body("human50"), "human")
    with pytest.raises(BodyError, match="expected one of: human"):
        strengthened(adult(), "ox")  # type: ignore[arg-type]
