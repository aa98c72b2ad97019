"""`reenact capture --robust` stopped by Ctrl-C in the midst of practice: a take, gone on with to the same bits."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bending_motion import bending

from reenact.cli import by_states, live_report, terminal
from reenact.estimate.ascent import Ascent
from reenact.estimate.hardening import after
from reenact.estimate.hardening import harden as practice
from reenact.estimate.states.settings import Settings
from reenact.formats.motion_npz import save_motion
from reenact.formats.take import read_take
from reenact.physics.audit import audit_take
from run_command import run

QUICK = Settings(growth=20, rounds=1, whole_rounds=2, samples=16, reopened=(1,), beam=1)
FEW = {"GENERATIONS": 2, "ITSELF": 2, "JOLTED": 2, "PUSHED": 4, "ELSEWHERE": 1, "MEASURED": 2, "FORCES": (0.5, 30.0)}
WORK = ("--seed", 3, "--robust", 2)


def _made_small(patch: pytest.MonkeyPatch) -> None:
    """A tiny search, parts of practice of a moment each, whose lessons are kept unless the body falls by itself."""
    patch.setattr(by_states, "settings_of", lambda seed, budget, pushes=0: replace(QUICK, seed=seed, pushes=pushes))
    for name, value in FEW.items():
        patch.setattr(practice, name, value)
    patch.setattr(practice, "SLACK", 100.0)
    patch.setattr(practice, "levels_of", lambda task: {"uphill": (1.0, 30.0), "load_left": (2.0,)})
    patch.setattr(live_report, "PATIENCE", 600.0)
    patch.setattr(terminal, "QUIET_INTERVAL", 600.0)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Ctrl-C is as in a terminal, whatever the tests were started by."""
    _made_small(monkeypatch)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Arms swing while the body stands."""
    path, motion = tmp_path_factory.mktemp("in") / "swing.npz", bending(0.4)
    qpos = motion.qpos.copy()
    qpos[:, 0] = qpos[0, 0]
    save_motion(path, replace(motion, qpos=qpos))
    return path


@pytest.fixture(scope="module")
def whole(clip: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("takes") / "whole"
    with pytest.MonkeyPatch.context() as patch:
        _made_small(patch)
        assert run("capture", clip, *WORK, "-o", folder) == 0
    return folder


@pytest.mark.parametrize("part", [0, 1])
def test_stopped_in_practice_it_is_a_take_and_goes_on_to_the_same_bits(
    part: int, whole: Path, clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    harden, climb, begun = after.harden, Ascent.climb, list[int]()

    def begins(*arguments: Any) -> Any:
        begun.append(arguments[-1])
        return harden(*arguments)

    def pressed(self: Ascent, gained: Any) -> None:
        climb(self, gained)
        if begun[-1] == part:
            signal.raise_signal(signal.SIGINT)

    take, work = tmp_path / "take", ("capture", clip, *WORK, "-o", tmp_path / "take")
    with monkeypatch.context() as patched:
        patched.setattr(after, "harden", begins)
        patched.setattr(Ascent, "climb", pressed)
        assert run(*work) == 130
    assert begun == list(range(part + 1))
    said = capsys.readouterr().err
    assert f"the best so far is in {take}, joints" in said
    assert "Traceback" not in said
    stopped = read_take(take)
    assert stopped.info.status == "stopped"
    assert stopped.info.metrics["robust_parts"] == part
    assert audit_take(take).honest
    assert run("replay", take, "-o", tmp_path / "again") == 0
    begun.clear()
    with monkeypatch.context() as patched:
        patched.setattr(after, "harden", begins)
        assert run(*work, "--resume") == 0
    assert begun == list(range(part, 2)), "parts that were done are not done again"
    found, wanted = read_take(take), read_take(whole)
    assert found.info.metrics["robust_parts"] == 2
    assert found.info.metrics["robust_parts_kept"] == wanted.info.metrics["robust_parts_kept"] > 0
    assert audit_take(take).honest
    for name in ("controller.json", "motion.npz"):
        assert (take / name).read_bytes() == (whole / name).read_bytes()
    assert not (tmp_path / "take.partial").exists()


def test_the_practice_has_changed_the_machine(whole: Path, clip: Path, tmp_path: Path) -> None:
    """What is compared above says something of the practice, not of the search before it alone."""
    assert run("capture", clip, "--seed", 3, "-o", tmp_path / "soft") == 0
    assert (tmp_path / "soft" / "controller.json").read_bytes() != (whole / "controller.json").read_bytes()
