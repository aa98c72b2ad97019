"""The viser page in a headless Chromium: it loads, draws, and answers keys and the slider."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from headless_chromium import Chromium
from headless_chromium import Page as Tab

pytest.importorskip("viser", reason="the browser page needs the extra 'view'")

from reenact.view.page import Page
from reenact.view.serve import page_of

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def served(take_folder: Path, pushed_folder: Path) -> Iterator[tuple[Page, str]]:
    with page_of([take_folder, pushed_folder], port=0) as running:
        scene = running[0].server.scene  # shadows and mirrored surroundings take seconds without a graphics card
        scene.configure_default_lights(enabled=True, cast_shadow=False)
        scene.configure_environment_map(hdri=None)
        yield running


@pytest.fixture(scope="module")
def tab(chromium: Chromium, served: tuple[Page, str]) -> Iterator[Tab]:
    tab = chromium.page(1280, 800, scale=0.5)
    tab.goto(served[1], "document.querySelector('canvas') && document.body.textContent.includes('Solidity')")
    tab.wait_for("document.querySelectorAll('.uplot').length >= 2")
    yield tab
    tab.close()


def wait(true: Callable[[], bool], seconds: float = 180.0) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "nothing happened"
        time.sleep(0.05)


def settled(tab: Tab) -> np.ndarray:
    """The picture once two in a row agree."""
    last = tab.screenshot("canvas")
    for _ in range(60):
        time.sleep(0.25)
        now = tab.screenshot("canvas")
        if np.abs(now.astype(int) - last).max() < 8:
            return now
        last = now
    return last


def test_bodies_are_drawn_in_colour(tab: Tab) -> None:
    wait(lambda: coloured(tab.screenshot("canvas")) > 750)
    assert tab.errors == []


def coloured(picture: np.ndarray) -> int:
    """Pixels of cloth and shoes within the free part of the view."""
    view = picture[:, : int(0.7 * picture.shape[1])].astype(int)
    return int((view.max(axis=-1) - view.min(axis=-1) > 60).sum())


def test_how_each_take_ended_stands_at_the_top(tab: Tab) -> None:
    """Its name as it is, and red what was a failure."""
    lines = tab.evaluate("""[...document.querySelectorAll('b')].map(b => [
        b.parentElement.parentElement.textContent, getComputedStyle(b).color])""")
    told: dict[str, str] = dict(lines)
    (fell,) = (text for text in told if text.endswith(": fell: the pelvis sank below 0.4 m"))
    (stood,) = (text for text in told if text.startswith("stand <script>") and text.endswith(": did not fall"))
    assert told[fell] == "rgb(224, 72, 62)"
    assert told[stood] == "rgb(47, 158, 99)"


def test_nothing_is_asked_of_other_machines(tab: Tab, served: tuple[Page, str]) -> None:
    outside = [r for r in tab.requests if not r.startswith(("data:", "blob:", served[1]))]
    assert outside == []


def test_the_slider_moves_the_frame(tab: Tab, served: tuple[Page, str]) -> None:
    page, _ = served
    before = settled(tab)
    box = tab.box(".mantine-Slider-track")
    tab.click(box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2)
    wait(lambda: 0.6 * 1.5 < page.playback.time < 1.5)
    wait(lambda: bool((np.abs(tab.screenshot("canvas").astype(int) - before).max(axis=-1) > 40).sum() > 75))


def test_keys_reach_the_server(tab: Tab, served: tuple[Page, str]) -> None:
    page, _ = served
    tab.evaluate("document.activeElement.blur()")
    tab.press("Home")
    wait(lambda: page.playback.time == 0.0)
    tab.press("l")
    wait(lambda: page.playback.frame == 1)
    tab.press(" ")
    wait(lambda: page.playback.playing and page.playback.time > 0.2)
    tab.press(" ")
    wait(lambda: not page.playback.playing)
    tab.press("g")
    wait(lambda: not page.shown.ghost)
    tab.press("g")
    wait(lambda: page.shown.ghost)
    assert tab.errors == []


def test_pressure_is_shown_with_its_scale(tab: Tab, served: tuple[Page, str]) -> None:
    page, _ = served
    tab.evaluate("document.activeElement.blur()")
    tab.press("k")
    wait(lambda: page.shown.pressure)
    tab.wait_for("document.body.textContent.includes('Pressure [kPa]')")
    tab.press("k")
    wait(lambda: not page.shown.pressure)
    tab.wait_for("!document.body.textContent.includes('Pressure [kPa]')")
    assert tab.errors == []


def test_the_shorter_take_waits_at_its_end(served: tuple[Page, str]) -> None:
    page, _ = served
    assert page.playback.duration == pytest.approx(1.5)
    page.actors[1].show(1.4, page.shown)
    assert page.scenes[1].frame_at(1.4) == page.scenes[1].frames - 1


def test_a_paused_page_costs_nothing(served: tuple[Page, str]) -> None:
    assert not served[0].playback.playing
    begun = time.process_time()
    time.sleep(0.5)
    assert time.process_time() - begun < 0.1
