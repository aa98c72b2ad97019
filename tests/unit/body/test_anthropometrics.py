import numpy as np
import pytest

from reenact.body.anthropometrics import TABLE_SEGMENTS, person, tables
from reenact.errors import BodyError

# The last three columns of [B09] Tables 5 and 6 as printed; the data file holds the radii of gyration.
# Their head says "%", their numbers are 10⁻⁴ of m·h².
RELATIVE_MOMENTS = {
    "male": {
        "head_neck": (1.24, 1.34, 0.92),
        "head": (1.24, 1.34, 0.92),
        "trunk": (56.14, 48.86, 14.90),
        "upper_trunk": (7.88, 3.16, 6.68),
        "mid_trunk": (5.81, 3.67, 5.48),
        "lower_trunk": (2.96, 2.38, 2.70),
        "upper_arm": (0.58, 0.51, 0.18),
        "forearm": (0.29, 0.27, 0.06),
        "hand": (0.06, 0.04, 0.02),
        "thigh": (9.01, 9.01, 1.85),
        "shank": (1.75, 1.67, 0.29),
        "foot": (0.20, 0.18, 0.05),
    },
    "female": {
        "head_neck": (0.97, 1.15, 0.90),
        "head": (0.97, 1.15, 0.90),
        "trunk": (50.39, 45.59, 11.55),
        "upper_trunk": (5.79, 2.63, 5.38),
        "mid_trunk": (3.84, 2.57, 3.53),
        "lower_trunk": (2.56, 2.20, 2.69),
        "upper_arm": (0.50, 0.43, 0.14),
        "forearm": (0.22, 0.21, 0.03),
        "hand": (0.03, 0.02, 0.01),
        "thigh": (9.08, 8.83, 1.75),
        "shank": (2.19, 2.13, 0.26),
        "foot": (0.20, 0.17, 0.04),
    },
}


@pytest.mark.parametrize("sex", ["male", "female"])
@pytest.mark.parametrize("name", TABLE_SEGMENTS)
def test_moments_agree_with_the_tables_own_last_columns(sex, name):
    who = person(sex)
    printed = np.array(RELATIVE_MOMENTS[sex][name]) * 1e-4
    relative = who.segment(name).moments / (who.mass * who.stature**2)
    # Two decimals of 10⁻⁴, computed there from unrounded lengths.
    np.testing.assert_allclose(relative, printed, rtol=0.01, atol=0.006e-4)


@pytest.mark.parametrize(("sex", "stature", "mass"), [("male", 1.76, 80.42), ("female", 1.62, 59.85)])
def test_defaults_are_the_fiftieth_percentile(sex, stature, mass):
    who = person(sex)
    assert (who.stature, who.mass) == (stature, mass)


@pytest.mark.parametrize(("sex", "total"), [("male", 100.0), ("female", 99.99)])
def test_masses_add_up(sex, total):
    rows = getattr(tables(), sex).segment
    middle = sum(rows[n].mass for n in ("head_neck", "upper_trunk", "mid_trunk", "lower_trunk"))
    sides = sum(rows[n].mass for n in ("upper_arm", "forearm", "hand", "thigh", "shank", "foot"))
    assert middle + 2 * sides == pytest.approx(total, abs=1e-9)


@pytest.mark.parametrize("sex", ["male", "female"])
def test_trunk_is_its_three_parts(sex):
    who = person(sex)
    parts = [who.segment(n) for n in ("upper_trunk", "mid_trunk", "lower_trunk")]
    whole = who.segment("trunk")
    assert sum(p.length for p in parts) == pytest.approx(whole.length, abs=2e-4 * who.stature)
    assert sum(p.mass for p in parts) == pytest.approx(whole.mass, abs=1e-4 * who.mass)


def test_lengths_follow_stature_and_moments_follow_both():
    small, large = person("male", 1.0, 40.0).segment("thigh"), person("male", 2.0, 80.0).segment("thigh")
    assert large.length == pytest.approx(2 * small.length)
    assert large.mass == pytest.approx(2 * small.mass)
    np.testing.assert_allclose(large.moments, 8 * small.moments)


@pytest.mark.parametrize(
    ("sex", "stature", "mass", "words"),
    [
        ("Male", 1.7, 70.0, "sex is 'Male', expected one of: female, male"),
        ("male", 0.0, 70.0, "height is 0 m, expected 0.5 to 2.75 m"),
        ("male", float("nan"), 70.0, "height is nan m"),
        ("male", 176.0, 70.0, "height is 176 m"),
        ("female", 1.7, -1.0, "mass is -1 kg, expected 5 to 500 kg"),
    ],
)
def test_impossible_people_are_refused(sex, stature, mass, words):
    with pytest.raises(BodyError, match=words.replace(".", r"\.")):
        person(sex, stature, mass)


def test_unknown_segment_lists_the_known_ones():
    with pytest.raises(BodyError, match="no segment 'tail' in the tables; there are: head_neck, "):
        person().segment("tail")
