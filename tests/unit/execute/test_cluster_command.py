"""`reenact capture --cluster auto` as a user meets it, on this machine alone: stopped, gone on with, the same bits."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reenact.cli.main import main

pytest.importorskip("ray", reason="the extra 'cluster' is not installed")

WORK = ["capture", "walk", "--method", "sampling", "--to", "0.5", "--samples", "36", "--seed", "2"]


def begun(folder: Path, *more: str) -> subprocess.Popen[str]:
    """A capture in a process group of its own, as a terminal would start it."""
    command = [sys.executable, "-m", "reenact", *WORK, "-o", str(folder), "--cluster", "auto", *more]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True)


def remains_of(process: int) -> list[str]:
    """Processes and folders of the Ray that a process started; Ray names its session after it."""
    mark, found = f"_{process}/", []
    for entry in Path("/proc").iterdir():
        try:
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if "/session_" in line and mark in line:
            found.append(line)
    return found + [str(path) for path in Path("/tmp").glob(f"reenact-ray-*/session_*_{process}")]


def test_ctrl_c_and_resume_on_a_cluster_give_the_bits_of_threads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with begun(tmp_path / "take") as process:
        end = time.monotonic() + 300.0
        while not (tmp_path / "take.partial" / "state.json").exists():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < end
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        _, error = process.communicate(timeout=300)
    assert process.returncode == 130
    assert error.count("\n") == 1
    assert "--resume" in error
    assert not (tmp_path / "take").exists()
    assert remains_of(process.pid) == []

    with begun(tmp_path / "take", "--resume") as process:
        said, error = process.communicate(timeout=300)
    told = [line for line in error.splitlines() if "progress.html" not in line]  # of the page, where it takes long
    assert (process.returncode, told) == (0, [])
    assert said.startswith("Searching on ")
    assert "honest" in said
    assert remains_of(process.pid) == []

    with pytest.raises(SystemExit) as ended:
        main([*WORK, "-o", str(tmp_path / "here")])
    assert ended.value.code == 0
    for name in ("controller.json", "motion.npz"):
        assert (tmp_path / "take" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()
