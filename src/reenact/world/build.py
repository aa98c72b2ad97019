"""From parts, as a user describes them, to solids in the world."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from reenact.geometry.rotation import IDENTITY, Array, from_axis_angle, multiply, rotate
from reenact.world.parts import (
    Box,
    Bumps,
    Ground,
    HeightField,
    Mat,
    Part,
    Pebbles,
    Point2,
    Raised,
    Ramp,
    Stairs,
    Trampoline,
)
from reenact.world.plane import plane_height, plane_normal, plane_orientation
from reenact.world.solids import BallSolid, BoxSolid, FieldSolid, PostSolid, Solid
from reenact.world.surface import Surface

UP: Final = np.array([0.0, 0.0, 1.0])
PLATE_THICKNESS: Final = 0.04  # of a trampoline [m]
RIM_WIDTH: Final = 0.08
RIM_GAP: Final = 0.01  # between plate and rim, so that they never touch
MAT_ROOT: Final = 0.5  # a mat goes on below the ground: what sinks in deep is still pushed up, not out of its sides
CELLS_PER_BUMP: Final = 3
DIGITS: Final = 4  # of generated lengths [m]: a model written as text keeps six


def fixed_solids(ground: Ground, parts: Iterable[Part]) -> tuple[Solid, ...]:
    """All solids that cannot move, in the order of the parts."""
    return tuple(solid for part in parts for solid in _fixed(ground, part))


def surface_of(ground: Ground, part: Part) -> Surface:
    """The part's surface, with the ground's values where it gives none."""
    return Surface(
        friction=ground.friction if part.friction is None else part.friction,
        softness=ground.softness if part.softness is None else part.softness,
        damping_ratio=ground.damping_ratio if part.damping_ratio is None else part.damping_ratio,
    )


def height_over(ground: Ground, solids: Iterable[Solid], x: ArrayLike, y: ArrayLike) -> Array:
    """Height of the highest of plane and solids [m], broadcast over x and y."""
    x, y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
    height = plane_height(ground, x, y)
    for solid in solids:
        height = np.maximum(height, solid.top(x, y))
    return height


def plate_of(ground: Ground, part: Trampoline) -> BoxSolid:
    """The sprung plate of a trampoline, at rest and unloaded."""
    half = np.array([part.size[0] / 2, part.size[1] / 2, PLATE_THICKNESS / 2])
    top = float(plane_height(ground, *part.at)) + part.height
    return BoxSolid(
        name=part.name,
        look="plate",
        surface=surface_of(ground, part),
        centre=np.array([*part.at, top - half[2]]),
        orientation=IDENTITY,
        half=half,
    )


def loose_box(ground: Ground, part: Box, solids: Iterable[Solid]) -> BoxSolid:
    """A box with a mass where it starts: on the highest fixed part below it, or flush with the plane."""
    half, yaw = 0.5 * np.array(part.size), from_axis_angle(UP, math.radians(part.yaw_deg))
    support, level = float(height_over(ground, solids, *part.at)), float(plane_height(ground, *part.at))
    on_plane = support <= level
    normal = plane_normal(ground) if on_plane else UP
    return BoxSolid(
        name=part.name,
        look="loose",
        surface=surface_of(ground, part),
        centre=np.array([*part.at, support]) + half[2] * normal,
        orientation=multiply(plane_orientation(ground), yaw) if on_plane else yaw,
        half=half,
    )


def bump_heights(part: Bumps) -> Array:
    """Heights of a field of bumps above the ground [m], (rows along y, columns along x), the same for the same seed."""
    rng = np.random.default_rng(part.seed)
    counts = [max(2, round(length / part.spacing)) for length in reversed(part.size)]  # bumps along y, along x
    knots = np.zeros((counts[0] + 1, counts[1] + 1))
    knots[1:-1, 1:-1] = rng.uniform(0.0, part.height, (counts[0] - 1, counts[1] - 1))
    field = _eased(_eased(knots).T).T
    return np.round(field, DIGITS)


def pebble_places(part: Pebbles) -> tuple[Array, Array]:
    """Positions (N, 2) and radii (N,) of scattered stones [m], the same for the same seed."""
    rng = np.random.default_rng(part.seed)
    places = np.empty((0, 2))
    while len(places) < part.count:
        drawn = np.array(part.at) + (rng.random((part.count, 2)) - 0.5) * np.array(part.size)
        places = np.concatenate([places, drawn[np.hypot(*drawn.T) >= part.clear]])
    radii = rng.uniform(*part.radius, part.count)
    return np.round(places[: part.count], DIGITS), np.round(radii, DIGITS)


def _fixed(ground: Ground, part: Part) -> Iterator[Solid]:
    match part:
        case Stairs():
            yield from _stairs(ground, part)
        case Ramp():
            yield _ramp(ground, part)
        case Raised():
            look, along = type(part).__name__.lower(), (0.0, part.length)
            yield _upright(ground, part, part.name, look, along, part.width, part.height, part.direction_deg)
        case Box() if part.mass == 0.0:
            size = part.size
            yield _upright(ground, part, part.name, "box", (-size[0] / 2, size[0] / 2), size[1], size[2], part.yaw_deg)
        case Mat():
            yield _mat(ground, part)
        case Bumps():
            yield _field(ground, part, part.size, bump_heights(part))
        case HeightField():
            yield _field(ground, part, part.size, np.array(part.heights, float))
        case Pebbles():
            yield from _pebbles(ground, part)
        case Trampoline():
            yield from _rim(ground, part)


def _upright(
    ground: Ground,
    part: Part,
    name: str,
    look: str,
    along: tuple[float, float],
    width: float,
    height: float,
    direction_deg: float,
) -> BoxSolid:
    """A box over `along` [m] of the way from `at`, its top `height` above the ground there, its foot in the ground."""
    turn = from_axis_angle(UP, math.radians(direction_deg))
    floor = np.array([[a, b, 0.0] for a in along for b in (-width / 2, width / 2)])
    corners = np.add(rotate(turn, floor), [*part.at, 0.0])
    top = float(plane_height(ground, *part.at)) + height
    foot = min(float(plane_height(ground, corners[:, 0], corners[:, 1]).min()), top - 0.01)
    middle = rotate(turn, [0.5 * (along[0] + along[1]), 0.0, 0.0])
    return BoxSolid(
        name=name,
        look=look,
        surface=surface_of(ground, part),
        centre=np.array([part.at[0] + middle[0], part.at[1] + middle[1], 0.5 * (top + foot)]),
        orientation=turn,
        half=np.array([0.5 * (along[1] - along[0]), width / 2, 0.5 * (top - foot)]),
    )


def _stairs(ground: Ground, part: Stairs) -> Iterator[Solid]:
    for i in range(part.count):
        end = (i + 1) * part.run + (part.landing if i == part.count - 1 else 0.0)
        height = (i + 1) * part.rise
        name = f"{part.name}_step_{i + 1}"
        yield _upright(ground, part, name, "stairs", (i * part.run, end), part.width, height, part.direction_deg)


def _ramp(ground: Ground, part: Ramp) -> BoxSolid:
    slope = math.atan2(part.rise, part.length)
    turn = multiply(
        from_axis_angle(UP, math.radians(part.direction_deg)), from_axis_angle(np.array([0.0, -1.0, 0.0]), slope)
    )
    half = np.array([0.5 * math.hypot(part.length, part.rise), part.width / 2, 0.5 * part.rise / math.cos(slope)])
    foot = np.array([*part.at, float(plane_height(ground, *part.at))])
    return BoxSolid(
        name=part.name,
        look="ramp",
        surface=surface_of(ground, part),
        centre=foot + rotate(turn, [half[0], 0.0, -half[2]]),
        orientation=turn,
        half=half,
    )


def _mat(ground: Ground, part: Mat) -> BoxSolid:
    half = 0.5 * np.array([part.size[0], part.size[1], part.size[2] + max(MAT_ROOT, part.size[2])])
    on_ground = np.array([*part.at, float(plane_height(ground, *part.at))])
    return BoxSolid(
        name=part.name,
        look="mat",
        surface=surface_of(ground, part),
        centre=on_ground + (part.size[2] - half[2]) * plane_normal(ground),
        orientation=multiply(plane_orientation(ground), from_axis_angle(UP, math.radians(part.yaw_deg))),
        half=half,
    )


def _field(ground: Ground, part: Part, size: Point2, above_ground: Array) -> FieldSolid:
    rows, columns = above_ground.shape
    x = part.at[0] + np.linspace(-0.5, 0.5, columns) * size[0]
    y = part.at[1] + np.linspace(-0.5, 0.5, rows) * size[1]
    return FieldSolid(
        name=part.name,
        look="field",
        surface=surface_of(ground, part),
        at=np.array(part.at),
        half=0.5 * np.array(size),
        heights=above_ground + plane_height(ground, x[None, :], y[:, None]),
    )


def _pebbles(ground: Ground, part: Pebbles) -> Iterator[Solid]:
    places, radii = pebble_places(part)
    heights = plane_height(ground, places[:, 0], places[:, 1])
    for i, (place, height, radius) in enumerate(zip(places, heights, radii, strict=True)):
        yield BallSolid(
            name=f"{part.name}_{i + 1}",
            look="pebble",
            surface=surface_of(ground, part),
            centre=np.array([*place, height]),
            radius=float(radius),
        )


def _rim(ground: Ground, part: Trampoline) -> Iterator[Solid]:
    plate = plate_of(ground, part)
    top, thickness = plate.centre[2] + plate.half[2], 0.06
    reach = plate.half[:2] + RIM_GAP + RIM_WIDTH  # to the rim's outer edge
    for side, (sx, sy) in {"front": (1, 0), "rear": (-1, 0), "left": (0, 1), "right": (0, -1)}.items():
        middle = plate.centre[:2] + np.array([sx, sy]) * (reach - RIM_WIDTH / 2)
        half = np.array([RIM_WIDTH / 2, reach[1] - RIM_WIDTH] if sx else [reach[0], RIM_WIDTH / 2])
        yield BoxSolid(
            name=f"{part.name}_rim_{side}",
            look="rim",
            surface=surface_of(ground, part),
            centre=np.array([*middle, top - thickness / 2]),
            orientation=IDENTITY,
            half=np.array([*half, thickness / 2]),
        )
    for i, (sx, sy) in enumerate([(1, 1), (1, -1), (-1, 1), (-1, -1)]):
        foot = plate.centre[:2] + np.array([sx, sy]) * (reach - RIM_WIDTH / 2)
        low, high = float(plane_height(ground, *foot)), top - thickness
        if high > low:
            yield PostSolid(
                name=f"{part.name}_leg_{i + 1}",
                look="rim",
                surface=surface_of(ground, part),
                centre=np.array([*foot, 0.5 * (low + high)]),
                radius=RIM_WIDTH / 3,
                half_height=0.5 * (high - low),
            )


def _eased(knots: Array) -> Array:
    """Rows of knots with smooth steps between them, (n·CELLS_PER_BUMP + 1, m) for (n + 1, m)."""
    t = np.arange(CELLS_PER_BUMP) / CELLS_PER_BUMP
    ease = (t * t * (3.0 - 2.0 * t))[None, :, None]
    between = knots[:-1, None] * (1.0 - ease) + knots[1:, None] * ease
    return np.concatenate([between.reshape(-1, knots.shape[1]), knots[-1:]])
