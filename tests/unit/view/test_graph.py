"""The graph of a state machine as a picture: everything in its place, nothing over anything else."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations, pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from example_machines import crouch_machine, machine_of, walk_machine
from reenact.body.adult import adult
from reenact.body.load import load_body
from reenact.control.machine.machine import Machine
from reenact.errors import InputError
from reenact.view.graph import graph_svg
from reenact.view.target_figures import TargetFigures, figures_of

SVG = "{http://www.w3.org/2000/svg}"
Box = tuple[float, float, float, float]

SIZES = [(count, back) for count in (1, 2, 3, 4, 5, 7, 8, 13, 15, 20) for back in (None, 1, (count + 1) // 2, count)]


def drawn(machine: Machine, figures: TargetFigures | None = None) -> ElementTree.Element:
    return ElementTree.fromstring(graph_svg(machine, figures))


def groups(tree: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    return [g for g in tree.iter(f"{SVG}g") if kind in g.get("class", "").split()]


def box_of(node: ElementTree.Element) -> Box:
    rect = next(r for r in node.iter(f"{SVG}rect") if r.get("class") == "box")
    x, y, width, height = (float(rect.get(name, "nan")) for name in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def lines_of(edge: ElementTree.Element) -> list[list[tuple[float, float]]]:
    """Corners of an arrow's line, and its tip."""
    line, head = (
        next(p for p in edge.iter(f"{SVG}path") if p.get("class") == kind).get("d", "") for kind in ("line", "head")
    )
    points = [tuple(map(float, pair.split())) for pair in re.findall(r"[-\d.]+ [-\d.]+", line)]
    tip = tuple(map(float, re.findall(r"[-\d.]+ [-\d.]+", head)[0].split()))
    return [points, [tip]]  # type: ignore[list-item]


@pytest.mark.parametrize(("count", "back"), SIZES)
def test_nodes_and_arrows_keep_clear_of_each_other(count: int, back: int | None) -> None:
    tree = drawn(machine_of(count, back))
    boxes = [box_of(node) for node in groups(tree, "state")]
    edges = [edge for edge in groups(tree, "edge") if edge.get("data-from") is not None]
    assert len(boxes) == count
    assert len(edges) == (count - 1 if back is None else count)
    for a, b in combinations(boxes, 2):
        assert a[2] + 20 < b[0] or b[2] + 20 < a[0] or a[3] + 20 < b[1] or b[3] + 20 < a[1]
    width, height = (float(side) for side in tree.get("viewBox", "").split()[2:])
    for edge in edges:
        (points, [tip]) = lines_of(edge)
        begin, end = boxes[int(edge.get("data-from", ""))], boxes[int(edge.get("data-to", ""))]
        assert _on_rim(points[0], begin)
        assert _on_rim(tip, end)
        assert all(0 < x < width and 0 < y < height for x, y in points)
        for a, b in pairwise(points):
            assert not any(_enters(a, b, box) for box in boxes)
    for a, b, c, d in boxes:
        assert 0 <= a < c <= width
        assert 0 <= b < d <= height


@pytest.mark.parametrize(("count", "back"), [(13, 3), (20, 10), (20, 1), (20, 20)])
def test_arrows_do_not_cross(count: int, back: int) -> None:
    edges = [edge for edge in groups(drawn(machine_of(count, back)), "edge") if edge.get("data-from") is not None]
    lines = [lines_of(edge)[0] for edge in edges]
    for one, other in combinations(lines, 2):
        for (a, b), (c, d) in ((s, t) for s in pairwise(one) for t in pairwise(other)):
            assert not _cross(a, b, c, d), (a, b, c, d)


@pytest.mark.parametrize(
    ("count", "ways"), [(4, [(0, 2), (2, 0)]), (7, [(0, 2), (1, 5), (6, 0), (3, 1)]), (12, [(0, 8), (8, 2), (3, 1)])]
)
def test_ways_taken_early_run_above_and_keep_clear_of_the_nodes(count: int, ways: list[tuple[int, int]]) -> None:
    machine = machine_of(count, back=1)
    states = list(machine.states)
    for here, there in ways:
        states[here] = replace(states[here], early=("right foot", states[there].name))
    tree = drawn(replace(machine, states=tuple(states)))
    boxes = [box_of(node) for node in groups(tree, "state")]
    early = groups(tree, "early")
    assert sorted((int(e.get("data-from", "")), int(e.get("data-to", ""))) for e in early) == sorted(ways)
    width, height = (float(side) for side in tree.get("viewBox", "").split()[2:])
    levels = set()
    for edge in early:
        points, [tip] = lines_of(edge)
        begin, end = (boxes[int(edge.get(name, ""))] for name in ("data-from", "data-to"))
        assert points[0][1] == begin[1]
        assert tip[1] == end[1]
        assert all(0 < x < width and 0 < y < height for x, y in points)
        assert not any(_enters(a, b, box) for a, b in pairwise(points) for box in boxes)
        assert "early" in "".join(edge.itertext())
        levels.add(min(y for _, y in points))
    assert len(levels) == len(ways), "each at its own height"


def test_a_state_that_lies_aside_is_joined_to_the_others() -> None:
    first, second, third = crouch_machine().states
    states = (replace(first, then="land", early=("left hand", "push off")), second, third)
    tree = drawn(replace(crouch_machine(), states=states))
    ways = {(e.get("data-from"), e.get("data-to")) for e in groups(tree, "edge") if e.get("data-from")}
    assert ways == {("0", "2"), ("0", "1"), ("1", "2")}
    boxes = {node.get("data-state"): box_of(node) for node in groups(tree, "state")}
    assert boxes["1"][1] > boxes["0"][3], "in a row of its own"


def test_arrows_tell_their_condition_in_order() -> None:
    edges = [edge for edge in groups(drawn(walk_machine()), "edge") if edge.get("data-from") is not None]
    assert [(e.get("data-from"), e.get("data-to")) for e in edges] == [("0", "1"), ("1", "2"), ("2", "3"), ("3", "0")]
    signs = ["".join(t.text or "" for t in edge.iter() if t.get("class") == "sign") for edge in edges]
    assert signs == ["T", "R", "T", "L"]
    assert "0.22 s" in "".join(edges[0].itertext())
    assert "right foot" in "".join(edges[1].itertext())


def test_the_last_of_a_chain_stays_and_what_is_never_reached_says_so() -> None:
    first, second, third = crouch_machine().states
    tree = drawn(replace(crouch_machine(), states=(replace(first, then="land"), second, third)))
    told = {node.get("data-state"): "".join(node.itertext()) for node in groups(tree, "state")}
    assert "stays" in told["2"]
    assert "never reached" in told["1"]
    assert len(groups(tree, "unreached")) == 1


def test_names_from_a_file_are_escaped_and_cut() -> None:
    first, *others = crouch_machine().states
    harm = "<script>alert(1)</script>&'\""
    tree = drawn(replace(crouch_machine(), states=(replace(first, name=harm), *others)))
    assert not [e for e in tree.iter() if e.tag.endswith("script")]
    name = next(t.text for t in groups(tree, "state")[0].iter() if t.get("class") == "name")
    assert name is not None
    assert name.startswith("<script>")
    assert len(name) <= 15


def test_each_state_shows_its_own_pose_at_one_scale() -> None:
    machine = crouch_machine()
    tree = drawn(machine, figures_of(adult(), machine))
    pictures = [next(node.iter(f"{SVG}svg")) for node in groups(tree, "state")]
    sizes = {tuple(picture.get("viewBox", "").split()[2:]) for picture in pictures}
    assert len(sizes) == 1
    paths = ["".join(p.get("d", "") for p in picture.iter(f"{SVG}path")) for picture in pictures]
    assert len(set(paths)) == 3
    heights = [_height(picture) for picture in pictures]
    assert heights[0] < 0.8 * heights[1], "a crouch is lower than a stretch"


def test_figures_stand_on_their_line() -> None:
    machine = walk_machine()
    for state in range(4):
        picture = ElementTree.fromstring(figures_of(adult(), machine).svg(state, (0, 0, 100, 100)))
        floor = float(next(picture.iter("rect")).get("y", "nan"))
        lowest = max(y for p in picture.iter("path") for _, y in _points(p.get("d", "")))
        assert lowest == pytest.approx(floor, abs=3.0), "in quarter centimetres"


def test_a_machine_of_another_body_is_refused() -> None:
    with pytest.raises(InputError, match="another body"):
        figures_of(load_body("robot35"), walk_machine())


def _points(path: str) -> list[tuple[float, float]]:
    """Ends of the pieces of a path whose arcs carry five numbers before them."""
    numbers = re.sub(r"A[-\d.]+ [-\d.]+ [-\d.]+ [01] [01] ", " ", path)
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", numbers)]


def _height(picture: ElementTree.Element) -> float:
    ys = [y for p in picture.iter(f"{SVG}path") for _, y in _points(p.get("d", ""))]
    return max(ys) - min(ys)


def _on_rim(point: tuple[float, float], box: Box) -> bool:
    inside = box[0] - 1 <= point[0] <= box[2] + 1 and box[1] - 1 <= point[1] <= box[3] + 1
    return inside and bool(
        np.min(np.abs([point[0] - box[0], point[0] - box[2], point[1] - box[1], point[1] - box[3]])) < 1
    )


def _enters(a: tuple[float, float], b: tuple[float, float], box: Box) -> bool:
    """Whether a piece of a line, level or upright but for roundings, goes through a box."""
    low, high = np.minimum(a, b), np.maximum(a, b)
    return bool(high[0] > box[0] + 1 and low[0] < box[2] - 1 and high[1] > box[1] + 1 and low[1] < box[3] - 1)


def _cross(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], d: tuple[float, float]) -> bool:
    def turn(p: tuple[float, float], q: tuple[float, float], r: tuple[float, float]) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0
