"""The page of `reenact calibrate` in a headless Chromium: joints are clicked, the camera solved, shown and saved."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from headless_chromium import Chromium, Page

pytest.importorskip("av", reason="PyAV, of the extra video, is not installed")

from clicked_walk import KNOWN, SIZE, clicked_video, clicked_walk
from reenact.formats.video import open_video
from reenact.observe import camera_solve
from reenact.observe.calibrate import Calibrated
from reenact.observe.clicks import CLICKABLE, MOST_BYTES, ClickedVideo, PersonSize
from reenact.view.calibrate_server import calibration_page

HIDDEN = "elbow_right"


@pytest.fixture
def saved() -> list[Calibrated]:
    return []


@pytest.fixture
def address(tmp_path: Path, saved: list[Calibrated], monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(camera_solve, "HEADINGS", 1)  # she faces that way

    def save(found: Calibrated) -> list[str]:
        saved.append(found)
        return ["cam.toml"]

    video = open_video(clicked_video(tmp_path))
    start = ClickedVideo(video="<b>walk</b>.mp4", size=SIZE, frames=(), person=PersonSize(sex="female"), known=KNOWN)
    with calibration_page(video, start, (), "cam.toml", save, port=0) as running:
        yield running


def click(page: Page, pixel: tuple[float, float]) -> None:
    """Click where a pixel of the video is on the screen."""
    at = page.evaluate(
        f"(() => {{const p = new DOMPoint({pixel[0]}, {pixel[1]}).matrixTransform(picture.getScreenCTM());"
        "return [p.x, p.y];})()"
    )
    page.click(*at)


@pytest.mark.browser
def test_joints_are_clicked_solved_and_saved(chromium: Chromium, address: str, saved: list[Calibrated]) -> None:
    page = chromium.page(1500, 900)
    page.goto(address, "document.querySelector('#picture image') && shown === 0")
    points = clicked_walk(frames=1, noise=0.0).frames[0].points
    for name in CLICKABLE:
        asked = page.evaluate("joints[asked].name")
        assert asked == name
        if name == HIDDEN:
            page.press("s")
        else:
            click(page, points[name])
    click(page, (5.0, 5.0))
    assert page.evaluate("Object.keys(frames[0].points).length") == 14, "all are done: a further click does nothing"
    page.press("z")
    assert page.evaluate("joints[asked].name") == CLICKABLE[-1]
    click(page, points[CLICKABLE[-1]])
    page.evaluate("element('height').value = '1.70'; element('height').dispatchEvent(new Event('input'))")
    page.press("Enter")
    page.wait_for("element('status').textContent === 'Solved'", 60.0)
    assert page.evaluate("document.querySelectorAll('#picture .shape').length") > 20
    assert page.evaluate("document.querySelectorAll('#picture .seen').length") == 14
    assert page.evaluate("document.querySelectorAll('#joints span.far').length") == 0
    assert "px" in page.evaluate("document.querySelector('#joints li:nth-child(1) span').textContent")
    page.evaluate("element('save').click()")
    page.wait_for("element('status').textContent === 'Saved'", 60.0)
    found = saved[-1]
    assert found.clicked.person.height == 1.70
    assert found.camera.tilt == pytest.approx(0.08, abs=0.03)
    for name, (u, v) in found.clicked.frames[0].points.items():
        assert (u, v) == pytest.approx(points[name], abs=1.5), name
    assert HIDDEN not in found.clicked.frames[0].points
    assert found.clicked.frames[0].hidden == (HIDDEN,)
    page.press("ArrowRight")
    page.wait_for("Math.abs(shown - 0.1) < 1e-6")
    assert page.evaluate("document.querySelectorAll('#picture .shape, #picture .mark').length") == 0
    assert page.errors == []
    assert all(request.startswith((address, "blob:", "data:")) for request in page.requests)
    page.close()


def answered(address: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, dict[str, object]]:
    request = urllib.request.Request(address + path, data=body, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, {}
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def test_only_its_own_page_is_answered(address: str, saved: list[Calibrated]) -> None:
    assert answered(address, "")[0] == 200
    assert answered(address, "frame?time=0.3")[0] == 200
    assert answered(address, "frame?time=9")[1]["error"] != ""
    assert answered(address, "frame?time=x") == (400, {"error": "time is 'x', expected seconds"})
    assert answered(address, "other")[0] == 404
    assert answered(address, "", Host="evil.example")[0] == 403
    kind = {"Content-Type": "application/json"}
    assert answered(address, "save", b"{}", Origin="http://evil.example", **kind)[0] == 403
    assert answered(address, "save", b"{}", **{"Content-Type": "text/plain"})[0] == 404
    asked = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
    asked.request("POST", "/save", headers={**kind, "Content-Length": str(MOST_BYTES + 1)})
    assert asked.getresponse().status == 413, "before any of it is read"
    asked.close()
    code, said = answered(address, "solve", b"{}", **kind)
    assert code == 400
    assert "missing required field" in str(said["error"])
    assert saved == []
