"""Values written as JSON come back with the same bits, or are refused."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_machines import walk_machine
from reenact.errors import InputError
from reenact.estimate.exact_json import dumps, loads
from reenact.estimate.spent import Spent
from reenact.estimate.states.incremental import Stage
from reenact.estimate.states.search import Progress

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(PLAIN)
def test_plain_values_come_back(value: Any) -> None:
    again = loads(dumps(value))
    assert again == value
    assert repr(again) == repr(value), "of the same types, zeros with their sign"


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, -0.0, 5e-324, 0.1, 1e308])
def test_special_floats_come_back(value: float) -> None:
    assert np.float64(loads(dumps(value))).tobytes() == np.float64(value).tobytes()


@pytest.mark.parametrize(
    "array",
    [
        np.array([[0.1, -0.0], [np.nan, np.inf]]),
        np.zeros((0, 3)),
        np.arange(6, dtype=np.int32).reshape(2, 3).T,
        np.array([True, False]),
        np.array(2.5),
        np.float64(0.3),
        np.int16(-4),
    ],
)
def test_arrays_come_back_with_type_and_shape(array: Any) -> None:
    again = loads(dumps(array))
    assert type(again) is type(array)
    assert (again.dtype, again.shape, again.tobytes()) == (array.dtype, array.shape, array.tobytes())


def test_a_search_comes_back_to_the_last_bit() -> None:
    machine = walk_machine()
    machine = replace(machine, states=(replace(machine.states[0], seconds=0.1 + 0.2), *machine.states[1:]))
    now = Progress(
        phase="grow", number=3, best=Stage(machine=machine, last=72, cost=math.pi, joints=1 / 3), fraction=0.1
    )
    again = loads(dumps(now))
    assert isinstance(again, Progress)
    assert again.best is not None
    assert again.best.machine.rows().tobytes() == machine.rows().tobytes()
    assert [s.then for s in again.best.machine.states] == [s.then for s in machine.states]
    assert (again.best.cost, again.best.joints, again.number) == (math.pi, 1 / 3, 3)


@dataclass
class Foreign:
    """No class of the package."""

    value: float = 1.0


@pytest.mark.parametrize("value", [Foreign(), {1: object()}, [lambda: 0], np.array([object()]), {1, 2}])
def test_what_cannot_be_written_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="cannot be written exactly"):
        dumps(value)


def test_other_fields_than_this_version_has_are_an_error() -> None:
    packed = json.loads(dumps(Spent(wall_seconds=2.0)))
    assert loads(json.dumps(packed)) == Spent(wall_seconds=2.0)
    more = {**packed, "fields": {**packed["fields"], "joules": 3}}
    with pytest.raises(InputError, match=r"Spent has other fields than this version's: joules"):
        loads(json.dumps(more))
    fewer = {**packed, "fields": {k: v for k, v in packed["fields"].items() if k != "samples"}}
    with pytest.raises(InputError, match=r"other fields .*: samples"):
        loads(json.dumps(fewer))


@pytest.mark.parametrize(
    "text",
    [
        "{",
        '{"class": "os:system", "fields": {}}',
        '{"class": "reenact.errors:InputError", "fields": {"cause": "x"}}',
        '{"class": "reenact.estimate.spent:Nothing", "fields": {}}',
        '{"class": "reenact.nowhere:Nothing", "fields": {}}',
        '{"array": ["<f8", [3], "AAAA"]}',
        '{"float": "one"}',
        '{"strange": 1}',
    ],
)
def test_what_is_no_such_text_is_one_clear_error(text: str) -> None:
    with pytest.raises(InputError):
        loads(text)
