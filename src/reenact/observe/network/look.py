"""From a video to the landmarks and masks of one person, in two readings: who is there, then a close look at one.

In the second reading the network looks where the frame before says, and where it lost the person, where the detector
found them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from reenact.errors import InputError
from reenact.formats.video import Video, VideoFrame, open_video, read_frames
from reenact.measure import Progress
from reenact.observe.mask import Mask, empty_mask
from reenact.observe.network.detection import Person
from reenact.observe.network.engine import Network
from reenact.observe.network.keypoints import SEEN, Keypoints
from reenact.observe.network.landmarks import NAMES, Landmarks
from reenact.observe.network.link import Track, chosen, radius_of, tracks_of
from reenact.observe.network.region import Region, mask_in_picture
from reenact.observe.watch import Asked, Watch

FINDING: Final = 0.4  # share of the time that the first reading takes
CHECK: Final = 0.2  # [s] between close looks at everybody
ASTRAY: Final = 1.0  # of the radius by which the look ahead may differ from the detector before it is given up


def keypoints_of(
    path: Path | str, asked: Asked | None = None, *, watch: Watch | None = None, progress: Progress | None = None
) -> Keypoints:
    """Landmarks of one person in a video; `watch` is shown each frame with its mask.

    The camera may move. Needs the extra `network` and weights that `reenact network fetch` fetches.
    """
    asked = asked or Asked()
    if asked.long_side < 64:
        raise InputError(f"pictures of {asked.long_side} px are too small, expected 64 or more")
    network = Network()
    video = open_video(path)
    size = video.scaled(asked.long_side)
    times, found = find_people(network, _frames(video, asked, progress, "looking for people", 0.0, FINDING))
    try:
        track, rivals = chosen(tracks_of(found, times), asked.hint, size)
    except InputError as error:
        raise InputError(error.cause, path=video.path) from None
    frames = _frames(video, asked, progress, "looking closely", FINDING, 1.0)
    seen, masks = look_along(network, frames, track, watch)
    said = "; ".join(each.where(size) for each in rivals[:3])
    remarks = [f"others are there too; --person x,y,seconds chooses, e.g. {said}"] if rivals else []
    return together(video, np.array(times), seen, masks, video.width / size[0], tuple(remarks))


def find_people(network: Network, frames: Iterable[VideoFrame]) -> tuple[list[float], list[list[Person]]]:
    """Times of the frames and everybody in each; every CHECK seconds each of them is looked at closely."""
    times: list[float] = []
    found = []
    checked = -np.inf
    for frame in frames:
        people = network.people(frame.image)
        if frame.time - checked >= CHECK:
            checked = frame.time
            people = [replace(each, sure=network.landmarks(frame.image, each.region).score) for each in people]
        times.append(frame.time)
        found.append(people)
    return times, found


def look_along(
    network: Network, frames: Iterable[VideoFrame], track: Track, watch: Watch | None = None
) -> tuple[list[Landmarks | None], list[Mask]]:
    """A close look at one person in each frame; None and an empty mask where they are not seen."""
    detected = {frame: person.region for frame, person in zip(track.frames, track.people, strict=True)}
    ahead: Region | None = None
    seen, masks = [], []
    for i, frame in enumerate(frames):
        landmarks = best_look(network, frame, _places(ahead, detected.get(i)))
        shape = (frame.image.shape[0], frame.image.shape[1])
        mask = empty_mask(shape)
        ahead = None
        if landmarks is not None:
            ahead = landmarks[0].ahead
            mask = mask_in_picture(landmarks[0].chance, landmarks[1], shape)
        seen.append(None if landmarks is None else landmarks[0])
        masks.append(mask)
        if watch is not None:
            watch(frame, mask)
    return seen, masks


def _places(ahead: Region | None, found: Region | None) -> list[Region]:
    """Where to look, the likeliest first: where the frame before says, unless the detector is sure to say otherwise."""
    if ahead is None or found is None:
        return [each for each in (ahead, found) if each is not None]
    astray = np.hypot(ahead.x - found.x, ahead.y - found.y) > ASTRAY * radius_of(found)
    return [found, ahead] if astray else [ahead, found]


def best_look(network: Network, frame: VideoFrame, places: list[Region]) -> tuple[Landmarks, Region] | None:
    """What is seen in the first of the places in which somebody is, and that place."""
    for region in places:
        landmarks = network.landmarks(frame.image, region)
        if landmarks.score >= SEEN:
            return landmarks, region
    return None


def together(
    video: Video,
    time: np.ndarray[tuple[int], np.dtype[np.float64]],
    seen: list[Landmarks | None],
    masks: list[Mask],
    factor: float,
    remarks: tuple[str, ...],
) -> Keypoints:
    """All frames in one; `factor` turns pixels of the size worked on into the video's."""
    frames, marks = len(time), len(NAMES)
    points, world = np.full((frames, marks, 2), np.nan), np.full((frames, marks, 3), np.nan)
    visibility, presence, score = np.zeros((frames, marks)), np.zeros((frames, marks)), np.zeros(frames)
    for i, each in enumerate(seen):
        if each is not None:
            points[i], world[i] = factor * each.points, each.world
            visibility[i], presence[i], score[i] = each.visibility, each.presence, each.score
    return Keypoints(
        name=video.path.name,
        video_size=(video.width, video.height),
        time=time,
        points=points,
        visibility=visibility,
        presence=presence,
        world=world,
        masks=tuple(masks),
        score=score,
        remarks=remarks,
    )


def _frames(
    video: Video, asked: Asked, progress: Progress | None, what: str, begin: float, end: float
) -> Iterable[VideoFrame]:
    """The frames asked for, said to `progress` as a share from `begin` to `end`."""
    first = asked.begin or 0.0
    last = asked.end if asked.end is not None else video.duration
    for frame in read_frames(video, begin=asked.begin, end=asked.end, long_side=asked.long_side):
        yield frame
        if progress is not None:
            done = 0.0 if last is None else min(1.0, max(0.0, (frame.time - first) / max(1e-6, last - first)))
            progress(begin + (end - begin) * done, what)
