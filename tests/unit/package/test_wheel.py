"""A built wheel holds the data that the package reads."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest


@pytest.mark.slow
def test_the_wheel_holds_all_data(repo: Path, spaced: Path) -> None:
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(spaced)]
    command = [sys.executable, "-m", "pip", "wheel", *options, str(repo)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = spaced.glob("reenact-*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    source = repo / "src"
    wanted = {
        str(path.relative_to(source))
        for path in (source / "reenact").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert wanted - names == set()
    assert any(name.endswith("/licenses/LICENSE") for name in names)
    assert not any(name.startswith(("tests/", "docs/")) for name in names)
