"""Steps of somebody who walks, from what is known of them, and how far off those that an eye sees in the frames.

A simulation knows what its feet bear, which tells to the step when one comes down. Of poses alone it is told by heels
that are low and slow, which misses feet that roll on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.body.toml import parse_body
from reenact.estimate.video.measures import strikes
from reenact.formats.take import Take
from reenact.geometry.rotation import Array
from reenact.observe.camera_points import points_of
from reenact.physics.part_loads import part_loads

SIDES: Final = ("left", "right")
HEELS: Final = ("heel_left", "heel_right")
BEARS: Final = 0.1  # of the weight, from which on a foot is down
SHORTEST: Final = 0.1  # [s] for which it must be down, or off the ground, to count
NEAR: Final = 0.3  # [s] within which a step is the one that was seen
STEP: Final = 0.2  # [m] between two steps at least
_GRAVITY: Final = 9.81


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A foot comes down and rests."""

    side: str
    begin: float  # [s] of the video
    place: tuple[float, float]  # of its heel while it rests [m]


def steps_of_take(take: Take, start: float) -> list[Step]:
    """Steps of a simulation that begins at `start` [s] of the video, by what its feet bear."""
    body = parse_body(take.body_toml)
    loads = part_loads(take.motion, [segment.name for segment in body.segments])
    heels = points_of(body, HEELS)
    poses = np.asarray(take.motion["qpos"][:, : 7 + len(body.axes)], float)
    seconds = float(np.median(loads.seconds))
    out = []
    for i, side in enumerate(SIDES):
        own = [s for s, name in enumerate(loads.parts) if name in (f"foot_{side}", f"toes_{side}")]
        down = loads.load[:, own].sum(axis=1) > BEARS * _GRAVITY * body.mass
        for begin, end in _spells(down, max(1, round(SHORTEST / seconds))):
            place = heels.at(poses[(begin + end) // 2])[i]
            out.append(Step(side=side, begin=start + begin * seconds, place=(float(place[0]), float(place[1]))))
    return sorted(out, key=lambda one: one.begin)


def steps_of_heels(heels: Array, rate: float, start: float) -> list[Step]:
    """Steps by heels (T, 2, 3), left and right, the first frame at `start` [s] of the video."""
    out = []
    for foot, begin, end in strikes(heels, rate):
        place = heels[round(0.5 * (begin + end) * rate), foot]
        out.append(Step(side=SIDES[foot], begin=start + begin, place=(float(place[0]), float(place[1]))))
    return out


def off_by_eye(
    steps: Sequence[Step], seen: Sequence[tuple[float, str]], span: tuple[float, float]
) -> tuple[float | None, int, int]:
    """Mean distance in time [ms] from steps seen by eye, time [s] and side; how many are found, and of how many.

    Only those count that lie within the span [s]. One is found by the nearest step of the same foot within NEAR.
    """
    off, asked = [], 0
    for when, side in seen:
        if not span[0] <= when <= span[1]:
            continue
        asked += 1
        near = min((abs(one.begin - when) for one in steps if one.side == side), default=np.inf)
        off += [near] if near <= NEAR else []
    return (1000.0 * float(np.mean(off)) if off else None), len(off), asked


def step_length(steps: Sequence[Step]) -> float | None:
    """Mean distance over the ground [m] of feet that come down in turn."""
    lengths = [float(np.hypot(b.place[0] - a.place[0], b.place[1] - a.place[1])) for a, b in pairwise(steps)
               if a.side != b.side]  # fmt: skip
    lengths = [length for length in lengths if length > STEP]
    return float(np.mean(lengths)) if lengths else None


def in_frames(steps: Sequence[Step], rate: float) -> str:
    """When feet come down, in frames of the video, the foot's letter behind each."""
    return " ".join(f"{rate * one.begin:.0f}{one.side[0].upper()}" for one in steps)


def _spells(on: NDArray[np.bool_], least: int) -> list[tuple[int, int]]:
    """First step and the one after the last of runs of True of at least so many steps; shorter gaps do not count."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], on, [False]]).astype(np.int8))).reshape(-1, 2).tolist()
    joined: list[tuple[int, int]] = []
    for begin, end in edges:
        if joined and begin - joined[-1][1] < least:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((begin, end))
    return [(begin, end) for begin, end in joined if end - begin >= least]
