"""`reenact show`: a controller as text, as JSON and as a drawn graph; a wrong edit gets one clear line."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from example_machines import crouch_machine, machine_of, machine_take, walk_machine
from reenact.cli import show_machine
from reenact.cli.main import _guarded
from reenact.control.displaced import Displaced
from reenact.control.machine.machine import Machine
from reenact.control.ragdoll import Ragdoll
from reenact.control.track import Track
from reenact.formats.take import write_take

Output = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def take(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("show") / "my walk"
    write_take(folder, machine_take(walk_machine(), 0.1))
    return folder


def written(folder: Path, controller: Any) -> Path:
    path = folder / "controller.json"
    path.write_text(json.dumps(controller.to_json()))
    return path


def shown(output: Output, *arguments: str | Path) -> str:
    assert _guarded(["show", *map(str, arguments)], False) == 0, output.readouterr().err
    return output.readouterr().out


def refused(output: Output, *arguments: str | Path) -> str:
    assert _guarded(["show", *map(str, arguments)], False) == 2
    error = output.readouterr().err
    assert error.startswith("reenact: ")
    assert error.count("\n") == 1, "one line"
    return error


def rows(text: str) -> dict[str, list[str]]:
    """Numbers of each line by the words before them."""
    found = (re.match(r"([a-zϑ][^\d−]*?)\s{2,}(-?[\d.].*)", line) for line in text.splitlines())
    return {match[1].strip(): match[2].split() for match in found if match}


def test_a_walk_in_a_take(take: Path, capsys: Output) -> None:
    text = shown(capsys, take)
    assert "4 states, cycle" in text
    assert "⊕→①—T→②—R→③—T→④—L→①" in text
    assert re.search(r"②\s+right reaches\s+right foot contact\s+0.200\s+③ left swings", text)
    assert rows(text)["knee flexion"] == ["4", "60", "15", "5", "60", "4", "5", "15"], "left and right of each state"
    assert rows(text)["hip"] == ["0.120"], "gains are the same in all states"
    assert rows(text)["nominal velocity [m/s]"] == ["0.8", "0"]
    assert "0° throughout" in text
    assert "edited" not in text


def test_a_chain_in_a_file_of_its_own(tmp_path: Path, capsys: Output) -> None:
    text = shown(capsys, written(tmp_path, crouch_machine()))
    assert "3 states, chain" in text
    assert re.search(r"③\s+land\s+stays", text)
    assert "nothing balances it" in text


def test_only_what_changes_by_more_than_a_degree_is_bright(tmp_path: Path, capsys: Output, monkeypatch: Any) -> None:
    first, second, third = crouch_machine().states
    knee = crouch_machine().axes.index("knee_left_flexion")
    pose = second.pose.copy()
    pose[:] = first.pose
    pose[knee] += np.radians(1.5)
    pose[crouch_machine().axes.index("knee_right_flexion")] += np.radians(0.5)
    machine = replace(crouch_machine(), states=(first, replace(second, pose=pose), third))
    monkeypatch.setattr(show_machine.terminal, "say", lambda text="": print(text))
    text = shown(capsys, written(tmp_path, machine))
    line = next(line for line in text.splitlines() if line.startswith("knee flexion"))
    assert re.findall(r"\[bold cyan\]\s*(-?\d+)\[/\]", line) == ["92", "45", "45"]


def test_many_states_are_put_in_blocks_as_wide_as_the_terminal(
    tmp_path: Path, capsys: Output, monkeypatch: Any
) -> None:
    monkeypatch.setattr(show_machine, "_width", lambda: 80)
    text = shown(capsys, written(tmp_path, machine_of(20, back=10)))
    assert text.count("knee flexion") == 7
    assert max(len(line) for line in text.splitlines() if line.startswith(("knee", "hip", "   "))) <= 80


def test_a_state_that_nothing_leads_to_is_told(tmp_path: Path, capsys: Output) -> None:
    first, second, third = crouch_machine().states
    machine = replace(crouch_machine(), states=(replace(first, then="land"), second, third))
    assert "nothing leads to state ② 'push off'" in shown(capsys, written(tmp_path, machine))


def test_the_description_as_json_makes_the_machine_again(take: Path, capsys: Output) -> None:
    told = json.loads(shown(capsys, take, "--json"))
    assert told["states"][1]["until"] == "right foot contact"
    assert [state.name for state in Machine.from_json(told).states] == [state.name for state in walk_machine().states]


def test_the_graph_is_drawn(take: Path, tmp_path: Path, capsys: Output) -> None:
    picture = tmp_path / "walk graph.svg"
    assert str(picture) in shown(capsys, take, "--svg", picture).replace("\n", "")
    tree = ElementTree.parse(picture).getroot()
    assert len([g for g in tree.iter() if g.get("class") == "state"]) == 4
    assert len([g for g in tree.iter() if g.get("class") == "figure"]) == 4


def test_a_file_in_no_take_finds_the_body_with_its_axes(tmp_path: Path, capsys: Output) -> None:
    shown(capsys, written(tmp_path, crouch_machine()), "--svg", tmp_path / "a.svg")
    assert (tmp_path / "a.svg").is_file()
    error = refused(capsys, written(tmp_path, crouch_machine()), "--svg", tmp_path / "b.svg", "--body", "robot35")
    assert "another body" in error
    assert not (tmp_path / "b.svg").exists()


def test_other_kinds_are_summed_up(tmp_path: Path, capsys: Output) -> None:
    angles = np.zeros((121, 2))
    angles[:, 1] = np.radians(np.linspace(0, 40, 121))
    track = Track(actuation="motor", timestep=1 / 120, axes=("elbow", "knee"), angles=angles, velocities=0 * angles)
    text = shown(capsys, written(tmp_path, track))
    assert "1.000 s, 121 poses" in text
    assert "knee 40°, elbow 0°" in text
    shifted = Displaced(track=track, ends=(60, 120), displacement=np.radians([[0.0, 3.0], [0.0, -9.0]]))
    text = shown(capsys, written(tmp_path, shifted))
    assert "2 of 0.500 to 0.500 s" in text
    assert "3.0° on average, 9.0° at most" in text
    assert "no torques" in shown(capsys, written(tmp_path, Ragdoll()))
    assert json.loads(shown(capsys, tmp_path / "controller.json", "--json")) == {"kind": "ragdoll: no torques at all"}
    assert "only a state machine has a graph" in refused(
        capsys, tmp_path / "controller.json", "--svg", tmp_path / "x.svg"
    )


def test_an_edited_controller_is_shown_and_said_to_be_edited(tmp_path: Path, capsys: Output) -> None:
    write_take(tmp_path / "walk", machine_take(walk_machine(), 0.05))
    path = tmp_path / "walk" / "controller.json"
    path.write_text(path.read_text().replace("time 0.22 s", "time 0.33 s"))
    text = shown(capsys, tmp_path / "walk")
    assert "was edited since" in text
    assert "0.330" in text


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"until": "right foot contact"', '"until": "right foot"', "expected e.g. 'time 0.25 s'"),
        ('"then": "left swings"', '"then": "left swing"', "which is no state; there are: right swings"),
        ('"knee_left_flexion": 60', '"knee_flexion": 60', "'knee_flexion' stands in state 'left swings'"),
        ('"hip": 0.12', '"hip": 12', "the gain of 'hip' is 12.0, expected 0 … 1"),
        ('"kind": "machine"', '"kind": "machines"', "expected one of: track"),
        ('"states": [', '"states": [[', ":"),
    ],
)
def test_a_wrong_edit_gets_a_line_that_says_where(
    tmp_path: Path, capsys: Output, old: str, new: str, words: str
) -> None:
    path = tmp_path / "controller.json"
    text = json.dumps(walk_machine().to_json(), indent=2)
    assert old in text
    path.write_text(text.replace(old, new, 1))
    error = refused(capsys, path)
    assert str(path) in error
    assert words in error


def test_what_is_no_json_is_told_with_its_line(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "controller.json"
    path.write_text('{\n  "kind": "machine",\n  "states": [,]\n}')
    assert f"{path}:3: not JSON" in refused(capsys, path)
    path.write_text("[1]")
    assert "expected a JSON object" in refused(capsys, path)
    path.write_bytes(b"\xff\xfe")
    assert "UTF-8" in refused(capsys, path)
    assert "no such take" in refused(capsys, tmp_path / "nowhere")
