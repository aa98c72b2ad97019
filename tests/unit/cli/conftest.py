"""The command as a user runs it: in a process of its own, in a folder with a space in its name."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from forked_commands import Commands

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder shared by the tests of the command line."""
    folder = tmp_path_factory.mktemp("cli") / "my work"
    folder.mkdir()
    return folder


@pytest.fixture(scope="session")
def reenact(work: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Runs `reenact ARGUMENTS` and returns what it printed and its exit code."""
    commands = Commands(tmp_path_factory.mktemp("commands"))

    def run(*arguments: str | Path, cwd: Path = work, **environment: str) -> subprocess.CompletedProcess[str]:
        hidden = ("REENACT_DEBUG", "FORCE_COLOR", "COLUMNS")
        inherited = {k: v for k, v in os.environ.items() if k not in hidden}
        return commands.run([*map(str, arguments)], cwd, {**inherited, **environment})

    yield run
    commands.close()


@pytest.fixture(scope="session")
def fitted(reenact: Run, work: Path) -> Path:
    """The bundled walk fitted to a body."""
    done = reenact("fit", "walk", "-o", "walk.npz")
    assert done.returncode == 0, done.stderr
    return work / "walk.npz"


@pytest.fixture(scope="session")
def take(reenact: Run, fitted: Path, work: Path) -> Path:
    """A take of one second of the bundled walk."""
    done = reenact("simulate", fitted, "--seconds", "1", "-o", "walk take")
    assert done.returncode == 0, done.stderr
    return work / "walk take"
