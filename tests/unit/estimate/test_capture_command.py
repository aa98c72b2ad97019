"""`reenact capture` and `reenact replay` as a user meets them: stopped, killed, resumed, refused."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from reenact.cli.main import main
from reenact.estimate.sampling.evaluate import Request
from reenact.execute.threads import Threads
from reenact.formats.take import read_take
from reenact.geometry.rotation import Array
from reenact.physics.audit import audit_take

WORK = ["capture", "walk", "--to", "0.5", "--samples", "80", "--seed", "2"]


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(a) for a in arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("my takes") / "whole"
    assert run(*WORK, "-o", folder, "--smooth", "6") == 0
    return folder


def same(a: Path, b: Path) -> bool:
    files = ("controller.json", "motion.npz", "model.xml")
    return all((a / name).read_bytes() == (b / name).read_bytes() for name in files)


def test_a_capture_is_a_take(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    take = read_take(whole)
    assert take.info.method == "sampling"
    assert take.info.body == "human50"
    assert take.info.metrics["samples"] == 80
    assert take.info.metrics["compute_s_per_s"] > 0.0
    assert "success" in take.info.metrics
    assert audit_take(whole).honest
    assert (whole / "report.html").is_file()
    assert not (whole.parent / "whole.partial").exists()


def test_a_smoothed_copy_is_marked_as_not_simulated(whole: Path, tmp_path: Path) -> None:
    take = read_take(whole)
    assert take.info.metrics["smoothed_copy_not_simulated_hz"] == 6.0
    assert "Smoothed copy not simulated" in (whole / "report.html").read_text()
    real, smooth = ((whole / name).read_text() for name in ("motion.bvh", "motion.smoothed.bvh"))
    assert real != smooth
    assert take.motion_bvh == real, "what was simulated stays as it was"
    copy = tmp_path / "copy"
    shutil.copytree(whole, copy)
    assert run(*WORK, "-o", copy) == 0
    assert not (copy / "motion.smoothed.bvh").exists(), "it belonged to the take that was replaced"
    assert "smoothed_copy_not_simulated_hz" not in read_take(copy).info.metrics


def test_replay_makes_the_same_motion(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("replay", whole, "-o", tmp_path / "again") == 0
    assert "bit for bit" in capsys.readouterr().out
    np.testing.assert_array_equal(read_take(tmp_path / "again").motion["qpos"], read_take(whole).motion["qpos"])
    assert run("replay", whole, "-o", tmp_path / "ice", "--world", "ice", "--seconds", "0.3") == 0
    assert read_take(tmp_path / "ice").seconds == pytest.approx(0.3)


def test_ctrl_c_keeps_what_was_found_and_resume_ends_the_same(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real, calls = Threads.evaluate, []

    def stopping(self: Threads, request: Request) -> Array:
        calls.append(1)
        if len(calls) == 7:
            raise KeyboardInterrupt
        return real(self, request)

    with monkeypatch.context() as patched:
        patched.setattr(Threads, "evaluate", stopping)
        assert run(*WORK, "-o", tmp_path / "take") == 130
    said = capsys.readouterr().err
    assert "--resume" in said
    assert said.count("\n") == 1
    assert not (tmp_path / "take").exists()
    assert (tmp_path / "take.partial" / "state.json").exists()
    assert run(*WORK, "-o", tmp_path / "take", "--resume") == 0
    assert same(tmp_path / "take", whole)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["take"]


def test_a_killed_capture_resumes_to_the_same_bits(whole: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "reenact", *WORK, "-o", str(tmp_path / "take")]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        begun = time.monotonic()
        while not any((tmp_path / "take.partial").glob("step-*-002.npz")):  # second visits have begun
            assert process.poll() is None
            assert time.monotonic() - begun < 60.0
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
    assert not (tmp_path / "take").exists()
    assert run(*WORK, "-o", tmp_path / "take", "--resume") == 0
    assert same(tmp_path / "take", whole)


def test_variations_are_different_takes(whole: Path, tmp_path: Path) -> None:
    assert run(*WORK[:-2], "--seed", 2, "--variations", 2, "-o", tmp_path / "take") == 0
    first, second = (read_take(tmp_path / f"take-{i}") for i in (1, 2))
    np.testing.assert_array_equal(first.motion["qpos"], read_take(whole).motion["qpos"])
    assert not np.array_equal(first.motion["qpos"], second.motion["qpos"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (["--to", "0.1"], "at least 0.2 s"),
        (["--samples", "1"], "at least 2 samples"),
        (["--world", "nowhere"], "nowhere"),
        (["--body", "nobody"], "nobody"),
        (["--variations", "0"], "--variations is 0"),
        (["--smooth", "60"], "cannot smooth at 60 Hz"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(
    change: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("capture", "walk", "-o", tmp_path / "take", *change) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
    assert not any(tmp_path.iterdir())


def test_other_settings_cannot_resume(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopping(self: Threads, request: Request) -> Array:
        if request.starts[0, 0] > 0.15:
            raise KeyboardInterrupt
        return real(self, request)

    real = Threads.evaluate
    with monkeypatch.context() as patched:
        patched.setattr(Threads, "evaluate", stopping)
        assert run(*WORK, "-o", tmp_path / "take") == 130
    assert run(*WORK, "-o", tmp_path / "take", "--resume", "--save", "9") == 2
