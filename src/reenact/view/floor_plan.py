"""How several takes share one page: how far apart they stand, and what each draws of its ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from reenact.geometry.rotation import rotate
from reenact.view.pieces import Piece
from reenact.view.scene import Scene

SPACING: Final = 1.4  # between takes side by side where nothing needs more room [m]
WIDEST: Final = 5.0  # scenery beyond this may overlap its neighbours' [m]
MARGIN: Final = 0.3  # between the sceneries of neighbours [m]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """The ground of one take: fixed things are always drawn, the plane endless, as a lane, or by another take."""

    plane: bool
    lane: float | None  # width of the plane [m], None: endless


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorPlan:
    """Takes along +y, `spacing` [m] apart, with one plot each."""

    spacing: float
    plots: tuple[Plot, ...]


def floor_plan(scenes: Sequence[Scene]) -> FloorPlan:
    """One endless plane where all takes share it, else a lane for each, so that a slope does not bury its neighbour."""
    spacing = max(SPACING, min(WIDEST, max(_width(scene) for scene in scenes) + MARGIN))
    if all(_same_planes(scene, scenes[0]) for scene in scenes):
        return FloorPlan(spacing=spacing, plots=tuple(Plot(plane=i == 0, lane=None) for i in range(len(scenes))))
    return FloorPlan(spacing=spacing, plots=(Plot(plane=True, lane=spacing),) * len(scenes))


def ground_pieces(scene: Scene) -> tuple[Piece, ...]:
    """Everything that never moves."""
    return tuple(piece for piece in scene.pieces if piece.role == "ground")


def _same_planes(a: Scene, b: Scene) -> bool:
    first, second = ([piece for piece in ground_pieces(scene) if piece.flat] for scene in (a, b))
    return len(first) == len(second) and all(
        np.allclose(p.position, q.position) and np.allclose(p.orientation, q.orientation)
        for p, q in zip(first, second, strict=True)
    )


def _width(scene: Scene) -> float:
    """Extent of the fixed things across the way [m], twice the farther side."""
    reach = [0.0]
    for piece in ground_pieces(scene):
        if not piece.flat:
            corners = rotate(piece.orientation, scene.meshes[piece.mesh].vertices * piece.stretch) + piece.position
            reach.append(float(np.abs(corners[:, 1]).max()))
    return 2.0 * max(reach)
