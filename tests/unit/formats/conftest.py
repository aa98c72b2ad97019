"""Tests of formats read the small files that `tools/fuzz_seeds.py` makes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str, bytes | str], Path]:
    """Put content into a file of a given name."""

    def write(name: str, content: bytes | str) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write
