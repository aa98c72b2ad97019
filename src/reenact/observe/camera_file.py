"""Cameras from calibration files and into our own, which other programs can read too."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from reenact.formats.camera.calibration import Calibration
from reenact.formats.camera.read import chosen, read_calibrations
from reenact.formats.camera.toml import origin_in_toml, write_camera_toml
from reenact.formats.video_content import Origin
from reenact.geometry import rotation
from reenact.observe.camera import Camera, CameraError

Up = Literal["x", "y", "z", "-x", "-y", "-z"]
HALF = 0.5  # [px] from a picture's corner to its first pixel's centre


def read_cameras(path: Path | str, *, up: Up = "z") -> tuple[Camera, ...]:
    """All cameras of a file; `up` is the axis of the file's world that points up."""
    path = Path(path)
    return tuple(camera_of(one, path, up=up) for one in read_calibrations(path))


def read_camera(path: Path | str, wanted: str, *, up: Up = "z") -> Camera:
    """The camera of this name, or the only one: `wanted` may be a video's name without its ending."""
    path = Path(path)
    return camera_of(chosen(read_calibrations(path), path, wanted), path, up=up)


def camera_of(calibration: Calibration, path: Path | None = None, *, up: Up = "z") -> Camera:
    """A camera in our world from a calibration with a place, a direction and a size."""
    label = f"camera '{calibration.name}'"
    if calibration.size is None:
        raise CameraError(f"{label}: the file does not say for which size of picture it is", path=path)
    if calibration.rotation is None or calibration.translation is None:
        cause = "the file holds the lens alone: `reenact calibrate VIDEO --lens FILE` solves where the camera stands"
        raise CameraError(f"{label}: {cause}", path=path)
    orientation = rotation.from_matrix(calibration.rotation.T)
    camera = Camera(
        name=calibration.name,
        size=calibration.size,
        focal=calibration.matrix[[0, 1], [0, 1]],
        centre=calibration.matrix[:2, 2] + HALF,
        distortion=calibration.distortion,
        position=-calibration.rotation.T @ calibration.translation,
        orientation=orientation,
        ground=calibration.ground,
    )
    if up == "z":
        return camera
    axis = rotation.AXES[up[-1]] * (-1.0 if up.startswith("-") else 1.0)
    return camera.levelled(axis, calibration.ground * axis)


def calibration_of(camera: Camera) -> Calibration:
    """The camera in the terms of calibration files."""
    matrix = np.diag([*camera.focal, 1.0])
    matrix[:2, 2] = camera.centre - HALF
    return Calibration(
        name=camera.name,
        size=camera.size,
        matrix=matrix,
        distortion=camera.distortion,
        rotation=camera.turn,
        translation=camera.shift,
        ground=camera.ground,
    )


def write_cameras(
    path: Path | str, cameras: Sequence[Camera], notes: Sequence[str] = (), origin: Origin | None = None
) -> None:
    """Write cam.toml: readable here and by Pose2Sim and aniposelib, with what it means in words above.

    origin: the video that they were solved from.
    """
    words = [
        f"{camera.name}: {camera.height:.2f} m above the ground, looks {np.degrees(camera.tilt):.1f}° below the "
        f"horizon, rolled by {np.degrees(camera.roll):.1f}°, sees {np.degrees(_angle(camera)):.0f}° across"
        for camera in cameras
    ]
    write_camera_toml(path, [calibration_of(camera) for camera in cameras], [*words, *notes], origin)


def origin_of_cameras(path: Path) -> Origin | None:
    """The video that a file's cameras were solved from; None where it does not say, as in other programs' files."""
    return origin_in_toml(path) if path.suffix == ".toml" else None


def _angle(camera: Camera) -> float:
    """Width of the view [rad]."""
    left, right = -camera.centre[0] / camera.focal[0], (camera.size[0] - camera.centre[0]) / camera.focal[0]
    return float(np.arctan(right) - np.arctan(left))
