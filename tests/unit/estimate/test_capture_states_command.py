"""`reenact capture` as it is without a method: a state machine, stopped, resumed, refused, replayed and shown."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bending_motion import bending
from blocked_worlds import POLE
from stopping_search import TINY, Stopping

from reenact.body.human_strength import strengthened
from reenact.body.toml import parse_body
from reenact.cli import by_states, live_report, terminal
from reenact.control.machine.text import machine_from
from reenact.estimate.states import capture as module
from reenact.estimate.states.pose_space import pose_space_of
from reenact.formats.bvh_write import write_bvh
from reenact.formats.motion_npz import save_motion
from reenact.formats.take import read_take
from reenact.motion.skeleton_of import motion_to_skeleton_clip
from reenact.physics.audit import audit_take
from reenact.priors.load import load_model, save_model
from run_command import run


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tiny search, and no word of progress however slow the machine is."""
    monkeypatch.setattr(by_states, "settings_of", lambda seed, *_: replace(TINY, seed=seed))
    monkeypatch.setattr(live_report, "PATIENCE", 600.0)
    monkeypatch.setattr(terminal, "QUIET_INTERVAL", 600.0)


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("in") / "bend.npz"
    save_motion(path, bending(0.4))
    return path


@pytest.fixture(scope="module")
def whole(clip: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("my takes") / "whole"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(by_states, "settings_of", lambda seed, *_: replace(TINY, seed=seed))
        assert run("capture", clip, "--seed", 3, "-o", folder, "--smooth", 6) == 0
    return folder


def same(a: Path, b: Path) -> bool:
    return all((a / name).read_bytes() == (b / name).read_bytes() for name in ("controller.json", "motion.npz"))


def test_a_state_machine_is_what_capture_finds(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    take = read_take(whole)
    assert take.info.method == "states"
    assert json.loads((whole / "controller.json").read_text())["kind"] == "machine"
    assert audit_take(whole).honest
    assert (whole / "motion.smoothed.bvh").is_file()
    assert [path.name for path in whole.parent.iterdir()] == ["whole"]
    assert run("show", whole) == 0
    assert "⊕→①" in capsys.readouterr().out


def test_ctrl_c_leaves_a_take_that_resume_makes_whole(
    whole: Path, clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    work = ["capture", clip, "--seed", 3, "--smooth", 6, "-o", tmp_path / "take"]
    with monkeypatch.context() as patched:
        patched.setattr(module, "search", Stopping(1))
        patched.setattr(live_report, "PATIENCE", 0.0)
        assert run(*work) == 130
    said = capsys.readouterr().err
    assert f"the best so far is in {tmp_path / 'take'}, joints" in said
    assert said.count("--resume") == 1
    assert "Traceback" not in said
    part = read_take(tmp_path / "take")
    assert part.info.status == "stopped"
    assert part.seconds == pytest.approx(0.2)
    assert audit_take(tmp_path / "take").honest
    assert "Not done" in (tmp_path / "take" / "report.html").read_text()
    page = (tmp_path / "take.partial" / "progress.html").read_text()
    assert "stopped by hand" in page
    assert run("replay", tmp_path / "take", "-o", tmp_path / "again") == 0
    capsys.readouterr()
    assert run(*work) == 2, "it is not begun anew unasked"
    assert "holds an unfinished search with the same settings" in capsys.readouterr().err
    assert run(*work, "--resume") == 0
    assert same(tmp_path / "take", whole)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again", "take"]
    before = (tmp_path / "take" / "take.json").read_bytes()
    assert run(*work, "--resume") == 0, "it is finished"
    assert (tmp_path / "take" / "take.json").read_bytes() == before


def test_a_page_shows_the_best_so_far_and_changes_nothing(
    whole: Path, clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(live_report, "PATIENCE", 0.0)
    monkeypatch.setattr(live_report, "SHARE", 1e9)
    assert run("capture", clip, "--seed", 3, "-o", tmp_path / "take", "--threads", 1) == 0
    assert capsys.readouterr().err.count("progress.html") == 1
    assert same(tmp_path / "take", whole)
    assert [path.name for path in tmp_path.iterdir()] == ["take"]


def test_variations_are_seeds(whole: Path, clip: Path, tmp_path: Path) -> None:
    assert run("capture", clip, "--seed", 2, "--variations", 2, "-o", tmp_path / "take") == 0
    assert [read_take(tmp_path / f"take-{i}").info.seed for i in (1, 2)] == [2, 3]
    assert same(tmp_path / "take-2", whole)
    assert not same(tmp_path / "take-1", whole)


def test_a_search_of_another_method_is_not_gone_on_with(
    clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(module, "search", Stopping(1))
        assert run("capture", clip, "-o", tmp_path / "take") == 130
    capsys.readouterr()
    work = ["capture", clip, "--method", "sampling", "--samples", 8, "-o", tmp_path / "take"]
    assert run(*work, "--resume") == 2
    assert "holds a search by states, this one is by sampling" in capsys.readouterr().err


def test_a_machine_is_replayed_for_longer_and_elsewhere(
    whole: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(whole.parent)
    assert run("replay", "whole", "--world", "slope", "--seconds", 1.5) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert said.startswith("whole-slope: 1.50 s in slope,")
    assert "over the clip's 0.40 s" in said
    assert audit_take(whole.parent / "whole-slope").honest
    assert run("replay", "whole") == 0
    assert "whole-again" in capsys.readouterr().out


def test_control_that_ends_is_not_gone_on_with(clip: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    work = ["capture", clip, "--method", "sampling", "--samples", 8, "-o", tmp_path / "take"]
    assert run(*work) == 0
    capsys.readouterr()
    assert run("replay", tmp_path / "take", "--seconds", 2) == 2
    said = capsys.readouterr().err
    assert "cannot go on for 2 s: this control, found by sampling, ends at 0.40 s" in said
    assert said.count("\n") == 1


def test_torque_limits_are_as_asked(clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "search", Stopping(1))
    assert run("capture", clip, "--torque", "0.5", "-o", tmp_path / "half") == 130
    assert run("capture", clip, "--torque", "human", "-o", tmp_path / "human") == 130
    half, human = (read_take(tmp_path / name) for name in ("half", "human"))
    assert (half.controller["torque_scale"], human.controller["torque_scale"]) == (0.5, 1.0)
    own = bending(0.4).body
    limits = {
        name: [axis.torque_limit for axis in body.axes]
        for name, body in {
            "own": own,
            "half": parse_body(half.body_toml),
            "human": parse_body(human.body_toml),
            "people": strengthened(own, "human"),
        }.items()
    }
    assert limits["half"] == limits["own"]
    assert limits["human"] == limits["people"] != limits["own"]


def test_target_poses_are_of_the_model_that_was_asked_for(
    clip: Path, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert read_take(whole).info.metrics["poses"] == "plain"
    save_model(tmp_path / "mine.toml", load_model("jump").keep(6))
    assert run("capture", clip, "--seed", 3, "-o", tmp_path / "take", "--poses", tmp_path / "mine.toml") == 0
    assert "; target poses mine.toml; " in " ".join(capsys.readouterr().out.split())
    take = read_take(tmp_path / "take")
    assert take.info.metrics["poses"] == "mine.toml"
    poses = pose_space_of(str(tmp_path / "mine.toml"), parse_body(take.body_toml))
    assert poses is not None
    assert all(max(poses.lost(each.root, each.pose)) < 2e-3 for each in machine_from(take.controller).states)


def test_a_quadruped_gets_a_machine_without_balance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "search", Stopping(1))
    work = ["capture", "laikago_walk", "--body", "laikago", "--to", 0.4, "-o", tmp_path / "trot"]
    assert run(*work) == 130
    assert read_take(tmp_path / "trot").info.body == "laikago"
    assert audit_take(tmp_path / "trot").honest


def test_a_controller_of_another_body_is_one_line(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from reenact.body.load import load_body
    from reenact.body.toml import dump_body
    from reenact.formats.take import write_take

    take = read_take(whole)
    write_take(tmp_path / "take", replace(take, body_toml=dump_body(load_body("human50"))))
    assert run("replay", tmp_path / "take", "-o", tmp_path / "again") == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert not (tmp_path / "again").exists()


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """A folder with clips that cannot be captured."""
    folder = tmp_path / "bad"
    folder.mkdir()
    motion = bending(0.5)
    still = np.repeat(motion.qpos[:1], motion.frames, axis=0)
    save_motion(folder / "still.npz", replace(motion, qpos=still))
    save_motion(folder / "short.npz", bending(0.1))
    leap = motion.qpos.copy()
    leap[30:, 0] += 2.0
    save_motion(folder / "leap.npz", replace(motion, qpos=leap))
    clip = motion_to_skeleton_clip(motion.body, motion.qpos, motion.rate, "one")
    write_bvh(folder / "one.bvh", clip.cut(0, 1))
    names = tuple({"LeftUpLeg": "Stump", "LeftLeg": "Peg"}.get(name, name) for name in clip.skeleton.names)
    assert "Peg" in names
    write_bvh(folder / "one_leg.bvh", replace(clip, skeleton=replace(clip.skeleton, names=names)))
    names = tuple({"LeftArm": "Wing", "LeftForeArm": "Fin"}.get(name, name) for name in clip.skeleton.names)
    assert "Fin" in names
    write_bvh(folder / "one_arm.bvh", replace(clip, skeleton=replace(clip.skeleton, names=names)))
    hands = motion.qpos.copy()
    hands[30, 7 + motion.body.axis_index("shoulder_left_flexion")] += 1.2  # within one frame, 0.6 m of arm
    save_motion(folder / "flick.npz", replace(motion, qpos=hands))
    save_motion(folder / "aloft.npz", bending(0.5, lift=0.5))
    away = bending(1.6)
    flown = away.qpos.copy()
    flown[30:180, 2] += 0.2 + 3.0 * np.sin(np.pi * np.arange(150) / 150)  # for 1.25 s
    save_motion(folder / "away.npz", replace(away, qpos=flown))
    (folder / "pole.toml").write_text(POLE)
    return folder


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["still.npz"], "is one pose"),
        (["short.npz"], "a state machine needs at least 0.2 s"),
        (["leap.npz"], "moves as no body can: 'pelvis' reaches 240 m/s"),
        (["one.bvh"], "clip 'one' has 1 frame(s) of motion, expected at least 3"),
        (["one_leg.bvh"], "nothing stands for hip_left, knee_left"),
        (["one_arm.bvh"], "nothing stands for shoulder_left, elbow_left"),
        (["flick.npz"], "moves as no body can"),
        (["aloft.npz"], "never touches the floor"),
        (["away.npz"], "longer than a flight of 1 s"),
        (["walk", "--to", "0.5", "--world", "pole.toml"], "inside the character at its start"),
        (["walk", "--effort", "fast"], "--effort is of --method sampling, and this is --method states: --budget says"),
        (["walk", "--samples", "8"], "--samples is of --method sampling"),
        (["walk", "--save", "8"], "--save is of --method sampling"),
        (["walk", "--cluster", "auto"], "--cluster is of --method sampling"),
        (["walk", "--actuation", "servo"], "--actuation servo is of --method sampling: a state machine drives motors"),
        (["walk", "--method", "sampling", "--budget", "9"], "--budget is of --method states"),
        (["walk", "--method", "sampling", "--robust", "2"], "--robust is of --method states"),
        (["walk", "--method", "sampling", "--poses", "walk"], "--poses is of --method states"),
        (["walk", "--method", "sampling", "--ease", "9"], "--ease is of --method states"),
        (["walk", "--robust", "-1"], "--robust is -1, expected 0 or more"),
        (["walk", "--ease", "-1"], "--ease is -1, expected 0 or more"),
        (["walk", "--poses", "wlak"], "no target poses 'wlak': neither a name nor a pose model's file; did you mean"),
        (["short.npz", "--poses", "leap.npz"], ", expected a pose model in TOML"),
        (["walk", "--budget", "-1"], "--budget is -1 s, expected more than 0"),
        (["walk", "--torque", "strong"], "--torque is 'strong', expected human or a number"),
        (["walk", "--torque", "0"], "--torque is '0', expected human or a number"),
        (["walk", "--threads", "0"], "--threads is 0"),
        (["walk", "--seed", "-1"], "seed is -1"),
        (["walk", "--variations", "0"], "--variations is 0"),
        (["short.npz", "--smooth", "90"], "a state machine needs"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(
    arguments: list[str],
    words: str,
    bad: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = sorted(bad.iterdir())
    monkeypatch.chdir(bad)
    assert run("capture", *arguments, "-o", "take") == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
    assert sorted(bad.iterdir()) == before


def test_what_cannot_be_practised_is_refused_before_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(by_states, "settings_of", lambda seed, _, pushes: replace(TINY, seed=seed, pushes=pushes))
    assert run("capture", "walk", "--to", 0.5, "--robust", 2, "-o", tmp_path / "take") == 2
    said = capsys.readouterr().err
    assert "--robust practises walks, and motions that end at rest on two feet; 'walk' is neither" in said
    assert said.count("\n") == 1
    assert not any(tmp_path.iterdir())
