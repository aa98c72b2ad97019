"""progress.html in a headless Chromium: it draws, renews itself and leads on to the report."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import numpy as np
import pytest
from headless_chromium import Chromium, Page
from standing_take import standing_model

from reenact.formats.replace_file import replace_file
from reenact.view import progress as pages
from reenact.view.progress import Costs, Progress, State, progress_html
from reenact.view.thumbnails import Picture, Sketcher

pytestmark = pytest.mark.browser


def page_text(step: int, state: State = "searching", report: str = "") -> str:
    model, _ = standing_model()
    pose = np.array(model.qpos0)
    ends = 0.1 * np.arange(1, step + 1)
    given = Progress(
        name="stand", state=state, sweep=1, step=step, steps=5, seconds=0.1 * step, length=0.5,
        fraction=step / 5, cost=3.5, rewinds=0, elapsed=1.0, left=1.0, report=report,
        costs=(Costs(time=ends, cost=3.0 + ends),),
    )  # fmt: skip
    shown = [Picture(time=0.1 * i, pose=pose if i <= step else None, ghost=pose) for i in range(6)]
    return progress_html(given, Sketcher(model, pose[None]), shown)


STEP = "document.querySelectorAll('.headline b')[1].textContent"


def wait_for(page: Page, expression: str, seconds: float = 60.0) -> None:
    """As the page's own `wait_for`, for a page that may be gone for another one at any moment."""
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(RuntimeError):
            if page.evaluate(expression):
                return
        assert time.monotonic() < deadline, f"still false: {expression}"
        time.sleep(0.05)


def test_it_draws_the_bodies_there_are_and_ghosts_where_there_are_none(chromium: Chromium, tmp_path: Path) -> None:
    file = tmp_path / "progress.html"
    replace_file(file, page_text(2, "stopped"))
    page = chromium.page(1280, 700)
    page.goto(file.as_uri(), "document.querySelectorAll('.poses svg').length === 6")
    assert page.evaluate(STEP) == "2 of 5"
    seen = page.screenshot(".poses div:nth-child(2) svg").astype(int)
    assert (seen[..., 2] - seen[..., 0] > 40).sum() > 60, "a body in its clothes"
    ahead = page.screenshot(".poses div:nth-child(5) svg").astype(int)
    assert (ahead[..., 2] - ahead[..., 0] > 40).sum() == 0, "no body yet"
    assert (ahead[..., 1] - ahead[..., 0] > 25).sum() > 60, "but the green ghost"
    assert page.errors == []
    page.close()


def test_it_renews_itself_and_leads_to_the_report(
    chromium: Chromium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "EVERY", 0.5)
    monkeypatch.setattr(pages, "LEAD", 0.5)
    file = tmp_path / "my take.partial" / "progress.html"
    replace_file(file, page_text(2))
    replace_file(tmp_path / "my take" / "report.html", "<title>the report</title>")
    page = chromium.page(1280, 700)
    page.call("Page.navigate", url=file.as_uri())
    wait_for(page, f"{STEP} === '2 of 5'")
    replace_file(file, page_text(4))
    wait_for(page, f"{STEP} === '4 of 5'")
    replace_file(file, page_text(5, "found", "../my take/report.html"))
    wait_for(page, "document.title === 'the report'")
    assert all(request.startswith(("file://", "data:")) for request in page.requests)
    page.close()
