"""The bench measures what it says, on small numbers here; its figures are read elsewhere by name."""

from __future__ import annotations

import pytest

from reenact.physics import bench_loop as bench


def test_rows_have_their_stable_names(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("STEPS", 50), ("RUNS", 1), ("ROUNDS", 1), ("CANDIDATES", 8), ("WINDOW", 10)):
        monkeypatch.setattr(bench, name, value)
    monkeypatch.setattr(bench, "_start_up", lambda: iter(()))
    told: list[float] = []
    rows = {row.name: row for row in bench.bench_loop(progress=lambda fraction, what: told.append(fraction))}
    named = {"loop.closed_ratio", "loop.two_threads_ratio", "loop.bit_identical", "loop.python_ratio"}
    assert named <= set(rows)
    assert rows["loop.bit_identical"].value is True
    assert rows["loop.closed_ratio"].goal == "≥ 0.90"
    ratios = [float(rows[f"loop.closed_ratio_{kind}"].value) for kind in ("servo", "motor")]
    assert float(rows["loop.closed_ratio"].value) == min(ratios)
    assert told == sorted(told)
    assert told[-1] == 1.0


def test_a_replay_that_does_other_work_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "STEPS", 20)
    monkeypatch.setattr(bench._Case, "_rows", lambda case: 0.0 * bench.np.zeros((20, case.model.hinges)))
    with pytest.raises(RuntimeError, match="does not reproduce"):
        bench._Case("motor", 0.2)
