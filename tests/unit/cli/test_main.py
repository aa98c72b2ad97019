"""The command itself: quick help, exit codes, one line per error."""

from __future__ import annotations

import importlib
import os
import resource
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reenact.cli import main as cli
from reenact.errors import InputError


def seconds_of_help(*arguments: str) -> float:
    """What an answer costs of a processor [s]: other work on the machine does not count."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "reenact", *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize("arguments", [[], ["--help"], *([name, "--help"] for name in cli.COMMANDS)])
def test_help_answers_within_half_a_second(arguments: list[str]) -> None:
    assert any(seconds_of_help(*arguments) < 0.5 for _ in range(3))


def test_help_imports_nothing_heavy() -> None:
    code = "import sys; from contextlib import suppress; from reenact.cli.main import COMMANDS, main\n"
    code += "for words in (['--help'], *([name, '--help'] for name in COMMANDS)):\n"
    code += "    with suppress(SystemExit):\n        main(words)\n"
    code += "heavy = {'numpy', 'mujoco', 'numba', 'scipy', 'viser', 'av', 'cma', 'PIL', 'ray', 'ai_edge_litert'}\n"
    code += "print('heavy:', sorted(heavy & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "heavy: []"


def test_one_blas_thread_unless_told_otherwise() -> None:
    code = "import os\ntry:\n    from reenact.cli.main import main; main(['samples'])\nexcept SystemExit:\n    pass\n"
    code += "print(os.environ['OPENBLAS_NUM_THREADS'], os.environ['OMP_NUM_THREADS'])"
    bare = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")} | {"OMP_NUM_THREADS": "3"}
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=bare)
    assert done.stdout.splitlines()[-1] == "1 3"


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_explains_itself_with_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main([name, "--help"])
    assert left.value.code == 0
    text = capsys.readouterr().out
    assert f"Example: reenact {name}" in text
    assert name in cli.overview()


def test_a_mistyped_command_is_guessed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main(["simulat"])
    assert left.value.code == 2
    assert capsys.readouterr().err == "reenact: no command 'simulat'; did you mean 'simulate'?\n"


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main(["--version"])
    assert left.value.code == 0
    assert capsys.readouterr().out.startswith("reenact 0.")


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (InputError("two\nlines", path="a.bvh", line=3), 2, "reenact: a.bvh:3: two lines"),
        (KeyboardInterrupt(), 130, "reenact: stopped"),
        (PermissionError(13, "Permission denied", "/x"), 2, "reenact: /x: Permission denied"),
        (MemoryError(), 2, "reenact: out of memory"),
        (ZeroDivisionError("division by zero"), 70, "reenact: a bug in reenact: ZeroDivisionError: division by zero"),
    ],
)
def test_errors_are_one_line_and_a_code(
    error: BaseException, code: int, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        """Fail."""
        raise error

    monkeypatch.setattr(importlib.import_module("reenact.cli.samples"), "samples", fail)
    monkeypatch.delenv("REENACT_DEBUG", raising=False)
    with pytest.raises(SystemExit) as left:
        cli.main(["samples"])
    assert left.value.code == code
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(words)
    with pytest.raises(SystemExit):
        cli.main(["samples", "--debug"])
    assert "Traceback" in capsys.readouterr().err


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{shlex.quote(sys.executable)} -m reenact samples | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def wait_for_the_engine(pid: int) -> None:
    """Until a process has loaded MuJoCo, which it does early in its work."""
    for _ in range(600):
        if "libmujoco" in Path(f"/proc/{pid}/maps").read_text():
            return
        time.sleep(0.05)
    raise AssertionError("MuJoCo was never loaded")


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="watches the process through /proc")
def test_ctrl_c_leaves_nothing_half_written(spaced: Path) -> None:
    running = subprocess.Popen(
        [sys.executable, "-m", "reenact", "simulate", "walk", "-o", "take"],
        cwd=spaced,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_for_the_engine(running.pid)
    os.kill(running.pid, signal.SIGINT)
    _, error = running.communicate(timeout=60)
    assert running.returncode == 130, error
    assert error.splitlines()[-1].startswith("reenact: stopped")
    assert list(spaced.iterdir()) == []
