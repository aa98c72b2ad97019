"""The graph of a state machine as a picture: a node per state with its target pose, an arrow per transition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Final

from reenact.control.machine.machine import TIME, Machine, MachineState
from reenact.control.machine.notation import notation, sign, structure_of
from reenact.view.graph_layout import NODE, Layout, Point, Way
from reenact.view.target_figures import TargetFigures

FIGURE: Final = (8.0, 8.0, 96.0, 110.0)  # the pose within a node: x, y, width, height
ROUND: Final = 9.0  # of corners
HEAD: Final = (9.0, 4.5)  # length and half width of an arrow's head
LONGEST: Final = 15  # characters of a name that fit

STYLE: Final = """
.graph { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; --ink: #1c2127; --faint: #68727f;
  --edge-line: #8a94a0; --node: #f6f7f9; --rim: #d5d9de; --lit: #2c6cb4; --lit-node: #e4eefa; --paper: #ffffff;
  --outline: rgb(0 0 0 / 0.35); }
@media (prefers-color-scheme: dark) { .graph { --ink: #e7eaee; --faint: #95a0ad; --edge-line: #77828f; --node: #20262d;
  --rim: #39414b; --lit: #74ade9; --lit-node: #24384f; --paper: #1a1e24; --outline: rgb(255 255 255 / 0.35); } }
.graph text { fill: var(--ink); text-anchor: middle; } .graph .faint { fill: var(--faint); font-size: 11px; }
.graph .box { fill: var(--node); stroke: var(--rim); stroke-width: 1.5; } .graph .name { font-weight: 600; }
.graph .badge { fill: var(--paper); stroke: var(--rim); stroke-width: 1.5; } .graph .number { font-weight: 600; }
.graph .line { fill: none; stroke: var(--edge-line); stroke-width: 1.6; } .graph .head { fill: var(--edge-line); }
.graph .early .line { stroke-dasharray: 5 4; }
.graph .start { fill: none; stroke: var(--edge-line); stroke-width: 1.6; }
.graph .sign { font-weight: 700; font-size: 13px; }
.graph .floor { fill: var(--rim); } .graph .figure path { stroke: var(--outline); stroke-width: 2.5; }
.graph .unreached { opacity: 0.5; } .graph .unreached .box { stroke-dasharray: 5 4; }
.graph .now .box { fill: var(--lit-node); stroke: var(--lit); stroke-width: 2.5; }
.graph .now .badge { fill: var(--lit); stroke: var(--lit); } .graph .now .number { fill: var(--paper); }
.graph .taken .line { stroke: var(--lit); stroke-width: 2.8; } .graph .taken .head { fill: var(--lit); }
"""


def graph_svg(machine: Machine, figures: TargetFigures | None = None, *, title: str = "") -> str:
    """The graph as a picture of its own, light or dark as the reader's system; `figures` are of the same machine."""
    layout = Layout(machine, structure_of(machine))
    parts = [_start(layout), *(_edge(machine.states[way.here], way) for way in layout.ways)]
    parts += [_node(machine.states[state], state, layout, figures) for state in layout.placed]
    label = escape(title or f"State machine {notation(machine)}")
    return (
        f"<svg class='graph' xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {layout.width:g} {layout.height:g}' "
        f"width='{layout.width:g}' height='{layout.height:g}' role='img' aria-label='{label}'><title>{label}</title>"
        f"<style>{STYLE}</style>{''.join(parts)}</svg>"
    )


def _start(layout: Layout) -> str:
    """The sign ⊕ and the arrow from it to the first state."""
    x, y = layout.side(layout.structure.order[0], 0.0, 0.5)
    c = x - 42.0
    cross = f"M{c - 9:g} {y:g}h18M{c:g} {y - 9:g}v18"
    arrow = _arrow([(c + 9.0, y), (x, y)])
    circle = f"<circle class='start' cx='{c:g}' cy='{y:g}' r='9'/><path class='line' d='{cross}'/>"
    return f"<g class='edge'>{circle}{arrow}</g>"


def _edge(state: MachineState, way: Way) -> str:
    part = state.early[0] if way.early and state.early is not None else state.until
    mark = escape(_cut(sign(part), 9))
    words = f"{state.seconds:.3g} s" if part == TIME else escape(_cut(part, 12))
    words += ", early" if way.early else ""
    x, y = way.label
    if way.kind == "on":
        label = f"<text class='sign' x='{x:g}' y='{y - 7:g}'>{mark}</text>"
        label += f"<text class='faint' x='{x:g}' y='{y + 15:g}'>{words}</text>"
    else:
        y += 15.0 if way.kind == "self" else -5.0
        spans = f"<tspan class='sign'>{mark}</tspan> <tspan class='faint'>{words}</tspan>"
        label = f"<text x='{x:g}' y='{y:g}'>{spans}</text>"
    kind = "edge early" if way.early else "edge"
    told = f"<title>{escape(_told(state))}</title>"
    return f"<g class='{kind}' data-from='{way.here}' data-to='{way.there}'>{told}{_arrow(way.points)}{label}</g>"


def _node(state: MachineState, number: int, layout: Layout, figures: TargetFigures | None) -> str:
    x, y = layout.corner(number)
    kind = "state unreached" if number in layout.structure.unreached else "state"
    fx, fy, fw, fh = FIGURE
    figure = figures.svg(number, (x + fx, y + fy, fw, fh)) if figures is not None else ""
    middle = x + 0.5 * NODE[0]
    lasts = f"{state.seconds:.3g} s" if state.until == TIME else f"≈ {state.seconds:.3g} s"
    if number in layout.structure.unreached:
        lasts = "never reached"
    elif state.then is None:
        lasts = "stays"
    return (
        f"<g class='{kind}' data-state='{number}'><title>{escape(_told(state))}</title>"
        f"<rect class='box' x='{x:g}' y='{y:g}' width='{NODE[0]:g}' height='{NODE[1]:g}' rx='10'/>{figure}"
        f"<circle class='badge' cx='{x + 15:g}' cy='{y + 15:g}' r='10.5'/>"
        f"<text class='number' x='{x + 15:g}' y='{y + 19.2:g}'>{number + 1}</text>"
        f"<text class='name' x='{middle:g}' y='{y + NODE[1] - 22:g}'>{escape(_cut(state.name, LONGEST))}</text>"
        f"<text class='faint' x='{middle:g}' y='{y + NODE[1] - 7:g}'>{lasts}</text></g>"
    )


def _told(state: MachineState) -> str:
    """A state in a sentence, for those who point at it."""
    ends = f"{state.seconds:.3g} s have passed" if state.until == TIME else f"the {state.until} touches"
    words = "stays" if state.then is None else f"until {ends}, then {state.then}"
    if state.early is not None:
        words += f"; early, when the {state.early[0]} touches, {state.early[1]}"
    return f"{state.name}: {words}"


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def _arrow(points: Sequence[Point]) -> str:
    """A line with rounded corners through points, and a head at its end."""
    (xa, ya), (xb, yb) = points[-2], points[-1]
    length = math.hypot(xb - xa, yb - ya)
    u, v = (xb - xa) / length, (yb - ya) / length
    bx, by = xb - HEAD[0] * u, yb - HEAD[0] * v
    head = f"M{xb:g} {yb:g}L{bx - HEAD[1] * v:g} {by + HEAD[1] * u:g}L{bx + HEAD[1] * v:g} {by - HEAD[1] * u:g}Z"
    return f"<path class='line' d='{_rounded([*points[:-1], (bx, by)])}'/><path class='head' d='{head}'/>"


def _rounded(points: Sequence[Point]) -> str:
    path = f"M{points[0][0]:g} {points[0][1]:g}"
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        (ax, ay), (bx, by) = _towards(corner, before), _towards(corner, after)
        path += f"L{ax:g} {ay:g}Q{corner[0]:g} {corner[1]:g} {bx:g} {by:g}"
    return f"{path}L{points[-1][0]:g} {points[-1][1]:g}"


def _towards(corner: Point, other: Point) -> Point:
    """Where the rounding of a corner begins."""
    x, y = other[0] - corner[0], other[1] - corner[1]
    length = math.hypot(x, y) or 1.0
    share = min(ROUND, 0.5 * length) / length
    return corner[0] + share * x, corner[1] + share * y
