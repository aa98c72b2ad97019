"""A body with more mass, its moments and torques in proportion, does the same under forces in proportion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from example_machines import machine_take, walk_machine
from reenact.body.heavier import of_mass
from reenact.body.load import load_body
from reenact.control.pushing.subject import as_heavy
from reenact.control.replay import replay
from reenact.errors import BodyError
from reenact.world.pushes import Push
from reenact.world.world import World


def test_a_pushed_body_of_another_mass_moves_alike() -> None:
    take = machine_take(walk_machine(), 0.2)
    light = replay(take, seconds=0.1).motion["qpos"]
    for times in (0.7, 2.0):
        moved = []
        for one, force in ((take, 60.0), (as_heavy(take, times * load_body("adult").mass), times * 60.0)):
            push = Push(segment="thorax", origin="left", newtons=force, start=0.1, duration=0.4)
            moved.append(replay(one, world=World(pushes=(push,)), seconds=0.8).motion)
        mine, theirs = moved
        np.testing.assert_allclose(theirs["qpos"], mine["qpos"], atol=1e-4)
        np.testing.assert_allclose(theirs["torque"], times * mine["torque"], atol=0.02 * np.abs(mine["torque"]).max())
        assert np.abs(mine["qpos"][: len(light)] - light).max() < 1e-9
        assert np.abs(mine["qpos"][-1, :3] - replay(take, seconds=0.8).motion["qpos"][-1, :3]).max() > 0.01


def test_all_that_a_mass_stands_for_goes_along() -> None:
    body = load_body("adult")
    heavy = of_mass(body, 1.5 * body.mass)
    assert heavy.mass == pytest.approx(1.5 * body.mass)
    for mine, theirs in zip(body.segments, heavy.segments, strict=True):
        assert theirs.mass == pytest.approx(1.5 * mine.mass)
        np.testing.assert_allclose(theirs.inertia, 1.5 * mine.inertia)
        assert [a.torque_limit for a in theirs.axes] == pytest.approx([1.5 * a.torque_limit for a in mine.axes])
        assert theirs.shapes == mine.shapes
    with pytest.raises(BodyError, match=r"a mass of 5 kg, expected 8\.0 to 804 for a body of 80\.4 kg"):
        of_mass(body, 5.0)
    same = of_mass(replace(body, name="me"), body.mass)
    assert same.name == "me"
