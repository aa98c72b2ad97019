"""Whole turns that a track has missed: someone who spins in the air is explained, badly, by someone who does not.

Frame by frame a silhouette tells little of a quick turn about the vertical: limbs that reach out and back again look
much the same, and a way that begins to turn costs more at first than one that does not. So where the masks are
explained worse than elsewhere, ways are grown that have to turn, to either side, once round in that time; what costs
less in the end, solved as a whole, is kept.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_closing

from reenact.estimate.abreast import abreast
from reenact.estimate.video.fold import folded, places
from reenact.estimate.video.grow import Way, grown
from reenact.estimate.video.settings import Settings
from reenact.estimate.video.terms import Terms
from reenact.estimate.video.whole import all_at_once, otherwise
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.observe.projection import mismatches
from reenact.physics.rollout import cores

WORSE: Final = 1.4  # times the usual mismatch, from where on masks are not explained
SMOOTHED: Final = 5  # frames over which mismatches are averaged
QUICK: Final = 4.0  # [rad/s] at which the root turns, from where on it may have turned otherwise
LEAST, MOST = 0.2, 1.5  # [s] of such a stretch
BREATH: Final = 0.3  # [s] between two stretches that are taken for one
LENGTHS: Final = (1.0, 1.5)  # of a stretch, that a turn takes
EARLIER: Final = 3  # frames before it that a turn begins
LEAST_BEFORE: Final = 2  # frames that it follows
LONGER: Final = 3  # times as many Newton steps as usual
PACE: Final = 0.55  # share of an even turn that a way must have done by then
SLACK: Final = 0.35  # [rad] by which it may be behind that
ENOUGH: Final = 0.7  # of a turn, after which it goes as it likes


@dataclass(frozen=True, slots=True, kw_only=True)
class Spin:
    """A turn about the vertical that a way has to make."""

    begin: int  # frame
    frames: int  # that it takes
    sense: float  # 1 to the left, −1 to the right

    def __call__(self, poses: Array, nexts: Array) -> NDArray[np.bool_]:
        """Which of poses (k, 7 + A) may follow poses (n, 7 + A)."""
        done = self.sense * np.concatenate([[0.0], np.cumsum(turns(poses[self.begin :]))])
        if done.max() >= ENOUGH * 2.0 * math.pi:
            return np.ones(len(nexts), bool)
        both = np.stack([np.repeat(poses[-1:], len(nexts), axis=0), nexts])
        then = done[-1] + self.sense * turns(both.reshape(-1, poses.shape[1]), len(nexts))
        even = 2.0 * math.pi * (len(poses) - self.begin) / self.frames
        return np.asarray(then >= PACE * even - SLACK)


def turns(poses: Array, apart: int = 1) -> Array:
    """How far the root turns about the vertical from each of poses (n, 7 + A) to that so many later [rad]."""
    step = rotation.multiply(poses[apart:, 3:7], rotation.conjugate(poses[:-apart, 3:7]))
    return np.asarray(rotation.to_rotvec(step)[:, 2])


def without_missed_turns(
    terms: Terms,
    sharp: Terms,
    poses: Array,
    rate: float,
    settings: Settings,
    tell: Callable[[float], None],
    threads: int | None = None,
) -> Array:
    """Poses (T, 7 + A), or others with a whole turn to one side or the other that cost less by sharp terms.

    Also those with half of a turn mirrored in depth: who turns on is easily taken for who turns back half way.
    """
    tries: list[Callable[[Callable[[float], None]], Array]] = []
    for begin, end in stretches(sharp, poses, rate):
        first = max(LEAST_BEFORE, begin - EARLIER)
        for share, sense in itertools.product(LENGTHS, (1.0, -1.0)):
            spin = Spin(begin=first, frames=max(3, round(share * (end - begin))), sense=sense)
            tries.append(partial(_spun, terms, sharp, poses, spin, settings))
        for place in places(sharp, poses):
            if first < place < end:
                tries += [partial(_mirrored, sharp, poses, part, settings) for part in ((first, place), (place, end))]
    if not tries:
        return poses
    tries.append(partial(_settled, sharp, poses, settings))
    frames = np.arange(len(poses))
    return min(abreast(tries, tell, threads or cores()), key=lambda each: sharp.cost(each, frames))


def stretches(terms: Terms, poses: Array, rate: float) -> list[tuple[int, int]]:
    """Frames from … to before … in which masks are explained worse than elsewhere, or the root turns quickly.

    Who turns quickly may have turned the other way: from one side both look much the same.
    """
    off = np.mean([mismatches(view.projection.overlaps(poses, view.masks)) for view in terms.views], axis=0)
    told = np.any([view.weight > 0.0 for view in terms.views], axis=0)
    spin = smoothed(np.concatenate([[0.0], turns(poses)])) * rate
    marked = (beside_usual(off, told) > WORSE) | (np.abs(spin) > QUICK)
    gap = np.ones(2 * max(1, round(0.5 * BREATH * rate)) + 1, bool)  # who seems to turn back stands still in between
    apart, found = runs(marked), []
    for begin, end in runs(binary_closing(np.pad(marked, len(gap)), gap)[len(gap) : -len(gap)]):
        joined = end - begin <= MOST * rate
        found += [(begin, end)] if joined else [(a, b) for a, b in apart if begin <= a < end]
    return [(a, b) for a, b in found if LEAST * rate <= b - a <= MOST * rate]


def beside_usual(off: Array, told: NDArray[np.bool_]) -> Array:
    """How many times as great mismatches (T,) are as usual, smoothed; frames that are not told of (T,) are usual."""
    off = smoothed(np.where(told, off, np.median(off[told])))
    return np.asarray(off / max(float(np.median(off)), 1e-9))


def runs(marked: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """From … to before … of each stretch of true ones."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], marked, [False]])))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


def smoothed(values: Array) -> Array:
    """Values (T,) averaged over SMOOTHED frames."""
    wide = np.pad(values, SMOOTHED // 2, mode="edge")
    return np.convolve(wide, np.full(SMOOTHED, 1.0 / SMOOTHED), mode="valid")


def _spun(
    terms: Terms, sharp: Terms, poses: Array, spin: Spin, settings: Settings, tell: Callable[[float], None]
) -> Array:
    """The cheapest way with a spin, from where it begins to the end, solved as a whole."""
    before = poses[: spin.begin + 1]
    start = Way(poses=before, cost=terms.cost(before, np.arange(len(before))), origin=0)
    way = grown(terms, [start], settings, to=len(poses), keep=settings.ways, only=spin, tell=tell)[0]
    found = otherwise(terms, all_at_once(terms, way.poses, settings.last_steps), settings.last_steps)
    return _settled(sharp, found, settings, tell)


def _mirrored(
    sharp: Terms, poses: Array, part: tuple[int, int], settings: Settings, tell: Callable[[float], None]
) -> Array:
    """Poses (T, 7 + A) mirrored in depth from one frame to before another, solved as a whole."""
    return _settled(sharp, folded(sharp, poses, *part), settings, tell)


def _settled(sharp: Terms, poses: Array, settings: Settings, _tell: Callable[[float], None]) -> Array:
    """Solved for longer than usual: what has leapt far is far from its hollow."""
    return all_at_once(sharp, poses, LONGER * settings.last_steps)
