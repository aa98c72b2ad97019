"""Pressure on the browser page: coloured dots over the pressed surfaces, and the legend.

The page cannot change a mesh's colours by vertex; dots cost 0.7 ms of one core per frame and some ten kilobytes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reenact.geometry.rotation import rotate
from reenact.view.pressure import FULL_KPA, RAMP, TICKS_KPA, colour_of
from reenact.view.scene import Scene

LEAST_KPA = 5.0  # a surface with less pressure has no dots
ABOVE = 0.003  # dots stand off the surface by this much [m]


def pressed_dots(scene: Scene, frame: int) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """Points (n, 3) in the world just above the pressed surfaces at a frame, and their colours (n, 3)."""
    given = scene.pressures
    points, shades = [np.zeros((0, 3))], [np.zeros((0, 3))]
    for body in np.unique(given.body[given.first[frame] : given.first[frame + 1]]).tolist():
        surface = scene.surfaces[body]
        pressure = given.at(body, frame, surface.point, surface.outward)
        felt = pressure > LEAST_KPA
        above = surface.point[felt] + ABOVE * surface.outward[felt]
        turn, place = scene.poses.orientation[frame, body], scene.poses.position[frame, body]
        points.append(rotate(turn.astype(float), above) + place)
        shades.append(colour_of(pressure[felt]))
    return np.concatenate(points).astype(np.float32), np.round(255 * np.concatenate(shades)).astype(np.uint8)


def pressure_scale() -> str:
    """The legend of pressure as HTML."""
    stops = ", ".join(f"rgb({r:.0f} {g:.0f} {b:.0f})" for r, g, b in 255 * np.array(RAMP))
    marks = "".join(
        f"<span style='position:absolute;left:{100 * (value / FULL_KPA) ** 0.5:.1f}%;transform:translateX(-50%)'>"
        f"{value}{'+' if value == FULL_KPA else ''}</span>"
        for value in TICKS_KPA
    )
    return (
        "<div style='margin:0 1.6em 0.4em;font-size:0.75em'>Pressure [kPa]"
        f"<div style='height:8px;border-radius:4px;background:linear-gradient(to right, {stops})'></div>"
        f"<div style='position:relative;height:1.4em'>{marks}</div></div>"
    )
