"""Forces around a body as a polar plot: seen from above, the body facing up, a point on the side a push comes from."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Any, Final

SIZE: Final = 640  # of the picture, in its own units
MIDDLE: Final = SIZE / 2
RADIUS: Final = 236.0  # of the outermost ring
RINGS: Final = (3, 6)  # fewest and most
_STYLE: Final = """
.polar { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; --ink: #1c2127; --faint: #68727f;
  --grid: #d5d9de; --ours: #2c6cb4; --peer: #cf7438; --paper: #ffffff; }
@media (prefers-color-scheme: dark) { .polar { --ink: #e7eaee; --faint: #95a0ad; --grid: #39414b; --ours: #74ade9;
  --peer: #e99a66; --paper: #1a1e24; } }
.polar text { fill: var(--ink); } .polar .faint { fill: var(--faint); font-size: 11px; }
.polar .ring { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
.polar .grid { fill: none; stroke: var(--grid); } .polar .body { fill: var(--faint); stroke: var(--paper); }
.polar .area { fill: var(--ours); fill-opacity: 0.16; stroke: var(--ours); stroke-width: 2; stroke-linejoin: round; }
.polar .open { stroke-dasharray: 6 4; } .polar .point { fill: var(--ours); }
.polar .phase { fill: var(--ours); opacity: 0.4; } .polar .reach { stroke: var(--ours); opacity: 0.4; }
.polar .peer { fill: var(--paper); stroke: var(--peer); stroke-width: 2; }
.polar .value { font-weight: 600; paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoke:
    """One direction."""

    name: str
    degrees: float  # where the push comes from, from the front towards the left
    newtons: float
    by_phase: tuple[float, ...] = ()  # [N]
    peer: float | None = None  # somebody else's figure [N]


def spokes_of(record: Mapping[str, Any]) -> tuple[Spoke, ...]:
    """The directions that push.json holds."""
    return tuple(
        Spoke(
            name=str(side["name"]),
            degrees=float(side["from_deg"]),
            newtons=float(side["newtons"]),
            by_phase=tuple(float(value) for value in side["by_phase_N"]),
            peer=None if side["paper_N"] is None else float(side["paper_N"]),
        )
        for side in record["directions"]
    )


def polar_svg(spokes: Sequence[Spoke], *, title: str, peer: str = "", finished: bool = True) -> str:
    """The plot as a picture of its own, light or dark as the reader's system; peer: whose the other figures are."""
    step, top = _rings(max([1.0, *(value for s in spokes for value in (s.newtons, *s.by_phase, s.peer or 0.0))]))
    parts = [_grid(step, top, spokes), _BODY, _area(spokes, top, finished)]
    parts += [_spoke(spoke, top) for spoke in spokes]
    parts.append(_legend(spokes, peer, finished))
    return (
        f"<svg class='polar' xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {SIZE} {SIZE}' role='img' "
        f"aria-label='{escape(title, quote=True)}'><title>{escape(title)}</title><style>{_STYLE}</style>"
        f"{''.join(parts)}</svg>"
    )


def push_html(record: Mapping[str, Any], certificate: str) -> str:
    """One page without scripts: the plot, the table and the certificate; what comes from outside is escaped."""
    static = files("reenact.view") / "static"
    torque = "" if record["torque"] == 1 else f" with {100 * record['torque']:g} % of its torque limits"
    title = f"Push test of {record['take']}{torque}"
    parts = {
        "title": escape(title),
        "state": "" if record["finished"] else "<span class='status'>unfinished</span>",
        "plot": polar_svg(spokes_of(record), title=title, peer="[V12]", finished=bool(record["finished"])),
        "table": _table(record),
        "certificate": escape(certificate),
        "style": (static / "report.css").read_text(encoding="utf-8"),
    }
    page = (static / "push.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match.group(1)], page)  # one pass: values are never expanded


def place(degrees: float, radius: float) -> tuple[float, float]:
    """Where a direction lies on the picture at a distance from its middle: the front is up, the left is left."""
    angle = math.radians(degrees)
    return MIDDLE - radius * math.sin(angle), MIDDLE - radius * math.cos(angle)


def _rings(greatest: float) -> tuple[float, float]:
    """A round step between rings and the value of the outermost one [N]."""
    for power in range(-1, 7):
        for digit in (1.0, 2.0, 2.5, 5.0):
            step = digit * 10.0**power
            if math.ceil(greatest / step - 1e-9) <= RINGS[1]:
                return step, step * max(RINGS[0], math.ceil(greatest / step - 1e-9))
    return greatest, greatest * RINGS[0]


def _grid(step: float, top: float, spokes: Sequence[Spoke]) -> str:
    out = []
    between = spokes[0].degrees + 180.0 / len(spokes)
    for i in range(1, round(top / step) + 1):
        radius = RADIUS * i * step / top
        x, y = place(between, radius)
        out.append(f"<circle class='grid' cx='{MIDDLE}' cy='{MIDDLE}' r='{radius:.1f}'/>")
        out.append(f"<text class='faint ring' x='{x:.1f}' y='{y + 4:.1f}' text-anchor='middle'>{i * step:g} N</text>")
    for spoke in spokes:
        x, y = place(spoke.degrees, RADIUS)
        out.append(f"<path class='grid' d='M{MIDDLE} {MIDDLE}L{x:.1f} {y:.1f}'/>")
        x, y = place(spoke.degrees, RADIUS + 22.0)
        out.append(f"<text x='{x:.1f}' y='{y + 4:.1f}' text-anchor='{_anchor(x)}'>{escape(spoke.name)}</text>")
    return "".join(out)


# Head, shoulders and nose from above, facing up.
_BODY: Final = (
    f"<g class='body' transform='translate({MIDDLE} {MIDDLE})'><ellipse rx='17' ry='7'/>"
    "<path d='M-4 -6L0 -14L4 -6Z'/><circle r='8' cy='-1'/></g>"
)


def _area(spokes: Sequence[Spoke], top: float, finished: bool) -> str:
    if len(spokes) < 3:
        return ""
    points = [place(spoke.degrees, RADIUS * spoke.newtons / top) for spoke in spokes]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return f"<path class='area{'' if finished else ' open'}' d='M{path}Z'/>"


def _spoke(spoke: Spoke, top: float) -> str:
    def dot(value: float) -> tuple[float, float]:
        return place(spoke.degrees, RADIUS * value / top)

    out = []
    if spoke.by_phase:
        (x, y), (u, v) = dot(min(spoke.by_phase)), dot(max(spoke.by_phase))
        out.append(f"<path class='reach' d='M{x:.1f} {y:.1f}L{u:.1f} {v:.1f}'/>")
    for value in spoke.by_phase:
        x, y = dot(value)
        out.append(f"<circle class='phase' cx='{x:.1f}' cy='{y:.1f}' r='2.5'/>")
    if spoke.peer is not None:
        x, y = dot(spoke.peer)
        out.append(_diamond(x, y))
    x, y = dot(spoke.newtons)
    out.append(f"<circle class='point' cx='{x:.1f}' cy='{y:.1f}' r='5'/>")
    side = math.sin(math.radians(spoke.degrees))
    # beside the spoke, on which the phases and the peer stand
    u, v = x + (12.0 if side <= 0.3 else -12.0), y + (-10.0 if abs(side) > 0.3 else 16.0 if y > MIDDLE else -8.0)
    out.append(
        f"<text class='value' x='{u:.1f}' y='{v:.1f}' text-anchor='{'start' if side <= 0.3 else 'end'}'>"
        f"{spoke.newtons:.0f}</text>"
    )
    return "".join(out)


def _diamond(x: float, y: float) -> str:
    return f"<path class='peer' d='M{x:.1f} {y - 6:.1f}l6 6l-6 6l-6 -6Z'/>"


def _legend(spokes: Sequence[Spoke], peer: str, finished: bool) -> str:
    y = SIZE - 14.0
    ours = "greatest force at every phase [N]" + ("" if finished else ", unfinished")
    out = [f"<circle class='point' cx='20' cy='{y - 4}' r='5'/><text class='faint' x='31' y='{y}'>{ours}</text>"]
    if any(len(spoke.by_phase) > 1 for spoke in spokes):
        out.append(f"<circle class='phase' cx='20' cy='{y - 22}' r='2.5'/>")
        out.append(f"<text class='faint' x='31' y='{y - 18}'>at each phase of the gait</text>")
    if peer and any(spoke.peer is not None for spoke in spokes):
        out.append(_diamond(SIZE - 120.0, y - 4))
        out.append(f"<text class='faint' x='{SIZE - 108}' y='{y}'>{escape(peer)}</text>")
    return "".join(out)


def _anchor(x: float) -> str:
    return "middle" if abs(x - MIDDLE) < 1.0 else "start" if x > MIDDLE else "end"


def _table(record: Mapping[str, Any]) -> str:
    titles = (
        "Pushed from",
        "Force [N]",
        "Impulse [N·s]",
        "per kg [N·s/kg]",
        "By phase [N]",
        "Random trials",
        "[V12] [N]",
    )
    head = "".join(f"<th scope='col'>{title}</th>" for title in titles)
    rows = []
    for side in record["directions"]:
        drawn, phases = side["drawn"], side["by_phase_N"]
        rate = f"{drawn['passed']} of {drawn['run']}" if drawn["run"] else "–"
        if drawn["run"]:
            rate += f" <span>({100 * drawn['low']:.0f}–{100 * drawn['high']:.0f} %)</span>"
        cells = (
            f"<b>{side['newtons']:.0f}</b>",
            f"{side['impulse_Ns']:.1f}",
            f"{side['impulse_Ns_per_kg']:.2f}",
            f"{min(phases):.0f}–{max(phases):.0f}",
            rate,
            "–" if side["paper_N"] is None else f"{side['paper_N']:.0f}",
        )
        name = escape(str(side["name"])) + ("" if side["finished"] else " <span>(unfinished)</span>")
        rows.append(f"<tr><th scope='row'>{name}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    return f"<table class='forces'><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
