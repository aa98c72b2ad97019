"""The report of a state machine in a headless Chromium: its graph lives, target ghost and balance vector are drawn."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from headless_chromium import Chromium, Page

from example_machines import machine_take, walk_machine
from reenact.formats.take import write_take
from reenact.view.report import write_report

pytestmark = pytest.mark.browser

LIT = "[...document.querySelectorAll('#machine .state.now')].map((n) => Number(n.dataset.state))"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("graph") / "walk"
    write_take(folder, machine_take(walk_machine(), 0.8, speed=0.8))
    return write_report(folder).resolve().as_uri()


@pytest.fixture
def page(chromium: Chromium, address: str) -> Iterator[Page]:
    page = chromium.page(1440, 1000)
    page.goto(address, "window.reenact")
    yield page
    assert page.errors == []
    page.close()


def press(page: Page, selector: str) -> None:
    box = page.box(selector)
    page.click(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])


def test_the_present_state_is_lit(page: Page) -> None:
    for time, state in ((0.0, 0), (0.2, 0), (0.25, 1)):
        page.evaluate(f"reenact.seek({time})")
        assert page.evaluate(LIT) == [state]
        assert page.evaluate("document.getElementById('machine-now').textContent").startswith(f"{state + 1} right")
        assert page.evaluate("document.querySelectorAll('#course .states .now').length") == 1
    taken = page.evaluate("[...document.querySelectorAll('#machine .edge.taken')].map((e) => e.dataset.from)")
    assert taken == ["0"], "the transition that was just taken"


def test_the_lit_node_changes_colour_and_is_in_sight_beside_the_body(page: Page) -> None:
    node, view = "#machine [data-state='0']", page.box("#view")
    box = page.box(node)
    assert box["y"] + box["height"] < view["y"] < 1000
    lit = page.screenshot(node).astype(int)
    page.evaluate("reenact.seek(0.3)")
    assert np.abs(lit - page.screenshot(node)).max() > 60


def test_a_click_on_a_state_goes_to_its_next_time(page: Page) -> None:
    press(page, "#machine [data-state='1']")
    page.wait_for("reenact.time > 0")
    assert page.evaluate("reenact.time") == pytest.approx(0.22, abs=0.01)
    page.wait_for(f"{LIT}[0] === 1")


def test_a_click_on_the_time_line_goes_there(page: Page) -> None:
    box = page.box("#course .lane:nth-child(2) .track")
    page.click(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    page.wait_for("reenact.time > 0")
    assert page.evaluate("reenact.time") == pytest.approx(0.4, abs=0.01)


def test_the_ghost_of_the_target_comes_and_goes(page: Page) -> None:
    page.evaluate("reenact.seek(0.1)")
    plain = page.screenshot("#view").astype(int)
    page.press("t")
    page.wait_for("reenact.shown.target")
    page.evaluate("reenact.seek(0.1)")
    ghost = page.screenshot("#view").astype(int)
    pink = (ghost[..., 0] - ghost[..., 1] > plain[..., 0] - plain[..., 1] + 10).sum()
    assert pink > 500
    press(page, "#target")
    page.evaluate("reenact.seek(0.1)")
    again = page.screenshot("#view").astype(int)
    assert np.abs(again - plain)[80:].max() < 10, "below the buttons, over one of which the mouse is"


def test_the_balance_vector_comes_and_goes(page: Page) -> None:
    page.evaluate("document.getElementById('contacts').click(), reenact.seek(0.3)")
    shown = page.screenshot("#view").astype(int)
    blue = (shown[..., 2] > 180) & (shown[..., 0] < 70) & (shown[..., 1] < 150)
    page.press("b")
    page.evaluate("reenact.seek(0.3)")
    hidden = page.screenshot("#view").astype(int)
    still = (hidden[..., 2] > 180) & (hidden[..., 0] < 70) & (hidden[..., 1] < 150)
    assert blue.sum() > still.sum() + 20


def test_bars_show_the_share_of_the_bound_and_choose_a_curve(page: Page) -> None:
    page.evaluate("reenact.seek(0.25)")
    texts = page.evaluate("[...document.querySelectorAll('#torques .bar output')].map((o) => o.textContent)")
    assert len(texts) == 34
    shares = [int(text.replace("−", "-").removesuffix(" %")) for text in texts]
    assert max(abs(share) for share in shares) > 3
    assert all(abs(share) <= 100 for share in shares)
    page.evaluate("document.querySelector('#torques [title^=\"Hip right flexion\"]').click()")
    assert page.evaluate("reenact.plotted") == "Hip right flexion"


def test_it_plays_through(page: Page) -> None:
    page.evaluate("document.getElementById('speed').value = '2', document.getElementById('play').click()")
    page.wait_for("reenact.time > 0.3", 60)
    page.evaluate("document.getElementById('play').click()")
    assert page.evaluate(LIT) != []
