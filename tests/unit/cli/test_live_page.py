"""The page beside a running search: when it is written, what it shows, and that the search does not feel it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.body.mjcf import bare_model
from reenact.cli import live
from reenact.cli.live import LivePage
from reenact.estimate.sampling.evaluate import Request
from reenact.estimate.sampling.sampler import Event, search
from reenact.estimate.sampling.settings import Settings
from reenact.estimate.sampling.so_far import found
from reenact.estimate.sampling.task import Task, task_of
from reenact.estimate.sampling.threads import Threads
from reenact.formats.take import read_take
from reenact.geometry.rotation import Array
from reenact.motion.keyframes import motion_on
from reenact.view.progress import EVERY
from reenact.world.load import load_world
from run_command import run

SETTINGS = Settings(samples=32, save=4, visits=2, horizon=2, rewinds=0)
CAPTURE = ["capture", "walk", "--method", "sampling", "--to", "0.4", "--samples", "40"]


@pytest.fixture(scope="module")
def task() -> Task:
    body = adult()
    poses = np.tile(bare_model(body).qpos0, (49, 1))
    poses[:, 7 + body.axis_index("shoulder_left_flexion")] = np.linspace(0.0, 0.4, 49)
    return task_of(motion_on(body, poses, 120.0, "wave"), load_world("flat"), SETTINGS)


@pytest.fixture(scope="module")
def events(task: Task) -> list[Event]:
    return list(search(task, SETTINGS, Threads(task.stage, threads=1)))


class Clock:
    """Time that only a test lets go by."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def strftime(self, pattern: str) -> str:
        return pattern


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(live, "time", made)
    return made


def headline(page: str) -> dict[str, str]:
    return {label: value for value, label in re.findall(r"<div><b>(.*?)</b><span>(.*?)</span></div>", page)}


def test_a_short_search_has_no_page_and_a_long_one_not_too_many(
    task: Task, events: list[Event], clock: Clock, tmp_path: Path
) -> None:
    page = LivePage(tmp_path, task, "wave")
    clock.now += live.PATIENCE - 0.1
    assert not page.follow(events[0])
    assert not page.path.exists()
    clock.now += 0.2
    assert page.follow(events[1]), "the first page, to be announced"
    first = page.path.read_text()
    clock.now += EVERY - 0.1
    assert not page.follow(events[2])
    assert page.path.read_text() == first
    clock.now += 0.2
    assert not page.follow(events[3]), "announced once"
    assert page.path.read_text() != first


def test_a_page_that_costs_much_is_written_seldom(
    task: Task, events: list[Event], clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = LivePage(tmp_path, task, "wave")
    real = page._write

    def slow(*arguments: object) -> None:
        clock.now += 0.1
        real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(page, "_write", slow)
    clock.now += live.PATIENCE
    page.follow(events[0])
    first = page.path.read_text()
    clock.now += 0.1 / live.SHARE - 0.01
    page.follow(events[1])
    assert page.path.read_text() == first
    clock.now += 0.02
    page.follow(events[2])
    assert page.path.read_text() != first


def test_it_shows_the_best_way_so_far_then_the_sweep_before_then_the_reference(
    task: Task, events: list[Event], clock: Clock, tmp_path: Path
) -> None:
    page = LivePage(tmp_path, task, "wave")
    pages = []
    for event in events:
        clock.now += live.PATIENCE
        page.follow(event)
        pages.append(page.path.read_text().split("<body>")[1])
    steps = events[0].steps
    back = next(i for i in range(1, len(events)) if events[i].search.done <= events[i - 1].search.done)
    done, before = events[back].search.done, events[back - 1].search.done
    assert pages[0].count("class='figure'") == 2, "the start and one step"
    assert pages[0].count("class='ghost'") == steps + 1
    assert "faint" not in pages[back - 1]
    assert pages[back].count("class='figure'") == 1 + done
    assert pages[back].count("class='figure faint'") == before - done
    said = headline(pages[back])
    assert said["step"] == f"{done} of {steps}"
    assert said["sweep"] == str(events[back].search.sweep + 1)
    assert float(said["best cost"]) == pytest.approx(events[back].cost, rel=0.01)
    assert said["left, about"] == f"{round(back * live.PATIENCE * (1 - share(events, back)) / share(events, back))} s"
    visits = max(known.visits for known in events[-1].search.known)
    assert pages[-1].count("<polyline") == visits, "a line for each round of visits"
    assert pages[-1].count("class='figure'") == steps + 1
    best = found(events[-1].search).state[1, 1 : 1 + task.model.mj.nq]
    np.testing.assert_array_equal(page._pictures(events[-1])[2].pose, best)


def share(events: list[Event], last: int) -> float:
    """Part of the work that was done between the first event and another, of what was left at the first."""
    return (events[last].fraction - events[0].fraction) / (1 - events[0].fraction)


def test_a_resumed_search_counts_its_own_time_only(
    task: Task, events: list[Event], clock: Clock, tmp_path: Path
) -> None:
    page = LivePage(tmp_path, task, "wave")
    page.follow(events[-3])
    clock.now += 4.0
    page.follow(events[-2])
    assert headline(page.path.read_text())["left, about"] == "4 s", "one visit took 4 s, and one is left"


def test_it_tells_when_the_search_is_over(task: Task, events: list[Event], clock: Clock, tmp_path: Path) -> None:
    page = LivePage(tmp_path / "my take.partial", task, "my take")
    page.found(tmp_path / "my take" / "report.html")
    assert not page.path.exists(), "nobody was told of a page"
    clock.now += live.PATIENCE
    page.follow(events[-1])
    page.found(tmp_path / "my take" / "report.html")
    assert "url=../my take/report.html" in page.path.read_text()
    page.stopped()
    assert "http-equiv='refresh'" not in page.path.read_text()
    page.remove()
    assert not page.path.exists()


def test_a_capture_is_the_same_with_a_page_and_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(live, "PATIENCE", 600.0)  # however slow the machine is
    assert run(*CAPTURE, "-o", tmp_path / "plain") == 0
    assert "progress.html" not in capsys.readouterr().err
    monkeypatch.setattr(live, "PATIENCE", 0.0)
    assert run(*CAPTURE, "-o", tmp_path / "my watched") == 0
    said = capsys.readouterr().err
    assert said.count("progress.html") == 1
    assert f"'{tmp_path}/my watched.partial/progress.html'" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["my watched", "plain"]
    plain, watched = read_take(tmp_path / "plain"), read_take(tmp_path / "my watched")
    assert plain.controller == watched.controller
    np.testing.assert_array_equal(plain.motion["qpos"], watched.motion["qpos"])


def test_ctrl_c_leaves_a_page_that_rests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = Threads.evaluate, []

    def stopping(self: Threads, request: Request) -> Array:
        calls.append(1)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return real(self, request)

    monkeypatch.setattr(live, "PATIENCE", 0.0)
    with monkeypatch.context() as patched:
        patched.setattr(Threads, "evaluate", stopping)
        assert run(*CAPTURE, "-o", tmp_path / "take") == 130
    page = (tmp_path / "take.partial" / "progress.html").read_text()
    assert "Stopped" in page
    assert "http-equiv='refresh'" not in page
    assert run(*CAPTURE, "-o", tmp_path / "take", "--resume") == 0
    assert [path.name for path in tmp_path.iterdir()] == ["take"]
