"""Progress of one run as a stretch of the whole bench's."""

from __future__ import annotations

from reenact.measure import Progress


def stretch(progress: Progress | None, begin: float, end: float) -> Progress | None:
    """Progress that goes from `begin` to `end`, 0 … 1, while the run's own goes from 0 to 1."""
    if progress is None:
        return None
    return lambda fraction, what: progress(begin + (end - begin) * min(fraction, 1.0), what)
