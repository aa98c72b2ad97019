"""Takes beside each other: where each presses on what it touches, how hard, and when ([L10] Figure 6).

One page without scripts: for each take a strip of poses at the same instants, coloured by pressure, then every part
that touched anything with its figures and a bar over time for each take.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.physics.part_loads import TOUCHING
from reenact.view.contact_table import STRIP_WEIGHTS
from reenact.view.curves import readable
from reenact.view.pressed import pressed_dots, pressure_scale
from reenact.view.pressure import FULL_KPA, colour_of
from reenact.view.recording import Recording, recording_of
from reenact.view.scene import Scene, scene_of
from reenact.view.thumbnails import COUNT, Picture, nearest, sketcher_of

BAR: Final = 400  # steps of a bar over time
SHADES: Final = 12  # of a bar
TITLES: Final = ("Peak [N]", "Impulse [N·s]", "In contact [s]", "Peak [kPa]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the takes."""

    recording: Recording
    scene: Scene

    @property
    def title(self) -> str:
        """Its name and its world's, as HTML."""
        return f"{escape(self.scene.name)} <span>in {escape(str(self.scene.facts.get('world', '')))}</span>"

    def peak_kpa(self, part: str) -> float:
        """Greatest pressure on a part [kPa]."""
        body = self.scene.body_names.index(part)
        felt = self.scene.pressures.peak[self.scene.pressures.body == body]
        return float(felt.max(initial=0.0))


def comparison_html(takes: Sequence[Path | str]) -> str:
    """The page as text; everything that comes from the takes is escaped."""
    sides = []
    for take in takes:
        recording = recording_of(take)
        sides.append(Side(recording=recording, scene=scene_of(recording)))
    length = max(side.scene.duration for side in sides)
    static = files("reenact.view") / "static"
    parts = {
        "title": escape(" and ".join(side.scene.name for side in sides)),
        "scale": pressure_scale(),
        "takes": "".join(_strip(side, length) for side in sides),
        "parts": _table(sides, length),
        "words": (
            f"Forces of the ground and of things. A bar is dark where the part bears {STRIP_WEIGHTS:g} body weights or "
            "more. Pressure is the normal force of a contact over a footprint of 3 cm: it compares parts, moments and "
            "grounds, and is no measurement of soft tissue."
        ),
        "style": (static / "report.css").read_text(encoding="utf-8"),
    }
    page = (static / "comparison.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match.group(1)], page)  # one pass: values are never expanded


def _strip(side: Side, length: float) -> str:
    """A take's poses, each with its greatest pressure and the number of its contacts."""
    scene, motion = side.scene, side.recording.motion
    recorded, qpos = np.asarray(motion["time"], float), np.asarray(motion["qpos"], float)
    sketcher = sketcher_of(side.recording)
    cells = []
    for time in np.linspace(0.0, length, COUNT):
        if time > scene.duration + 1e-6:
            cells.append("<div></div>")
            continue
        frame = scene.frame_at(scene.time[0] + time)
        points, colours = pressed_dots(scene, frame)
        pose = qpos[nearest(recorded, scene.time[frame])]
        svg = sketcher.svg(Picture(time=float(time), pose=pose, dots=(points.astype(float), colours)))
        cells.append(f"<div>{svg}<span>{time:.2f} s</span>{_said(scene, frame)}</div>")
    return f"<section class='shown card'><h2>{side.title}</h2><div class='poses'>{''.join(cells)}</div></section>"


def _said(scene: Scene, frame: int) -> str:
    felt = scene.pressures.peak[scene.pressures.first[frame] : scene.pressures.first[frame + 1]]
    if not len(felt):
        return "<small>–</small>"
    return f"<small>{felt.max():.0f} kPa</small><small>{len(felt)} place{'s' if len(felt) > 1 else ''}</small>"


def _table(sides: Sequence[Side], length: float) -> str:
    """A row per part and take, the part with the greatest impulse of any take first."""
    size: dict[str, float] = {}
    for side in sides:
        for part in side.scene.parts:
            size[part.name] = max(size.get(part.name, 0.0), float(np.linalg.norm(part.impulse)))
    head = "".join(f"<th scope='col'>{title}</th>" for title in ("Part", "Take", *TITLES))
    clock = (
        f"<th class='bar clock'><div><span>0</span><span>{length / 2:.2f}</span><span>{length:.2f} s</span></div></th>"
    )
    rows = [
        _row(side, name, first=side is sides[0], count=len(sides), length=length)
        for name in sorted(size, key=lambda name: -size[name])
        for side in sides
    ]
    return f"<table class='against'><thead><tr>{head}{clock}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _row(side: Side, name: str, *, first: bool, count: int, length: float) -> str:
    names = [part.name for part in side.scene.parts]
    title = f"<th scope='row' rowspan='{count}'>{escape(readable(name))}</th>" if first else ""
    figures, bar = ["–"] * len(TITLES), ""
    if name in names:
        part = side.scene.parts[names.index(name)]
        figures = [
            f"{part.peak_force:.0f}",
            f"{float(np.linalg.norm(part.impulse)):.1f}",
            f"{part.contact_seconds:.2f}",
            f"{side.peak_kpa(name):.0f}",
        ]
        bar = _bar(side.scene, side.scene.part_load[:, names.index(name)], length)
    cells = "".join(f"<td>{figure}</td>" for figure in figures)
    return (
        f"<tr{' class=first' if first else ''}>{title}<td class='take'>{escape(side.scene.name)}</td>{cells}"
        f"<td class='bar'><svg viewBox='0 0 {BAR} 1' preserveAspectRatio='none'>{bar}</svg></td></tr>"
    )


def _bar(scene: Scene, load: NDArray[np.float32], length: float) -> str:
    """Loads (F,) [N] as coloured stretches of a bar, the same colours as in the report."""
    edges = np.round(np.arange(len(load) + 1) / scene.rate / length * BAR, 1)
    share = np.sqrt(np.clip(load / (STRIP_WEIGHTS * 9.81 * scene.mass), 0.0, 1.0))
    shade = np.where(load >= TOUCHING, np.ceil(np.maximum(share, 1e-3) * SHADES), 0).astype(int)
    out = []
    for level in range(1, SHADES + 1):
        runs = np.flatnonzero(np.diff(np.concatenate([[False], shade == level, [False]]).astype(int))).reshape(-1, 2)
        if len(runs):
            path = "".join(f"M{edges[a]:g} 0H{edges[b]:g}V1H{edges[a]:g}Z" for a, b in runs)
            red, green, blue = np.round(255 * colour_of(np.array(FULL_KPA * (0.12 + 0.88 * level / SHADES) ** 2)))
            out.append(f"<path fill='rgb({red:.0f} {green:.0f} {blue:.0f})' d='{path}'/>")
    return "".join(out)
