"""Where the body touches and how hard: force, load and point of application of each part over a take.

What the body does to itself is left out, so the parts add up to the force of everything outside. The force of a step is
the engine's mean over that step: a knock shorter than a step shows its whole impulse but not its true height.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.motion.clip import Table

Arrays = Mapping[str, NDArray[Any]]

NAMES = ("contact_step", "contact_segment", "contact_point", "contact_normal", "contact_force")
TOUCHING = 1.0  # a part that bears less is not in contact [N]
FORCE_DIGITS = 3  # of a CSV: to a millinewton
POINT_DIGITS = 5  # and a hundredth of a millimetre


@dataclass(frozen=True, slots=True, kw_only=True)
class Touches:
    """K contacts of body parts with things outside the body, as motion.npz of a take records them."""

    step: NDArray[np.intp]  # (K,) rising
    part: NDArray[np.intp]  # (K,) index of the segment
    point: Array  # (K, 3) world [m]
    normal: Array  # (K, 3) unit vector into the part, world
    force: Array  # (K, 3) on the part, world [N]

    @property
    def pressing(self) -> Array:
        """Normal part of each force, (K,) [N]."""
        return np.asarray(np.sum(self.force * self.normal, axis=-1))


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLoads:
    """What each of S parts bears at each of N steps."""

    parts: tuple[str, ...]
    time: Array  # (N+1,) [s]; step k lies between time[k] and time[k+1]
    force: Array  # (N, S, 3) on the part, world [N]
    load: Array  # (N, S) sum of the normal forces [N]
    point: Array  # (N, S, 3) mean of the contact points weighted by normal force, world [m]; NaN in the air

    @property
    def ground_force(self) -> Array:
        """Force of everything outside on the whole body, (N, 3) [N]."""
        return np.asarray(self.force.sum(axis=1))

    @property
    def seconds(self) -> Array:
        """Length of each step, (N,) [s]."""
        return np.diff(self.time)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartSummary:
    """What one part bore in all."""

    name: str
    peak_force: float  # greatest size of the force, [N]
    peak_weights: float  # the same in weights of the whole body
    peak_time: float  # end of the step that had it [s]
    impulse: Array  # (3,) force over time, world [N·s]
    contact_seconds: float  # with a load of at least `TOUCHING` [s]


def touches_of(motion: Arrays) -> Touches:
    """Contacts with things outside the body; none where the take records none.

    A take does not say what was touched. A body that touches itself has two entries with the same step and point and
    opposite forces: those are left out.
    """
    if any(name not in motion for name in NAMES):
        return _rows(*(np.zeros(shape) for shape in ((0,), (0,), (0, 3), (0, 3), (0, 3))))
    step, part, point, normal, force = (np.asarray(motion[name]) for name in NAMES)
    if len(step) == 0:
        return _rows(step, part, point.reshape(0, 3), normal.reshape(0, 3), force.reshape(0, 3))
    _, place, count = np.unique(np.column_stack([step, point]), axis=0, return_inverse=True, return_counts=True)
    place = place.reshape(-1)
    balanced = np.all([np.abs(np.bincount(place, force[:, i])) <= 1e-9 for i in range(3)], axis=0)
    outside = ~((count == 2) & balanced)[place]
    return _rows(step[outside], part[outside], point[outside], normal[outside], force[outside])


def part_loads(motion: Arrays, parts: Sequence[str]) -> PartLoads:
    """Curves of each part over a take's steps; `parts` names the segments in the order of the take's body."""
    touches = touches_of(motion)
    time = np.asarray(motion["time"], float)
    steps, count = len(time) - 1, len(parts)
    if len(touches.step) and (int(touches.step.max()) >= steps or int(touches.part.max()) >= count):
        raise InputError(f"motion.npz: contacts beyond its {steps} steps or the body's {count} segments")
    at = (touches.step, touches.part)
    force, load, moment = np.zeros((steps, count, 3)), np.zeros((steps, count)), np.zeros((steps, count, 3))
    pressing = np.maximum(touches.pressing, 0.0)
    np.add.at(force, at, touches.force)
    np.add.at(load, at, pressing)
    np.add.at(moment, at, pressing[:, None] * touches.point)
    point = np.full((steps, count, 3), np.nan)
    borne = load > 0.0
    point[borne] = moment[borne] / load[borne][:, None]
    return PartLoads(parts=tuple(parts), time=time, force=force, load=load, point=point)


def summaries(loads: PartLoads, weight: float) -> tuple[PartSummary, ...]:
    """Each part that touched anything, the greatest impulse first; `weight` of the whole body [N]."""
    seconds = loads.seconds
    impulse = np.einsum("n,nsi->si", seconds, loads.force)
    touching = loads.load >= TOUCHING
    size = np.linalg.norm(loads.force, axis=-1)
    order = np.argsort(-np.linalg.norm(impulse, axis=-1), kind="stable")
    return tuple(
        PartSummary(
            name=loads.parts[s],
            peak_force=float(size[:, s].max()),
            peak_weights=float(size[:, s].max()) / weight,
            peak_time=float(loads.time[1 + int(size[:, s].argmax())]),
            impulse=impulse[s],
            contact_seconds=float(seconds[touching[:, s]].sum()),
        )
        for s in order
        if touching[:, s].any()
    )


def load_table(loads: PartLoads, name: str) -> Table:
    """A row per step, at its end: of each part fx, fy, fz [N], load [N] and the point of application x, y, z [m]."""
    steps, count = loads.load.shape
    force, load = np.round(loads.force, FORCE_DIGITS), np.round(loads.load, FORCE_DIGITS)
    values = np.concatenate([force, load[..., None], np.round(loads.point, POINT_DIGITS)], axis=-1) + 0.0  # no -0.0
    columns = tuple(f"{part}_{what}" for part in loads.parts for what in ("fx", "fy", "fz", "load", "x", "y", "z"))
    return Table(name=name, time=loads.time[1:], columns=columns, values=values.reshape(steps, 7 * count))


def _rows(
    step: NDArray[Any], part: NDArray[Any], point: NDArray[Any], normal: NDArray[Any], force: NDArray[Any]
) -> Touches:
    return Touches(
        step=step.astype(np.intp),
        part=part.astype(np.intp),
        point=point.astype(float),
        normal=normal.astype(float),
        force=force.astype(float),
    )
