"""What a controller feels at each step, as one row of doubles with named places.

A control function reads `sense[TIME]`, `sense[COM + 2]`, and the parts whose place depends on the body through
`loads(sense)`, `angles(sense)` and so on, which give the index of their first number.

| place | numbers | meaning |
| --- | --- | --- |
| TIME, TIMESTEP, STEP | 1 | time [s], step length [s], number of the step: the time in steps, rounded |
| HINGES, SEGMENTS | 1 | A and S |
| POSITION, ORIENTATION | 3, 4 | of the root in the world [m], wxyz |
| VELOCITY, SPIN | 3, 3 | of the root in the world [m/s], [rad/s] |
| HEADING | 1 | direction of the root's x axis on the ground, from world x to y [rad] |
| COM, COM_VELOCITY | 3, 3 | of the whole body in the world [m], [m/s] |
| COP | 3 | centre of pressure in the world [m], weighted by upward force; the COM where nothing carries the body |
| SUPPORT | 1 | total upward contact force [N], of the previous step; zero at the first |
| loads | S | contact normal force on each segment by things other than itself [N], of the previous step |
| angles, rates | A, A | hinge angles [rad] and velocities [rad/s] in the order of `Body.axes` |
| positions | 3·S | origins of the segments in the world [m] |
| rotations | 9·S | their axes, row-major matrices that turn segment into world coordinates |
"""

from __future__ import annotations

from typing import Any

from numba import njit

from reenact.geometry.rotation import Array

TIME, TIMESTEP, STEP, HINGES, SEGMENTS = 0, 1, 2, 3, 4
POSITION, ORIENTATION, VELOCITY, SPIN, HEADING = 5, 8, 12, 15, 18
COM, COM_VELOCITY, COP, SUPPORT = 19, 22, 25, 28
FIXED = 29  # the parts sized by the body begin here


@njit
def loads(sense: Any) -> Any:
    """Index of the first segment's load [N]."""
    return FIXED


@njit
def angles(sense: Any) -> Any:
    """Index of the first hinge's angle [rad]."""
    return FIXED + int(sense[SEGMENTS])


@njit
def rates(sense: Any) -> Any:
    """Index of the first hinge's velocity [rad/s]."""
    return FIXED + int(sense[SEGMENTS]) + int(sense[HINGES])


@njit
def positions(sense: Any) -> Any:
    """Index of the first segment's position [m]."""
    return FIXED + int(sense[SEGMENTS]) + 2 * int(sense[HINGES])


@njit
def rotations(sense: Any) -> Any:
    """Index of the first segment's rotation matrix."""
    return FIXED + 4 * int(sense[SEGMENTS]) + 2 * int(sense[HINGES])


def width(hinges: int, segments: int) -> int:
    """Numbers in a row of senses."""
    return FIXED + 13 * segments + 2 * hinges


def named(row: Array) -> dict[str, Array]:
    """A row of senses (*batch, W) taken apart by name, for reading in Python."""
    segments, hinges = int(row[..., SEGMENTS].flat[0]), int(row[..., HINGES].flat[0])
    places = [
        ("time", TIME, 1),
        ("position", POSITION, 3),
        ("orientation", ORIENTATION, 4),
        ("velocity", VELOCITY, 3),
        ("spin", SPIN, 3),
        ("heading", HEADING, 1),
        ("com", COM, 3),
        ("com_velocity", COM_VELOCITY, 3),
        ("cop", COP, 3),
        ("support", SUPPORT, 1),
        ("loads", FIXED, segments),
        ("angles", FIXED + segments, hinges),
        ("rates", FIXED + segments + hinges, hinges),
    ]
    return {name: row[..., at : at + count] for name, at, count in places}
