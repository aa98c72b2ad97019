"""The video beside the 3D view in a headless Chromium: one time line, every button, and a look through the camera."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator

import numpy as np
import pytest
from filmed_take import write_filmed_take
from headless_chromium import Chromium, Page

pytest.importorskip("av", reason="videos need the extra 'video'")

from reenact.view.report import write_report

pytestmark = pytest.mark.browser

LOADED = (
    "window.reenact && reenact.film.view.images.every(i => i.complete) && reenact.film.view.cuts.every(i => i.complete)"
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("film")
    write_filmed_take(folder / "take", folder, ("cam01", "cam03"))
    return write_report(folder / "take").resolve().as_uri()


@pytest.fixture(scope="module")
def page(chromium: Chromium, address: str) -> Iterator[Page]:
    page = chromium.page(1000, 640)
    page.goto(address, LOADED)
    yield page
    page.close()


def settle(page: Page) -> None:
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")


def film_of(page: Page) -> np.ndarray:
    """The video's screen without its buttons."""
    settle(page)
    return page.screenshot("#film-canvas")[60:-60].astype(int)


def test_buttons_and_keys_change_what_is_shown(page: Page) -> None:
    page.evaluate("reenact.seek(0.3)")
    shown = {}
    for mode in ("video", "body", "mask", "mismatch"):
        page.evaluate(f"document.querySelector('[data-film={mode}]').click()")
        shown[mode] = film_of(page)
        assert page.evaluate("reenact.film.mode") == mode
        pressed = page.evaluate(
            "[...document.querySelectorAll('[data-film][aria-pressed=true]')].map(b => b.dataset.film)"
        )
        assert pressed == [mode]
    names = list(shown)
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            assert (np.abs(shown[one] - shown[other]).sum(axis=-1) > 60).sum() > 1000, (one, other)
    page.press("v")
    assert page.evaluate("reenact.film.mode") == "video"
    assert page.errors == []
    assert [each for each in page.requests if not each.startswith(("data:", "file:"))] == []


def test_video_and_body_go_on_one_time_line(page: Page) -> None:
    page.evaluate("reenact.film.switchTo('body')")
    page.evaluate("reenact.seek(0)")
    first, at_first = film_of(page), page.evaluate("reenact.film.at")
    page.evaluate("reenact.seek(0.45)")
    assert page.evaluate("reenact.film.at") > at_first
    assert (np.abs(film_of(page) - first).sum(axis=-1) > 60).sum() > 100  # an arm was lifted
    told = page.evaluate("document.getElementById('film-said').textContent")
    assert told.startswith("cam01, 0.")
    assert "mismatch 0.0" in told


def test_another_camera_can_be_chosen(page: Page) -> None:
    before = film_of(page)
    page.evaluate("(() => {const s = document.getElementById('film-view'); s.value = '1'; s.onchange();})()")
    page.wait_for(LOADED)
    assert page.evaluate("reenact.film.view.name") == "cam03"
    assert (np.abs(film_of(page) - before).sum(axis=-1) > 60).sum() > 1000


def test_the_camera_s_view_shows_the_body_where_the_video_does(page: Page) -> None:
    """Apart from the lens, of which the 3D view knows nothing."""
    page.evaluate("reenact.seek(0.3)")
    page.press("l")
    settle(page)
    assert page.evaluate("document.getElementById('through').getAttribute('aria-pressed')") == "true"
    page.evaluate("for (const b of ['ghost', 'contacts', 'centres']) document.getElementById(b).click()")
    page.evaluate("document.querySelector('[data-film=mismatch]').click()")
    settle(page)
    seen, view = canvas_of(page, "film-canvas"), canvas_of(page, "view")
    coloured = view.max(axis=-1) - view.min(axis=-1) > 60  # skin, shirt and shoes
    video_box = _box((seen[..., 0] > 150) & (seen[..., 2] < 110), page)  # where mask and body are
    body_box = _box(coloured | (view.max(axis=-1) < 80), page)
    np.testing.assert_allclose(body_box, video_box, atol=0.04)
    page.drag((800, 300), (850, 320))
    assert page.evaluate("reenact.camera.through") is None


def canvas_of(page: Page, name: str) -> np.ndarray:
    """The pixels (height, width, 3) of a canvas alone, without what lies over it."""
    from PIL import Image

    data = page.evaluate(f"document.getElementById('{name}').toDataURL('image/png')")
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(data.split(",")[1]))).convert("RGB")).astype(int)


def _box(pixels: np.ndarray, page: Page) -> np.ndarray:
    """Where pixels of a canvas are, in shares of the video's picture, which fits into it: left, top, right, bottom."""
    size, (down, along) = np.array(pixels.shape[::-1]), np.nonzero(pixels)
    picture = np.array(page.evaluate("reenact.film.view.size"))
    scale = float((size / picture).min())
    low, high = (np.array([np.percentile(along, share), np.percentile(down, share)]) for share in (1, 99))
    return np.concatenate([(each - 0.5 * (size - scale * picture)) / scale / picture for each in (low, high)])


def test_the_camera_stands_in_the_scene(page: Page) -> None:
    page.press("r")
    page.evaluate("Object.assign(reenact.camera, {distance: 12, elevation: 0.5}); reenact.seek(0.1)")
    settle(page)
    with_camera = page.screenshot("#view").astype(int)
    page.press("w")
    settle(page)
    without = page.screenshot("#view").astype(int)
    assert 30 < (np.abs(with_camera - without).sum(axis=-1) > 60).sum() < 20_000


def test_on_a_phone_they_stand_one_above_the_other(chromium: Chromium, address: str) -> None:
    page = chromium.page(400, 800, mobile=True)
    page.goto(address, LOADED)
    film, view = page.box("#film"), page.box("#view")
    assert view["y"] >= film["y"] + film["height"] - 1
    assert film["width"] > 300
    assert film["height"] > 150
    page.close()
