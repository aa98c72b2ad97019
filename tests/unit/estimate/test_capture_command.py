"""`reenact capture --method sampling` and `reenact replay` as a user meets them: stopped, killed, resumed, refused."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reenact.cli import live, terminal
from reenact.estimate.sampling.evaluate import Request
from reenact.estimate.sampling.threads import Threads
from reenact.execute.session import ClusterError
from reenact.formats.take import read_take
from reenact.geometry.rotation import Array
from reenact.physics.audit import audit_take
from run_command import run

SAMPLING = ["capture", "walk", "--method", "sampling"]
WORK = [*SAMPLING, "--to", "0.5", "--samples", "80", "--seed", "2"]


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """No word of progress, however slow the machine is."""
    monkeypatch.setattr(live, "PATIENCE", 600.0)
    monkeypatch.setattr(terminal, "QUIET_INTERVAL", 600.0)


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
    with monkeypatch.context() as patched:
        stopped_at(7, patched)
        assert run(*WORK, "-o", tmp_path / "take") == 130
    said = capsys.readouterr().err
    assert "--resume" in said
    assert said.count("\n") == 1
    assert not (tmp_path / "take").exists()
    assert (tmp_path / "take.partial" / "state.json").exists()
    assert run(*WORK, "-o", tmp_path / "take", "--resume") == 0
    assert same(tmp_path / "take", whole)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["take"]


SLOWLY = """
import sys, time
from reenact.cli.main import main
from reenact.estimate.sampling.threads import Threads

real = Threads.evaluate

def slowly(self, request):
    time.sleep(0.2)
    return real(self, request)

Threads.evaluate = slowly
main(sys.argv[1:])
"""


def test_a_killed_capture_resumes_to_the_same_bits(whole: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", SLOWLY, *WORK, "-o", str(tmp_path / "take")]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        begun = time.monotonic()
        while not (tmp_path / "take.partial" / "part-000003.npz").exists():  # second visits have begun
            assert process.poll() is None
            assert time.monotonic() - begun < 120.0
            time.sleep(0.01)
        time.sleep(0.3)
        process.send_signal(signal.SIGKILL)
    assert not (tmp_path / "take").exists()
    assert run(*WORK, "-o", tmp_path / "take", "--resume") == 0
    assert same(tmp_path / "take", whole)
    assert [path.name for path in tmp_path.iterdir()] == ["take"]


def stopped_at(
    call: int, patched: pytest.MonkeyPatch, *, after: Path | None = None, by: BaseException | None = None
) -> None:
    """Ctrl-C, or another mishap, at a request, counted from when a file is there."""
    real, calls = Threads.evaluate, []

    def stopping(self: Threads, request: Request) -> Array:
        if after is None or after.exists():
            calls.append(1)
        if len(calls) == call:
            raise by or KeyboardInterrupt
        return real(self, request)

    patched.setattr(Threads, "evaluate", stopping)


def test_resume_with_nothing_there_says_so_and_begins(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*WORK, "-o", tmp_path / "take", "--resume") == 0
    said = capsys.readouterr().err
    assert said == f"reenact: nothing to resume in {tmp_path / 'take.partial'}; beginning\n"
    assert same(tmp_path / "take", whole)


def test_an_unfinished_search_is_not_lost_for_want_of_a_flag(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patched:
        stopped_at(7, patched, by=ClusterError("all workers were lost"))
        assert run(*WORK, "-o", tmp_path / "take") == 2
    assert "all workers were lost; what was found is kept in" in capsys.readouterr().err
    kept = {path.name: path.read_bytes() for path in (tmp_path / "take.partial").iterdir()}
    capsys.readouterr()
    assert run(*WORK, "-o", tmp_path / "take") == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "take.partial: holds an unfinished search with the same settings" in said
    assert "--resume goes on" in said
    assert {path.name: path.read_bytes() for path in (tmp_path / "take.partial").iterdir()} == kept
    assert run(*WORK, "--seed", 3, "-o", tmp_path / "take") == 0, "other settings cannot go on with it"
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.endswith("of work with other settings, is thrown away\n")
    assert [path.name for path in tmp_path.iterdir()] == ["take"]


def test_variations_that_are_finished_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    work = [*WORK[:-2], "--variations", "3", "-o", tmp_path / "take"]
    with monkeypatch.context() as patched:
        stopped_at(7, patched, after=tmp_path / "take-1" / "take.json")
        assert run(*work) == 130
    assert sorted(path.name for path in tmp_path.iterdir()) == ["take-1", "take-2.partial"]
    before = (tmp_path / "take-1" / "take.json").read_bytes()
    capsys.readouterr()
    assert run(*work, "--resume") == 0
    said = capsys.readouterr()
    assert f"{tmp_path / 'take-1'} is finished, and kept" in " ".join(said.out.split())
    assert said.out.count("kept") == 1
    assert said.err == f"reenact: nothing to resume in {tmp_path / 'take-3.partial'}; beginning\n"
    assert (tmp_path / "take-1" / "take.json").read_bytes() == before
    assert [read_take(tmp_path / f"take-{i}").info.seed for i in (1, 2, 3)] == [0, 1, 2]
    assert len(list(tmp_path.iterdir())) == 3


def test_a_take_of_another_plan_is_not_taken_for_finished(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "take"
    shutil.copytree(whole, copy)
    before = (copy / "take.json").read_bytes()
    assert run(*WORK, "--smooth", "6", "--resume", "-o", copy) == 0
    assert (copy / "take.json").read_bytes() == before
    assert "kept" in capsys.readouterr().out
    assert run(*WORK, "--samples", "84", "--resume", "-o", copy) == 0
    assert read_take(copy).info.metrics["samples"] == 84


def test_without_a_folder_a_take_is_named_after_its_clip(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("walk-take").write_text("mine")
    assert run(*WORK) == 2
    assert "walk-take: is a file" in capsys.readouterr().err
    assert Path("walk-take").read_text() == "mine"
    Path("walk-take").unlink()
    assert run(*WORK) == 0
    assert "Written to walk-take/" in capsys.readouterr().out
    assert same(tmp_path / "walk-take", whole)


def test_what_was_simulated_is_counted(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    metrics = read_take(whole).info.metrics
    simulated, steps = metrics["samples_simulated"], metrics["sampling_steps"]
    assert 0.3 * 80 < simulated / steps < 1.5 * 80
    shown: list[int] = []
    real = Threads.evaluate

    def counting(self: Threads, request: Request) -> Array:
        shown.append(len(request.displacement))
        return real(self, request)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Threads, "evaluate", counting)
        assert run(*WORK, "-o", tmp_path / "take") == 0
    assert sum(shown) == simulated
    assert f"{simulated:,} samples simulated, {simulated / steps:.0f} for each of {steps} steps" in " ".join(
        capsys.readouterr().out.split()
    )


@pytest.mark.parametrize(("strict", "code"), [([], 0), (["--strict"], 1)])
def test_a_motion_that_was_not_done_is_an_error_where_asked(
    strict: list[str], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from reenact.estimate.sampling import capture as module

    real = module.judge
    monkeypatch.setattr(module, "judge", lambda *a: replace(real(*a), reason="lost its place"))
    assert run(*WORK, "-o", tmp_path / "take", *strict) == code
    assert "not done: lost its place" in capsys.readouterr().out
    assert (tmp_path / "take" / "take.json").exists()


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
    assert run(*SAMPLING, "-o", tmp_path / "take", *change) == 2
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
