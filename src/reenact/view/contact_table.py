"""The report's section on contacts: what each part bore, and when it touched."""

from __future__ import annotations

from html import escape
from typing import Any, Final

import numpy as np

from reenact.physics.part_loads import TOUCHING
from reenact.view import pressure
from reenact.view.curves import readable
from reenact.view.pack import packed
from reenact.view.scene import Scene

STRIP_WEIGHTS: Final = 2.0  # load at which a bar has the scale's last colour [body weights]
POINT_RESOLUTION: Final = 1e-3  # of a footprint's middle [m]
TITLES: Final = ("Peak [N]", "Body weights", "Impulse [N·s]", "In contact [s]")


def contact_section(scene: Scene) -> str:
    """A row per part that touched anything, with its figures and a bar over time; nothing where none did."""
    if not scene.parts:
        return ""
    head = "".join(f"<th scope='col'>{title}</th>" for title in ("Part", *TITLES))
    clock = f"<span>0</span><span>{scene.duration / 2:.2f}</span><span>{scene.duration:.2f} s</span>"
    rows = []
    for i, part in enumerate(scene.parts):
        size = float(np.linalg.norm(part.impulse))
        figures = (f"{part.peak_force:.0f}", f"{part.peak_weights:.2f}", f"{size:.1f}", f"{part.contact_seconds:.2f}")
        name = escape(readable(part.name))
        cells = "".join(f"<td>{figure}</td>" for figure in figures)
        strip = f"<canvas data-part='{i}' role='img' aria-label='When {name} touches'></canvas>"
        rows.append(f"<tr><th scope='row'>{name}</th>{cells}<td class='strip'><div>{strip}</div></td></tr>")
    return (
        "<section class='touch card' id='touch'><h2>Contacts</h2>"
        f"<table><thead><tr>{head}<th class='strip clock'><div>{clock}</div></th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
        f"<p>Forces of the ground and of things on each part. A bar is dark where the part bears "
        f"{STRIP_WEIGHTS:g} body weights or more. Click it to go there.</p></section>"
    )


def contact_data(scene: Scene) -> dict[str, Any]:
    """What the page's scripts need to colour the body and the bars."""
    given = scene.pressures
    return {
        "first": packed(given.first),
        "body": packed(given.body),
        "point": packed(given.point, POINT_RESOLUTION),
        "outward": packed(given.outward),
        "peak": packed(given.peak, 1.0),
        "radius": pressure.FOOTPRINT,
        "facing": pressure.FACING,
        "full": pressure.FULL_KPA,
        "ticks": list(pressure.TICKS_KPA),
        "ramp": [list(colour) for colour in pressure.RAMP],
        "load": packed(scene.part_load.T),  # a part's frames lie together
        "least": TOUCHING,
        "stripLoad": STRIP_WEIGHTS * 9.81 * scene.mass,
    }
