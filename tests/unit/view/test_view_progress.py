"""The page that follows a search, as text."""

from __future__ import annotations

import re
from dataclasses import replace

import mujoco
import numpy as np
import pytest
from standing_take import standing_model

from reenact.view.progress import Costs, Progress, clock, cost_plot, progress_html
from reenact.view.thumbnails import Picture, Sketcher


@pytest.fixture(scope="module")
def model() -> mujoco.MjModel:
    return standing_model()[0]


def costs(*values: float) -> Costs:
    return Costs(time=0.1 * np.arange(1, len(values) + 1), cost=np.array(values))


def progress() -> Progress:
    return Progress(
        name="roll <b>&'",
        sweep=2,
        step=3,
        steps=20,
        seconds=0.3,
        length=2.0,
        fraction=0.29,
        cost=8.25,
        rewinds=2,
        elapsed=75.0,
        left=12.4,
        costs=(costs(9.0, 12.0, 14.0, 11.0), costs(5.0, 7.5, 8.25)),
        renewed="14:05:09",
    )


def page_of(model: mujoco.MjModel, given: Progress) -> str:
    pose = np.array(model.qpos0)
    pictures = [
        Picture(time=0.0, pose=pose, ghost=pose),
        Picture(time=0.3, pose=pose, ghost=pose),
        Picture(time=1.0, pose=pose, ghost=pose, faint=True),
        Picture(time=2.0, pose=None, ghost=pose),
    ]
    return progress_html(given, Sketcher(model, pose[None]), pictures)


def test_it_says_how_far_the_search_is(model: mujoco.MjModel) -> None:
    page = page_of(model, progress())
    figures = re.findall(r"<div><b>(.*?)</b><span>(.*?)</span></div>", page)
    assert figures == [
        ("2", "sweep"),
        ("3 of 20", "step"),
        ("0.30 of 2.00 s", "of the motion"),
        ("8.25", "best cost"),
        ("2", "times back"),
        ("1:15 min", "so far"),
        ("12 s", "left, about"),
    ]
    assert "width: 29%" in page
    assert "As of 14:05:09" in page
    assert page.count("<polyline") == 2
    assert page.count("aria-current=time") == 1
    assert re.search(r"aria-current=time>.*?<span>0\.30</span>", page)
    assert "as the sweep before left it" in page


def test_it_is_one_file_without_scripts_and_escapes_what_it_is_given(model: mujoco.MjModel) -> None:
    page = page_of(model, progress())
    assert "<script" not in page
    assert "http://" not in page
    assert "https://" not in page
    assert "roll &lt;b&gt;&amp;&#x27;" in page
    assert "roll <b>" not in page
    assert "{{" not in page


def test_it_renews_itself_while_searching_leads_on_when_found_and_rests_when_stopped(model: mujoco.MjModel) -> None:
    assert "http-equiv='refresh' content='2'" in page_of(model, progress())
    found = page_of(model, replace(progress(), state="found", report="../my take/report.html"))
    assert "http-equiv='refresh' content='3; url=../my take/report.html'" in found
    assert "left, about" not in found
    stopped = page_of(model, replace(progress(), state="stopped"))
    assert "http-equiv='refresh'" not in stopped
    assert "--resume" in stopped


def test_nothing_is_known_before_the_first_step(model: mujoco.MjModel) -> None:
    page = page_of(model, replace(progress(), costs=(costs(),), left=None, seconds=0.0))
    assert "No step is done yet." in page
    assert "<b>–</b><span>left, about</span>" in page


def test_lower_costs_are_drawn_lower_and_a_dot_says_where_the_search_is() -> None:
    plot = cost_plot([costs(10.0, 20.0), costs(5.0, 19.5), costs(1.0, 19.0)], 0.2, 0.1)
    lines = [
        np.array([pair.split(",") for pair in line.split()], float) for line in re.findall(r"points='(.*?)'", plot)
    ]
    assert [len(line) for line in lines] == [2, 2, 2]
    starts = [line[0, 1] for line in lines]
    assert starts == sorted(starts), "y grows downwards"
    assert lines[0][0, 0] == pytest.approx(lines[1][0, 0])
    assert plot.count("class='now'") == 1
    dot = re.search(r"cx='([\d.]+)' cy='([\d.]+)'", plot)
    assert dot is not None
    assert [float(word) for word in dot.groups()] == lines[2][0].tolist(), "at 0.1 s on the last line"
    ticks = [float(word) for word in re.findall(r"text-anchor='end'>([\d.]+)<", plot)]
    assert ticks == [1, 2, 5, 10, 20]


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.4, "0 s"), (59.4, "59 s"), (60, "1:00 min"), (3599, "59:59 min"), (3720, "1:02 h")]
)
def test_a_stretch_of_time_in_words(seconds: float, words: str) -> None:
    assert clock(seconds) == words
