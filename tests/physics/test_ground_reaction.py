"""Inverse dynamics finds the forces that closed form predicts."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.body.body import Body
from reenact.errors import InputError
from reenact.motion.clip import Table
from reenact.physics.ground_reaction import agreement, ground_reaction, low_pass, plate_forces

RATE = 200.0


@pytest.fixture(scope="module")
def body() -> Body:
    return adult()


def resting(body: Body, frames: int = 400) -> np.ndarray:
    qpos = np.zeros((frames, 7 + len(body.axes)))
    qpos[:, 2] = body.segments[0].offset[2]
    qpos[:, 3] = 1.0
    return qpos


def test_standing_needs_exactly_the_weight(body: Body) -> None:
    reaction = ground_reaction(body, resting(body), RATE, cutoff=10.0)
    np.testing.assert_allclose(reaction.force, [[0, 0, 9.81 * body.mass]] * 400, atol=1e-6)


def test_free_fall_needs_nothing(body: Body) -> None:
    qpos = resting(body)
    t = np.arange(400) / RATE
    qpos[:, 0], qpos[:, 2] = 3 * t, 20 + 2 * t - 0.5 * 9.81 * t**2
    reaction = ground_reaction(body, qpos, RATE, cutoff=99.9)
    inner = slice(5, -5)
    assert np.abs(reaction.force[inner]).max() < 0.001 * 9.81 * body.mass


def test_bouncing_adds_mass_times_acceleration(body: Body) -> None:
    qpos = resting(body)
    t = np.arange(400) / RATE
    pulse = 2 * np.pi * 2.0
    qpos[:, 2] += 0.02 * np.sin(pulse * t)
    reaction = ground_reaction(body, qpos, RATE, cutoff=60.0)
    expected = body.mass * (9.81 - 0.02 * pulse**2 * np.sin(pulse * t))
    np.testing.assert_allclose(reaction.force[20:-20, 2], expected[20:-20], atol=0.01 * body.mass * 9.81)


def test_pressure_lies_under_the_centre_of_mass_when_still(body: Body) -> None:
    qpos = resting(body)
    qpos[:, :2] += [1.5, -0.7]
    reaction = ground_reaction(body, qpos, RATE, cutoff=10.0)
    masses = np.array([s.mass for s in body.segments])
    position: dict[str | None, np.ndarray] = {None: np.zeros(3)}
    for s in body.segments:
        position[s.name] = position[s.parent] + s.offset
    com = sum(m * (position[s.name] + s.com) for m, s in zip(masses, body.segments, strict=True)) / masses.sum()
    expected = [com[0] + 1.5, com[1] - 0.7, 0.0]
    np.testing.assert_allclose(reaction.centre_of_pressure()[200], expected, atol=1e-6)


def test_low_pass_keeps_slow_and_removes_fast() -> None:
    t = np.arange(1000) / RATE
    slow, fast = np.sin(2 * np.pi * t), np.sin(2 * np.pi * 60 * t)
    kept = low_pass(slow + fast, RATE, 10.0)
    np.testing.assert_allclose(kept[100:-100], slow[100:-100], atol=0.01)
    with pytest.raises(InputError, match="too few to filter"):
        low_pass(np.zeros(5), RATE, 10.0)


def test_plates_turn_z_up_and_say_what_is_missing() -> None:
    columns = ("R_ground_force_vx", "R_ground_force_vy", "R_ground_force_vz", "R_ground_force_px")
    table = Table(name="t", time=np.zeros(1), columns=columns, values=np.array([[1.0, 2.0, 3.0, 9.0]]))
    force, _ = plate_forces(table)
    np.testing.assert_array_equal(force, [[[1.0, -3.0, 2.0]]])
    with pytest.raises(InputError, match="no plate forces; columns: hip"):
        plate_forces(Table(name="t", time=np.zeros(1), columns=("hip",), values=np.zeros((1, 1))))


def test_agreement_counts_only_what_was_measured() -> None:
    a = np.sin(np.linspace(0, 6, 100))
    b = a + 0.5
    b[:20] = np.nan
    result = agreement(a, b, 10.0)
    assert (result.frames, round(result.correlation, 6), round(result.rms, 6)) == (80, 1.0, 0.05)
    with pytest.raises(InputError, match="at least 16"):
        agreement(a, np.full(100, np.nan), 1.0)
