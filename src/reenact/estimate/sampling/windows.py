"""How far samples may stray from their seed: a window per axis, and the random numbers that fill it."""

from __future__ import annotations

import numpy as np

from reenact.body.body import Body
from reenact.geometry.rotation import Array

FLOOR = 0.05  # [rad] of the axes for which the tables give none


def windows_of(body: Body, *, scale: float = 1.0, floor: float = FLOOR) -> Array:
    """Half widths (A,) [rad] of the sampling windows, [L10] Tables 2–3.

    Deviation: axes whose window is zero in the tables (elbow, wrist) get a small one, for our reference has its own
    errors there; see docs/notes/sampling.md.
    """
    return scale * np.maximum([axis.window for axis in body.axes], floor)


def draw(seed: int, turn: tuple[int, ...], count: int, axes: int) -> Array:
    """Uniform numbers (count, axes) in −1 … 1 for one turn of the sampler, e.g. (iteration, attempt).

    The stream is counter based and candidate i reads numbers i·axes … (i + 1)·axes − 1 of it, so that what it gets
    depends neither on how many candidates there are nor on who evaluates them.
    """
    key = np.random.SeedSequence(seed, spawn_key=turn)
    return np.random.Generator(np.random.Philox(key)).uniform(-1.0, 1.0, (count, axes))
