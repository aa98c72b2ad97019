"""Flights in a recording, and how fast the body falls in them: a clock that every jump carries with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.geometry.rotation import Array
from reenact.motion.clip import Clip
from reenact.motion.point_mass import centre_of_points, sites_of

GRAVITY: Final = 9.81  # [m/s²]

# How far above the level where feet stand a part must be to touch nothing [m]: flesh reaches beyond joint centres.
_FOOT_CLEARANCE: Final = 0.06
_CLEARANCE: Final = 0.30  # of all else; a handstand is no flight, and some stand on their hands on a mat
_FEET: Final = ("ankle", "toe", "heel", "big_toe", "small_toe", "fifth_metatarsal")

# What counts as free fall. Heights alone: whether the rate is right is the question.
FEWEST_FRAMES: Final = 6
LEAST_ARC: Final = 0.02  # height of the centre's path over its chord [m]
ROUGHEST: Final = 0.03  # root mean square distance from a parabola, of the arc
LEAST_UPRIGHT: Final = 4.0  # downward over sideways acceleration: nothing pushes a body in the air


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeFall:
    """A stretch of time in which nothing touches the ground and the centre of mass goes along a parabola."""

    start: float  # [s] of the clip
    end: float  # [s]
    acceleration: float  # downward [m/s²], with the clip's rate
    arc: float  # height of the path over its chord [m]


def find_free_falls(clip: Clip) -> tuple[FreeFall, ...]:
    """All flights of a person; none where the clip shows no whole person or nobody jumps."""
    if clip.frames < FEWEST_FRAMES or (sites := sites_of(clip)) is None:
        return ()
    centre = centre_of_points(sites)
    aloft = _aloft(sites)
    if centre is None or aloft is None:
        return ()
    aloft &= np.isfinite(centre).all(axis=1)
    falls = (_fall(centre[a:b], a, clip.rate) for a, b in _runs(aloft) if b - a >= FEWEST_FRAMES)
    return tuple(fall for fall in falls if fall is not None)


def _aloft(sites: Mapping[str, Array]) -> NDArray[np.bool_] | None:
    """Frames (T,) in which every part is clear of the ground; None without feet."""
    clearance = {site: _clearance(site) for site in sites}
    feet = [path[:, 2] for site, path in sites.items() if clearance[site] == _FOOT_CLEARANCE]
    if not feet:
        return None
    lowest = _lowest(feet)
    seen = np.isfinite(lowest)
    if not seen.any():
        return None
    level = float(np.percentile(lowest[seen], 10.0))
    above = _lowest([path[:, 2] - clearance[site] for site, path in sites.items()])
    return np.asarray(seen & (above > level))


def _clearance(site: str) -> float:
    bare = site.removesuffix("_left").removesuffix("_right")
    return _FOOT_CLEARANCE if bare.startswith(_FEET) else _CLEARANCE


def _lowest(heights: list[Array]) -> Array:
    """The least of the heights (T,) that are seen, NaN where none is."""
    least = np.min(np.where(np.isnan(heights), np.inf, heights), axis=0)
    return np.asarray(np.where(np.isfinite(least), least, np.nan))


def _fall(centre: Array, first: int, rate: float) -> FreeFall | None:
    """Judge the path (T, 3) of a centre of mass that begins at frame `first`."""
    frames = len(centre)
    time = (np.arange(frames) - 0.5 * (frames - 1)) / rate
    design = np.column_stack([np.ones(frames), time, 0.5 * time**2])
    path, *_ = np.linalg.lstsq(design, centre, rcond=None)
    down = -float(path[2, 2])
    arc = down * ((frames - 1) / rate) ** 2 / 8.0
    rough = float(np.sqrt(np.mean((centre - design @ path)[:, 2] ** 2)))
    sideways = float(np.hypot(path[2, 0], path[2, 1]))
    if arc < LEAST_ARC or rough > ROUGHEST * arc or down < LEAST_UPRIGHT * sideways:
        return None
    return FreeFall(start=first / rate, end=(first + frames - 1) / rate, acceleration=down, arc=arc)


def _runs(flags: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """(first, last + 1) of each run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    yield from ((int(a), int(b)) for a, b in edges.reshape(-1, 2))
