"""When samples begin and end: even steps, shifted so that decisive moments fall on their ends [L10] §3.2.3.

Decisive are contact switches and the extreme positions of limbs, found by Kinematic Centroid Segmentation [Jenkins and
Mataric 2003]: a limb's centroid, seen from the root, moves away from where a segment began; where it is farthest, the
segment ends and the next begins.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reenact.estimate.sampling.features import Anatomy
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.motion import Motion

STEP = 0.1  # [s] of the sampling steps
LONGER = 0.02  # [s] by which a step may exceed that before another one is put in
APART = 0.05  # [s]: of decisive moments closer than this the earlier-listed kind counts
EXCURSION = 0.12  # of stature: a limb's centroid must move this far before its turning counts
ADJUSTED = 4  # steps before a decisive moment that are shifted; those before them keep their length


def schedule_of(motion: Motion, anatomy: Anatomy, *, step: float = STEP, semantic: bool = True) -> tuple[int, ...]:
    """Ends of the sampling steps, in frames of the motion, rising to its last frame."""
    events: list[int] = []
    if semantic:
        events = _merge([contact_switches(motion), limb_extremes(motion, anatomy)], round(APART * motion.rate))
    length = max(1, round(step * motion.rate))
    return spaced(motion.frames - 1, events, length, round(LONGER * motion.rate))


def spaced(last: int, events: Sequence[int], length: int, longer: int) -> tuple[int, ...]:
    """Ends of steps of about `length` frames up to frame `last` such that each event is one of them.

    The few steps before an event share the time that is left evenly; no step exceeds `length + longer`.
    """
    ends: list[int] = []
    begin = 0
    for event in [*(e for e in events if 0 < e < last), last]:
        while event - begin > ADJUSTED * length:
            begin += length
            ends.append(begin)
        count = max(1, -(-(event - begin - longer) // length))
        ends += [begin + round((event - begin) * (i + 1) / count) for i in range(count)]
        begin = event
    return tuple(ends)


def contact_switches(motion: Motion) -> list[int]:
    """Frames at which a hand or foot, or anything else, comes to the ground or leaves it."""
    times = {t for contact in motion.contacts for t in (contact.start, contact.end)}
    frames = {round(t * motion.rate) for t in times}
    return sorted(f for f in frames if 0 < f < motion.frames - 1)


def limb_extremes(motion: Motion, anatomy: Anatomy) -> list[int]:
    """Frames at which the centroid of a limb turns back, of all limbs that end in an end effector."""
    position, frame = forward(anatomy.tree, motion.qpos)
    seen = np.einsum("tsi,tij->tsj", position - position[:, :1], frame[:, 0])  # from the root, in its axes
    least = EXCURSION * anatomy.stature
    found = {
        f for limb in _limbs(anatomy) for f in centroid_segments(seen[:, limb].mean(axis=1), least, round(motion.rate))
    }
    return sorted(found)


def centroid_segments(centroid: Array, least: float, reach: int) -> list[int]:
    """Frames that cut a path (T, 3) [m] where it is farthest from the last cut, at least `least` [m] away.

    A maximum counts once the path has come back by a fifth of the distance, or has not exceeded it for `reach` frames.
    """
    cuts: list[int] = []
    begin = farthest = 0
    for frame in range(1, len(centroid)):
        away = float(np.linalg.norm(centroid[frame] - centroid[begin]))
        peak = float(np.linalg.norm(centroid[farthest] - centroid[begin]))
        if away > peak:
            farthest = frame
        elif peak >= least and (away < 0.8 * peak or frame - farthest >= reach):
            cuts.append(farthest)
            begin = farthest
            farthest = frame
    return cuts


def _limbs(anatomy: Anatomy) -> list[NDArray[np.int64]]:
    """Segments of each limb: from an end effector up to where other limbs join."""
    parent = anatomy.tree.parent
    children = np.bincount(parent[1:], minlength=len(parent))
    limbs = []
    for tip in anatomy.effectors:
        chain = [int(tip)]
        while parent[chain[-1]] > 0 and children[parent[chain[-1]]] == 1:
            chain.append(int(parent[chain[-1]]))
        if len(chain) > 1:
            limbs.append(np.array(chain))
    return limbs


def _merge(kinds: Sequence[Sequence[int]], apart: int) -> list[int]:
    """All events, without those of later kinds, or later ones of a kind, that lie too close to one already kept."""
    kept: list[int] = []
    for kind in kinds:
        for event in kind:
            if all(abs(event - other) >= apart for other in kept):
                kept.append(event)
    return sorted(kept)
