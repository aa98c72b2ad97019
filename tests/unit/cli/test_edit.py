"""`reenact edit` as a user would run it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reenact.formats.motion_npz import load_motion


def test_edit_cuts_slows_mirrors_and_puts_on_a_line(reenact: Any, fitted: Path, work: Path) -> None:
    cut, slowed = ("--from", "0.5", "--to", "2.5"), ("--slow", "0.5", "1.0", "2")
    done = reenact("edit", fitted, "-o", "edited.npz", *cut, *slowed, "--mirror", "--line")
    assert done.returncode == 0, done.stderr
    edited = load_motion(work / "edited.npz")
    assert edited.duration == pytest.approx(2.0 + 0.5 * 0.75, abs=0.05)
    before = load_motion(fitted)
    assert edited.qpos[0, 1] == pytest.approx(-before.qpos[round(0.5 * before.rate), 1], abs=0.01)


def test_edit_reverses(reenact: Any, fitted: Path, work: Path) -> None:
    assert reenact("edit", fitted, "-o", "back.npz", "--reverse").returncode == 0
    np.testing.assert_array_equal(load_motion(work / "back.npz").qpos, load_motion(fitted).qpos[::-1])


def test_edit_refuses(reenact: Any, fitted: Path) -> None:
    for arguments, words in (
        (("-o", "x.bvh"), "kept as .npz"),
        (("-o", "x.npz", "--slow", "1", "99", "2"), "cannot slow"),
    ):
        done = reenact("edit", fitted, *arguments)
        assert done.returncode == 2
        assert words in done.stderr
        assert done.stderr.count("\n") == 1
