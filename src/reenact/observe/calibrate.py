"""Camera and first poses of a video from clicked joints, and in words how far they can be trusted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.formats.video import Video
from reenact.formats.video_content import origin_of
from reenact.formats.video_frame import frame_at
from reenact.measure import Progress
from reenact.observe.camera import Camera
from reenact.observe.camera_solve import SolvedCamera, solve_camera
from reenact.observe.clicks import ClickedVideo, check_clicks

UNSURE_FOCAL: Final = 0.10  # share; above it distances are hardly known
UNSURE_TILT: Final = 0.06  # [rad]
FAR: Final = 0.04  # share of the person's height in the picture by which a click may be missed
LOOSE: Final = 0.02  # the same for all clicks together
ENOUGH: Final = 3  # frames
Span = tuple[float, float]  # first and last time of a video that count [s]
WHOLE: Final[Span] = (0.0, float("inf"))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Calibrated:
    """What was clicked, the person's body, and what was solved from both."""

    clicked: ClickedVideo
    body: Body
    solved: SolvedCamera
    remarks: tuple[str, ...]  # warnings in words

    @property
    def camera(self) -> Camera:
        """The camera that was found."""
        return self.solved.camera


def calibrate(
    clicked: ClickedVideo,
    video: Video,
    *,
    span: Span = WHOLE,
    path: Path | None = None,
    progress: Progress | None = None,
) -> Calibrated:
    """Solve the camera of a video and the poses in the frames clicked; `path` of the clicks is for errors.

    Times become those of the frames that are there. Frames outside of `span` are refused: the camera may stand
    elsewhere there.
    """
    size = (video.width, video.height)
    check_clicks(clicked, size, path)
    frames = tuple(msgspec.structs.replace(f, time=frame_at(video, f.time).time) for f in clicked.frames)
    clicked = msgspec.structs.replace(clicked, frames=frames)
    check_clicks(clicked, size, path)  # two times may be of the same frame
    _check_within(clicked, span, 0.5 / video.rate, path)
    clicked, origin = _bound(clicked, video)
    body = clicked.person.body()
    solved = solve_camera(
        [frame.points for frame in frames],
        body,
        size,
        known=clicked.known.known(),
        standing=[frame.standing for frame in frames],
        spread=[frame.spread_px for frame in frames],
        progress=progress,
    )
    solved = replace(solved, camera=replace(solved.camera, name=video.path.stem))
    return Calibrated(clicked=clicked, body=body, solved=solved, remarks=(*origin, *_remarks(clicked, solved)))


def _bound(clicked: ClickedVideo, video: Video) -> tuple[ClickedVideo, list[str]]:
    """Clicks bound to the content of the video that they are solved for, and in words where they were of another."""
    here = origin_of(video.path)
    match clicked.origin.relation(video.path):
        case "other":
            elsewhere = f"{clicked.video}, another video than {here.name}"
            return clicked, [f"the joints were clicked in {elsewhere}: their poses are of that"]
        case "stale":
            remarks = [f"the joints were clicked in another file named {here.name}: is it the same film?"]
        case "this":
            remarks = []
    return msgspec.structs.replace(clicked, video=here.name, content=here.content), remarks


def _check_within(clicked: ClickedVideo, span: Span, slack: float, path: Path | None) -> None:
    """Refuse frames that are not within a span [s] of the video."""
    for frame in clicked.frames:
        if not span[0] - slack <= frame.time <= span[1] + slack:
            asked = f"--from {span[0]:g}" + ("" if np.isinf(span[1]) else f" --to {span[1]:g}")
            raise InputError(f"the frame at {frame.time:g} s is not within {asked}: take its clicks out", path=path)


def _remarks(clicked: ClickedVideo, solved: SolvedCamera) -> Iterator[str]:
    many = len(clicked.frames)
    if clicked.person.height is None:
        yield "the person's height was not given: every distance is off by as much as the person is from the median"
    if clicked.known.focal is None and solved.spread["focal"] > UNSURE_FOCAL:
        cause = "one frame cannot tell the focal length" if many == 1 else f"{many} frames hardly tell the focal length"
        yield (
            f"{cause} (± {100 * solved.spread['focal']:.0f} %): near and wide looks like far and narrow; give it, or "
            f"click {'more' if many >= ENOUGH else f'{ENOUGH} or more'} frames with the person nearer and farther off"
        )
    if clicked.known.tilt_deg is None and solved.spread["tilt"] > UNSURE_TILT:
        advice = "give the camera's height above the ground, measured with a tape, or the tilt itself"
        yield f"the camera's tilt is unsure (± {np.degrees(solved.spread['tilt']):.0f}°): {advice}"
    tall = [_extent(frame.points) for frame in clicked.frames]
    for frame, high, errors in zip(clicked.frames, tall, solved.errors, strict=True):
        name, error = max(errors.items(), key=lambda item: item[1])
        if error > FAR * high:
            advice = "click it again; left is the person's own left"
            yield f"at {frame.time:.2f} s '{name}' is {error:.0f} px off: {advice}"
    if solved.rms_px > LOOSE * float(np.mean(tall)):
        yield f"the body does not fit the clicks well ({solved.rms_px:.0f} px): is the person's height right?"
    if all(not frame.standing for frame in clicked.frames):
        yield "no frame shows the person standing or walking: nothing tells which way is down"


def _extent(points: Mapping[str, tuple[float, float]]) -> float:
    """Greater side of the box around clicks [px]."""
    return float(np.ptp(np.array(list(points.values())), axis=0).max())
