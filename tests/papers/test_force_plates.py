"""Recorded running and walking need the ground force that the plates measured. The whole table: reenact bench grf."""

from __future__ import annotations

from pathlib import Path

import pytest

from reenact.physics.bench_grf import TRIALS, compare_trial
from reenact.physics.ground_reaction import agreement


@pytest.mark.parametrize(
    ("trial", "correlation", "rms"),
    [("run_2ms", 0.99, 0.15), ("walk_rajagopal", 0.97, 0.05), ("walk_opencap_1", 0.97, 0.04)],
)
def test_vertical_force_follows_the_plates(shared_data: Path, trial: str, correlation: float, rms: float) -> None:
    markers, plates = TRIALS[trial]
    found = compare_trial(shared_data / "grf" / markers, shared_data / "grf" / plates)
    vertical = agreement(found.implied[found.covered, 2], found.measured[found.covered, 2], 1.0)
    assert vertical.frames > 50
    assert vertical.correlation > correlation
    assert vertical.rms < rms
