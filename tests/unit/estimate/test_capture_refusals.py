"""What `reenact capture` and `reenact replay` refuse: one clear line, exit code 2, and nothing written."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bending_motion import bending
from blocked_worlds import POLE, WALL

from reenact.body.load import load_body
from reenact.body.toml import dump_body
from reenact.formats.bvh_write import write_bvh
from reenact.formats.motion_npz import save_motion
from reenact.motion.skeleton_of import motion_to_skeleton_clip
from run_command import run


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder with inputs; whatever else appears in it was written by the command."""
    folder = tmp_path / "in"
    folder.mkdir()
    save_motion(folder / "good.npz", bending(0.5))
    save_motion(folder / "short.npz", bending(0.1))
    save_motion(folder / "aloft.npz", bending(0.5, lift=0.5))
    away = bending(1.6)
    qpos = away.qpos.copy()
    qpos[30:180, 2] += 0.2 + 3.0 * np.sin(np.pi * np.arange(150) / 150)  # for 1.25 s
    save_motion(folder / "away.npz", replace(away, qpos=qpos))
    flown = motion_to_skeleton_clip(away.body, qpos, away.rate, "flown")
    write_bvh(folder / "flown.bvh", flown)
    arrays = dict(np.load(folder / "good.npz", allow_pickle=False))
    holes = arrays["qpos"].copy()
    holes[5, 9] = np.nan
    np.savez(folder / "holes.npz", **{**arrays, "qpos": holes})
    np.savez(folder / "other.npz", **{**arrays, "qpos": arrays["qpos"][:, :-3]})
    (folder / "wall.toml").write_text(WALL)
    (folder / "pole.toml").write_text(POLE)
    human = dump_body(load_body("human50"))
    (folder / "no_tips.toml").write_text(re.sub(r"(?m)^end_effectors = .*$", "end_effectors = []", human))
    return folder


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["short.npz"], "lasts 0.100 s, sampling needs at least 0.2 s"),
        (["walk", "--to", "0.1"], "sampling needs at least 0.2 s"),
        (["aloft.npz"], "never touches the floor: its lowest point is 0.50 m above it"),
        (["away.npz"], "leaves the floor from 0.25 to 1.50 s"),
        (["flown.bvh", "--samples", "8"], "leaves the floor from 0.2"),
        (["good.npz", "--world", "wall.toml"], "something inside the character at its start"),
        (["good.npz", "--world", "pole.toml"], "inside the character at its start"),
        (["good.npz", "--world", "nowhere.toml"], "no world 'nowhere.toml'"),
        (["walk", "--to", "0.5", "--body", "no_tips.toml"], "names no end_effectors"),
        (["walk", "--to", "0.5", "--body", "laikago"], "body 'laikago' has none of the mapped sites"),
        (["laikago_walk", "--body", "human50"], "table 'laikago_walk' has columns"),
        (["holes.npz"], "holes.npz: a broken motion: motion 'bend' holds values that are not finite"),
        (["other.npz"], "must be (T, 41) for body"),
        (["missing.npz"], "missing.npz"),
        (["good.npz", "--samples", "0"], "0 samples"),
        (["good.npz", "--samples", "20", "--save", "21"], "20 samples of which 21"),
        (["good.npz", "--seed", "-1"], "seed is -1"),
        (["good.npz", "--from", "0.4", "--to", "0.2"], "--from 0.4 --to 0.2 is not within"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(
    arguments: list[str],
    words: str,
    work: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = sorted(work.rglob("*"))
    monkeypatch.chdir(work)
    assert run("capture", "--method", "sampling", *arguments, "-o", "take") == 2
    said = capsys.readouterr().err
    assert words in said
    (refusal,) = [line for line in said.splitlines() if "s left" not in line]  # a slow machine shows progress before
    assert refusal.startswith("reenact: ")
    assert sorted(work.rglob("*")) == before


@pytest.mark.parametrize("command", ["capture", "replay"])
@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("file", "is a file; a take is a folder"),
        ("file/take", "file"),
        ("foreign", "holds other files and is not a take"),
        ("link", "is a symbolic link"),
    ],
)
def test_a_place_that_cannot_hold_a_take_is_left_alone(
    command: str,
    place: str,
    words: str,
    work: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(work)
    Path("file").write_text("mine")
    Path("foreign").mkdir()
    Path("foreign/notes.txt").write_text("mine")
    Path("link").symlink_to("foreign")
    source = "good.npz"
    if command == "replay":
        assert run("simulate", "good.npz", "-o", "take") == 0
        source = "take"
    capsys.readouterr()
    before = sorted(work.rglob("*"))
    how = ["--method", "sampling", "--samples", "8"] if command == "capture" else []
    assert run(command, source, "-o", place, *how) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
    assert sorted(work.rglob("*")) == before
    assert Path("file").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing"], "no such take"),
        (["."], "not a take"),
        (["take", "--world", "nowhere"], "no world 'nowhere'"),
        (["take", "--seconds", "0"], "cannot simulate 0 s"),
    ],
)
def test_replay_refuses_what_it_cannot_make(
    arguments: list[str],
    words: str,
    work: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(work)
    assert run("simulate", "good.npz", "-o", "take") == 0
    capsys.readouterr()
    before = sorted(work.rglob("*"))
    assert run("replay", *arguments, "-o", "again") == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
    assert sorted(work.rglob("*")) == before


def test_replay_in_another_world_says_how_it_went(
    work: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(work)
    assert run("simulate", "good.npz", "-o", "take") == 0
    assert run("replay", "take", "-o", "there", "--world", "drop_50cm") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "in drop_50cm, did not fall; joints" in said
