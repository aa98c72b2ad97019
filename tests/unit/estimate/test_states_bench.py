"""The bench of state machines on tiny runs: what it runs, that it goes on where it was stopped, what its tables say."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from bending_motion import bending

from reenact.body.body import Body
from reenact.control.follow import follow
from reenact.control.machine.machine import Law, Machine
from reenact.control.pushing.protocol import Protocol
from reenact.errors import InputError
from reenact.estimate.bench.record import RECORD
from reenact.estimate.bench.run import Record
from reenact.estimate.bench.sheet import markdown_of, rows_of
from reenact.estimate.bench.shelf import Shelf
from reenact.estimate.states.bench import methods, runs
from reenact.estimate.states.bench.lines import (
    FIGURE_6_PAPER,
    GAIT,
    PARTS,
    QUICK,
    Compared,
    Line,
    Search,
    chosen_lines,
    list_lines,
    list_quick,
)
from reenact.estimate.states.bench.methods import Way, grown
from reenact.estimate.states.bench.pushes import pushed
from reenact.estimate.states.bench.runs import Bench
from reenact.estimate.states.bench.summary import Summary, summaries_of
from reenact.estimate.states.bench.tables import sheets_of
from reenact.estimate.states.bench.walks import walked
from reenact.estimate.states.bench.worlds import WALKED, gone_elsewhere
from reenact.estimate.states.floor import begins_of, kinematic_floor
from reenact.estimate.states.new_worlds import NewWorld
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.window import Tried, Window
from reenact.formats.bench_motions import BenchMotion
from reenact.formats.take import Take, read_take
from reenact.motion.motion import Motion
from reenact.world.load import load_world
from reenact.world.toml import parse_world

TINY = Settings(growth=18, beam=1, rounds=1, whole_rounds=1, samples=4, reopened=(1,), batch_rounds=1)
LAWS: tuple[Law, ...] = get_args(Law)
JUMP, WALK = (next(line for line in list_quick() if line.name == name) for name in ("jump", "fast_walk"))


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    def made_up(row: BenchMotion, body: Body, data: Path | None, *, scale: bool) -> Motion:
        motion = bending(0.25 if row.name == "jump" else 0.3)
        return replace(motion, name=row.name)

    monkeypatch.setattr(runs, "QUICK_SETTINGS", TINY)
    monkeypatch.setattr(runs, "bench_reference", made_up)
    return Bench(Shelf(takes=tmp_path / "kept"), None, threads=1)


@pytest.fixture(scope="module")
def stander() -> Take:
    still = bending(0.25)
    return follow(replace(still, qpos=np.tile(still.qpos[0], (still.frames, 1))), seconds=0.2)


def record(line: Line, seed: int = 0, *, success: bool = True, honest: bool = True, **figures: Any) -> Record:
    return Record(
        part=line.part, name=line.name, seed=seed, plan="p", code="c", versions={}, status="ok" if success else "fell",
        reason="" if success else "fell over", success=success, honest=honest, figures=figures,
    )  # fmt: skip


def line_of(key: str) -> Line:
    return next(line for line in list_lines() if line.key == key)


def test_lines_are_unique_and_figure_6_is_the_papers() -> None:
    keys = [line.key for line in list_lines()]
    assert len(set(keys)) == len(keys)
    assert {line.part for line in list_lines()} >= {*PARTS}
    assert [FIGURE_6_PAPER[line.paper].refined for line in list_lines() if line.part == "figure6"] == [
        2.4, 4.3, 4.4, 9.2, 11.8, 6.3,
    ]  # fmt: skip
    assert {line.name for line in list_quick()} < set(FIGURE_6_PAPER)


def test_what_is_chosen_brings_what_it_needs() -> None:
    walking = chosen_lines(parts=("walking",))
    assert [line.key for line in walking[:2]] == [f"{GAIT}/fast_walk", "walking/flat"]
    jump = chosen_lines(parts=("figure6",), motions=("jump",))
    assert [line.key for line in jump] == ["figure6/jump", "figure6_batch/jump"]
    with pytest.raises(InputError, match=r"no line 'moonwalk'.*fast_walk"):
        chosen_lines(parts=("figure6",), motions=("moonwalk",))
    with pytest.raises(InputError, match="the quick version has the part figure6 only"):
        chosen_lines(parts=("push",), quick=True)
    with pytest.raises(InputError, match="bench states has no part 'robot'"):
        chosen_lines(parts=("robot",))


def test_grounds_are_those_of_their_names() -> None:
    assert WALKED["flat"](0).ground.slope_deg == 0.0
    up, down = WALKED["slope_up_5deg"](0).ground, WALKED["slope_down_3deg"](0).ground
    assert (up.slope_deg, up.uphill_deg) == (5.0, 0.0)
    assert (down.slope_deg, down.uphill_deg) == (3.0, 180.0)
    one, two = WALKED["bumps_2cm"](0), WALKED["bumps_2cm"](1)
    assert one.parts[0] != two.parts[0]


def test_absent_recordings_are_skipped_with_a_message(bench: Bench) -> None:
    lines = chosen_lines(parts=("figure6", "people"))
    ready, refused = bench.prepare(lines)
    assert not ready
    rows = list(rows_of(sheets_of(summaries_of(lines, [], refused))))
    assert {row.value for row in rows} == {"skipped"}
    assert rows[0].name == "states.fast_walk.refined_cm"
    assert "07_12.bvh" in rows[0].unit
    assert all(row.holds is None for row in rows)


def test_runs_are_kept_and_a_stopped_bench_goes_on(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    ready, refused = bench.prepare([JUMP, WALK])
    assert not refused
    going = bench.run_all(ready, 2)
    first = next(going)
    going.close()
    assert (first.key, first.seed, first.honest) == (f"{QUICK}/jump", 0, True)
    folder = bench.take_folder(JUMP, 0)
    take = read_take(folder)
    assert take.info.method == "states"
    assert first.figures["error_cm"] == take.info.metrics["joint_error_cm"]
    assert first.figures["structure"] == take.info.metrics["structure"]
    assert first.figures["incremental_cm"] > 0.0
    assert [each.name for each in folder.parent.iterdir()] == ["seed-0"]  # nothing half done is left
    made: list[str] = []

    def done(line: Line, seed: int, progress: object) -> Any:
        made.append(f"{line.name} {seed}")
        raise KeyboardInterrupt

    monkeypatch.setattr(bench, "_done", done)
    again = bench.run_all(ready, 2)
    assert next(again) == first
    with pytest.raises(KeyboardInterrupt):
        next(again)
    assert made == ["fast_walk 0"]
    assert not (bench.take_folder(WALK, 0) / RECORD).exists()


def test_what_a_run_depends_on_is_in_its_plan(bench: Bench) -> None:
    plan = bench.plan(JUMP, 0)
    assert plan == bench.plan(JUMP, 0)
    assert plan != bench.plan(JUMP, 1)
    assert plan != bench.plan(WALK, 0)
    assert plan != bench.plan(replace(JUMP, what=Search(motion="jump", way="batch")), 0)
    assert plan != bench.plan(replace(JUMP, what=Search(motion="jump", budget=30.0)), 0)
    assert plan != bench.plan(replace(JUMP, what=Compared(motion="jump", way=Way())), 0)
    usual, other = (bench.plan(replace(JUMP, what=Compared(motion="jump", way=Way(law=law))), 0) for law in LAWS)
    assert usual != other


def test_walks_start_from_the_walkers_given(bench: Bench, stander: Take, tmp_path: Path) -> None:
    from reenact.formats.take import write_take

    write_take(tmp_path / "walker", stander)
    own = Bench(Shelf(takes=tmp_path / "kept"), None, walkers=[tmp_path / "walker"], threads=1)
    flat = line_of("walking/flat")
    short = replace(flat, what=replace(flat.what, seconds=0.5))  # type: ignore[arg-type]
    found = own.run(short, 0)
    assert found.figures["seconds_upright"] == pytest.approx(0.5)
    assert found.honest
    assert own.kept(line_of(f"{GAIT}/fast_walk"), 0) is not None
    assert [one.seed for one in own.run_all([short], 3)] == [0]  # as many as there are walkers


def test_a_fall_ends_a_walk(stander: Take) -> None:
    limp = replace(stander, controller={**stander.controller, "torque_scale": 0.01})
    done = walked(limp, WALKED["flat"](0), 3.0)
    assert not done.success
    assert done.take.info.status == "fell"
    assert 0.1 < done.figures["seconds_upright"] < 2.0
    assert done.take.seconds == pytest.approx(done.figures["seconds_upright"])
    assert "success" not in done.take.info.metrics


def test_a_push_test_leaves_the_pushed_take(stander: Take) -> None:
    quick = Protocol(segment="thorax", seconds=2.0, every=1.0, duration=0.2, phases=1, resolution=20.0, draws=1)
    done = pushed(stander, "rear", 1.0, name="walk", protocol=quick)
    assert done.figures["newtons"] > 0.0
    assert done.take.info.status == "ok"
    assert done.take.seconds == pytest.approx(2.0)
    (push,) = parse_world(done.take.world_toml).pushes
    assert push.newtons == done.figures["newtons"]
    assert json.loads(done.files["push.json"])["directions"][0]["name"] == "rear"
    limp = replace(stander, controller={**stander.controller, "torque_scale": 0.01})
    fell = pushed(limp, "rear", 1.0, name="walk", protocol=quick)
    assert not fell.success
    assert "does not go on" in fell.reason
    assert fell.figures["newtons"] == 0.0


def test_new_worlds_are_judged_by_standing(stander: Take) -> None:
    weight = NewWorld(name="a weight", motion="twist_jump", world=load_world("hand_weight"), extra=1.5)
    limp = replace(stander, controller={**stander.controller, "torque_scale": 0.01})
    for take, stands in ((stander, True), (limp, False)):
        done = gone_elsewhere(take, weight)
        assert (done.success, done.take.info.status) == (stands, "ok" if stands else "fell")
        assert done.take.info.world == "hand_weight"
        assert bool(done.reason) is not stands
    line = line_of("worlds/twist_jump_hand_weight")
    (sheet,) = sheets_of([Summary(line=line, records=(record(line, stands=1.0),))])
    assert sheet.cells[0][:5] == ("twist jump with a weight", "", "1 of 1", "1 of 1", "1 of 1")


def test_the_kinematic_floor_falls_with_shorter_states(bench: Bench) -> None:
    task = bench.piece(JUMP).subject.task
    last = task.reference.frames - 1
    coarse, fine = kinematic_floor(task, [0]), kinematic_floor(task, list(range(0, last, 3)))
    assert 0.0 < fine < 0.3 * coarse
    assert begins_of(np.array([0, 0, 1, 1, 0, 2], np.int32), 5) == [0, 2, 4]


def test_ways_are_compared_at_an_equal_budget(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(methods, "SIMULATIONS", 100)
    monkeypatch.setattr(methods, "SAMPLES", 15)
    task = bench.piece(JUMP).subject.task
    counted: list[int] = []
    real = Window.try_out

    def counting(self: Window, machine: Machine, params: Any, *, steps: int | None = None) -> Tried:
        counted[-1] += len(params)
        return real(self, machine, params, steps=steps)

    monkeypatch.setattr(Window, "try_out", counting)
    for way in (Way(), Way(by="CMA"), Way(law="paper", feedback=True), Way(poses=(("jump", "walk"),))):
        counted.append(0)
        best = grown(task, TINY, way, "jump")
        assert best.last == task.reference.frames - 1
        assert best.machine.law == way.law
        assert np.isfinite(best.joints)
    assert max(counted) < 1.1 * min(counted)


def test_figure_6_says_what_holds() -> None:
    line, batch = line_of("figure6/fast_walk"), line_of("figure6_batch/fast_walk")
    common = {"frames": 206, "motion_seconds": 1.7, "structure": "⊕→①—T→②", "states": 2, "floor_cm": 1.0}
    records = [
        record(line, seed, error_cm=cm, incremental_cm=cm + 0.2, seconds=100.0, **common)
        for seed, cm in enumerate((2.3, 2.1, 2.2))
    ]
    tried = [record(batch, 0, error_cm=3.0)]
    (sheet,) = sheets_of(summaries_of([line, batch], [*records, *tried]))
    rows = {row.name: row for row in sheet.rows}
    refined = rows["states.fast_walk.refined_cm"]
    assert (refined.value, refined.goal, refined.holds) == (2.2, "≤ 2.4", True)
    assert refined.unit == "cm, median of 3 seeds, 2.1–2.3"
    assert rows["states.fast_walk.incremental_cm"].holds is True
    assert rows["states.fast_walk.batch_cm"].value == 3.0
    assert rows["states.fast_walk.seconds"].holds is True
    assert rows["states.fast_walk.audit"].holds is True
    page = markdown_of([sheet], {line.key: "images/walk.png"})
    assert "| fast_walk | 1.70 | 3.0 | 2.4 (2.3–2.5) | 2.2 (2.1–2.3) | 1.0" in page
    assert "3.9, 2.3, 2.4; 5" in page
    assert "fast_walk, seed 2:\n\n![fast_walk](images/walk.png)" in page
    worse = [replace(one, figures={**one.figures, "error_cm": 9.0, "seconds": 1e4}, honest=False) for one in records]
    rows = {row.name: row for row in rows_of(sheets_of(summaries_of([line], worse)))}
    assert not any(rows[f"states.fast_walk.{what}"].holds for what in ("refined_cm", "seconds", "audit"))
    assert rows["states.fast_walk.incremental_cm"].holds is None


def test_walking_and_pushes_are_judged_by_every_seed_and_the_median() -> None:
    flat, front = line_of("walking/flat"), line_of("push/limited.front")
    up = [record(flat, seed, seconds_upright=60.0) for seed in range(2)]
    fell = record(flat, 2, success=False, seconds_upright=31.0)
    forces = [
        record(front, seed, newtons=n, middle_phase_N=n + 8.0, mass_kg=60.0, drawn=24, drawn_passed=20)
        for seed, n in enumerate((30.0, 42.0, 50.0))
    ]
    sheets = sheets_of(summaries_of([flat, front], [*up, fell, *forces]))
    rows = {row.name: row for row in rows_of(sheets)}
    assert (rows["states.walk.seconds_upright"].value, rows["states.walk.seconds_upright"].holds) == (31.0, False)
    assert (rows["states.push.limited.front_N"].value, rows["states.push.limited.front_N"].holds) == (42.0, True)
    one_run = rows["states.push.limited.front_one_run_N"]
    assert (one_run.value, one_run.holds) == (50.0, True)
    line = "| 75 % | 60 | front | 42 (30–50) | 30, 42, 50 | 50 (38–58) | 60 of 72 | 3 of 3 | 42 |"
    assert line in markdown_of(sheets)
    held = rows_of(sheets_of(summaries_of([flat], up)))
    assert next(iter(held)).holds is True


def test_people_stand_beside_the_walker() -> None:
    line = line_of("people/people")
    bins = [
        {"low": 0.1, "high": 0.2, "people": 5, "people_cm": 9.0, "upright": 4, "walker_cm": 12.0},
        {"low": 0.2, "high": 0.3, "people": 3, "people_cm": 20.0, "upright": 0, "walker_cm": None},
    ]
    figures = {"trials": 8, "upright": 4, "detour_cm": 12.0, "people_detour_cm": 10.0, "bins": bins}
    (sheet,) = sheets_of([Summary(line=line, records=(record(line, **figures),))])
    rows = {row.name: row for row in sheet.rows}
    assert rows["states.people.upright_share"].value == 0.5
    assert rows["states.people.0.1_to_0.2.detour_cm"].peer == "5 people: 9.0"
    assert sheet.cells[1] == ("0.2–0.3", "3", "20.0", "0 of 3", "–")
