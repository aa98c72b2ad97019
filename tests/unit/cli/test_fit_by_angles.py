"""`reenact fit --by angles` as a user meets it: another body takes over joint angles, and `capture` follows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reenact.body.load import load_body
from reenact.formats.motion_npz import load_motion
from reenact.formats.take import read_take
from reenact.motion.same_angles import with_same_angles
from run_command import run

CUT = ("--to", "0.5")


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("by angles") / "person.npz"
    assert run("fit", "walk", *CUT, "--body", "human50", "-o", path) == 0
    return path


def test_a_robot_takes_over_the_angles_of_a_person(
    person: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = with_same_angles(load_motion(person), load_body("robot35"))
    assert run("fit", "walk", *CUT, "--body", "robot35", "--by", "angles", "-o", tmp_path / "clip.npz") == 0
    said = capsys.readouterr().out
    assert "robot35, 1.20 m, takes over the joint angles of human50; the root's path times 0.71" in said
    assert "reenact capture" in said
    assert run("fit", person, "--body", "robot35", "--by", "angles", "-o", tmp_path / "fitted.npz") == 0
    for name in ("clip.npz", "fitted.npz"):
        given = load_motion(tmp_path / name)
        assert given.body.name == "robot35"
        np.testing.assert_array_equal(given.qpos, expected.qpos)
        assert given.contacts == expected.contacts
    assert run("fit", person, "--body", "robot35", "-o", tmp_path / "position.npz") == 0
    assert not np.allclose(load_motion(tmp_path / "position.npz").qpos, expected.qpos, atol=0.05)
    take = tmp_path / "take"
    work = ["capture", tmp_path / "fitted.npz", "--method", "sampling", "--to", "0.3", "--samples", "16", "--save", "4"]
    assert run(*work, "-o", take) == 0
    assert read_take(take).info.body == "robot35"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("walk", "--by", "angles"), "--by angles needs --body"),
        (("walk", "--by", "angles", "--body", "robot35", "--size", "person"), "own size"),
    ],
)
def test_what_cannot_be_had_is_one_line(
    arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("fit", *arguments) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1


def test_a_fitted_motion_needs_another_body(person: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("fit", person) == 2
    assert "is fitted already" in capsys.readouterr().err
