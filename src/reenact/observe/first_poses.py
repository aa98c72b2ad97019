"""The poses found beside a camera, on disk for a later capture: one .npz without pickle.

header (JSON text: the video's name and a hash of its content, the body as TOML), time (F,) in the video [s], qpos
(F, 7 + A) in the camera's world, error_px (F,) root mean square distance between clicks and pose.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from reenact.body.body import Body
from reenact.body.toml import dump_body, parse_body
from reenact.errors import InputError
from reenact.formats.npz_file import NpzHeader, packed_npz, read_npz
from reenact.formats.replace_file import replace_file
from reenact.formats.video_content import Origin
from reenact.geometry.rotation import Array
from reenact.observe.calibrate import Calibrated

FORMAT: Final = "reenact-first-poses"
VERSION: Final = 1
_ARRAYS: Final = ("time", "qpos", "error_px")


class _Header(NpzHeader):
    video: str
    body: str
    content: str = ""  # of the video


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FirstPoses:
    """Poses of a body at some times of a video, the earliest first."""

    video: str
    body: Body
    time: Array  # (F,) [s]
    qpos: Array  # (F, 7 + A)
    error_px: Array  # (F,)
    content: str = ""  # of the video, see `content_of`; empty where it is not known

    def __post_init__(self) -> None:
        """Refuse arrays that do not belong together."""
        count, width = len(self.time), 7 + len(self.body.axes)
        if not count or self.qpos.shape != (count, width) or self.error_px.shape != (count,) or self.time.ndim != 1:
            got = f"time {self.time.shape}, qpos {self.qpos.shape}, error_px {self.error_px.shape}"
            raise InputError(f"{got}, expected (F,), (F, {width}), (F,)")
        if not (np.isfinite(self.qpos).all() and np.isfinite(self.time).all() and (np.diff(self.time) > 0).all()):
            raise InputError("poses and times must be finite, times must rise")
        if not np.allclose(np.linalg.norm(self.qpos[:, 3:7], axis=1), 1.0, atol=1e-6):
            raise InputError("the root's orientations are not unit quaternions")

    @property
    def origin(self) -> Origin:
        """The video that they are of."""
        return Origin(name=self.video, content=self.content)


def first_poses_of(calibrated: Calibrated) -> FirstPoses:
    """The poses of a calibration in order of time."""
    frames = calibrated.clicked.frames
    order = np.argsort([frame.time for frame in frames])
    errors = [np.sqrt(np.mean(np.square(list(each.values())))) for each in calibrated.solved.errors]
    return FirstPoses(
        video=calibrated.clicked.video,
        content=calibrated.clicked.content,
        body=calibrated.body,
        time=np.array([frame.time for frame in frames])[order],
        qpos=calibrated.solved.poses[order],
        error_px=np.array(errors)[order],
    )


def save_first_poses(path: Path | str, poses: FirstPoses) -> None:
    """Write poses; the file appears whole or not at all."""
    body = dump_body(poses.body)
    header = _Header(format=FORMAT, version=VERSION, video=poses.video, content=poses.content, body=body)
    replace_file(path, packed_npz(header, time=poses.time, qpos=poses.qpos, error_px=poses.error_px))


def load_first_poses(path: Path | str) -> FirstPoses:
    """Read poses that `save_first_poses` wrote."""
    path = Path(path)
    header, content = read_npz(path, _Header, _ARRAYS, what="first poses", kind=FORMAT, version=VERSION)
    try:
        time, qpos, error = (np.asarray(content[key], np.float64) for key in _ARRAYS)
        return FirstPoses(
            video=header.video, content=header.content, body=parse_body(header.body, path), time=time, qpos=qpos,
            error_px=error,
        )  # fmt: skip
    except (InputError, TypeError, ValueError) as error:
        raise InputError(f"broken first poses: {error}", path=path) from None
