"""When sampling steps begin and end."""

from __future__ import annotations

import numpy as np
from bending_motion import bending
from hypothesis import given
from hypothesis import strategies as st

from reenact.estimate.sampling.features import anatomy_of
from reenact.estimate.sampling.schedule import centroid_segments, contact_switches, schedule_of, spaced


def test_steps_are_even_without_events() -> None:
    assert spaced(60, [], 12, 2) == (12, 24, 36, 48, 60)


def test_several_steps_before_an_event_make_room_for_it() -> None:
    ends = spaced(132, [100], 12, 2)
    assert 100 in ends
    assert ends[:5] == (12, 24, 36, 48, 60)  # far before it nothing moves
    assert ends[5:9] == (70, 80, 90, 100)
    assert ends[-1] == 132


@given(
    st.integers(20, 400),
    st.lists(st.integers(-5, 410), max_size=12, unique=True),
    st.integers(4, 20),
    st.integers(0, 4),
)
def test_every_event_is_an_end_and_no_step_is_long(last: int, events: list[int], length: int, longer: int) -> None:
    ends = spaced(last, sorted(events), length, longer)
    steps = np.diff([0, *ends])
    assert (steps >= 1).all()
    assert steps.max() <= length + longer + 1
    assert {e for e in events if 0 < e < last} <= set(ends)
    assert ends[-1] == last


def test_contact_switches_are_found() -> None:
    assert contact_switches(bending()) == [32]  # the left foot leaves at 0.27 s; the ends of the clip do not count


def test_a_swinging_centroid_is_cut_where_it_turns_back() -> None:
    time = np.arange(300) / 120.0
    path = np.zeros((300, 3))
    path[:, 0] = 0.3 * np.sin(2 * np.pi * time)  # turns back at 0.25, 0.75, 1.25 s, …
    cuts = centroid_segments(path, 0.1, 120)
    np.testing.assert_allclose(np.array(cuts) / 120.0, [0.25, 0.75, 1.25, 1.75, 2.25], atol=0.01)
    assert centroid_segments(path, 1.0, 120) == []


def test_a_schedule_covers_the_motion_and_can_be_even() -> None:
    motion = bending(1.0)
    anatomy = anatomy_of(motion.body)
    assert 32 in schedule_of(motion, anatomy)
    assert schedule_of(motion, anatomy, semantic=False) == tuple(range(12, 121, 12))
