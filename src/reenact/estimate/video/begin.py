"""Where a track begins: a pose known at some time of the video, led to the first frame, or one searched for there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.estimate.video.explain import mismatch_of
from reenact.estimate.video.first_search import first_pose_by_search
from reenact.estimate.video.settings import Settings
from reenact.estimate.video.sighting import Sighting, mean_times
from reenact.estimate.video.track import Seen, track
from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.motion.tree import move
from reenact.priors.model import PoseModel

AT_ONCE: Final = 3  # frames from the first one within which a known pose serves as it is
LIKE: Final = 0.6  # mismatch, of at most 2, up to which a known pose looks like its mask
ELSEWHERE: Final = 1.5  # from which on a known pose is not on the person at all
UNLIKE: Final = 1.0  # the same of a pose that was searched for
SPREAD: Final = (0.03, 0.05, 0.08)  # by which first poses of other seeds differ: root [m], root [rad], hinges [rad]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Beginning:
    """First poses for a track, and the one to look at."""

    firsts: tuple[Array, ...]  # (7 + A,) each, of the first frame
    pose: Array  # (7 + A,) as known or found
    frame: int  # that it belongs to
    mismatch: float  # of it there, term of [V12] Eq. 9, 0 … 2
    words: str  # where it comes from
    known: bool  # rather than searched for


def known_pose(body: Body, sightings: Sequence[Sighting], time: Array, qpos: Array) -> tuple[int, int] | None:
    """Of poses (F, 7 + A) known at `time` (F,) [s] one to begin with, and the frame it is of; None where none is seen.

    The earliest that looks like its mask, else the one that looks most like it: some may be of somebody else.
    """
    when = mean_times(sightings)
    half = 0.75 * float(np.median(np.diff(when)))
    seen = np.all([each.seen.masks.any(axis=(1, 2)) for each in sightings], axis=0)  # and can be trusted
    frames = [int(np.argmin(np.where(seen, np.abs(when - each), np.inf))) for each in time]
    inside = [(i, frame) for i, frame in enumerate(frames) if abs(when[frame] - time[i]) <= half]
    if not inside:
        return None
    off = mismatch_of(body, sightings, qpos[[i for i, _ in inside]], [frame for _, frame in inside])
    good = np.flatnonzero(off <= LIKE)
    return inside[int(good[0]) if len(good) else int(np.argmin(off))]


def from_known(
    body: Body, sightings: Sequence[Sighting], rate: float, pose: Array, frame: int, model: PoseModel, *,
    settings: Settings | None = None, threads: int | None = None, progress: Progress | None = None,
    words: str = "",
) -> Beginning:  # fmt: skip
    """Begin with a pose (7 + A,) known in one of the frames; from a later one it is followed back to the first."""
    off = float(mismatch_of(body, sightings, pose[None], [frame])[0])
    if off > ELSEWHERE:
        raise InputError(
            f"the first pose is not where the person is seen: silhouettes differ by {off:.2f} of at most 2 at "
            f"{mean_times(sightings)[frame]:.2f} s; are camera and pose of this video, and is --person the right one?"
        )
    first = np.asarray(pose, float)
    if frame >= AT_ONCE:
        back = [backwards(each.seen, frame) for each in sightings]
        once = replace(settings or Settings(), rounds=1)
        first = track(
            body, back, rate, first, model, settings=once, girth=False, threads=threads, progress=progress
        ).poses[-1]
    return Beginning(firsts=(first,), pose=np.asarray(pose, float), frame=frame, mismatch=off, words=words, known=True)


def backwards(seen: Seen, frame: int) -> Seen:
    """What was seen from a frame back to the first one."""
    part = slice(frame, None, -1)
    return replace(seen, masks=seen.masks[part], marks=None if seen.marks is None else seen.marks.at(part), fine=None)


def by_search(
    body: Body, sightings: Sequence[Sighting], rate: float, models: Sequence[PoseModel], *,
    settings: Settings | None = None, progress: Progress | None = None,
) -> Beginning:  # fmt: skip
    """Begin with poses that look like the first mask."""
    seen = [each.seen for each in sightings]
    firsts = first_pose_by_search(body, seen, models, rate=rate, settings=settings, progress=progress)
    offs = mismatch_of(body, sightings, np.stack(firsts[:1]), [0])
    if offs[0] > UNLIKE:
        raise InputError(
            f"no pose of the body looks like the person in the first frame (silhouettes differ by {offs[0]:.2f} of at "
            "most 2): are the camera and the person's height right? `reenact calibrate` gives both, and a first pose"
        )
    words = "searched for by its silhouette"
    return Beginning(firsts=tuple(firsts), pose=firsts[0], frame=0, mismatch=float(offs[0]), words=words, known=False)


def varied(pose: Array, seed: int) -> Array:
    """A pose (7 + A,) somewhat displaced, as another seed begins; seed 0 leaves it as it is."""
    return np.asarray(pose, float) if seed == 0 else displaced(pose, SPREAD, np.random.default_rng([seed, 5]))


def displaced(pose: Array, spread: tuple[float, float, float], rng: np.random.Generator) -> Array:
    """A pose (7 + A,) with normal noise of a spread of the root [m], the root [rad] and the hinges [rad]."""
    each = np.concatenate([np.full(3, spread[0]), np.full(3, spread[1]), np.full(len(pose) - 7, spread[2])])
    return move(np.asarray(pose, float), each * rng.standard_normal(len(each)))
