"""Pressure on the body's surface: each contact's normal force spread over a round footprint.

Rigid shapes touch in points, so a footprint is a convention: pressures compare one part, moment or ground with another;
they are no measurement of soft tissue. A footprint falls off as exp(-d²/R²) with the distance d from the contact and
R = `FOOTPRINT`; on a flat surface its peak is the force over the disc of that radius, F / (π R²). It acts where the
surface faces what is touched, not on the far side of a thin part, and its height is such that the pressure summed over
the surface of the part gives the contact's force again, on edges and round parts too. On ground that gives way the
engine's contact lies halfway down, above the surface that is pressed: it is moved there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.geometry.rotation import conjugate, rotate
from reenact.physics.part_loads import Touches, touches_of
from reenact.view.colours import RGB
from reenact.view.forces import frames_of_steps
from reenact.view.poses import poses_at
from reenact.view.recording import Arrays
from reenact.view.surface import Surface

Array = NDArray[np.float64]

FOOTPRINT: Final = 0.03  # R [m]
FACING: Final = 0.5  # cosine from which a surface takes the whole footprint; less faces away, nothing from 0 on
LEAST_SHARE: Final = 0.1  # of a flat footprint's area; a contact with less surface around it keeps that peak
BESIDE: Final = 0.015  # a surface this close to the line through a contact is what it presses on [m]
CHUNK: Final = 128  # contacts at a time, for bounded memory
CELL: Final = 0.01  # contacts of a frame that are this close on a part count as one [m]
FULL_KPA: Final = 500.0  # end of the colour scale, the same for every take so that takes can be compared
# From untouched to `FULL_KPA`, ever darker; a colour stands at the square root of its share of the scale.
RAMP: Final[tuple[RGB, ...]] = (
    (0.90, 0.91, 0.90),
    (0.98, 0.77, 0.35),
    (0.94, 0.51, 0.16),
    (0.80, 0.25, 0.22),
    (0.56, 0.10, 0.38),
    (0.28, 0.05, 0.37),
    (0.09, 0.03, 0.16),
)
TICKS_KPA: Final = (0, 20, 100, 250, 500)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressures:
    """K footprints on bodies over F displayed frames, frames ascending, in each body the strongest first."""

    first: NDArray[np.int32]  # (F+1,) the footprints of frame f are first[f] … first[f+1]
    body: NDArray[np.uint8]  # (K,) MuJoCo's body id
    point: NDArray[np.float32]  # (K, 3) in the body's frame [m]
    outward: NDArray[np.float32]  # (K, 3) unit vector to what is touched, in the body's frame
    force: NDArray[np.float32]  # (K,) normal force, mean over the frame's steps [N]
    peak: NDArray[np.float32]  # (K,) pressure at the middle of the footprint [kPa]

    def on(self, body: int, frame: int) -> NDArray[np.intp]:
        """The footprints on a body at a frame."""
        low, high = int(self.first[frame]), int(self.first[frame + 1])
        return low + np.flatnonzero(self.body[low:high] == body)

    def at(self, body: int, frame: int, points: Array, outward: Array) -> Array:
        """Pressure (P,) [kPa] at points (P, 3) of a body's surface with normals (P, 3), in the body's frame."""
        chosen = self.on(body, frame)
        return np.asarray(footprints(points, outward, self.point[chosen], self.outward[chosen]) @ self.peak[chosen])


def footprints(points: Array, outward: Array, centre: NDArray[Any], facing: NDArray[Any]) -> Array:
    """Shape (P, K) of K footprints at P points of a surface, 1 at the middle of a flat one."""
    apart = np.sum(points**2, -1)[:, None] - 2.0 * points @ centre.T + np.sum(centre**2, -1)
    turned = np.clip(outward @ facing.T / FACING, 0.0, 1.0)
    return np.asarray(np.exp(-np.maximum(apart, 0.0) / FOOTPRINT**2) * turned**2 * (3.0 - 2.0 * turned))


def pressures_of(
    model: mujoco.MjModel, motion: Arrays, surfaces: Mapping[int, Surface], time: Array, rate: float
) -> Pressures:
    """The footprints of a take's contacts, shown at `time` (F,) [s], `rate` frames a second."""
    touches = touches_of(motion)
    if len(touches.step) == 0:
        return _none(len(time))
    frame_of_step, steps_in_frame = frames_of_steps(motion, time, rate)
    frame, body = frame_of_step[touches.step], touches.part + 1
    point, outward = _in_bodies(model, motion, touches)
    force = np.maximum(touches.pressing, 0.0) / steps_in_frame[frame]
    for each in np.unique(body):
        if each in surfaces:
            point[body == each] = _on_surface(surfaces[each], point[body == each], outward[body == each])
    frame, body, point, outward, force = _gathered(frame, body, point, outward, force)
    peak = np.zeros(len(force))
    for each in np.unique(body):
        mine = body == each
        if each in surfaces:
            peak[mine] = force[mine] / _areas(surfaces[each], point[mine], outward[mine]) / 1000.0
    kept = peak > 0.0
    return Pressures(
        first=np.searchsorted(frame[kept], np.arange(len(time) + 1)).astype(np.int32),
        body=body[kept].astype(np.uint8),
        point=point[kept].astype(np.float32),
        outward=outward[kept].astype(np.float32),
        force=force[kept].astype(np.float32),
        peak=peak[kept].astype(np.float32),
    )


def colour_of(kilopascals: Array) -> Array:
    """Colours (..., 3), sRGB 0 … 1, of pressures (...) [kPa], as the report's shader makes them."""
    at = np.sqrt(np.clip(kilopascals / FULL_KPA, 0.0, 1.0))
    stops = np.linspace(0.0, 1.0, len(RAMP))
    return np.stack([np.interp(at, stops, [colour[i] for colour in RAMP]) for i in range(3)], axis=-1)


def _in_bodies(model: mujoco.MjModel, motion: Arrays, touches: Touches) -> tuple[Array, Array]:
    """Points and outward normals (K, 3) in the frames of the touched bodies, posed as at the beginning of the step."""
    recorded = np.asarray(motion["time"], float)
    steps, row = np.unique(touches.step, return_inverse=True)
    poses = poses_at(model, motion["qpos"], recorded, recorded[steps])
    body = touches.part + 1
    back = conjugate(poses.orientation[row, body].astype(float))
    return rotate(back, touches.point - poses.position[row, body]), rotate(back, -touches.normal)


def _gathered(
    frame: NDArray[np.intp], body: NDArray[np.intp], point: Array, outward: Array, force: Array
) -> tuple[NDArray[np.intp], NDArray[np.intp], Array, Array, Array]:
    """Contacts of one frame in one cell of a body as one, at their weighted mean; sorted by frame, body, force."""
    cell = np.column_stack([frame, body, np.floor(point / CELL).astype(np.intp)])
    keys, entry = np.unique(cell, axis=0, return_inverse=True)
    entry = entry.reshape(-1)
    total = np.asarray(np.bincount(entry, force), float)
    weight = np.maximum(force, 1e-9)

    def mean(values: Array) -> Array:
        sums = [np.bincount(entry, weight * values[:, i]) for i in range(3)]
        return np.asarray(np.stack(sums, axis=-1) / np.bincount(entry, weight)[:, None])

    direction = mean(outward)
    direction /= np.maximum(np.linalg.norm(direction, axis=-1, keepdims=True), 1e-9)
    order = np.lexsort((-total, keys[:, 1], keys[:, 0]))
    return keys[order, 0], keys[order, 1], mean(point)[order], direction[order], total[order]


def _on_surface(surface: Surface, point: Array, outward: Array) -> Array:
    """The points (K, 3) moved along `outward` to the surface farthest that way; the nearest where none is."""
    moved = np.empty_like(point)
    for first in range(0, len(point), CHUNK):
        part = slice(first, first + CHUNK)
        c, o = point[part], outward[part]
        height = surface.point @ o.T - np.sum(c * o, -1)  # (P, K)
        apart = np.sum(surface.point**2, -1)[:, None] - 2.0 * surface.point @ c.T + np.sum(c**2, -1)
        beside = apart - height**2 < BESIDE**2
        farthest = np.where(beside, height, -np.inf).max(axis=0)
        nearest = surface.point[apart.argmin(axis=0)]
        found = np.isfinite(farthest)[:, None]
        moved[part] = np.where(found, c + np.where(found, farthest[:, None], 0.0) * o, nearest)
    return moved


def _areas(surface: Surface, centre: Array, facing: Array) -> Array:
    """Area (K,) [m²] by which a footprint's peak is multiplied to give its force along `facing`."""
    out = np.empty(len(centre))
    for first in range(0, len(centre), CHUNK):
        part = slice(first, first + CHUNK)
        shape = footprints(surface.point, surface.outward, centre[part], facing[part])
        along = np.maximum(surface.outward @ facing[part].T, 0.0)
        out[part] = surface.area @ (shape * along)
    return np.maximum(out, LEAST_SHARE * np.pi * FOOTPRINT**2)


def _none(frames: int) -> Pressures:
    nothing = np.zeros((0, 3), np.float32)
    return Pressures(
        first=np.zeros(frames + 1, np.int32),
        body=np.zeros(0, np.uint8),
        point=nothing,
        outward=nothing,
        force=nothing[:, 0],
        peak=nothing[:, 0],
    )
