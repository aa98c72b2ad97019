"""Progress: a bar that fits any terminal; where nobody watches one, a line now and then, with the time left."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from reenact.cli import terminal


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Time that only a test lets go by."""
    now = [50.0]

    class Clock:
        @staticmethod
        def monotonic() -> float:
            return now[0]

    monkeypatch.setattr(terminal, "time", Clock)
    return now


def test_time_left_counts_from_where_the_work_was_gone_on_with(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    with terminal.progress("searching") as advance:
        clock[0] += 2.0  # until the first step
        advance(0.80, "step 1")
        clock[0] += 10.0
        advance(0.85, "step 2")
        clock[0] += 5.0
        advance(0.86, "step 3")
        clock[0] += 5.0
        advance(0.90, "step 4")
    assert capsys.readouterr().err.splitlines() == [
        "step 2: 85%, about 30 s left",
        "step 4: 90%, about 20 s left",
    ]


def test_no_time_is_told_where_none_can_be_known(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with terminal.progress("fitting") as advance:
        clock[0] += 60.0
        advance(0.5, "")
        clock[0] += 20.0
        advance(1.0, "")
    assert capsys.readouterr().err.splitlines() == ["fitting: 50%", "fitting: 100%, about 0 s left"]


@pytest.mark.parametrize("width", [50, 60, 100])
def test_bar_share_and_time_are_there_however_narrow_the_terminal_is(width: int) -> None:
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=True, color_system=None, width=width)
    bar = terminal._Bar(console, "searching")._open()
    try:
        bar.update(
            bar.task_ids[0], completed=0.37, description="growing the chain: 2 states, 0.7 of 3.8 s, joints 2.0 cm off"
        )
        bar.refresh()
    finally:
        bar.stop()
    lines = [line for line in shown.getvalue().replace("\r", "\n").split("\n") if "37%" in line]
    assert lines
    assert "-:--:--" in lines[-1]
    assert "growing" in lines[-1]
