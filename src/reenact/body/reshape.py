"""A body with its joints in new places, as a fit to a person finds them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from reenact.body.body import Body
from reenact.body.scale import LARGEST, SMALLEST, WIDTH, scale_segments, stood
from reenact.errors import BodyError
from reenact.geometry.rotation import Array


def with_offsets(body: Body, offsets: ArrayLike, *, mass: float | None = None) -> Body:
    """The body with its joint centres at `offsets` (S, 3) in their parents' frames [m], the root's row unused.

    Flesh follows: each segment is scaled by the ratio of its joints' distances (`scale_segments`), feet by their length
    alone, and the sole stays level. `mass` [kg] is the new total, by default the old.
    """
    offsets = np.asarray(offsets, float)
    count = len(body.segments)
    if offsets.shape != (count, 3) or not np.isfinite(offsets[1:]).all():
        raise BodyError(f"offsets have shape {offsets.shape}, expected ({count}, 3) finite numbers")
    wanted = dict(zip(body.segment_names, offsets, strict=True))
    scaled = scale_segments(body, _ratios(body, wanted), mass=mass)
    moved = [s if s.parent is None else replace(s, offset=wanted[s.name]) for s in scaled.segments]
    return stood(body, moved, scaled.landmarks)


def _ratios(body: Body, wanted: dict[str, Array]) -> dict[str, float]:
    """Length and width factors by the keys of `scale_segments`."""
    sided = {name for pair in body.mirror for name in pair}
    found: dict[str, list[float]] = {}
    for s in body.segments[1:]:
        parent = str(s.parent)
        old, new = s.offset, wanted[s.name]
        if s.name in sided and parent not in sided:
            found.setdefault(parent + WIDTH, []).append(_ratio(abs(old[1]), abs(new[1])))
        elif body.segment(parent).part == "foot":
            found.setdefault(parent, []).append(_ratio(abs(old[0]), abs(new[0])))
        else:
            found.setdefault(parent, []).append(_ratio(float(np.linalg.norm(old)), float(np.linalg.norm(new))))
    ratios = {name: float(np.mean(values)) for name, values in found.items()}
    for s in body.segments:  # toes grow with their foot
        if s.part == "foot" and s.name not in ratios and s.parent in ratios and body.segment(s.parent).part == "foot":
            ratios[s.name] = ratios[s.parent]
    return ratios


def _ratio(old: float, new: float) -> float:
    return float(np.clip(new / old, SMALLEST, LARGEST)) if old > 1e-6 else 1.0
