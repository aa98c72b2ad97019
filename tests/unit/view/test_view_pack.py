from __future__ import annotations

import json

import numpy as np
import pytest

from reenact.view.pack import json_for_script, packed, unpacked


def test_values_come_back_within_half_a_step() -> None:
    values = np.random.default_rng(0).normal(size=(50, 3))
    text = packed(values)
    assert text["type"] == "i16"
    assert np.abs(unpacked(text) - values).max() <= 0.51 * text["scale"]


def test_unknown_values_stay_unknown() -> None:
    values = np.array([1.0, np.nan, -2.0])
    assert np.isnan(unpacked(packed(values))).tolist() == [False, True, False]
    assert np.isnan(unpacked(packed(np.full(3, np.nan)))).all()


def test_a_wide_range_keeps_single_precision() -> None:
    values = np.linspace(0, 1000, 7)
    assert packed(values, resolution=1e-3)["type"] == "f32"
    assert unpacked(packed(values, resolution=1e-3)) == pytest.approx(values)


def test_integers_and_constants_and_nothing() -> None:
    assert unpacked(packed(np.array([0, 7, 70000]))).tolist() == [0, 7, 70000]
    assert unpacked(packed(np.full(4, 3.25))).tolist() == [3.25] * 4
    assert unpacked(packed(np.zeros((0, 3)))).shape == (0, 3)


def test_small_whole_numbers_take_a_byte_each() -> None:
    text = packed(np.array([0, 7, 255], np.uint8))
    assert text["type"] == "u8"
    assert unpacked(text).tolist() == [0, 7, 255]
    assert len(text["data"]) == 4


def test_nothing_in_the_json_can_end_the_script() -> None:
    hostile = {"name": "</script><script>alert(1)</script><!-- \u2028 & \u2029"}
    text = json_for_script(hostile)
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == hostile
