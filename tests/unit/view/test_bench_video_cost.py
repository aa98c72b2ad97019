"""What searches from video cost beside those from motion capture, and how many takes explain their video."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reenact.estimate.bench.record import write_record
from reenact.estimate.bench.run import Record
from reenact.estimate.bench.sheet import rows_of
from reenact.view.bench_video.cost import COLUMNS, from_motion_capture
from reenact.view.bench_video.lines import list_lines
from reenact.view.bench_video.sheets import sheets_of
from reenact.view.bench_video.summary import Summary, summaries_of

PUBLISHED = Path(__file__).parents[3] / "docs" / "measured" / "video"


def _record(part: str, name: str, seed: int, **figures: Any) -> Record:
    return Record(
        part=part, name=name, seed=seed, plan="", code="", versions={}, status="ok", reason="", success=True,
        honest=True, figures=figures,
    )  # fmt: skip


def _summaries(*records: Record) -> list[Summary]:
    lines = [line for line in list_lines() if line.part == "figure7"]
    return summaries_of(lines, records)


def test_each_seed_is_held_against_the_same_seed_from_motion_capture(tmp_path: Path) -> None:
    for seed, core in enumerate((100.0, 200.0, 150.0)):
        folder = tmp_path / "states" / "figure6" / "jump" / f"seed-{seed}"
        folder.mkdir(parents=True)
        write_record(folder, _record("figure6", "jump", seed, core_seconds=core))
    (tmp_path / "states" / "figure6" / "jump" / "seed-9").mkdir()
    (tmp_path / "states" / "figure6" / "jump" / "seed-9" / "record.json").write_text("broken")
    recorded = from_motion_capture(tmp_path / "video")
    assert recorded == {"jump": {0: 100.0, 1: 200.0, 2: 150.0}}
    known = {"error_cm": 3.0, "explains_video": True}
    ran = (
        _record("figure7", "jump", 0, core_seconds=120.0, track_core_s=80.0, **known),
        _record("figure7", "jump", 1, core_seconds=400.0, **known | {"explains_video": False}),
        _record("figure7", "jump", 7, core_seconds=300.0, **known | {"explains_video": None}),
    )
    sheets = sheets_of(_summaries(*ran), recorded)
    assert [sheet.title for sheet in sheets][1] == "What it costs, against the same clip from motion capture"
    (cells,) = sheets[1].cells
    assert len(cells) == len(COLUMNS)
    assert dict(zip(COLUMNS, cells, strict=True)) == {
        "motion": "jump",
        "search, core s": "300 (120–400)",
        "from motion capture, core s": "150 (100–200)",
        "ratio": "2.0 (1.2–2.0)",
        "masks and track, core s": "80",
        "ratio with them": "2.0",
        "[V12]": "1.4",
    }
    rows = {row.name: row for row in rows_of(sheets)}
    assert rows["video.jump.cost"].value == pytest.approx(2.0)
    assert rows["video.jump.cost"].holds is False
    assert rows["video.jump.whole_cost"].value == pytest.approx(2.0)
    shown = dict(zip(sheets[0].columns, sheets[0].cells[1], strict=True))
    assert shown["explains it"] == "1 of 2", "the third could not tell"
    assert rows["video.jump.explains"].value == 1


def test_without_the_other_benchs_records_there_is_no_such_table(tmp_path: Path) -> None:
    assert from_motion_capture(None) == from_motion_capture(tmp_path / "video") == {}
    summaries = _summaries(_record("figure7", "jump", 0, core_seconds=120.0, error_cm=3.0))
    assert len(sheets_of(summaries, {})) == len(sheets_of(summaries)) == 1
    assert "video.jump.explains" not in {row.name for row in rows_of(sheets_of(summaries))}


def test_the_published_records_have_both() -> None:
    recorded = from_motion_capture(PUBLISHED)
    assert {"fast_walk", "jump", "twist_jump", "back_handspring"} <= set(recorded)
    assert all(core > 0.0 for own in recorded.values() for core in own.values())
