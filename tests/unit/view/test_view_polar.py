"""The polar plot of a push test and its page, as text and in a headless Chromium."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from headless_chromium import Chromium

from reenact.view.polar import MIDDLE, RADIUS, SIZE, Spoke, _rings, place, polar_svg, push_html, spokes_of

NAMES = ("front", "front left", "left", "rear left", "rear", "rear right", "right", "front right")
SVG = "{http://www.w3.org/2000/svg}"


def record(*, finished: bool = True, take: str = "walk") -> dict[str, Any]:
    sides = [
        {
            "name": name, "from_deg": 45.0 * i, "newtons": 100.0 + 10 * i, "impulse_Ns": 40.0 + 4 * i,
            "impulse_Ns_per_kg": 0.5, "by_phase_N": [100.0 + 10 * i, 180.0], "finished": finished,
            "paper_N": 200.0 if i % 2 == 0 else None, "drawn": {"passed": 3, "run": 4, "low": 0.3, "high": 0.95},
        }
        for i, name in enumerate(NAMES)
    ]  # fmt: skip
    return {"take": take, "torque": 0.75, "finished": finished, "directions": sides}


def test_the_front_is_up_and_the_left_is_left() -> None:
    assert place(0.0, 10.0) == pytest.approx((MIDDLE, MIDDLE - 10.0))
    assert place(90.0, 10.0) == pytest.approx((MIDDLE - 10.0, MIDDLE))
    assert place(270.0, 10.0) == pytest.approx((MIDDLE + 10.0, MIDDLE))


@pytest.mark.parametrize("greatest", [0.5, 1.0, 37.0, 60.0, 61.0, 294.0, 300.0, 1999.0])
def test_rings_are_round_and_hold_everything(greatest: float) -> None:
    step, top = _rings(greatest)
    assert top >= greatest
    assert 3 <= round(top / step) <= 6
    assert f"{step:.1e}"[0] in "125"


def test_points_lie_where_their_forces_are() -> None:
    spokes = spokes_of(record())
    tree = ElementTree.fromstring(polar_svg(spokes, title="t & <t>", peer="[V12]"))
    points = [c for c in tree.iter(f"{SVG}circle") if c.get("class") == "point"][: len(spokes)]
    _, top = _rings(200.0)
    for spoke, point in zip(spokes, points, strict=True):
        x, y = place(spoke.degrees, RADIUS * spoke.newtons / top)
        assert (float(point.get("cx", "")), float(point.get("cy", ""))) == pytest.approx((x, y), abs=0.1)
    assert len([p for p in tree.iter(f"{SVG}path") if p.get("class") == "peer"]) == 4 + 1, "and one in the legend"
    texts = [t.text for t in tree.iter(f"{SVG}text")]
    assert {*NAMES, "170", "[V12]"} <= set(texts)
    assert tree.find(f"{SVG}title").text == "t & <t>"  # type: ignore[union-attr]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_directions_can_be_drawn(count: int) -> None:
    spokes = [Spoke(name=str(i), degrees=360.0 * i / count, newtons=0.0) for i in range(count)]
    text = polar_svg(spokes, title="few")
    assert "nan" not in text
    areas = [p for p in ElementTree.fromstring(text).iter(f"{SVG}path") if str(p.get("class")).startswith("area")]
    assert len(areas) == (count == 3)


def test_the_page_escapes_what_comes_from_outside() -> None:
    page = push_html(record(take="<script>{{style}}"), "words & <b>")
    assert "<script>" not in page
    assert "words &amp; &lt;b&gt;" in page
    assert "75 % of its torque limits" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")


@pytest.mark.browser
@pytest.mark.parametrize("dark", [False, True])
def test_a_browser_shows_the_plot_and_asks_for_nothing(chromium: Chromium, tmp_path: Path, dark: bool) -> None:
    file = tmp_path / "push.html"
    file.write_text(push_html(record(finished=False), "words"))
    page = chromium.page(1280, 800, dark=dark)
    page.goto(file.as_uri())
    assert page.evaluate("document.querySelectorAll('.forces tbody tr').length") == len(NAMES)
    assert "unfinished" in page.evaluate("document.body.innerText")
    seen = page.screenshot(".polar").astype(int)
    scale = page.box(".polar")["width"] / SIZE
    inside = seen[: int(SIZE * scale), : int(SIZE * scale)]
    blue = inside[..., 2] - inside[..., 0] > 60
    orange = inside[..., 0] - inside[..., 2] > 60
    assert blue.sum() > 500, "our outline"
    assert orange.sum() > 50, "the other figures"
    rows, columns = np.nonzero(blue[: int(0.85 * len(blue))])
    assert abs(columns.mean() / scale - MIDDLE) < 30.0
    assert rows.mean() / scale > MIDDLE - 5.0, "the rear bears more than the front"
    assert page.errors == []
    assert [request for request in page.requests if not request.startswith("file:")] == []
    page.close()


@pytest.mark.browser
def test_the_phone_need_not_scroll_sideways(chromium: Chromium, tmp_path: Path) -> None:
    file = tmp_path / "push.html"
    file.write_text(push_html(record(), "words"))
    page = chromium.page(390, 800, mobile=True)
    page.goto(file.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()
