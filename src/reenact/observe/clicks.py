"""Joints clicked in frames of a video, whose they are and what is known of the camera: clicks.json.

{"format": "reenact-clicks", "version": 1, "video": "walk.mp4", "content": "3fe1…", "size": [1920, 1080],
 "person": {"sex": "female", "height": 1.68, "mass": null},
 "known": {"focal_px": null, "tilt_deg": null, "roll_deg": null, "height": 1.4, "lens": null},
 "frames": [{"time": 2.5, "standing": true, "hidden": ["wrist_right"],
             "points": {"hip_left": [812.0, 540.5], …}}, …]}

The content is a hash of the video, by which another one of the same name is told; it may be left out. Pixels count from
the picture's upper left corner; left and right are the person's own; lengths are in metres.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from reenact.body.adult import adult
from reenact.body.anthropometrics import Sex, person
from reenact.body.body import Body
from reenact.errors import InputError
from reenact.formats.text_file import read_bytes
from reenact.formats.video_content import Origin
from reenact.observe.camera_guess import Known
from reenact.observe.camera_solve import FEWEST
from reenact.observe.lens import Lens

FORMAT: Final = "reenact-clicks"
VERSION: Final = 1
MOST_FRAMES: Final = 40
MOST_BYTES: Final = 1 << 20  # of a file or a message
CLICKABLE: Final = (  # in the order in which a page asks for them
    "vertex",
    *(f"{joint}_{side}" for joint in ("shoulder", "elbow", "wrist", "hip", "knee", "ankle", "toe_tip")
      for side in ("right", "left")),
)  # fmt: skip


class PersonSize(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """How large the person is; what is not known is the 50th percentile, the mass that of the same build."""

    sex: Sex = "male"
    height: float | None = None  # [m]
    mass: float | None = None  # [kg]

    def body(self) -> Body:
        """An adult of this size."""
        usual = person(self.sex)
        tall = usual.stature if self.height is None else self.height
        return adult(
            self.sex, self.height, usual.mass * (tall / usual.stature) ** 2 if self.mass is None else self.mass
        )


class KnownCamera(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What is known of the camera; None is found out."""

    focal_px: float | None = None
    tilt_deg: float | None = None  # below the horizon
    roll_deg: float | None = None  # clockwise
    height: float | None = None  # above the ground [m]
    lens: Lens | None = None  # as calibrated; tells the focal length too

    @property
    def focal(self) -> float | None:
        """The focal length, by itself or of the lens [px]."""
        return self.focal_px if self.lens is None else self.lens.focal_px

    def known(self) -> Known:
        """The same in radians."""
        tilt, roll = (None if a is None else float(np.radians(a)) for a in (self.tilt_deg, self.roll_deg))
        if self.lens is None:
            return Known(focal=self.focal, tilt=tilt, roll=roll, height=self.height)
        centre, distortion = np.array(self.lens.centre_px), np.array(self.lens.distortion)
        return Known(focal=self.focal, tilt=tilt, roll=roll, height=self.height, centre=centre, distortion=distortion)


class ClickedFrame(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Joints clicked in one frame."""

    time: float  # [s] of the video
    points: dict[str, tuple[float, float]]  # joint or landmark -> pixel
    standing: bool = True  # or walking: a foot on the ground, the trunk over the feet
    hidden: tuple[str, ...] = ()  # joints that were passed over, not to be asked for again
    spread_px: float | None = None  # how far a point may lie beside its joint; as of clicks by hand unless said


class ClickedVideo(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What was clicked in a video."""

    video: str  # the file's name
    size: tuple[int, int]  # of the picture in which was clicked [px]
    frames: tuple[ClickedFrame, ...]
    person: PersonSize = PersonSize()
    known: KnownCamera = KnownCamera()
    content: str = ""  # of the video, see `content_of`; empty where it is not known
    format: str = FORMAT
    version: int = VERSION

    @property
    def origin(self) -> Origin:
        """The video."""
        return Origin(name=self.video, content=self.content)


def parse_clicks(text: bytes, path: Path | None = None) -> ClickedVideo:
    """What a clicks.json or a page's message says; whether it can be solved is `check_clicks`'s affair."""
    try:
        found = msgspec.json.decode(text, type=ClickedVideo)
    except msgspec.MsgspecError as error:
        raise InputError(f"is not a file of clicks: {error}", path=path) from None
    if found.format != FORMAT or found.version > VERSION:
        got = f"got format '{found.format}' version {found.version}"
        raise InputError(f"{got}, expected '{FORMAT}' up to {VERSION}", path=path)
    return found


def read_clicks(path: Path | str) -> ClickedVideo:
    """Read a clicks.json."""
    path = Path(path)
    return parse_clicks(read_bytes(path, limit=MOST_BYTES), path)


def dump_clicks(clicked: ClickedVideo) -> str:
    """The text of a clicks.json."""
    return msgspec.json.format(msgspec.json.encode(clicked), indent=1).decode() + "\n"


def check_clicks(clicked: ClickedVideo, size: tuple[int, int], path: Path | None = None) -> None:
    """Refuse clicks that are not of a picture of this size [px], or too few, or twice in one frame."""
    if tuple(clicked.size) != tuple(size):
        made, wanted = (f"{w} × {h}" for w, h in (clicked.size, size))
        raise InputError(f"the clicks are in pictures of {made} pixels, the video has {wanted}", path=path)
    if not 1 <= len(clicked.frames) <= MOST_FRAMES:
        raise InputError(f"{len(clicked.frames)} frames were clicked in, expected 1 to {MOST_FRAMES}", path=path)
    for i, frame in enumerate(clicked.frames):
        label = f"frame {i + 1} ({frame.time:g} s)"
        if len(frame.points) < FEWEST:
            raise InputError(f"{label}: {len(frame.points)} joints were clicked, at least {FEWEST} needed", path=path)
        for name, (u, v) in frame.points.items():
            if not (0 <= u <= size[0] and 0 <= v <= size[1]):
                place = f"outside of the {size[0]} × {size[1]} picture"
                raise InputError(f"{label}: '{name}' is at ({u:g}, {v:g}), {place}", path=path)
        if frame.spread_px is not None and not 0.1 <= frame.spread_px <= max(size):
            raise InputError(f"{label}: spread_px is {frame.spread_px:g}, expected 0.1 or more", path=path)
        if any(abs(frame.time - other.time) < 1e-6 for other in clicked.frames[:i]):
            raise InputError(f"{label} is there twice", path=path)
