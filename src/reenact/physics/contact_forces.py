"""Contact forces on the body over a simulation: where, on which segment, by what, how much."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reenact.geometry.rotation import Array

MIN_SUPPORT = 1e-6  # upward force [N] below which nothing carries the body


@dataclass(frozen=True, slots=True, kw_only=True)
class Contacts:
    """K contact forces; each row is one contact of one segment at one step. A segment on a segment gives two rows."""

    step: NDArray[np.int32]  # (K,) rising
    segment: NDArray[np.int16]  # (K,) index into the body's segments
    other: NDArray[np.int32]  # (K,) engine's geom on the other side
    own: NDArray[np.bool_]  # (K,) whether the other side is the body itself
    point: Array  # (K, 3) world [m]
    normal: Array  # (K, 3) unit vector pointing into the segment
    force: Array  # (K, 3) on the segment, world [N]

    def total(self, steps: int) -> Array:
        """Force of everything outside on the body at each step, (steps, 3) [N]."""
        out = np.zeros((steps, 3))
        np.add.at(out, self.step[~self.own], self.force[~self.own])
        return out

    def by_segment(self, steps: int, segments: int) -> Array:
        """Force on each segment at each step, (steps, S, 3) [N], own contacts included."""
        out = np.zeros((steps, segments, 3))
        np.add.at(out, (self.step, self.segment), self.force)
        return out

    def load(self, steps: int, segments: int) -> Array:
        """Normal force on each segment by things other than the body, (steps, S) [N]."""
        out = np.zeros((steps, segments))
        outside = ~self.own
        normal = np.sum(self.force[outside] * self.normal[outside], axis=-1)
        np.add.at(out, (self.step[outside], self.segment[outside]), normal)
        return out

    def cop(self, steps: int) -> Array:
        """Centre of pressure at each step: contact points weighted by upward force, (steps, 3) [m]; NaN in the air."""
        upward = np.where(self.own, 0.0, np.maximum(self.force[:, 2], 0.0))
        weight, moment = np.zeros(steps), np.zeros((steps, 3))
        np.add.at(weight, self.step, upward)
        np.add.at(moment, self.step, upward[:, None] * self.point)
        carried = weight > MIN_SUPPORT
        out = np.full((steps, 3), np.nan)
        out[carried] = moment[carried] / weight[carried, None]
        return out


def contacts_from_rows(rows: Array, geom_segment: NDArray[np.int64]) -> Contacts:
    """Contacts from the rows (K, 12) that the native loop records."""
    other = rows[:, 2].astype(np.int32)
    return Contacts(
        step=rows[:, 0].astype(np.int32),
        segment=rows[:, 1].astype(np.int16),
        other=other,
        own=geom_segment[other] >= 0,
        point=rows[:, 3:6].copy(),
        normal=rows[:, 6:9].copy(),
        force=rows[:, 9:12].copy(),
    )
