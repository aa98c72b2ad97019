"""How high the ground is at a point: for placing a body."""

from __future__ import annotations

from numpy.typing import ArrayLike

from reenact.geometry.rotation import Array
from reenact.world.build import height_over, loose_box, plate_of
from reenact.world.parts import Box, Trampoline
from reenact.world.world import World, rests, solids_of


def ground_height(world: World, x: ArrayLike, y: ArrayLike) -> Array:
    """Height of the topmost surface [m] at points of the floor plan before anything moves, broadcast over x and y.

    Counts the plane, every part (a trampoline unloaded, loose boxes where they start) and the tees of thrown things,
    not the things themselves.
    """
    fixed = solids_of(world)
    moving = [plate_of(world.ground, part) for part in world.parts if isinstance(part, Trampoline)]
    moving += [
        loose_box(world.ground, part, fixed) for part in world.parts if isinstance(part, Box) and part.mass > 0.0
    ]
    tees = [rest.tee for rest in rests(world).values() if rest.tee is not None]
    return height_over(world.ground, [*fixed, *moving, *tees], x, y)
