"""`reenact adapt`: a captured machine fitted again in another world."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bending_motion import bending
from stopping_search import TINY

from reenact.cli import by_states, live_report, terminal
from reenact.control.machine.machine import Machine
from reenact.control.machine.text import machine_from
from reenact.errors import InputError
from reenact.estimate.hardening import after
from reenact.estimate.hardening.harden import Borne, Hardened
from reenact.estimate.states import stay
from reenact.estimate.states.capture import subject_elsewhere
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task
from reenact.estimate.walking import again
from reenact.formats.motion_npz import save_motion
from reenact.formats.take import read_take, write_take
from reenact.geometry import rotation
from reenact.physics.audit import audit_take
from reenact.world.load import load_world
from run_command import run


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiny searches, and no word of progress however slow the machine is."""
    monkeypatch.setattr(by_states, "settings_of", lambda seed, *_: replace(TINY, seed=seed))
    monkeypatch.setattr(again, "SETTINGS", TINY)
    monkeypatch.setattr(stay, "ROUNDS", 1)
    monkeypatch.setattr(stay, "SAMPLES", 6)
    monkeypatch.setattr(live_report, "PATIENCE", 600.0)
    monkeypatch.setattr(terminal, "QUIET_INTERVAL", 600.0)


@pytest.fixture(scope="module")
def captured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("my takes")
    motion = bending(0.4)
    motion.qpos[:, 0] = motion.qpos[0, 0]  # it ends at rest
    save_motion(folder / "bend.npz", motion)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(by_states, "settings_of", lambda seed, *_: replace(TINY, seed=seed))
        assert run("capture", folder / "bend.npz", "-o", folder / "bend") == 0
    return folder / "bend"


def test_a_machine_is_fitted_again_with_a_weight_in_its_hand(
    captured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("replay", captured, "--world", "hand_weight", "-o", tmp_path / "as it is") == 0
    work = ["adapt", captured, "--world", "hand_weight", "-o", tmp_path / "new", "--threads", 1]
    assert run(*work) == 0
    before, after = (read_take(tmp_path / name) for name in ("as it is", "new"))
    assert after.info.world == "hand_weight"
    assert after.info.input == read_take(captured).info.input
    assert after.info.metrics["joint_error_cm"] < before.info.metrics["joint_error_cm"]
    assert audit_take(tmp_path / "new").honest
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["as it is", "new"]
    assert run(*work, "--resume") == 0, "it is finished"
    assert "is finished, and kept" in capsys.readouterr().out


def test_stopped_it_goes_on_to_the_same_bits(captured: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, stopped = (
        ["adapt", captured, "--world", "hand_weight", "-o", tmp_path / name, "--seed", 1] for name in ("a", "b")
    )
    assert run(*whole) == 0
    practise, parts = again.practised, []

    def interrupted(*arguments):  # type: ignore[no-untyped-def]
        parts.append(1)
        if len(parts) == 2:
            raise KeyboardInterrupt
        return practise(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(again, "practised", interrupted)
        assert run(*stopped) == 130
    assert read_take(tmp_path / "b").info.status == "stopped"
    assert run(*stopped, "--resume") == 0
    assert (tmp_path / "a" / "controller.json").read_bytes() == (tmp_path / "b" / "controller.json").read_bytes()


def test_what_cannot_be_fitted_again_is_one_line(
    captured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("simulate", captured.parent / "bend.npz", "-o", tmp_path / "followed") == 0
    round_ = read_take(captured)
    first, last = (round_.controller["states"][i] for i in (0, -2))  # the last one is to stand in
    last.update(until="time 0.2 s", then=first["name"])
    write_take(tmp_path / "round", round_)
    capsys.readouterr()
    for arguments, words in (
        ((captured, "--world", "nowhere"), "no world 'nowhere'"),
        ((tmp_path, "--world", "ice"), "take"),
        ((captured, "--world", "ice", "-o", captured), "-o is the take itself"),
        ((captured, "--world", "ice", "--threads", "0"), "--threads is 0"),
        ((tmp_path / "round", "--world", "ice"), "its state machine goes round: `reenact capture --robust` practises"),
        ((tmp_path / "followed", "--world", "ice"), "only a state machine can be fitted again"),
    ):
        assert run("adapt", *arguments) == 2, arguments
        said = capsys.readouterr().err
        assert words in said
        assert said.count("\n") == 1


def test_a_cycle_is_refused(captured: Path) -> None:
    machine = machine_from(json.loads((captured / "controller.json").read_text()))
    chain = again.as_chain(machine)
    assert all(state.early is None for state in chain.states)
    assert chain.states[-1].then is None
    round_ = replace(chain, states=(*chain.states[:-1], replace(chain.states[-1], then=chain.states[0].name)))
    with pytest.raises(InputError, match="goes round"):
        again.as_chain(round_)


def test_a_machine_leans_with_a_slope_that_carries_it_and_back_again(captured: Path) -> None:
    take = read_take(captured)
    level = subject_elsewhere(take, load_world("hand_weight"), threads=1)
    slope = subject_elsewhere(take, load_world("ski_slope"), threads=1)
    assert level.begin is not None
    assert slope.begin is not None
    up = [rotation.rotate(each.begin.states[0].root, [0.0, 0.0, 1.0]) for each in (level, slope)]
    assert np.arccos(up[0] @ up[1]) == pytest.approx(np.deg2rad(10.0), abs=2e-3)
    assert up[1][0] > up[0][0], "downhill"
    glide = slope.task.reference.glide
    assert glide is not None
    back = again.leaning(slope.begin, level.task, glide.turn)
    np.testing.assert_allclose(back.rows(), level.begin.rows(), atol=1e-3)  # headings of who leans are about the same


def test_it_is_practised_under_disturbances_there_where_asked(
    captured: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = []

    def harden(task: Task, settings: Settings, machine: Machine, rng: np.random.Generator, number: int) -> Hardened:
        seen.append((task.model.world.name, number))
        borne = Borne(upright=1.0, jolts=1.0, pushes=1.0, grounds={}, cost=0.0, levels={})
        return Hardened(machine=machine, before=borne, after=None)

    monkeypatch.setattr(after, "harden", harden)
    assert run("adapt", captured, "--world", "hand_weight", "--robust", 2, "-o", tmp_path / "new") == 0
    assert seen == [("hand_weight", 0), ("hand_weight", 1)]
    assert audit_take(tmp_path / "new").honest
    assert "Practised under disturbances in 2 parts; nothing was gained" in " ".join(capsys.readouterr().out.split())
    metrics = read_take(tmp_path / "new").info.metrics
    assert (metrics["robust_parts"], metrics["robust_parts_kept"]) == (2, 0)
    assert run("adapt", captured, "--world", "hand_weight", "--robust", -1, "-o", tmp_path / "none") == 2
    assert "--robust is -1, expected 0 or more" in capsys.readouterr().err
