"""What a take from video was made from: the folder `observed/` in a take, so that it can be laid over the video again.

| file | holds |
| --- | --- |
| observed.json | of each view its name, video (path, sha256, size, rate), start, files; hashes of the files |
| camera-NAME.toml | the camera in the take's world, as `reenact calibrate` writes it |
| masks-NAME.npz | silhouettes cut out of the video, as `reenact silhouettes` writes them |
| track.npz | poses that follow the masks, before physics: time (T,), poses (T, 7 + A), mismatch (T,) |

Cameras and masks stay text and bytes here; `observe.take_views` turns them into what they mean.
"""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
import zlib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.formats.npz_file import packed_arrays
from reenact.formats.replace_folder import replace_folder

FOLDER: Final = "observed"
HEAD: Final = "observed.json"
TRACK: Final = "track.npz"
FORMAT: Final = "reenact-observed"
VERSION: Final = 1
_TRACK_ARRAYS: Final = ("time", "poses", "mismatch")
_OURS: Final = re.compile(r"observed\.json|track\.npz|camera-.+\.toml|masks-.+\.npz")
_NAME: Final = re.compile(r"[\w .-]{1,100}")  # of a view: part of a file's name


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ObservedView:
    """One video that a take was made from; take time t is at `start` + t in the video."""

    name: str  # of the camera or the video, different for each view
    video: str  # path at the time of the capture; it may have moved since
    sha256: str  # of the video
    size: tuple[int, int]  # width and height of the upright video [px]
    rate: float  # mean frames per second of the video
    start: float  # time in the video at which the take's first instant lies [s]
    camera: str  # TOML text of the one camera, in the take's world, for the video's own size
    masks: bytes  # content of a file of silhouettes, at times of the video

    def __post_init__(self) -> None:
        """Refuse a view that could not be read again."""
        if not _NAME.fullmatch(self.name) or self.name.strip(" .") != self.name:
            raise InputError(f"a view's name is {self.name!r}, expected letters, digits, spaces and ._-")
        if len(self.size) != 2 or not all(side >= 1 for side in self.size):
            raise InputError(f"view '{self.name}': size is {self.size}, expected width and height in pixels")
        if not (np.isfinite([self.rate, self.start]).all() and self.rate > 0):
            raise InputError(f"view '{self.name}': rate {self.rate:g}, start {self.start:g}, expected finite, rate > 0")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Observed:
    """All that was seen, and the track that a search began from; the track's times are the take's."""

    views: tuple[ObservedView, ...]
    time: NDArray[np.float64]  # (T,) [s], rising
    poses: NDArray[np.float64]  # (T, 7 + A) of the take's body
    mismatch: NDArray[np.float64]  # (T,) terms of [V12] Eq. 9, 0 … 2, mean over the views

    def __post_init__(self) -> None:
        """Refuse arrays that do not belong together."""
        if not self.views:
            raise InputError("no view, expected one video or more")
        names = [view.name.lower() for view in self.views]
        if len(set(names)) != len(names):
            raise InputError(f"views named {', '.join(view.name for view in self.views)}, expected different names")
        count = len(self.time)
        shapes = f"time {self.time.shape}, poses {self.poses.shape}, mismatch {self.mismatch.shape}"
        if self.time.ndim != 1 or self.poses.ndim != 2 or len(self.poses) != count or self.mismatch.shape != (count,):
            raise InputError(f"track: {shapes}, expected (T,), (T, n), (T,)")
        if not count or not np.all(np.diff(self.time) > 0) or not np.isfinite(self.poses).all():
            raise InputError("track: times must rise and poses be finite")


class _View(msgspec.Struct, kw_only=True):
    name: str
    video: str
    sha256: str
    size: tuple[int, int]
    rate: float
    start: float
    camera: str
    masks: str


class _Head(msgspec.Struct, kw_only=True):
    format: str
    version: int
    views: list[_View]
    files: dict[str, str]


def write_observed(folder: Path | str, observed: Observed) -> None:
    """Put `observed/` into a take's folder, whole or not at all, replacing what is there.

    For a take that is written anew, `write_take(…, observed=…)` does both in one step.
    """
    inside, files = Path(folder) / FOLDER, observed_files(observed)
    earlier = {path.name for path in inside.iterdir() if _OURS.fullmatch(path.name)} if inside.is_dir() else set()
    replace_folder(inside, files, ours={*files, *earlier})


def read_observed(folder: Path | str) -> Observed | None:
    """What a take's folder holds of the videos it was made from; None where it was not made from video."""
    inside = Path(folder) / FOLDER
    if not inside.is_dir():
        return None
    head = _read_head(inside)
    try:
        views = tuple(
            ObservedView(
                **_same(view),
                camera=_checked(inside, view.camera, head.files).decode(),
                masks=_checked(inside, view.masks, head.files),
            )
            for view in head.views
        )
        track = _track(_checked(inside, TRACK, head.files), inside / TRACK)
        return Observed(views=views, **track)
    except UnicodeDecodeError:
        raise InputError("a camera's file is not UTF-8 text", path=inside) from None
    except InputError as error:
        if error.path is not None:
            raise
        raise InputError(error.cause, path=inside) from None


def observed_files(observed: Observed) -> dict[str, bytes]:
    """Names and contents of the files in `observed/`."""
    files: dict[str, bytes] = {TRACK: packed_arrays(**{name: getattr(observed, name) for name in _TRACK_ARRAYS})}
    views = []
    for view in observed.views:
        camera, masks = f"camera-{view.name}.toml", f"masks-{view.name}.npz"
        files |= {camera: view.camera.encode(), masks: view.masks}
        views.append(_View(**_same(view), camera=camera, masks=masks))
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    head = msgspec.json.encode(_Head(format=FORMAT, version=VERSION, views=views, files=hashes))
    return {**files, HEAD: msgspec.json.format(head, indent=2) + b"\n"}


def view_name(wanted: str, taken: Collection[str] = ()) -> str:
    """A name that a view can have, made from e.g. a video's name, and unlike those `taken`."""
    plain = re.sub(r"[^\w .-]+", "_", wanted)[:90].strip(" .") or "view"
    used = {name.lower() for name in taken}
    candidates = (plain, *(f"{plain}_{i}" for i in range(2, len(used) + 3)))
    return next(name for name in candidates if name.lower() not in used)


def _read_head(inside: Path) -> _Head:
    path = inside / HEAD
    try:
        raw: dict[str, Any] = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except FileNotFoundError:
        raise InputError("missing; the folder beside it came without what was seen", path=path) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"not a JSON object: {error}", path=path) from None
    version = raw.get("version")
    if raw.get("format") != FORMAT or not isinstance(version, int):
        raise InputError(f"format is {raw.get('format')!r}, expected {FORMAT!r}", path=path)
    if version > VERSION:
        raise InputError(
            f"version {version} is newer than this reenact reads (up to {VERSION}); update reenact", path=path
        )
    try:
        return msgspec.convert(raw, _Head)
    except msgspec.ValidationError as error:
        raise InputError(str(error), path=path) from None


def _checked(inside: Path, name: str, hashes: dict[str, str]) -> bytes:
    path = inside / name
    if path.name != name or name not in hashes:
        raise InputError(f"names a file {name!r} without a hash or outside of its folder", path=inside / HEAD)
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise InputError("missing from what the take was made from", path=path) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from None
    if hashlib.sha256(content).hexdigest() != hashes[name]:
        raise InputError(f"differs from the hash in {HEAD}: damaged or edited since it was written", path=path)
    return content


def _same(view: ObservedView | _View) -> dict[str, Any]:
    """What the file says of a view as it is; the camera and the masks have files of their own."""
    return {name: getattr(view, name) for name in ("name", "video", "sha256", "size", "rate", "start")}


def _track(content: bytes, path: Path) -> dict[str, NDArray[np.float64]]:
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            return {name: np.asarray(archive[name], np.float64) for name in _TRACK_ARRAYS}
    except (ValueError, OSError, EOFError, KeyError, TypeError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(f"not a track: {error}", path=path) from None
