"""Whether two searches stand at the same point, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np

from reenact.estimate.sampling.so_far import Search


def same(a: Search, b: Search) -> bool:
    """Layers, what is known of every step, and where the search is."""
    return bits(a) == bits(b)


def bits(now: Search) -> list[Any]:
    """All that a search holds, arrays as bytes."""
    known = [[_values(k), [_values(t) for t in k.tried]] for k in now.known]
    return [now.sweep, now.lead, now.rewinds, [_values(layer) for layer in now.layers], known]


def _values(thing: Any) -> list[Any]:
    values = [getattr(thing, name) for name in thing.__slots__ if name != "tried"]
    return [(v.shape, str(v.dtype), v.tobytes()) if isinstance(v, np.ndarray) else v for v in values]
