"""The table of people pushed while walking."""

from __future__ import annotations

import statistics
from pathlib import Path

import pytest

from reenact.errors import InputError
from reenact.formats.pushed_trials import read_pushed_trials

COLUMNS = (
    "subject,sex,weight,height,crouch,stride,speed,push_timing,push_direction,actual_stride,actual_speed,"
    "maximal_detour_distance,push_force_normalized,maximal_detour_step,push_mid,push_duration,push_force_not_normalized"
)
ROW = "A,2,50,160,1,1,1,1,2,1200,1000,300,500,2,40,0.2,25"


def table(folder: Path, *rows: str, columns: str = COLUMNS) -> Path:
    path = folder / "trials.csv"
    path.write_text("\n".join([columns, *rows]) + "\n")
    return path


def test_a_trial_in_si_units(tmp_path: Path) -> None:
    (trial,) = read_pushed_trials(table(tmp_path, ROW, ""))
    assert (trial.mass, trial.stature, trial.crouch_deg) == (50.0, 1.6, 20.0)
    assert (trial.impulse, trial.impulse_per_mass, trial.duration) == (25.0, 0.5, 0.2)
    assert (trial.phase, trial.from_stance_side, trial.mid_stance) == (0.4, False, True)
    assert (trial.detour, trial.detour_step) == (0.3, 2)
    assert trial.cycle == pytest.approx(1.2)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (",50,", ",fat,", "trials.csv:3: weight: got 'fat', expected a number"),
        (",50,", ",5000,", "trials.csv:3: weight is 5000, expected from 10 to 300"),
        (",2,50,", ",3,50,", "trials.csv:3: sex is 3, expected a code from 1 to 2"),
        (",25", ",26", "push_force_not_normalized is 26 N·s, expected weight × push_force_normalized = 25"),
        (",25", "", "trials.csv:3: 16 values, expected 17"),
        (",300,", ",nan,", "maximal_detour_distance: got 'nan'"),
        ("A,2,50,160,1,", "A,2,50,160,7,", "crouch is 7, expected from 0 to 3"),
    ],
)
def test_a_wrong_value_is_named_with_its_line(tmp_path: Path, old: str, new: str, words: str) -> None:
    path = table(tmp_path, ROW, ROW.replace(old, new, 1))
    with pytest.raises(InputError) as caught:
        read_pushed_trials(path)
    assert words in str(caught.value)


def test_another_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"trials.csv:1: no column 'weight' .* there are: 'subject,"):
        read_pushed_trials(table(tmp_path, ROW, columns=COLUMNS.replace("weight", "wait")))
    with pytest.raises(InputError, match="has no trials"):
        read_pushed_trials(table(tmp_path))
    with pytest.raises(InputError, match="no such file"):
        read_pushed_trials(tmp_path / "nowhere.csv")


def test_the_recorded_people(shared_data: Path) -> None:
    trials = read_pushed_trials(shared_data / "snu_pushed_walking_stats" / "human-data.csv")
    assert len(trials) == 322
    assert len({trial.subject for trial in trials}) == 15
    assert statistics.median(trial.detour for trial in trials) == pytest.approx(0.388, abs=0.001)
    assert (
        0.17 < min(trial.impulse_per_mass for trial in trials) < max(trial.impulse_per_mass for trial in trials) < 0.77
    )


def test_codes_mean_what_we_say(shared_data: Path) -> None:
    """The table explains none of its codes; the numbers do."""
    trials = read_pushed_trials(shared_data / "snu_pushed_walking_stats" / "human-data.csv")
    for stance_side, first in ((True, 1), (False, 2)):
        own = [t.detour_step for t in trials if t.from_stance_side is stance_side and t.mid_stance]
        assert statistics.mode(own) == first
    mid = statistics.median(t.phase for t in trials if t.mid_stance)
    early = statistics.median(t.phase for t in trials if not t.mid_stance)
    assert mid == pytest.approx(0.5, abs=0.05)
    assert early == pytest.approx(0.13, abs=0.05)
    assert 0.8 < statistics.median(t.cycle for t in trials) < 1.4
