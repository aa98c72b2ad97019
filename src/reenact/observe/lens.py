"""A lens that is known by itself: how it draws pictures, without where the camera stands."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np

from reenact.errors import InputError
from reenact.formats.camera.read import chosen, read_calibrations
from reenact.geometry import rotation
from reenact.observe.camera import Camera, CameraError
from reenact.observe.camera_file import HALF


class Lens(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Focal length, optical axis and distortion for pictures of one size, as those of a `Camera`."""

    focal_px: float  # the mean of both directions
    centre_px: tuple[float, float]  # from the picture's upper left corner
    distortion: tuple[float, ...] = ()  # OpenCV's k1 k2 p1 p2 k3 k4 k5 k6, or fewer


def read_lens(path: Path | str, wanted: str, size: tuple[int, int]) -> Lens:
    """The lens of the camera of this name in a calibration file, or of the only one, for a video of this size.

    A file that does not say for which size of picture it is counts as of the video's.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError("there is no such file", path=path)
    one = chosen(read_calibrations(path), path, wanted)
    try:
        camera = Camera(
            name=one.name,
            size=size if one.size is None else one.size,
            focal=one.matrix[[0, 1], [0, 1]],
            centre=one.matrix[:2, 2] + HALF,
            distortion=one.distortion,
            position=np.zeros(3),
            orientation=rotation.IDENTITY,
        ).for_video(*size)
    except CameraError as error:
        raise CameraError(error.cause, path=path) from None
    u, v = camera.centre.tolist()
    return Lens(focal_px=float(camera.focal.mean()), centre_px=(u, v), distortion=tuple(camera.distortion.tolist()))
