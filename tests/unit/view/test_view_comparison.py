"""Two takes beside each other: poses at the same instants, figures by part."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from standing_take import write_standing_take

from reenact.view.comparison import comparison_html
from reenact.view.scene import scene_of


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A take and a shorter one, whose name would do harm where it is not escaped."""
    folder = tmp_path_factory.mktemp("pair")
    return [
        write_standing_take(folder / "long", seconds=0.6),
        write_standing_take(folder / "short <b>", seconds=0.3, world="crash_pad"),
    ]


@pytest.fixture(scope="module")
def page(pair: list[Path]) -> str:
    return comparison_html(pair)


def test_strips_have_the_same_instants_and_end_where_a_take_ends(page: str) -> None:
    strips = re.findall(r"<section class='shown card'><h2>(.*?)</h2><div class='poses'>(.*?)</div></section>", page)
    assert [title for title, _ in strips] == [
        "long <span>in flat</span>",
        "short &lt;b&gt; <span>in crash_pad</span>",
    ]
    times = [[float(time) for time in re.findall(r"<span>([\d.]+) s</span>", strip)] for _, strip in strips]
    assert times[0] == pytest.approx(np.linspace(0, 0.6, 10), abs=0.006)
    assert times[1] == times[0][:5], "up to 0.3 s"


def test_pressures_are_those_of_the_scene(page: str, pair: list[Path]) -> None:
    scene = scene_of(pair[0])
    frame = scene.frame_at(0.6)
    felt = scene.pressures.peak[scene.pressures.first[frame] : scene.pressures.first[frame + 1]]
    said = re.findall(r"<small>(\d+) kPa</small><small>(\d+) places?</small>", page.split("</section>")[0])
    assert said[-1] == (f"{felt.max():.0f}", str(len(felt)))
    assert page.count("class='dots'") == 15


def test_parts_stand_beside_each_other(page: str, pair: list[Path]) -> None:
    rows = re.findall(r"<tr(?: class=first)?>(.*?)</tr>", page.split("<tbody>")[1])
    scenes = [scene_of(take) for take in pair]
    names = {part.name for scene in scenes for part in scene.parts}
    assert len(rows) == 2 * len(names)
    cells = re.findall(r"<td(?: class='take')?>(.*?)</td>", rows[0])
    first = max(scenes[0].parts, key=lambda part: float(np.linalg.norm(part.impulse)))
    assert cells[:4] == [
        "long",
        f"{first.peak_force:.0f}",
        f"{np.linalg.norm(first.impulse):.1f}",
        f"{first.contact_seconds:.2f}",
    ]
    assert re.findall(r"<td class='take'>(.*?)</td>", rows[1]) == ["short &lt;b&gt;"]


def test_a_bar_is_coloured_while_the_part_bears_weight(page: str) -> None:
    bars = re.findall(r"<svg viewBox='0 0 400 1' preserveAspectRatio='none'>(.*?)</svg>", page)
    spans = [[(float(a), float(b)) for a, b in re.findall(r"M([\d.]+) 0H([\d.]+)V1", bar)] for bar in bars]
    assert max(b for bar in spans[::2] for _, b in bar) == pytest.approx(400, abs=12)
    assert max(b for bar in spans[1::2] for _, b in bar) == pytest.approx(200, abs=12), "the shorter take ends halfway"


def test_it_is_one_file_without_scripts(page: str) -> None:
    assert "<script" not in page
    assert "http://" not in page
    assert "https://" not in page
    assert "{{" not in page
    assert "short <b>" not in page
