"""A video's camera and the person's poses from what the pose network sees, and in words how far to trust them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.formats.video import Video
from reenact.formats.video_content import content_of
from reenact.formats.video_tags import video_tags
from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.observe.calibrate import LOOSE, UNSURE_FOCAL, UNSURE_TILT, Calibrated
from reenact.observe.clicks import ClickedFrame, ClickedVideo, KnownCamera, PersonSize
from reenact.observe.lens_guess import usual_focal
from reenact.observe.network.keypoints import Keypoints
from reenact.observe.network.sides import steady_sides
from reenact.observe.network.walk import MOST, chosen_frames, seen_walk
from reenact.observe.walk_seen import SeenWalk
from reenact.observe.walk_solve import SolvedWalk, solve_walk

STRANGE: Final = 3.0  # times the usual distance of a frame's landmarks from which on it is left out
FEW: Final = 5  # frames below which little can be said
FAR: Final = 0.08  # share of the person's height by which a landmark may be missed: the network's may be 3 % off
SIZE: Final = 960  # [px] of the longer side at which the network is shown a video: more does not help it


def calibrate_by_network(
    video: Video,
    keypoints: Keypoints,
    person: PersonSize,
    known: KnownCamera,
    *,
    most: int = MOST,
    progress: Progress | None = None,
) -> Calibrated:
    """Solve the camera of a video and the poses in up to `most` of its frames from the landmarks in them."""
    body = person.body()
    focal, spread, source = usual_focal(video_tags(video.path))
    keypoints, changed = steady_sides(keypoints)
    frames = chosen_frames(keypoints, most)
    size = (video.width, video.height)
    believed = replace(known.known(), usual_focal=(focal, spread))
    tell = progress or (lambda done, what: None)
    found = solve_walk(
        seen_walk(keypoints, frames), body, size, known=believed, progress=lambda done, what: tell(0.6 * done, what)
    )
    good = fitting(found)
    if not good.all():
        again = seen_walk(keypoints, frames[good])
        found = solve_walk(again, body, size, known=believed, progress=lambda done, what: tell(0.6 + 0.4 * done, what))
    tell(1.0, "done")
    camera = replace(found.solved.camera, name=video.path.stem)
    clicked = ClickedVideo(
        video=video.path.name, content=content_of(video.path), size=size, frames=_clicked(found.seen), person=person,
        known=known,
    )  # fmt: skip
    guess = None if known.focal is not None else f"{source}: {focal * max(size):.0f} px ± {100 * spread:.0f} %"
    return Calibrated(
        clicked=clicked,
        body=body,
        solved=replace(found.solved, camera=camera),
        remarks=(*keypoints.remarks, *_sides(int(changed.sum()), keypoints.frames), *_remarks(clicked, found, guess)),
    )


def fitting(found: SolvedWalk) -> NDArray[np.bool_]:
    """Frames that fit as well as most, (F,): in others the network saw something else."""
    rms = np.array([np.sqrt(np.mean(np.square(list(each.values())))) for each in found.solved.errors])
    return np.asarray(rms <= STRANGE * np.median(rms))


def _clicked(seen: SeenWalk) -> tuple[ClickedFrame, ...]:
    """Landmarks as if they had been clicked."""
    out = []
    for i, time in enumerate(seen.time.tolist()):
        there = np.flatnonzero(np.isfinite(seen.pixels[i]).all(axis=1))
        points = {seen.names[k]: _rounded(seen.pixels[i, k]) for k in there}
        spread = round(float(np.median(seen.spread[i, there])), 1)
        out.append(ClickedFrame(time=time, points=points, standing=bool(seen.standing[i]), spread_px=spread))
    return tuple(out)


def _rounded(pixel: Array) -> tuple[float, float]:
    u, v = np.round(pixel, 1).tolist()
    return float(u), float(v)


def _sides(changed: int, frames: int) -> Iterator[str]:
    if changed:
        yield (
            f"the network changes sides: in {changed} of {frames} frames left and right were exchanged to agree with "
            "the others; look at the picture whether left (blue) is left"
        )


def _remarks(clicked: ClickedVideo, found: SolvedWalk, guess: str | None) -> Iterator[str]:
    solved, seen = found.solved, found.seen
    if clicked.person.height is None:
        yield "the person's height was not given: every distance is off by as much as the person is from the median"
    if len(seen.time) < FEW:
        yield f"the person is seen well in {len(seen.time)} frames only: use a longer part of the video"
    if guess is not None and solved.spread["focal"] > UNSURE_FOCAL:
        yield (
            f"the focal length rests on a guess ({guess}) and comes out ± {100 * solved.spread['focal']:.0f} %, the "
            "distance with it: give --focal, or film somebody who walks nearer and farther off"
        )
    if clicked.known.tilt_deg is None and solved.spread["tilt"] > UNSURE_TILT / 2:
        advice = "--camera-height, measured with a tape, tells it"
        yield f"the camera's tilt is unsure (± {np.degrees(solved.spread['tilt']):.1f}°): {advice}"
    if not seen.standing.any():
        yield "in no frame does the person stand or walk: nothing tells which way is down; give --tilt and --roll"
    elif not seen.planted.any():
        yield "no foot is seen at rest: the ground is known from the balance of the body alone"
    if found.exchanged:
        times = sorted({float(seen.time[i]) for i, _ in found.exchanged})
        said = ", ".join(f"{time:.2f}" for time in times[:6]) + (" …" if len(times) > 6 else "")
        yield f"the network took left for right in {len(times)} frames (at {said} s); they were exchanged"
    yield from _far(clicked, found)


def _far(clicked: ClickedVideo, found: SolvedWalk) -> Iterator[str]:
    """Landmarks that do not fit, and a body that does not."""
    solved = found.solved
    tall = [float(np.ptp(np.array(list(frame.points.values())), axis=0).max()) for frame in clicked.frames]
    far = [
        (error, frame.time, name)
        for frame, high, errors in zip(clicked.frames, tall, solved.errors, strict=True)
        for name, error in errors.items()
        if error > FAR * high
    ]
    if far:
        error, time, name = max(far)
        many = "a landmark does" if len(far) == 1 else f"{len(far)} landmarks do"
        yield f"{many} not fit and counted less; the worst is '{name}' at {time:.2f} s, {error:.0f} px off"
    if solved.rms_px > 1.5 * LOOSE * float(np.mean(tall)):
        yield f"the body does not fit the landmarks well ({solved.rms_px:.0f} px): look at the picture"
