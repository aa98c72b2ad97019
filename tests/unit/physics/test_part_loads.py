"""What each part bears: against the engine's totals and against Newton's second law."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from waving_adult import Wave, adult_model, standing

from reenact.errors import InputError
from reenact.physics.part_loads import load_table, part_loads, summaries, touches_of
from reenact.physics.simulate import simulate
from reenact.physics.trace import Trace


@pytest.fixture(scope="module")
def trace() -> Trace:
    """The adult falls over and hits the ground with more than its feet."""
    model = adult_model()
    return simulate(model, Wave(), standing(model, lift=0.05, speed=1.5), steps=200)


@pytest.fixture(scope="module")
def parts(trace: Trace) -> list[str]:
    return [trace.model.mj.body(int(i)).name for i in trace.model.segment_body]


def pressed(force: float = 600.0, steps: int = 120, **changed: Any) -> dict[str, Any]:
    """One contact of part 1 at every second step of 1/120 s, leaning by a tenth."""
    step = np.arange(0, steps, 2, dtype=np.int32)
    arrays = {
        "time": np.arange(steps + 1) / 120,
        "contact_step": step,
        "contact_segment": np.ones(len(step), np.int16),
        "contact_point": np.tile([0.1, 0.2, 0.0], (len(step), 1)),
        "contact_normal": np.tile([0.0, 0.0, 1.0], (len(step), 1)),
        "contact_force": np.tile([0.1 * force, 0.0, force], (len(step), 1)),
    }
    return {**arrays, **changed}


def test_parts_add_up_to_the_ground_force(trace: Trace, parts: list[str]) -> None:
    loads = part_loads(trace.arrays(), parts)
    assert trace.contacts.own.any(), "the test means little without a body that touches itself"
    np.testing.assert_allclose(loads.ground_force, trace.ground_force, atol=1e-9)
    np.testing.assert_allclose(loads.load, trace.contacts.load(trace.steps, len(parts)), atol=1e-9)


def test_impulse_is_weight_over_time_and_the_change_of_momentum(trace: Trace, parts: list[str]) -> None:
    """m g t + Δp, whatever the body did; Δp by the engine's velocities."""
    found = summaries(part_loads(trace.arrays(), parts), weight=trace.model.mass * 9.81)
    total = np.sum([part.impulse for part in found], axis=0)
    lost = trace.momentum[-1] - trace.momentum[0]
    seconds = float(trace.time[-1])
    expected = lost + np.array([0.0, 0.0, trace.model.mass * 9.81 * seconds])
    assert total == pytest.approx(expected, abs=0.01 * trace.model.mass * 9.81 * seconds)
    sizes = [float(np.linalg.norm(part.impulse)) for part in found]
    assert sizes == sorted(sizes, reverse=True)


def test_figures_of_a_known_force() -> None:
    loads = part_loads(pressed(), ["trunk", "foot"])
    (foot,) = summaries(loads, weight=600.0)
    assert foot.name == "foot"
    assert foot.peak_force == pytest.approx(600 * np.hypot(1, 0.1))
    assert foot.peak_weights == pytest.approx(np.hypot(1, 0.1))
    assert foot.peak_time == pytest.approx(1 / 120)
    assert foot.impulse == pytest.approx([30, 0, 300]), "half a second at 600 N"
    assert foot.contact_seconds == pytest.approx(0.5)
    assert loads.point[0, 1] == pytest.approx([0.1, 0.2, 0.0])
    assert np.isnan(loads.point[1, 1]).all()


def test_a_part_bears_the_mean_of_its_points() -> None:
    two = pressed(
        contact_step=np.array([3, 3], np.int32),
        contact_segment=np.array([0, 0], np.int16),
        contact_point=np.array([[0.0, 0, 0], [0.4, 0, 0]]),
        contact_normal=np.tile([0.0, 0.0, 1.0], (2, 1)),
        contact_force=np.array([[0.0, 0, 100], [0.0, 0, 300]]),
    )
    loads = part_loads(two, ["foot"])
    assert loads.load[3, 0] == pytest.approx(400)
    assert loads.point[3, 0] == pytest.approx([0.3, 0, 0])


def test_a_body_that_touches_itself_gains_nothing() -> None:
    two = pressed(
        contact_step=np.array([3, 3, 3], np.int32),
        contact_segment=np.array([0, 1, 1], np.int16),
        contact_point=np.array([[0.0, 0, 1], [0.0, 0, 1], [0.0, 0, 0]]),
        contact_normal=np.array([[0.0, 1, 0], [0.0, -1, 0], [0.0, 0, 1]]),
        contact_force=np.array([[0.0, 90, 0], [0.0, -90, 0], [0.0, 0, 50]]),
    )
    assert touches_of(two).part.tolist() == [1]
    assert [part.name for part in summaries(part_loads(two, ["hand", "foot"]), 1.0)] == ["foot"]


def test_a_take_without_contacts_bears_nothing() -> None:
    loads = part_loads({"time": np.arange(4) / 120}, ["foot"])
    assert summaries(loads, 600.0) == ()
    assert not loads.load.any()


def test_contacts_of_another_body_are_refused() -> None:
    with pytest.raises(InputError, match="120 steps or the body's 1 segments"):
        part_loads(pressed(), ["trunk"])


def test_the_table_has_round_numbers_and_blanks_in_the_air() -> None:
    table = load_table(part_loads(pressed(force=100 / 3), ["trunk", "foot"]), "forces")
    assert table.columns[7:] == tuple(f"foot_{what}" for what in ("fx", "fy", "fz", "load", "x", "y", "z"))
    assert table.time[0] == pytest.approx(1 / 120), "the end of the step"
    assert table.column("foot_fz")[0] == 33.333
    assert table.column("foot_load")[1] == 0.0
    assert np.isnan(table.column("foot_x")[1])
    assert not np.signbit(table.values[np.isfinite(table.values)]).any()
