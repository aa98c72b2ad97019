"""`reenact bench states` as a user meets it: run, stopped, gone on with, drawn, refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from made_motion import made_motion
from reenact.body.adult import adult
from reenact.body.mjcf import bare_model
from reenact.estimate.states.bench import runs
from reenact.estimate.states.bench.tables import BENCH
from reenact.estimate.states.settings import Settings
from reenact.motion.contact import Contact
from reenact.motion.motion import Motion
from run_command import run

TINY = Settings(growth=18, beam=1, rounds=1, whole_rounds=1, samples=4, reopened=(1,), batch_rounds=1)
WORK = ("bench", "states", "--quick", "--motion", "jump")


def bowing(*_: object, **__: object) -> Motion:
    """A quarter of a second of standing with arms that rise."""
    import numpy as np

    body, frames = adult(), 31
    qpos = np.tile(bare_model(body).qpos0, (frames, 1))
    qpos[:, 7 + body.axis_index("shoulder_left_flexion")] = np.linspace(0.0, 0.5, frames)
    feet = tuple(Contact(segment=f"foot_{side}", start=0.0, end=0.25) for side in ("left", "right"))
    return made_motion("bow", body, qpos, feet)


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "QUICK_SETTINGS", TINY)
    monkeypatch.setattr(runs, "bench_reference", bowing)
    monkeypatch.setattr(runs, "found_by_batch", _like_a_search)


def _like_a_search(piece: Any, settings: Settings, *, progress: Any = None) -> Any:
    """What a batch run leaves, from the cheapest machine there is."""
    from reenact.estimate.bench.run import Done
    from reenact.estimate.states.bench.search import error_of, figures_of, take_of
    from reenact.estimate.states.incremental import Stage, first_machine
    from reenact.estimate.states.search import Progress

    best = Stage(machine=first_machine(piece.subject.task, settings, piece.last), last=piece.last, cost=1.0, joints=1.0)
    take = take_of(piece, settings, best)
    event = Progress(phase="whole", number=0, best=best, fraction=0.6)
    assert figures_of(piece, take)["error_cm"] == pytest.approx(error_of(piece, settings, event))
    return Done(take=take, success=True, figures=figures_of(piece, take))


def test_stopped_and_gone_on_with(
    spaced: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keep, page = spaced / "kept", spaced / "page.md"
    work = (*WORK, "--keep", keep, "--json", spaced / "figures.json", "--markdown", page)

    def stopping(*_: object, **__: object) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(runs, "found_by_batch", stopping)
        assert run(*work) == 130
    said = capsys.readouterr()
    assert "stopped after 1 of 2 runs; the same command goes on" in said.err
    assert not (spaced / "figures.json").exists()
    assert not page.exists()
    first = (keep / "quick" / "jump" / "seed-0" / "take.json").stat().st_mtime_ns
    assert run(*work) == 0
    assert (keep / "quick" / "jump" / "seed-0" / "take.json").stat().st_mtime_ns == first
    written = json.loads((spaced / "figures.json").read_text())
    assert written["bench"] == BENCH
    rows = {row["name"]: row for row in written["rows"]}
    assert {f"states.jump.{what}" for what in ("batch_cm", "incremental_cm", "refined_cm", "seconds")} <= set(rows)
    assert rows["states.jump.refined_cm"]["peer"] == "[V12] Figure 6: 4.3"
    assert rows["states.jump.audit"]["value"] is True
    assert "| jump | 0.25 |" in page.read_text()


def test_published_records_tell_of_runs_whose_takes_are_elsewhere(
    spaced: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, records = spaced / "page.md", spaced / "records"
    work = (*WORK, "--records", records, "--markdown", page)
    assert run(*work, "--only-kept") == 0
    assert "| jump | 0.25 |" not in page.read_text()
    assert run(*work) == 0
    told = page.read_text()
    assert "| jump | 0.25 |" in told
    assert sorted(path.name for path in (records / "quick" / "jump" / "seed-0").iterdir()) == ["record.json"]
    assert run(*work, "--only-kept") == 0
    assert page.read_text() == told
    assert run("bench", "sampling", "--quick", "--records", records) == 2
    assert "--records" in capsys.readouterr().err


def test_without_recordings_lines_are_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures, empty = tmp_path / "figures.json", tmp_path / "empty"
    work = ("bench", "states", "--part", "figure6", "held", "--data", empty, "--json", figures)
    assert run(*work) == 2, "a folder that was named and is not there"
    assert "empty: there is no such folder" in capsys.readouterr().err
    empty.mkdir()
    assert run(*work) == 0
    assert "Clips held back" in capsys.readouterr().out
    rows = json.loads(figures.read_text())["rows"]
    assert {row["value"] for row in rows} == {"skipped"}
    assert "07_12.bvh" in rows[0]["unit"]


def test_plots_are_made_from_what_is_kept(tmp_path: Path) -> None:
    from reenact.cli.bench_plots import draw_plots
    from reenact.estimate.bench.run import Record
    from reenact.estimate.bench.shelf import Shelf
    from reenact.estimate.states.bench.lines import list_lines
    from reenact.estimate.states.bench.summary import summaries_of

    shelf = Shelf(takes=tmp_path)
    lines = [line for line in list_lines() if line.part in ("push", "people", "time")]
    bins = [{"low": 0.4, "high": 0.5, "people": 1, "people_cm": 30.0, "upright": 1, "walker_cm": 40.0}]
    figures = {"newtons": 50.0, "seconds": 100.0, "error_cm": 3.0, "upright": 1, "bins": bins}
    records = [
        Record(
            part=line.part, name=line.name, seed=0, plan="", code="", versions={}, status="ok", reason="", success=True,
            honest=True, figures=figures,
        )
        for line in lines
    ]  # fmt: skip
    angles = {"front": 0.0, "left": 90.0, "rear": 180.0, "right": 270.0}
    for line in lines:
        folder = shelf.take(line.key, 0)
        folder.mkdir(parents=True)
        side = line.name.split(".")[-1]
        if line.part == "push" and line.name != "limited.left":  # one test is not there
            test = {"name": side, "from_deg": angles[side], "newtons": 50.0, "by_phase_N": [50.0], "paper_N": 42.0}
            (folder / "push.json").write_text(json.dumps({"directions": [test]}))
        trial = {
            "person": {"impulse": 30.0, "mass": 60.0, "detour": 0.3},
            "walker": {"upright": True, "detour": 0.4},
        }
        (folder / "people.json").write_text(json.dumps({"trials": [trial]}))
    drawn = draw_plots(summaries_of(lines, records), shelf, tmp_path / "images")
    assert set(drawn) == {"time", "push_average", "push_full", "people"}
    assert all(path.read_text().startswith("<svg") for path in drawn.values())
