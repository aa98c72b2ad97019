"""What tells runs of a bench apart: their inputs, but not the last digits of a processor."""

from __future__ import annotations

import numpy as np

from reenact.estimate.bench.record import alike, alike_text


def test_numbers_are_told_apart_but_for_their_last_digits() -> None:
    values = np.random.default_rng(0).normal(size=(200, 47))
    assert alike(values) == alike(values * (1.0 + 1e-15))
    assert alike(values) != alike(values + 1e-4)
    assert alike(np.array([0.0])) == alike(np.array([-0.0]))


def test_texts_are_told_apart_by_words_and_numbers() -> None:
    text = 'name = "adult"\nmass = 59.204180199999996\noffset = [0.1, -2.5e-05]\n'
    assert alike_text(text) == alike_text(text.replace("59.204180199999996", "59.2041802"))
    assert alike_text(text) != alike_text(text.replace("59.204", "59.304"))
    assert alike_text(text) != alike_text(text.replace("adult", "robot"))
