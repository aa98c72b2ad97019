"""report.html in a headless Chromium: it draws, plays, scrubs, plots and obeys keys, offline and without an error."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from headless_chromium import Chromium, Page

from reenact.body.adult import adult
from reenact.view.report import write_report

pytestmark = pytest.mark.browser

READY = "window.reenact"


@pytest.fixture(scope="module")
def address(take_folder: Path) -> str:
    return write_report(take_folder).resolve().as_uri()


@pytest.fixture
def page(chromium: Chromium, address: str) -> Iterator[Page]:
    page = chromium.page(1280, 800)
    page.goto(address, READY)
    yield page
    page.close()


def value(page: Page, name: str) -> float:
    return float(page.evaluate(f"Number(reenact.{name})"))


def test_it_loads_without_an_error_or_a_request(page: Page, address: str, take_folder: Path) -> None:
    assert page.evaluate("reenact.drawn")
    assert page.evaluate("document.querySelector('h1').textContent") == take_folder.name
    page.evaluate("reenact.seek(1)")
    page.screenshot()
    assert page.errors == []
    assert [r for r in page.requests if not r.startswith("data:")] == [address]


def test_a_body_stands_on_the_ground(page: Page) -> None:
    """Figure pixels differ from the same view with the body's meshes left out; the feet touch the floor's shadow."""
    for name in ("ghost", "contacts", "centres"):
        page.evaluate(f"document.getElementById('{name}').click()")
    page.evaluate("reenact.seek(0)")
    figure = page.evaluate(
        """(() => {
          const c = document.getElementById('view'), gl = c.getContext('webgl2');
          const w = c.width, h = c.height, p = new Uint8Array(4 * w * h);
          gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, p);
          const rows = [];
          for (let y = 0; y < h; y++) {          // from the bottom up
            let n = 0, sum = 0;
            for (let x = 0; x < w; x++) {
              const i = 4 * (y * w + x), top = Math.max(p[i], p[i+1], p[i+2]), low = Math.min(p[i], p[i+1], p[i+2]);
              if (top - low > 40 || top < 90) { n++; sum += x; }   // cloth, skin, shoes; floor and sky are pale greys
            }
            rows.push([n, n ? sum / n / w : 0]);
          }
          return {rows, w, h};
        })()"""
    )
    rows, height = np.array(figure["rows"]), figure["h"]
    filled = np.flatnonzero(rows[:, 0] > 2)
    low, high = filled.min() / height, filled.max() / height
    assert 0.05 < low < 0.3, "the feet are near the lower edge, with floor below them"
    assert high - low > 0.55, "the body fills most of the view's height"
    assert np.abs(rows[filled, 1].mean() - 0.5) < 0.08, "and stands in its middle"
    sole = page.evaluate(
        """(() => {   // the sole of the left foot, as the camera sees it, in the same units
          const c = document.getElementById('view'), m = reenact.camera.view(c.width / c.height);
          const clip = [0.1, 0.05, 0, 1].reduce((s, v, k) => s.map((t, r) => t + m[4 * k + r] * v), [0, 0, 0, 0]);
          return 0.5 + 0.5 * clip[1] / clip[3];
        })()"""
    )
    assert abs(sole - low) < 0.06


def test_it_plays_and_pauses(page: Page) -> None:
    page.evaluate("document.getElementById('play').click()")
    page.wait_for("reenact.time > 0.15")
    first = page.screenshot("#view")
    page.wait_for("reenact.time > 0.5")
    assert np.abs(first.astype(int) - page.screenshot("#view")).max() > 30
    page.evaluate("document.getElementById('play').click()")
    page.evaluate("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
    still = value(page, "time")
    page.evaluate("new Promise(r => setTimeout(r, 200))")
    assert value(page, "time") == still


def test_scrubbing_moves_the_body_and_the_cursors(page: Page) -> None:
    body, plot = page.screenshot("#view"), page.screenshot(".plot canvas")
    page.evaluate(
        "(() => {const s = document.getElementById('scrub'); s.value = 1.2; s.dispatchEvent(new Event('input'));})()"
    )
    page.wait_for("document.getElementById('clock').textContent.startsWith('1.20')")
    assert value(page, "frame") == 72
    assert (np.abs(body.astype(int) - page.screenshot("#view")).max(axis=-1) > 30).sum() > 500
    moved = page.screenshot(".plot canvas")
    assert cursor_column(moved) - cursor_column(plot) == pytest.approx(1.2 / 1.5 * (moved.shape[1] - 56), abs=4)


def cursor_column(plot: np.ndarray) -> float:
    red = (plot[..., 0] > 190) & (plot[..., 1] < 120) & (plot[..., 2] < 130)
    columns = red.sum(axis=0)
    assert columns.max() > 0.5 * plot.shape[0], "an upright red line"
    return float(columns.argmax())


def test_a_click_on_a_plot_goes_there(page: Page) -> None:
    box = page.box(".plot canvas")
    page.click(box["x"] + 46 + 0.5 * (box["width"] - 56), box["y"] + 40)
    page.wait_for("reenact.time > 0")
    assert value(page, "time") == pytest.approx(0.75, abs=0.01)


def test_the_strip_shows_the_poses_and_a_click_goes_there(page: Page) -> None:
    marked = "[...document.querySelectorAll('#poses button')].findIndex((b) => b.hasAttribute('aria-current'))"
    assert page.evaluate(marked) == 0
    box = page.box("#poses button:nth-child(7)")
    page.click(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    page.wait_for("reenact.time > 0")
    assert value(page, "time") == pytest.approx(1.5 * 6 / 9, abs=1e-3)
    page.wait_for(f"{marked} === 6")
    page.evaluate("reenact.seek(1.5)")
    assert page.evaluate(marked) == 9
    last, first = (page.screenshot(f"#poses button:nth-child({i}) svg").astype(int) for i in (10, 1))
    cloth = (last[..., 2] - last[..., 0] > 40).sum()
    assert cloth > 60, "a body in its clothes"
    rows, columns = (min(a, b) for a, b in zip(first.shape[:2], last.shape[:2], strict=True))
    differ = np.abs(first[:rows, :columns] - last[:rows, :columns]).max(axis=-1) > 60
    assert differ.sum() > 30, "the arm went up"
    assert page.errors == []


def test_keys(page: Page) -> None:
    page.press(" ")
    page.wait_for("reenact.playing && reenact.time > 0.05")
    page.press(" ")
    assert not page.evaluate("reenact.playing")
    page.press("Home")
    assert value(page, "time") == 0
    for _ in range(3):
        page.press(".")
    page.press(",")
    assert value(page, "frame") == 2
    page.press("ArrowRight")
    assert value(page, "time") == pytest.approx(2 / 60 + 0.1)
    page.press("End")
    assert value(page, "time") == pytest.approx(value(page, "duration"))
    page.press("ArrowUp")
    assert value(page, "speed") == 2
    before = page.evaluate("reenact.plotted")
    page.press("]")
    assert page.evaluate("reenact.plotted") != before
    for key, name in (("g", "ghost"), ("c", "contacts"), ("k", "pressure"), ("m", "centres"), ("s", "sides")):
        shown = page.evaluate(f"reenact.shown.{name}")
        page.press(key)
        assert page.evaluate(f"reenact.shown.{name}") is not shown
    page.press("f")
    assert not page.evaluate("reenact.follow")
    page.press("?")
    assert page.evaluate("document.getElementById('help').open")
    page.press("Escape")
    page.wait_for("!document.getElementById('help').open")
    assert page.errors == []


def warm(picture: np.ndarray) -> int:
    """Pixels in the orange and red of the pressure scale."""
    red, green, blue = (picture[..., i].astype(int) for i in range(3))
    return int(((red > 140) & (red - blue > 80) & (red - green > 30)).sum())


def test_pressure_colours_the_soles_seen_from_below(page: Page) -> None:
    for name in ("ghost", "contacts", "centres"):
        page.evaluate(f"document.getElementById('{name}').click()")
    from_below = "Object.assign(reenact.camera, {elevation: -0.9, distance: 3}), reenact.seek(1.2)"
    page.press("k")
    page.evaluate(from_below)
    box = page.box("#scale")
    assert box["width"] > 100
    assert page.evaluate("document.querySelector('#scale').textContent") == "Pressure [kPa]020100250500+"
    page.evaluate("document.querySelector('#scale').style.visibility = 'hidden'")
    pressed = warm(page.screenshot("#view"))
    assert pressed > 150, "coloured soles"
    page.press("k")
    assert page.evaluate("reenact.camera.elevation") > -0.1, "back above the ground"
    page.wait_for("document.querySelector('#scale').hidden")
    assert page.errors == []


def test_pressure_shines_through_the_feet(page: Page) -> None:
    for name in ("ghost", "contacts", "centres"):
        page.evaluate(f"document.getElementById('{name}').click()")
    page.evaluate("document.querySelector('#scale').style.visibility = 'hidden'; reenact.seek(1.2)")
    page.press("k")
    page.wait_for("!document.querySelector('#scale').hidden")
    seen = page.screenshot("#view")
    rows = slice(int(0.6 * len(seen)), None)
    assert warm(seen[rows]) > 40
    assert warm(seen[: int(0.6 * len(seen))]) == 0, "nothing but the feet is pressed"


def test_bars_show_who_touches_when(page: Page) -> None:
    names = page.evaluate("[...document.querySelectorAll('.touch tbody th')].map((cell) => cell.textContent)")
    assert set(names) <= {"Foot left", "Foot right", "Toes left", "Toes right"}
    figures = page.evaluate("[...document.querySelectorAll('.touch tbody td:nth-child(4)')].map((c) => +c.textContent)")
    assert sum(figures) == pytest.approx(adult().mass * 9.81 * 1.5, rel=0.03), "impulses of a body that stands"
    page.resize(1280, 1500)
    page.evaluate("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
    bar = page.screenshot(".touch canvas")
    assert warm(bar[3:-3]) > 0.5 * bar[3:-3, :, 0].size
    box = page.box(".touch canvas")
    page.click(box["x"] + 0.6 * box["width"], box["y"] + 6)
    page.wait_for("reenact.time > 0")
    assert value(page, "time") == pytest.approx(0.9, abs=0.02)
    page.wait_for("parseFloat(document.querySelector('.touch').style.getPropertyValue('--now')) > 58")


def test_the_mouse_turns_moves_and_zooms(page: Page) -> None:
    box = page.box("#view")
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    before = page.evaluate("({...reenact.camera, path: 0, home: 0})")
    page.drag(middle, (middle[0] + 80, middle[1] + 20))
    page.mouse("mouseWheel", *middle, deltaX=0, deltaY=-60)
    page.wait_for(f"reenact.camera.distance < {before['distance']}")
    after = page.evaluate("({...reenact.camera, path: 0, home: 0})")
    assert after["azimuth"] < before["azimuth"]
    assert after["elevation"] > before["elevation"]
    page.press("r")
    assert page.evaluate("reenact.camera.azimuth") == pytest.approx(before["azimuth"])


def test_every_curve_can_be_plotted(page: Page) -> None:
    count = page.evaluate("document.getElementById('group').options.length")
    assert count > 30
    for _ in range(count):
        page.evaluate("document.getElementById('group-forth').click()")
        assert page.evaluate("document.querySelectorAll('.plot canvas').length") >= 1
    assert page.errors == []


def test_a_phone_shows_it_without_sideways_scrolling(chromium: Chromium, address: str) -> None:
    page = chromium.page(390, 844, mobile=True)
    page.goto(address, READY)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    box = page.box("#view")
    assert box["width"] > 340
    assert page.errors == []
    page.close()


def test_dark_and_light_differ(chromium: Chromium, address: str) -> None:
    brightness = {}
    for dark in (False, True):
        page = chromium.page(1000, 700, dark=dark)
        page.goto(address, READY)
        brightness[dark] = page.screenshot().mean()
        page.close()
    assert brightness[False] > 200
    assert brightness[True] < 80


def test_without_webgl_the_plots_still_work(chromium: Chromium, address: str) -> None:
    page = chromium.page(1000, 700)
    page.call("Page.addScriptToEvaluateOnNewDocument", source=_NO_WEBGL)
    page.goto(address, READY)
    assert not page.evaluate("reenact.drawn")
    assert not page.evaluate("document.getElementById('no-webgl').hidden")
    page.evaluate("reenact.seek(1)")
    assert page.evaluate("document.querySelector('.plot output').textContent") not in ("", "–")
    assert page.errors == []
    page.close()


_NO_WEBGL = """
const real = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
  return kind.startsWith('webgl') ? null : real.call(this, kind, ...more);
};"""


def test_data_decode_as_they_were_packed(page: Page) -> None:
    """The page's time of the last plotted sample and the duration agree with the take."""
    told = json.loads(page.evaluate("JSON.stringify({d: reenact.duration, n: reenact.frames})"))
    assert told == {"d": 1.5, "n": 91}
