"""The controller that sampling finds: readable, exact, and where each displacement begins and ends."""

from __future__ import annotations

import json

import numpy as np
import pytest

from reenact.control.displaced import Displaced
from reenact.control.read import controller_from_json
from reenact.control.track import Track
from reenact.errors import InputError


def displaced() -> Displaced:
    angles = np.arange(10.0)[:, None] * np.ones((1, 2))
    track = Track(actuation="motor", timestep=1 / 120, axes=("a", "b"), angles=angles, velocities=0 * angles, alpha=0.3)
    return Displaced(track=track, ends=(3, 7), displacement=np.array([[0.1, 1 / 3], [-0.2, 0.0]]))


def test_a_displacement_holds_over_its_sampling_step() -> None:
    shift = displaced().shifted().angles - displaced().track.angles
    # simulation step k aims at row k + 1: steps 0 … 2 belong to the first sampling step, 3 … 6 to the second
    np.testing.assert_allclose(shift[1:4, 0], 0.1)
    np.testing.assert_allclose(shift[4:8, 0], -0.2)
    np.testing.assert_allclose(shift[8:, 0], -0.2)


def test_its_description_reads_back_to_the_same_bits() -> None:
    text = json.dumps(displaced().to_json())
    again = controller_from_json(json.loads(text))
    assert isinstance(again, Displaced)
    assert again.ends == (3, 7)
    np.testing.assert_array_equal(again.displacement, displaced().displacement)
    np.testing.assert_array_equal(again.track.angles, displaced().track.angles)
    assert again.track.alpha == 0.3
    assert '"displacements_rad": ["0.1 0.3333333333333333", "-0.2 0.0"]' in text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"displacements_rad": ["0.1 0.2"]}, "shape"),
        ({"displacements_rad": ["0.1", "0.2"]}, "has 1 numbers, expected 2"),
        ({"sampling_ends_s": [0.05, 0.025]}, "rising"),
        ({"sampling_ends_s": None}, "cannot be read"),
    ],
)
def test_a_broken_description_is_named(change: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Displaced.from_json({**displaced().to_json(), **change})


def test_a_missing_part_is_named() -> None:
    description = displaced().to_json()
    del description["sampling_ends_s"]
    with pytest.raises(InputError, match="lacks 'sampling_ends_s'"):
        Displaced.from_json(description)
