"""A take that stands, and a browser to look at it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from headless_chromium import NAMES, Chromium, find_chromium
from standing_take import standing_take, write_standing_take

from reenact.formats.take import Take


@pytest.fixture(scope="session")
def take() -> Take:
    return standing_take()


@pytest.fixture(scope="session")
def take_folder(tmp_path_factory: pytest.TempPathFactory, take: Take) -> Path:
    """A take whose name would do harm where it is not escaped."""
    from reenact.formats.take import write_take

    folder = tmp_path_factory.mktemp("view") / "stand <script>alert(1)<&'\">"
    write_take(folder, take)
    return folder


@pytest.fixture(scope="session")
def pushed_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_standing_take(
        tmp_path_factory.mktemp("view") / "fell", seconds=1.0, status="fell", reason="the pelvis sank below 0.4 m"
    )


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    program = find_chromium()
    if program is None:
        pytest.skip(f"no browser to test with; any of these would do: {', '.join(NAMES)}")
    pytest.importorskip("websockets", reason="the browser is driven over websockets (extra 'view')")
    browser = Chromium(program, tmp_path_factory.mktemp("chromium"))
    yield browser
    browser.close()
