"""The climb to the greatest force, on made-up rules of who passes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reenact.control.pushing.search import climb, expected_cells, holds, limits


def climbed(passes: Callable[[int, int], bool], phases: int = 1, first: int = 64, top: int = 2000) -> dict:
    known: dict[tuple[int, int], bool] = {}
    for wanted in climb(known, phases, first, top):
        assert wanted
        assert not set(wanted) & set(known), "nothing is tried twice"
        known.update({cell: passes(*cell) for cell in wanted})
    return known


@pytest.mark.parametrize("limit", [0, 1, 2, 63, 64, 65, 127, 128, 300, 1999])
def test_it_finds_a_limit_to_the_rung(limit: int) -> None:
    known = climbed(lambda rung, phase: rung <= limit)
    assert holds(known, 1) == limit
    assert limits(known, 1) == [limit]
    assert known[limit + 1, 0] is False


def test_it_stops_at_the_greatest_that_may_be_tried() -> None:
    known = climbed(lambda rung, phase: True, top=500)
    assert holds(known, 1) == 500
    assert max(rung for rung, _ in known) == 500


def test_the_weakest_phase_decides_and_every_phase_was_tried_there() -> None:
    bears = [300, 120, 200]
    known = climbed(lambda rung, phase: rung <= bears[phase], phases=3)
    assert holds(known, 3) == 120
    assert limits(known, 3) == bears
    assert all((120, phase) in known for phase in range(3))


def test_some_lower_forces_are_tried() -> None:
    known = climbed(lambda rung, phase: rung <= 200, phases=2)
    for rung in (50, 100, 150, 175, 200):
        assert known[rung, 0]
        assert known[rung, 1]


def test_a_weak_spot_below_is_found_and_the_search_goes_on_beneath_it() -> None:
    known = climbed(lambda rung, phase: rung <= 200 and not 90 <= rung <= 110)  # the half of 200 fails
    assert holds(known, 1) == 89
    assert known[90, 0] is False


@settings(max_examples=40)
@given(st.sets(st.integers(1, 80)), st.integers(1, 3), st.integers(1, 70))
def test_what_holds_was_tried_everywhere_and_nothing_tried_below_failed(bad: set[int], phases: int, first: int) -> None:
    known = climbed(lambda rung, phase: (rung + phase) not in bad and rung <= 75, phases=phases, first=first, top=100)
    best = holds(known, phases)
    assert best == 0 or all(known[best, phase] for phase in range(phases))
    assert all(passed for (rung, _), passed in known.items() if rung <= best)
    assert min(limits(known, phases)) == best


def test_half_a_climb_still_says_what_holds() -> None:
    known = {(64, 0): True, (64, 1): True, (128, 0): True, (128, 1): False, (96, 1): True}
    assert holds(known, 2) == 64
    assert limits(known, 2) == [128, 96]


def test_about_as_many_cells_as_expected() -> None:
    known = climbed(lambda rung, phase: rung <= 170, phases=8)
    assert 0.7 < len(known) / expected_cells(8, 64) < 1.3
