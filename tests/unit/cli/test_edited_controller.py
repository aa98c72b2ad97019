"""controller.json is meant to be edited by hand: an edited one runs, a wrong edit gets one line that says where."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from example_machines import machine_take, walk_machine
from reenact.formats.take import read_take, write_take
from run_command import run

Output = pytest.CaptureFixture[str]
Edit = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("edited") / "walk"
    write_take(folder, machine_take(walk_machine(), 0.2))
    return folder


@pytest.fixture
def take(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "my walk"))


def edit(take: Path, change: Edit) -> Path:
    path = take / "controller.json"
    description = json.loads(path.read_text())
    change(description)
    path.write_text(json.dumps(description, indent=1))
    return path


def bend(description: dict[str, Any]) -> None:
    description["states"][0]["pose_deg"]["knee_left_flexion"] += 5.0


def test_an_edit_is_run_and_said(take: Path, tmp_path: Path, capsys: Output) -> None:
    edit(take, bend)
    assert run("replay", take, "-o", tmp_path / "again") == 0
    assert "was edited since the take was made" in capsys.readouterr().out.replace("\n", " ")
    again, first = read_take(tmp_path / "again"), machine_take(walk_machine(), 0.2)
    assert again.motion["qpos"].shape == first.motion["qpos"].shape
    assert not (again.motion["qpos"] == first.motion["qpos"]).all()
    assert run("audit", tmp_path / "again") == 0
    assert "edited" not in capsys.readouterr().out
    assert run("audit", take) == 0
    assert "was edited" in capsys.readouterr().out.replace("\n", " ")


def test_a_file_of_its_own_is_run_in_its_place(take: Path, tmp_path: Path, capsys: Output) -> None:
    own = tmp_path / "bent.json"
    own.write_text((take / "controller.json").read_text())
    assert run("replay", take, "--controller", own, "-o", tmp_path / "same") == 0
    assert (read_take(tmp_path / "same").motion["qpos"] == read_take(take).motion["qpos"]).all()
    own.write_text(edit(take, bend).read_text())
    assert run("replay", take, "--controller", own, "-o", tmp_path / "other") == 0
    assert run("replay", take, "-o", tmp_path / "edited") == 0
    other, edited = (read_take(tmp_path / name).motion["qpos"] for name in ("other", "edited"))
    assert (other == edited).all()


def test_names_may_stand_in_any_order(take: Path, tmp_path: Path) -> None:
    def sort(description: dict[str, Any]) -> None:
        for state in description["states"]:
            for name in ("pose_deg", "gain"):
                state[name] = dict(sorted(state[name].items()))

    before = read_take(take).motion["qpos"]
    edit(take, sort)
    assert run("show", take) == 0
    assert run("replay", take, "-o", tmp_path / "again") == 0
    assert (read_take(tmp_path / "again").motion["qpos"] == before).all()


def rename(description: dict[str, Any]) -> None:
    for state in description["states"]:
        state["pose_deg"]["kneee_left"] = state["pose_deg"].pop("knee_left_flexion")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (rename, "it has kneee_left and it lacks knee_left_flexion"),
        (lambda d: d["states"][1].update(then="nowhere"), "goes on to 'nowhere', which is no state"),
        (lambda d: d["states"][1].update(until="tail contact"), "waits for 'tail' to touch"),
        (lambda d: d["states"][0].update(until="soon"), "until is 'soon', expected e.g. 'time 0.25 s'"),
        (lambda d: d["states"][0]["gain"].update(hip=1.5), "the gain of 'hip' is 1.5, expected 0 … 1"),
        (lambda d: d["states"][0]["pose_deg"].update(knee_left_flexion=900), "is 900°, expected −360 … 360"),
        (lambda d: d["states"][0]["pose_deg"].update(knee_left_flexion="5"), "of 'knee_left_flexion' is '5', expected"),
        (lambda d: d.update(balance_law="mine"), "balance_law is 'mine', expected one of: paper, deviation"),
        (lambda d: d.update(contact_dwell=2.0), "contact_dwell 2.0 must lie in 0 … 1"),
    ],
)
def test_a_wrong_edit_gets_one_line(take: Path, tmp_path: Path, capsys: Output, change: Edit, words: str) -> None:
    path = edit(take, change)
    for command in (("show",), ("replay", "-o", tmp_path / "again"), ("push",)):
        assert run(command[0], take, *command[1:]) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert str(path) in error
        assert words in error
    assert not (tmp_path / "again").exists()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d.update(steps=0), "for 0 steps"),
        (lambda d: d.update(torque_scale=-1.0), "torque_scale -1.0"),
        (lambda d: d.update(start_qpos="1 2 3"), "start_qpos"),
    ],
)
def test_what_cannot_be_run_is_refused(take: Path, capsys: Output, change: Edit, words: str) -> None:
    edit(take, change)
    assert run("replay", take) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "controller.json" in error
    assert words in error


def test_another_body_is_refused(take: Path, capsys: Output) -> None:
    assert run("show", take, "--body", "robot35") == 2
    assert "for another body than 'robot35'" in capsys.readouterr().err


def test_a_file_of_its_own_for_another_body_is_refused(take: Path, tmp_path: Path, capsys: Output) -> None:
    description = json.loads((take / "controller.json").read_text())
    rename(description)
    own = tmp_path / "other.json"
    own.write_text(json.dumps(description))
    assert run("replay", take, "--controller", own, "-o", tmp_path / "again") == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert str(own) in error
    assert "is for another body" in error
    assert not (tmp_path / "again").exists()
