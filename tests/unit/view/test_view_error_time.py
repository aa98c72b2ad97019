"""The plot of error against computing time."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from reenact.view.error_time import Course, error_time_svg

SVG = "{http://www.w3.org/2000/svg}"


def test_points_lie_in_the_order_of_their_numbers() -> None:
    walk = Course(name="walk", points=((30.0, 4.0), (60.0, 3.0), (900.0, 2.0)), peer=2.4)
    root = ElementTree.fromstring(error_time_svg([walk], title="a < b", peer="[V12]"))
    assert root.get("aria-label") == "a < b"
    dots = [(float(c.attrib["cx"]), float(c.attrib["cy"])) for c in root.iter(f"{SVG}circle")][:3]
    (x0, y0), (x1, y1), (x2, y2) = dots
    assert x0 < x1 < x2
    assert y0 < y1 < y2  # less error is lower
    assert (y1 - y0) == pytest.approx(y2 - y1, abs=0.2)
    assert (x2 - x1) / (x1 - x0) == pytest.approx(3.907, abs=0.02)  # log 15 / log 2
    (dashed,) = [p for p in root.iter(f"{SVG}path") if p.get("class") == "peer"]
    assert y1 < float(dashed.attrib["d"].split()[1].split("H")[0]) < y2


def test_one_point_alone_is_drawn() -> None:
    root = ElementTree.fromstring(error_time_svg([Course(name="walk", points=((30.0, 4.0),))], title="one"))
    assert "nan" not in ElementTree.tostring(root, encoding="unicode")
