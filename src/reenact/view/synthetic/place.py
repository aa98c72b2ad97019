"""A place to film in: a brick wall with things on it and a floor of boards, as a camera sees it with nobody there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from reenact.geometry.rotation import Array
from reenact.observe.camera import Camera

Singles = NDArray[np.float32]
BRICK: Final = (0.24, 0.08)  # [m] with its joint
JOINT: Final = 0.010  # [m]
BOARD: Final = (1.8, 0.14)  # [m] along and across
SKIRTING: Final = 0.09  # [m] high
BEHIND: Final = (1.4, 2.2)  # [m] from the person to the wall
WALLS: Final = ((152, 104, 84), (168, 162, 152), (132, 134, 140), (186, 170, 142))  # colours of bricks
FLOORS: Final = ((150, 116, 82), (122, 112, 104), (164, 142, 112))
POSTERS: Final = ((196, 178, 92), (84, 120, 150), (206, 204, 196), (110, 138, 96))
_TABLE = 997  # shades of bricks and boards before they come again


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Place:
    """An empty scene."""

    picture: Singles  # (height, width, 3), 0 … 255
    points: Singles  # (height, width, 3) where in the world each pixel lies [m]


def empty_place(camera: Camera, person: Array, seed: int) -> Place:
    """The place behind a person at `person` (3,) [m], other colours and other things with every seed."""
    rng = np.random.default_rng([seed, 11])
    width, height = camera.size
    u, v = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    rays = camera.rays(np.stack([u, v], axis=-1))
    ahead = camera.turn[2] * [1.0, 1.0, 0.0]
    ahead /= np.linalg.norm(ahead)
    right = np.array([ahead[1], -ahead[0], 0.0])
    far = float((person - camera.position) @ ahead) + rng.uniform(*BEHIND)
    to_wall = far / np.maximum(rays @ ahead, 1e-6)
    down = np.where(rays[..., 2] < 0, (camera.ground - camera.position[2]) / np.minimum(rays[..., 2], -1e-9), np.inf)
    floor = down < to_wall
    points = camera.position + np.minimum(to_wall, down)[..., None] * rays
    along = (points - person) @ right
    wall = _wall(along, points[..., 2] - camera.ground, rng)
    boards = _boards(along, (points - person) @ ahead, rng)
    picture = np.where(floor[..., None], boards, wall).astype(np.float32)
    picture *= _light(along, points[..., 2] - camera.ground, floor, rng)[..., None]
    picture += gaussian_filter(rng.normal(0.0, 1.0, (height, width)).astype(np.float32), 1.0)[..., None] * 12.0
    picture = gaussian_filter(picture, (0.7, 0.7, 0.0))  # no lens is perfectly sharp
    return Place(picture=np.clip(picture, 6.0, 250.0), points=points.astype(np.float32))


def _wall(along: Array, up: Array, rng: np.random.Generator) -> Singles:
    """Colours (H, W, 3) of bricks with posters and a skirting board."""
    colour = np.array(WALLS[rng.integers(len(WALLS))], np.float32)
    row = np.floor(up / BRICK[1]).astype(np.int64)
    across = along / BRICK[0] + 0.5 * (row % 2)
    column = np.floor(across).astype(np.int64)
    shade = rng.normal(1.0, 0.11, _TABLE).astype(np.float32)
    tint = rng.normal(0.0, 5.0, (_TABLE, 3)).astype(np.float32)
    which = (row * 131 + column * 71) % _TABLE
    out = colour * shade[which][..., None] + tint[which]
    joint = ((across - column) * BRICK[0] < JOINT) | (up - row * BRICK[1] < JOINT)
    out[joint] = 0.55 * colour + 70.0
    for _ in range(3):
        left, low = rng.uniform(-2.6, 2.2), rng.uniform(0.9, 1.6)
        wide, tall = rng.uniform(0.3, 0.7), rng.uniform(0.3, 0.6)
        inside = (along > left) & (along < left + wide) & (up > low) & (up < low + tall)
        frame = inside & (
            (along < left + 0.02) | (along > left + wide - 0.02) | (up < low + 0.02) | (up > low + tall - 0.02)
        )
        out[inside] = np.array(POSTERS[rng.integers(len(POSTERS))], np.float32)
        out[frame] = 45.0
    out[up < SKIRTING] = (214.0, 210.0, 202.0)
    return np.asarray(out, np.float32)


def _boards(along: Array, away: Array, rng: np.random.Generator) -> Singles:
    """Colours (H, W, 3) of a floor."""
    colour = np.array(FLOORS[rng.integers(len(FLOORS))], np.float32)
    row = np.floor(away / BOARD[1]).astype(np.int64)
    across = along / BOARD[0] + 0.37 * row
    column = np.floor(across).astype(np.int64)
    shade = rng.normal(1.0, 0.08, _TABLE).astype(np.float32)
    which = (row * 37 + column * 113) % _TABLE
    grain = 1.0 + 0.04 * np.sin(along * 9.0 + 40.0 * np.sin(away * 31.0 + row))
    out = colour * (shade[which] * grain)[..., None]
    gap = (away - row * BOARD[1] < 0.006) | ((across - column) * BOARD[0] < 0.006)
    out[gap] *= 0.6
    return np.asarray(out, np.float32)


def _light(along: Array, up: Array, floor: NDArray[np.bool_], rng: np.random.Generator) -> Singles:
    """How bright each pixel is lit (H, W): a wall falls off from where a lamp is, and darkens towards the floor."""
    middle = rng.uniform(-1.0, 1.0)
    falling = 1.06 - 0.03 * (along - middle) ** 2
    standing = np.where(floor, 1.0, 0.9 + 0.06 * np.minimum(up, 2.5))
    return np.asarray(np.clip(falling, 0.55, 1.1) * standing, np.float32)
