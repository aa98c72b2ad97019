"""The views of a take from video: what was seen, from and to the files in the take's folder.

A take's time t is at `start` + t in each view's video; the cameras stand in the take's world.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reenact.errors import InputError
from reenact.formats.camera.toml import format_camera_toml, parse_camera_toml
from reenact.formats.observed import FOLDER, Observed, ObservedView, view_name
from reenact.formats.take import sha256_of
from reenact.formats.video import Video
from reenact.geometry.rotation import Array
from reenact.observe.camera import Camera
from reenact.observe.camera_file import calibration_of, camera_of
from reenact.observe.silhouettes import Silhouettes
from reenact.observe.silhouettes_npz import dump_silhouettes, parse_silhouettes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TakeView:
    """One video of a take."""

    name: str
    video: Path  # where it was at the time of the capture
    sha256: str
    rate: float  # mean frames per second
    start: float  # time in the video of the take's first instant [s]
    camera: Camera  # of the video at its own size, in the take's world
    silhouettes: Silhouettes

    def times(self) -> Array:
        """Of the masks, (T,) [s] in the take: before 0 and after its end too."""
        return np.asarray(self.silhouettes.time - self.start)


def observed_view(
    video: Video, camera: Camera, silhouettes: Silhouettes, start: float, *, name: str | None = None,
    taken: Collection[str] = (),
) -> ObservedView:  # fmt: skip
    """A view for a take's folder: `camera` in the take's world, `start` the time in the video at which the take begins.

    Named as asked or after the video, unlike the names `taken`; the video is read once for its hash.
    """
    camera = camera.for_video(video.width, video.height)
    return ObservedView(
        name=view_name(name or video.path.stem, taken),
        video=str(video.path.resolve()),
        sha256=sha256_of(video.path),
        size=(video.width, video.height),
        rate=video.rate,
        start=float(start),
        camera=format_camera_toml([calibration_of(camera)]),
        masks=dump_silhouettes(silhouettes),
    )


def take_views(observed: Observed, folder: Path | str = "") -> tuple[TakeView, ...]:
    """All views of what a take was made from; `folder` is the take's, for errors."""
    return tuple(_view(each, Path(folder) / FOLDER) for each in observed.views)


def _view(view: ObservedView, inside: Path) -> TakeView:
    file = inside / f"camera-{view.name}.toml"
    cameras = parse_camera_toml(view.camera, file)
    if len(cameras) != 1:
        raise InputError(f"holds {len(cameras)} cameras, expected one", path=file)
    return TakeView(
        name=view.name,
        video=Path(view.video),
        sha256=view.sha256,
        rate=view.rate,
        start=view.start,
        camera=camera_of(cameras[0], file).for_video(*view.size),
        silhouettes=parse_silhouettes(view.masks, inside / f"masks-{view.name}.npz"),
    )


def find_videos(views: Sequence[TakeView], folder: Path, given: Sequence[Path] = ()) -> tuple[Path, ...]:
    """Where the video of each view is now: among those `given`, where it was, or beside or in the take's folder.

    A file counts where its content is that of the capture, whatever its name.
    """
    left = {path: sha256_of(_file(path)) for path in given}
    found = tuple(_found(view, folder, left) for view in views)
    unused = [path for path in left if path not in found]
    if unused:
        names = ", ".join(view.video.name for view in views)
        raise InputError(f"is not a video that this take was made from ({names}): its content differs", path=unused[0])
    return found


def _found(view: TakeView, folder: Path, given: dict[Path, str]) -> Path:
    for path, content in given.items():
        if content == view.sha256:
            return path
    places = (view.video, folder / view.video.name, folder.resolve().parent / view.video.name)
    there = [path for path in dict.fromkeys(places) if path.is_file()]
    for path in there:
        if sha256_of(path) == view.sha256:
            return path
    if there:
        cause = "has changed since the capture: its content differs"
        raise InputError(f"{cause}; say where the video is now with --video FILE", path=there[0])
    looked = ", ".join(str(path.parent) for path in dict.fromkeys(places))
    raise InputError(f"not found; looked in {looked}; say where it is with --video FILE", path=view.video.name)


def _file(path: Path) -> Path:
    if not path.is_file():
        raise InputError("there is no such video file", path=path)
    return path
