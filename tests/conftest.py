"""What all tests share: one thread of linear algebra, where data lies, a folder with a space in its name."""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
import pytest

REPO = Path(__file__).resolve().parents[1]

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before numpy is imported: its threads would fight with the rollouts'

hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("ci")


@pytest.fixture(scope="session")
def repo() -> Path:
    """The root of the source tree."""
    return REPO


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Recorded motion beside the repository; tests that need it are skipped where it is absent."""
    folder = REPO.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("recorded data is not beside the repository (../shared/data)")
    return folder


@pytest.fixture
def spaced(tmp_path: Path) -> Path:
    """An empty folder with a space in its name."""
    folder = tmp_path / "my takes"
    folder.mkdir()
    return folder
