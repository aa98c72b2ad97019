"""The sampling bench on tiny runs: what it runs, that it goes on where it was stopped, and its statistics."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reenact.errors import InputError
from reenact.estimate.bench.record import RECORD
from reenact.estimate.sampling.bench import table
from reenact.estimate.sampling.bench.rows import NAMES, QUICK, TABLE_5, UNSEEN, Entry, chosen_entries, list_entries
from reenact.estimate.sampling.bench.runs import Ready, Record, prepare, read_record, run_all, take_folder
from reenact.estimate.sampling.bench.table import markdown_of, rows_of, summaries_of
from reenact.estimate.sampling.settings import EFFORTS
from reenact.estimate.sampling.threads import Threads
from reenact.formats.bench_motions import bench_motion, list_bench_motions
from reenact.formats.take import read_take
from reenact.measure import Z95, wilson
from reenact.motion.lowest import lowest_by_segment
from reenact.motion.tree import tree_of
from reenact.world.load import load_world

TROT = next(entry for entry in list_entries() if entry.part == "animal")


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    for effort in ("fast", "normal"):
        monkeypatch.setitem(EFFORTS, effort, (24, 4))


@pytest.fixture
def ready(tiny: None) -> list[Ready]:
    made, refused = prepare([TROT, replace(TROT, name="trot_on_ice", world="ice")], None)
    assert not refused
    return made


def record(entry: Entry = TROT, seed: int = 0, **changes: object) -> Record:
    common = Record(
        part=entry.part, name=entry.name, seed=seed, plan="p", code="c", settings={}, versions={}, status="ok",
        reason="", success=True, seconds=1.25, simulated=1.25, wall_s_per_s=2.0, core_s_per_s=4.0, joint_error_cm=5.0,
        honest=True,
    )  # fmt: skip
    return replace(common, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(("successes", "runs"), [(0, 10), (1, 10), (8, 10), (10, 10), (3, 7), (1, 1)])
def test_wilson_bounds_are_where_the_score_test_just_rejects(successes: int, runs: int) -> None:
    rate = successes / runs
    for bound in wilson(successes, runs):
        away = (rate - bound) ** 2
        assert away == pytest.approx(Z95**2 * bound * (1.0 - bound) / runs, abs=1e-12)
    low, high = wilson(successes, runs)
    assert 0.0 <= low <= rate <= high <= 1.0


def test_wilson_published_values() -> None:
    assert wilson(8, 10) == pytest.approx((0.490162, 0.943318), abs=1e-6)
    assert wilson(0, 0) == (0.0, 1.0)
    with pytest.raises(ValueError, match="11 successes of 10"):
        wilson(11, 10)


def test_the_entries_are_those_of_the_tables() -> None:
    entries = {entry.key: entry for entry in list_entries()}
    assert len(entries) == len(list_entries())
    assert {f"human/{name}" for name in NAMES} <= set(entries)
    assert {key for key in entries if key.startswith("robot/")} == {f"robot/{name}" for name in TABLE_5}
    assert set(QUICK) <= set(entries)
    assert len({entry.row for entry in entries.values()}) == len(entries)
    assert entries["human/walk"].row == "sampling.walk"
    assert entries["robot/walk"].row == "sampling.robot35.walk"
    assert entries["human/walk"].settings(3).samples == 1400
    assert entries["human/walk"].settings(3).save == 200
    assert entries["fast/run"].settings(0).samples == EFFORTS["fast"][0]
    for entry in entries.values():
        load_world(entry.world)
    assert entries["human/walk"].paper.s_per_s == pytest.approx(27.5)


def test_choosing() -> None:
    assert [entry.key for entry in chosen_entries(parts=("fast",), motions=("run",))] == ["fast/run"]
    assert {entry.key for entry in chosen_entries(quick=True)} == set(QUICK)
    with pytest.raises(InputError, match=r"no line 'moonwalk'.*walk"):
        chosen_entries(motions=("moonwalk",))
    with pytest.raises(InputError, match="none of the quick lines"):
        chosen_entries(parts=("robot",), quick=True)


def test_what_needs_recordings_is_skipped_without_them() -> None:
    entry = next(entry for entry in list_entries() if entry.name == "backward_roll")
    made, refused = prepare([entry], None)
    assert not made
    assert refused[0].skipped
    (row,) = rows_of(summaries_of([entry], [], refused))
    assert row.value == "skipped"
    assert row.holds is None
    assert "90_01.bvh" in row.unit


def test_unseen_motions_are_in_no_other_line_and_have_no_goal() -> None:
    unseen = chosen_entries(parts=("unseen",))
    assert 10 <= len(unseen) <= 12
    assert unseen[0].row == "sampling.unseen.walk"
    others = {row.source for row in list_bench_motions() if not row.name.startswith(UNSEEN)}
    for entry in unseen:
        assert bench_motion(entry.motion).source not in others
        assert (entry.least, entry.fastest, entry.effort, entry.world) == (None, None, "normal", "flat")


def test_unseen_motions_start_on_the_floor(shared_data: Path) -> None:
    made, refused = prepare(chosen_entries(parts=("unseen",)), shared_data)
    assert not refused
    for one in made:
        first = one.task.reference
        low = lowest_by_segment(first.body, tree_of(first.body), first.qpos[:2], first.rate)
        assert abs(low.height[0].min()) < 0.03, one.entry.name
        assert 1.5 <= one.seconds <= 4.01


def test_what_cannot_start_falls_short_and_does_not_stop_the_others(tiny: None) -> None:
    broken = replace(TROT, name="nowhere", motion="walk")
    made, refused = prepare([broken, TROT], None)
    assert [one.entry for one in made] == [TROT]
    (row,) = rows_of(summaries_of([broken], [], refused))
    assert row.value == "refused"
    assert row.holds is False


def test_runs_are_kept_seed_by_seed_and_made_once(ready: list[Ready], tmp_path: Path) -> None:
    told: list[tuple[float, str]] = []
    made = list(run_all(ready, 2, tmp_path, Threads, lambda fraction, what: told.append((fraction, what))))
    assert [(r.name, r.seed) for r in made] == [("trot", 0), ("trot_on_ice", 0), ("trot", 1), ("trot_on_ice", 1)]
    assert all(r.honest for r in made)
    assert made[0].plan != made[2].plan
    for i, one in enumerate(made):  # each as long as the others
        own = [fraction for fraction, what in told if what.startswith(f"{one.key}, seed {one.seed},")]
        assert min(own) > 0.25 * i
        assert max(own) == own[-1] == pytest.approx(0.25 * (i + 1))
    folder = take_folder(tmp_path, TROT, 1)
    assert folder == tmp_path / "animal" / "trot" / "seed-1"
    take = read_take(folder)
    assert take.info.seed == 1
    assert made[2].joint_error_cm == take.info.metrics["joint_error_cm"]
    away = np.linalg.norm(take.motion["qpos"][:, :2] - take.reference["qpos"][:, :2], axis=1)
    assert made[2].drift_max_m == pytest.approx(away.max())
    assert made[2].drift_end_m == pytest.approx(away[-1])
    again = list(run_all(ready, 2, tmp_path, _no_executor))
    assert sorted(again, key=lambda r: (r.seed, r.name)) == made


def test_a_stopped_bench_goes_on(ready: list[Ready], tmp_path: Path) -> None:
    runs = run_all(ready, 2, tmp_path, Threads)
    first = [next(runs) for _ in range(2)]
    runs.close()
    stopped = run_all(ready, 2, tmp_path, _interrupted)
    assert [next(stopped), next(stopped)] == first
    with pytest.raises(KeyboardInterrupt):
        next(stopped)
    assert not (take_folder(tmp_path, TROT, 1) / RECORD).exists()
    rest = list(run_all(ready, 2, tmp_path, Threads))
    assert rest[:2] == first
    assert [(r.name, r.seed) for r in rest[2:]] == [("trot", 1), ("trot_on_ice", 1)]


def test_other_settings_and_broken_records_are_run_again(
    ready: list[Ready], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = ready[:1]
    (before,) = run_all(one, 1, tmp_path, Threads)
    monkeypatch.setitem(EFFORTS, "normal", (28, 4))
    (after,) = run_all(one, 1, tmp_path, Threads)
    assert (before.settings["samples"], after.settings["samples"]) == (24, 28)
    file = take_folder(tmp_path, TROT, 0) / RECORD
    assert json.loads(file.read_text())["plan"] == after.plan
    file.write_text("{")
    assert read_record(file.parent, after.plan) is None
    (repaired,) = run_all(one, 1, tmp_path, Threads)
    assert repaired.plan == after.plan
    assert repaired.joint_error_cm == after.joint_error_cm  # the same bits


def test_rows_and_tables() -> None:
    walk = next(entry for entry in list_entries() if entry.key == "human/walk")
    records = [record(walk, seed, joint_error_cm=seed, wall_s_per_s=4.0 + seed) for seed in range(7)]
    fell = "the pelvis was 0.{} m below the reference at 1.{} s"
    records += [
        record(walk, 7, success=False, status="fell", reason=fell.format(30, 5), joint_error_cm=90.0),
        record(walk, 8, success=False, status="fell", reason=fell.format(41, 2), joint_error_cm=80.0, honest=False),
        record(walk, 9, success=False, reason="lost its place: 1 m", joint_error_cm=70.0, faults=("edited",)),
    ]
    (summary,) = summaries_of([walk], records[::-1])
    rows = {row.name: row for row in rows_of([summary])}
    success = rows["sampling.walk.success"]
    assert (success.value, success.goal, success.holds) == (7, "≥ 8 of 10", False)
    assert "of 10" in success.unit
    assert "40–89 %" in success.unit
    assert rows["sampling.walk.error_cm"].value == 3.0
    assert rows["sampling.walk.s_per_s"].value == pytest.approx(5.5)
    assert rows["sampling.walk.s_per_s"].holds is False
    assert rows["sampling.walk.s_per_s"].peer == "[L10]: 28 on 80 cores"
    assert rows["sampling.walk.audit"].holds is False
    assert summary.failure == "2 × " + fell.format(30, 5)
    assert summary.shown is not None
    assert summary.shown.seed == 3
    page = markdown_of([summary], {"human/walk": "images/walk.png"})
    assert "| walk | 1.2 | 7 of 10 (40–89 %) | 5.5 | 3.0 | 9 of 10 FAILED | 2 × the pelvis" in page
    assert "![walk](images/walk.png)" in page
    enough = [replace(one, success=True) for one in records]
    assert {row.name: row.holds for row in rows_of(summaries_of([walk], enough))}["sampling.walk.success"] is True
    few = {row.name: row.holds for row in rows_of(summaries_of([walk], enough[:5]))}
    assert few["sampling.walk.success"] is None


def test_a_line_without_success_shows_what_came_nearest() -> None:
    failed = {"success": False, "status": "fell", "reason": "fell"}
    records = [
        record(seed=0, joint_error_cm=9.0, **failed),
        record(seed=1, joint_error_cm=4.0, **failed),
        record(seed=2, joint_error_cm=None, simulated=0.0, honest=None, **failed),
    ]
    (summary,) = summaries_of([TROT], records)
    assert summary.shown is not None
    assert summary.shown.seed == 1
    assert "no success" in markdown_of([summary], {TROT.key: "a.png"})


def test_tables_go_between_the_marks_of_a_page() -> None:
    page = f"# Title\n{table.BEGIN}\nold\n{table.END}\nend\n"
    filled = table.filled_in(page, "new\n")
    assert filled == f"# Title\n{table.BEGIN}\n\nnew\n\n{table.END}\nend\n"
    assert table.filled_in(filled, "new\n") == filled
    assert "new" in table.filled_in("", "new\n")
    with pytest.raises(InputError, match="no place for tables"):
        table.filled_in("# Mine\n", "new\n")


def _no_executor(stage: object) -> Threads:
    raise AssertionError("a run was made again")


def _interrupted(stage: object) -> Threads:
    raise KeyboardInterrupt
