"""What is in a recording and what is wrong with it, in numbers and words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from reenact.geometry.rotation import Array
from reenact.motion.calibration import calibration_frames
from reenact.motion.clip import MarkerClip, SkeletonClip, Table
from reenact.motion.rate import rate_remarks
from reenact.motion.stature import find_trunk, standing_height

STATURES: Final = (1.2, 2.3)  # m; outside, the length unit is probably wrong
_TELEPORT: Final = 15.0  # m/s of the whole body or of one marker
_FLOOR_OFF: Final = (-0.05, 0.10)  # m; ankles, toes and markers stand somewhat above the sole
_CONSTANT: Final = 1e-6  # m


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """Facts about a clip; `problems` is empty where nothing is odd."""

    name: str
    kind: Literal["skeleton", "markers", "table"]
    joints: tuple[str, ...]  # joints without end sites, markers, or columns
    rate: float  # Hz
    frames: int
    seconds: float
    units: str  # metres per unit of length in the file and how that is known; "" for a table
    up: str  # up axis of the file and how that is known; "" for a table
    stature: float | None  # m
    problems: tuple[str, ...]


def inspect_clip(clip: SkeletonClip | MarkerClip | Table) -> Inspection:
    """Look through a clip."""
    if isinstance(clip, SkeletonClip):
        return _inspect_skeleton(clip)
    return _inspect_markers(clip) if isinstance(clip, MarkerClip) else _inspect_table(clip)


def _said(clip: SkeletonClip | MarkerClip, key: str) -> str:
    value, why = clip.source.get(key, ""), clip.source.get(f"{key}_why", "")
    if key == "units" and value:
        value = f"{float(value):.6g} m"
    return f"{value} ({why})" if value and why else value


def _inspect_skeleton(clip: SkeletonClip) -> Inspection:
    first = calibration_frames(clip)
    position = clip.world()[0][first:]
    stature = standing_height(clip.skeleton, position)
    problems = [
        *clip.notes,
        *_stature_problem(stature),
        *_jumps(position, clip.rate, first),
        *_floor_problem(clip, position),
        *_lifeless(clip),
        *rate_remarks(clip),
    ]
    return Inspection(
        name=clip.name,
        kind="skeleton",
        joints=tuple(name for name, end in zip(clip.skeleton.names, clip.skeleton.ends, strict=True) if not end),
        rate=clip.rate,
        frames=clip.frames,
        seconds=clip.duration,
        units=_said(clip, "units"),
        up=_said(clip, "up"),
        stature=stature,
        problems=tuple(problems),
    )


def _stature_problem(stature: float | None) -> list[str]:
    if stature is None:
        return ["no joint is named like a foot: the stature cannot be told"]
    low, high = STATURES
    if low <= stature <= high:
        return []
    return [f"a stature of {stature:.2f} m is implausible: is the length unit right?"]


def _jumps(position: Array, rate: float, first: int) -> list[str]:
    """Frames to which the whole body goes faster than a body can, and faster than around them."""
    if len(position) < 4:
        return []
    speed = np.linalg.norm(np.diff(position, axis=0), axis=-1).mean(axis=-1) * rate
    around = np.maximum(np.roll(speed, 1), np.roll(speed, -1))
    jumps = np.flatnonzero((speed > _TELEPORT) & (speed > 4.0 * around)) + first + 1
    if not len(jumps):
        return []
    where = ", ".join(str(frame) for frame in jumps[:5]) + (" …" if len(jumps) > 5 else "")
    return [f"the whole body jumps at {len(jumps)} frames: {where}"]


def _floor_problem(clip: SkeletonClip, position: Array) -> list[str]:
    """The lowest points of a person who touches the ground lie on it: compared with z = 0."""
    if find_trunk(clip.skeleton) is None:
        return []
    return _off_the_floor(position[..., 2].min(axis=1))


def _off_the_floor(lowest: Array) -> list[str]:
    """Judge the lowest point of each frame (T,) [m]."""
    height = float(np.percentile(lowest, 10))
    if _FLOOR_OFF[0] <= height <= _FLOOR_OFF[1]:
        return []
    where = "above" if height > 0 else "below"
    return [f"the lowest points lie {100 * abs(height):.0f} cm {where} z = 0: the floor is elsewhere"]


def _lifeless(clip: SkeletonClip) -> list[str]:
    """Whether nothing moves at all."""
    if clip.frames < 2:
        return ["a single frame: no motion"]
    moves = np.ptp(clip.translation, axis=0).max() > _CONSTANT or np.ptp(clip.rotation, axis=0).max() > 1e-6
    return [] if moves else ["nothing moves"]


def _inspect_markers(clip: MarkerClip) -> Inspection:
    checks: tuple[Callable[[MarkerClip], list[str]], ...] = (_missing, _constant, _marker_jumps, _marker_floor)
    return Inspection(
        name=clip.name,
        kind="markers",
        joints=clip.names,
        rate=clip.rate,
        frames=clip.frames,
        seconds=clip.duration,
        units=_said(clip, "units"),
        up=_said(clip, "up"),
        stature=_marker_stature(clip),
        problems=(*clip.notes, *(problem for check in checks for problem in check(clip)), *rate_remarks(clip)),
    )


def _missing(clip: MarkerClip) -> list[str]:
    """Markers that are away for part of the time, and the longest gap."""
    gone = np.isnan(clip.position[..., 0])  # (T, M)
    if not gone.any():
        return []
    share = gone.mean(axis=0)
    never = [name for name, s in zip(clip.names, share, strict=True) if s == 1.0]
    worst = int(np.argmax(np.where(share < 1.0, share, -1.0)))
    problems = [f"{100 * gone.mean():.1f} % of the marker positions are missing"]
    if share[worst] < 1.0 and share[worst] > 0:
        longest = _longest_run(gone[:, worst]) / clip.rate
        away = f"missing {100 * share[worst]:.0f} % of the time, at most {longest:.2f} s at once"
        problems.append(f"marker '{clip.names[worst]}' is {away}")
    if never:
        problems.append(f"never seen: {', '.join(never[:8])}{' …' if len(never) > 8 else ''}")
    return problems


def _longest_run(flags: Array) -> int:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(int), [0]])))
    return int(np.max(edges[1::2] - edges[::2])) if len(edges) else 0


def _constant(clip: MarkerClip) -> list[str]:
    """Markers that never move, in a clip where others do."""
    if clip.frames < 10:
        return []
    seen = ~np.isnan(clip.position[..., 0])
    span = np.array(
        [
            np.ptp(clip.position[seen[:, m], m], axis=0).max() if seen[:, m].sum() > 1 else np.inf
            for m in range(len(clip.names))
        ]
    )
    still = [name for name, s in zip(clip.names, span, strict=True) if s < _CONSTANT]
    if not still:
        return []
    return [f"{len(still)} markers never move: {', '.join(still[:8])}{' …' if len(still) > 8 else ''}"]


def _marker_jumps(clip: MarkerClip) -> list[str]:
    speed = np.linalg.norm(np.diff(clip.position, axis=0), axis=-1) * clip.rate  # (T − 1, M)
    if len(speed) < 3:
        return []
    known = np.nan_to_num(speed, nan=0.0)
    around = np.maximum(np.roll(known, 1, axis=0), np.roll(known, -1, axis=0))
    jump = (known > _TELEPORT) & (known > 3.0 * around)
    if not jump.any():
        return []
    frame, marker = (int(i) for i in np.argwhere(jump)[0])
    return [f"{int(jump.sum())} jumps of single markers, the first of '{clip.names[marker]}' at frame {frame + 1}"]


def _marker_floor(clip: MarkerClip) -> list[str]:
    heights = clip.position[..., 2]
    seen = ~np.isnan(heights).all(axis=1)
    return _off_the_floor(np.nanmin(heights[seen], axis=1)) if seen.any() else ["no marker is ever seen"]


def _marker_stature(clip: MarkerClip) -> float | None:
    """Height from the lowest marker to one on the head while upright: a lower bound; None without a head marker."""
    heads = [
        i for i, name in enumerate(clip.names) if any(word in name.lower() for word in ("head", "vertex", "fhd", "bhd"))
    ]
    if not heads:
        return None
    heights = clip.position[..., 2]
    seen = ~np.isnan(heights[:, heads]).all(axis=1)
    if not seen.any():
        return None
    span = np.nanmax(heights[seen][:, heads], axis=1) - np.nanmin(heights[seen], axis=1)
    return float(np.percentile(span, 90))


def _inspect_table(table: Table) -> Inspection:
    steps = np.diff(table.time)
    usual = float(np.median(steps)) if len(steps) else 0.0
    gaps = int(np.isnan(table.values).sum())
    problems = list(table.notes)
    if gaps:
        problems.append(f"{gaps} values are missing")
    return Inspection(
        name=table.name,
        kind="table",
        joints=table.columns,
        rate=1.0 / usual if usual > 0 else 0.0,
        frames=table.frames,
        seconds=table.duration,
        units="",
        up="",
        stature=None,
        problems=tuple(problems),
    )
