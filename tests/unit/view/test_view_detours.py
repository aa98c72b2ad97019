"""The plot of detours of people and of a walker."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from reenact.view.detours import HEIGHT, LEFT, TOP, WIDTH, Dot, Median, detours_svg

SVG = "{http://www.w3.org/2000/svg}"


def test_dots_lie_where_their_numbers_are_and_the_fallen_stand_apart() -> None:
    dots = [Dot(impulse=0.3, person=0.2, walker=0.4), Dot(impulse=0.6, person=0.8, walker=None)]
    medians = [Median(low=0.3, high=0.4, person=0.2, walker=0.4), Median(low=0.6, high=0.7, person=0.8, walker=None)]
    tree = ElementTree.fromstring(detours_svg(dots, medians, title="a & b"))
    people = [c for c in tree.iter(f"{SVG}circle") if c.get("class") == "person"]
    walker = [c for c in tree.iter(f"{SVG}circle") if c.get("class") == "walker"]
    fell = [p for p in tree.iter(f"{SVG}path") if p.get("class") == "fell"]
    assert (len(people), len(walker), len(fell)) == (3, 2, 2), "one of each in the legend"
    assert float(people[0].get("cx", "")) == pytest.approx(LEFT)
    assert float(people[1].get("cy", "")) == pytest.approx(TOP), "the greatest is at the top"
    assert float(people[0].get("cy", "")) > float(walker[0].get("cy", ""))
    assert "it fell: 1 of 2" in [t.text for t in tree.iter(f"{SVG}text")]
    assert len([p for p in tree.iter(f"{SVG}path") if "of-walker" in str(p.get("class"))]) == 1
    assert tree.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"


def test_a_single_shove_can_be_drawn() -> None:
    text = detours_svg([Dot(impulse=0.5, person=0.0, walker=-0.01)], [], title="one")
    assert "nan" not in text
    assert "inf" not in text
