"""The limits that docs/sampling.md gives are those of the code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reenact.body.load import load_body
from reenact.control import bearing, fall, judge
from reenact.estimate.sampling import lost
from reenact.estimate.sampling.settings import EFFORTS, Settings

USUAL = Settings()
STATURE = load_body("human50").stature


def share(of_stature: float) -> str:
    return f"{of_stature:g} ({100 * of_stature * STATURE:.0f} cm)"


@pytest.mark.parametrize(
    "words",
    [
        f"its root was more than {share(fall.DROP)} below",
        f"with more than {100 * fall.LOAD:g} % of the weight",
        f"come no closer than {share(fall.NEAR)} to its lowest point within {fall.SLACK:g} s",
        f"by more than {np.rad2deg(judge.TURNED):.0f}°",
        f"or by more than {np.rad2deg(judge.TURNED_AT_END):.0f}° at the end",
        f"bear more than {100 * bearing.ALONE:.0f} % of the reference, for {bearing.LEAST:g} s of its weight",
        f"less than a third of that, {bearing.SLACK:g} s before and after",
        f"it bore {bearing.OFF:g} s of its weight in all more than {100 * bearing.BELOW:g} cm below",
        f"lowest point within {bearing.AROUND:g} s",
        f"its root was more than {share(judge.STRAYED)} from",
        f"centre of mass more than {share(lost.SUNK)} above or below",
        f"turned by more than {np.rad2deg(lost.TURNED):.0f}° from",
        f"an end effector more than {100 * lost.OFF:g} cm below any that the reference has within {lost.ABOUT:g} s",
        f"`--effort fast` takes {EFFORTS['fast'][0]} samples, `high` {EFFORTS['high'][0]:,}",
        f"the {USUAL.samples:,} samples of a step",
        f"gained less than {100 * USUAL.settled:g} %",
    ],
)
def test_a_limit_is_what_the_page_says(words: str, repo: Path) -> None:
    text = " ".join((repo / "docs" / "sampling.md").read_text().split())
    assert words in text


def test_numbers_in_words() -> None:
    assert pytest.approx(1.0 / 3.0) == bearing.ENOUGH
    assert USUAL.visits == 6
    assert USUAL.rewinds == 6
