"""From a video to the silhouettes of one person: the empty scene, who moves in it, and the masks, in three readings.

Each reading decodes the file again, so that memory holds a bounded number of full-size frames however long it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.formats.video import Video, VideoFrame, open_video, read_frames
from reenact.formats.video_content import content_of
from reenact.measure import Progress
from reenact.observe.blobs import FLOOD, blobs_of
from reenact.observe.cells import cell_side, cells_of
from reenact.observe.cut import Cut, cut_out
from reenact.observe.follow import Follower, Sighting
from reenact.observe.light import gain_of
from reenact.observe.mask import Mask, empty_mask
from reenact.observe.person import Choice, Hint, choose, where
from reenact.observe.quality import Look, judged, remarks_of
from reenact.observe.scene import Scene, learn_scene
from reenact.observe.silhouettes import Silhouettes

LONG_SIDE: Final = 1920  # [px]; larger videos are worked on at this size
LEAST: Final = 0.2  # share of the person's area from which on another thing nearby is kept out of the mask
FEW, SHARE = 5, 0.02  # frames of a file, and share of them, beyond which it is said that so many are missing
BEHIND: Final = 0.4  # share of the time for which a cell may be covered and its background still be known
_SHARES: Final = ("learning the background", 0.0, 0.3), ("looking for people", 0.3, 0.7), ("cutting out", 0.7, 1.0)

Watch = Callable[[VideoFrame, Mask], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is wanted of a video."""

    begin: float | None = None  # [s]
    end: float | None = None  # [s]
    hint: Hint | None = None
    plate: Path | None = None
    long_side: int = LONG_SIDE

    def __post_init__(self) -> None:
        """Refuse a hint at a time that is not watched."""
        time = None if self.hint is None else self.hint.time
        if time is not None and not (self.begin or 0.0) <= time <= (np.inf if self.end is None else self.end):
            asked = f"--from {self.begin or 0.0:g}" + ("" if self.end is None else f" --to {self.end:g}")
            raise InputError(f"--person is at {time:g} s, which is not within {asked}")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Notes:
    """What the second reading found, frame by frame."""

    time: NDArray[np.float64]
    gain: NDArray[np.float64]  # (T, 3)
    shift: NDArray[np.float64]
    unlike: NDArray[np.float64]


def silhouettes_of(
    path: Path | str, asked: Asked | None = None, *, watch: Watch | None = None, progress: Progress | None = None
) -> Silhouettes:
    """Silhouettes of one person in a video; `watch` is shown each frame with its mask as it is cut."""
    asked = asked or Asked()
    if asked.long_side < 64:
        raise InputError(f"pictures of {asked.long_side} px are too small, expected 64 or more")
    video = open_video(path)
    clock = _Clock(video, asked, progress)
    try:
        scene = learn_scene(
            video,
            begin=asked.begin,
            end=asked.end,
            plate=asked.plate,
            long_side=asked.long_side,
            seen=clock.reading(0),
        )
        notes, follower = _follow(video, asked, scene, clock.reading(1))
        choice = choose(follower.tracks, asked.hint)
    except InputError as error:
        raise error if error.path is not None else InputError(error.cause, path=video.path) from None
    looks = _cut(video, asked, scene, notes, choice, watch, clock.reading(2))
    quality, doubts = judged(looks, notes.time)
    blank = empty_mask(scene.background.colour.shape[:2])
    return Silhouettes(
        name=video.path.name,
        video_size=(video.width, video.height),
        time=notes.time,
        masks=tuple(blank if look.cut is None else look.cut.mask for look in looks),
        quality=quality,
        doubts=doubts,
        remarks=(*_said(choice), *_missing(video, asked, len(notes.time)), *remarks_of(doubts, notes.time)),
        content=content_of(video.path),
    )


def _missing(video: Video, asked: Asked, frames: int) -> tuple[str, ...]:
    """That a file cut off or damaged holds fewer frames than it says, where all of them were asked for."""
    if video.declared is None or (asked.begin, asked.end) != (None, None):
        return ()
    if video.declared - frames <= max(FEW, SHARE * video.declared):  # a few may be hidden or stand twice
        return ()
    return (f"{frames} of the {video.declared} frames that the file declares can be read: it is cut off or damaged",)


def _follow(video: Video, asked: Asked, scene: Scene, seen: Callable[[VideoFrame], None]) -> tuple[_Notes, Follower]:
    follower, rows = Follower(), []
    for i, frame in enumerate(_frames(video, asked)):
        gain = gain_of(frame.image, scene.background.colour)
        found = blobs_of(cells_of(scene.background, frame.image, gain))
        follower.add(i, frame.time, found.blobs)
        shift = float(np.hypot(*scene.reference.shift(frame.image)))
        rows.append((frame.time, *gain, shift, found.unlike))
        seen(frame)
    table = np.array(rows)
    flooded = float(np.mean(table[:, 5] > FLOOD))
    if flooded > 0.5:
        raise InputError(
            f"most of the picture changes in {flooded:.0%} of the frames: the camera moves, or the light changes; "
            "silhouettes need a camera that stands still"
        )
    return _Notes(time=table[:, 0], gain=table[:, 1:4], shift=table[:, 4], unlike=table[:, 5]), follower


def _cut(
    video: Video,
    asked: Asked,
    scene: Scene,
    notes: _Notes,
    choice: Choice,
    watch: Watch | None,
    seen: Callable[[VideoFrame], None],
) -> list[Look]:
    at = {sighting.frame: sighting for sighting in choice.track.sightings}
    beside: dict[int, list[Mask]] = {}
    for track in choice.others:
        for other in track.sightings:
            beside.setdefault(other.frame, []).append(other.mask)
    side = cell_side(*scene.background.size)
    blank = empty_mask(scene.background.colour.shape[:2])
    unseen = _unseen(choice, scene)
    looks = []
    for i, frame in enumerate(_frames(video, asked)):
        cut: Cut | None = None
        sighting = at.get(i)
        if sighting is not None:
            others = _together([m for m in beside.get(i, ()) if m.area > LEAST * sighting.mask.area], sighting)
            cut = cut_out(scene.background, frame.image, notes.gain[i], sighting.mask.full(), others, side)
        looks.append(
            Look(
                cut=None if cut is None or cut.mask.empty else cut,
                shared=sighting is not None and sighting.shared,
                unlike=float(notes.unlike[i]),
                flooded=bool(notes.unlike[i] > FLOOD),
                behind=_share(sighting, unseen),
                shift=float(notes.shift[i]),
            )
        )
        if watch is not None:
            watch(frame, blank if cut is None else cut.mask)
        seen(frame)
    return looks


def _together(masks: list[Mask], sighting: Sighting) -> NDArray[np.bool_]:
    out = np.zeros(sighting.mask.shape, bool)
    for mask in masks:
        out |= mask.full()
    return out


def _frames(video: Video, asked: Asked) -> Iterator[VideoFrame]:
    return read_frames(video, begin=asked.begin, end=asked.end, long_side=asked.long_side)


def _said(choice: Choice) -> list[str]:
    if not choice.rivals:
        return []
    others = "; ".join(where(track) for track in choice.rivals[:3])
    return [f"others move too; --person x,y,seconds chooses, e.g. {others}"]


def _unseen(choice: Choice, scene: Scene) -> NDArray[np.bool_]:
    """Cells that the person covers for so much of the time that nothing shows what is behind, (h, w)."""
    covered = np.zeros(choice.track.last.mask.shape, np.int32)
    for sighting in choice.track.sightings if scene.learned else ():
        left, top, right, bottom = sighting.mask.box
        covered[top:bottom, left:right] += sighting.mask.crop()
    return np.asarray(covered > BEHIND * scene.frames)


def _share(sighting: Sighting | None, unseen: NDArray[np.bool_]) -> float:
    if sighting is None:
        return 0.0
    left, top, right, bottom = sighting.mask.box
    return float(unseen[top:bottom, left:right][sighting.mask.crop()].mean())


class _Clock:
    """Turns the time of the frame that is read into how much of all three readings is done."""

    def __init__(self, video: Video, asked: Asked, progress: Progress | None) -> None:
        self._first = asked.begin or 0.0
        known = asked.end if asked.end is not None else video.duration
        self._span = None if known is None else max(1e-6, known - self._first)
        self._progress = progress

    def reading(self, number: int) -> Callable[[VideoFrame], None]:
        """What the readers of one pass call with each frame."""
        what, begin, end = _SHARES[number]

        def seen(frame: VideoFrame) -> None:
            if self._progress is not None:
                done = 0.0 if self._span is None else min(1.0, max(0.0, (frame.time - self._first) / self._span))
                self._progress(begin + (end - begin) * done, what)

        return seen
