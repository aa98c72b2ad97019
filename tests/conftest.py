"""What all tests share: one thread of linear algebra, where data lies, a folder with a space in its name."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import hypothesis
import pytest

REPO = Path(__file__).resolve().parents[1]

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before numpy is imported: its threads would fight with the rollouts'

if _worker := os.environ.get("PYTEST_XDIST_WORKER"):  # numba's own index of compiled code is not for two at once
    os.environ.setdefault("NUMBA_CACHE_DIR", str(REPO / ".pytest_cache" / f"numba-{_worker}"))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a shell's background: Ctrl-C would reach no child
    signal.signal(signal.SIGINT, signal.default_int_handler)

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
