"""What one view tells of a motion: how far markers are off across the line of sight counts in full, along it less.

A track from one video is sure of where things are in the picture, and unsure of how far away they are. Held against all
of it alike, a machine spends itself on depths that nobody saw. The depth of the whole body, the mean over its markers,
counts in full nevertheless: with nothing to hold it a simulated body drifts off.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from reenact.estimate.states.reference import Clock, Reference
from reenact.geometry.rotation import Array

DEPTH: Final = 0.2  # of squared distances along the line of sight, about the body's own, where others count 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sight:
    """Lines of sight of one view, and what distances along them count."""

    lines: Array  # (K, 3·S, 3) from the camera towards each marker of the reference, unit
    depth: float = DEPTH

    def counted(self, kept: Array, clock: Clock, numbers: int) -> Array:
        """Offsets (n, R) as they count, from those kept of so many `numbers` a step, markers' first."""
        count, markers = len(kept), self.lines.shape[1]
        off = kept.reshape(count, clock.kept, numbers)[..., : 3 * markers].reshape(count, clock.kept, markers, 3)
        steps = np.minimum(np.arange(clock.kept) * clock.every + clock.first, len(self.lines) - 1)
        lines = self.lines[steps]
        deep = np.einsum("nkmi,kmi->nkm", off, lines)
        deep -= deep.mean(axis=-1, keepdims=True)
        off = off - (1.0 - np.sqrt(self.depth)) * deep[..., None] * lines
        return np.asarray(off.reshape(count, -1))


def sight_of(reference: Reference, position: Array, depth: float = DEPTH) -> Sight:
    """Of a camera that stands at `position` (3,) [m] in the reference's world."""
    way = reference.markers.reshape(reference.frames, -1, 3) - position
    return Sight(lines=way / np.linalg.norm(way, axis=-1, keepdims=True), depth=depth)
