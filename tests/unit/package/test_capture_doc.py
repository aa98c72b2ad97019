"""The limits and names that docs/capture.md gives are those of the code."""

from __future__ import annotations

import inspect
from dataclasses import fields
from pathlib import Path

import pytest

from reenact.cli.calibrate import calibrate
from reenact.cli.capture import capture
from reenact.cli.watching import Watching
from reenact.control import fall
from reenact.estimate import check as both
from reenact.estimate.states import check


@pytest.mark.parametrize(
    "words",
    [
        f"one shorter than {both.SHORTEST:g} s",
        f"moves at more than {check.FASTEST:g} m/s, a part at more than {check.FASTEST_PART:g} m/s",
        f"a joint at more than {check.FASTEST_TURN:g} rad/s",
        f"not more than {fall.DROP:g} of stature lower above the ground",
    ],
)
def test_a_limit_is_what_the_page_says(words: str, repo: Path) -> None:
    assert words in " ".join((repo / "docs" / "capture.md").read_text().split())


def test_every_option_is_explained(repo: Path) -> None:
    text = (repo / "docs" / "capture.md").read_text() + (repo / "docs" / "sampling.md").read_text()
    for name in inspect.signature(capture).parameters:
        if name not in ("clip", "output", "reading", "watching"):
            assert f"--{name}" in text, name


def test_every_option_of_videos_is_explained(repo: Path) -> None:
    text = (repo / "docs" / "video.md").read_text()
    for each in fields(Watching):
        assert f"`--{each.name}" in text, each.name


def test_every_option_of_calibrate_is_explained_in_its_table(repo: Path) -> None:
    page = (repo / "docs" / "video.md").read_text()
    table = page.split("All options of `reenact calibrate`")[1].split("What is written knows")[0]
    for name in inspect.signature(calibrate).parameters:
        option = {"begin": "from", "end": "to"}.get(name, name).replace("_", "-")
        assert name == "video" or f"`--{option}" in table, name
