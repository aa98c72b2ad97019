"""`--rate`: a file's frames per second put right, and the warning that leads there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reenact.body.load import load_body
from reenact.formats.bvh_write import write_bvh
from reenact.motion.skeleton_of import motion_to_skeleton_clip

WARNING = "s the body falls at 4.0 g: the rate of 120 is probably 60; try --rate 60"


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An adult thrown up and landing, recorded at 60 frames per second in a file that says 120."""
    body = load_body("adult")
    time = np.arange(60) / 60.0
    flight = np.clip(time - 0.2, 0.0, 0.5)
    poses = np.zeros((60, 7 + len(body.axes)))
    poses[:, 2] = 0.93 + 0.5 * 9.81 * flight * (0.5 - flight)
    poses[:, 3] = 1.0
    path = tmp_path_factory.mktemp("hasty clips") / "hasty.bvh"
    write_bvh(path, motion_to_skeleton_clip(body, poses, 120.0, "hasty"))
    return path


def test_the_rate_changes_how_long_a_clip_lasts(reenact: Any) -> None:
    usual, slow = reenact("info", "walk"), reenact("info", "walk", "--rate", "15")
    assert "3.800 s, 115 frames at 30 Hz" in usual.stdout
    assert "7.600 s, 115 frames at 15 Hz" in slow.stdout
    cut = reenact("info", "walk", "--rate", "15", "--from", "5", "--to", "7")
    assert "2.000 s, 31 frames at 15 Hz" in cut.stdout
    assert reenact("info", "laikago_walk", "--rate", "25").stdout.count("at 25 Hz") == 1


def test_info_and_fit_warn_of_a_wrong_rate(hasty: Path, reenact: Any) -> None:
    assert WARNING in reenact("info", hasty).stdout
    assert "no problems found" in reenact("info", hasty, "--rate", "60").stdout
    fitted = reenact("fit", hasty)
    assert fitted.stdout.count(WARNING) == 1
    assert "warning" not in fitted.stderr, "a slow machine may say how far it is"
    right = reenact("fit", hasty, "--rate", "60")
    assert "g: the rate" not in right.stdout
    assert "0.98 s at 60 Hz" in right.stdout


def test_commands_that_show_no_notes_warn_before_they_start(hasty: Path, reenact: Any, tmp_path: Path) -> None:
    done = reenact("edit", hasty, "-o", tmp_path / "hasty.npz")
    assert done.returncode == 0, done.stderr
    assert WARNING in done.stderr
    again = reenact("edit", tmp_path / "hasty.npz", "--rate", "60", "-o", tmp_path / "again.npz")
    assert again.returncode == 2
    assert "hasty.npz: is fitted already: give --rate when the recording is fitted" in again.stderr


@pytest.mark.parametrize("rate", ["0", "-60", "nan", "inf", "1e9"])
def test_nonsense_is_one_line(rate: str, reenact: Any) -> None:
    done = reenact("info", "walk", "--rate", rate)
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("reenact: ")
    assert f"--rate: a rate of {float(rate):g} is not usable, expected 1 to 10000 frames per second" in line


def test_words_are_no_rate(reenact: Any) -> None:
    done = reenact("info", "walk", "--rate", "fast")
    assert done.returncode == 2
    assert "--rate" in done.stderr
    assert "Traceback" not in done.stderr
