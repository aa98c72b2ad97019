"""How far people and a walker were led astray by shoves of the same impulse per mass: a cloud of dots with medians."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

WIDTH, HEIGHT = 760, 460  # of the picture, in its own units
LEFT, RIGHT, TOP, BOTTOM = 64.0, 20.0, 34.0, 84.0  # margins
FELL: Final = 16.0  # above the highest line: where the shoves stand that felled the walker
_STYLE: Final = """
.detours { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; --ink: #1c2127; --faint: #68727f;
  --grid: #e2e5e9; --ours: #2c6cb4; --people: #8d949e; --bad: #b3322d; }
@media (prefers-color-scheme: dark) { .detours { --ink: #e7eaee; --faint: #95a0ad; --grid: #2f363f; --ours: #74ade9;
  --people: #a2acb8; --bad: #ff948d; } }
.detours text { fill: var(--faint); font-size: 12px; } .detours .name { fill: var(--ink); }
.detours .grid { stroke: var(--grid); } .detours .person { fill: var(--people); opacity: 0.6; }
.detours .walker { fill: var(--ours); opacity: 0.75; } .detours .fell { stroke: var(--bad); stroke-width: 1.5; }
.detours .median { fill: none; stroke-width: 3; stroke-linecap: round; }
.detours .of-people { stroke: var(--people); } .detours .of-walker { stroke: var(--ours); }
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """One shove, of a person and of the walker."""

    impulse: float  # per mass [N·s/kg]
    person: float  # detour [m]
    walker: float | None  # detour [m]; None where it fell


@dataclass(frozen=True, slots=True, kw_only=True)
class Median:
    """Medians over a range of impulses."""

    low: float  # [N·s/kg]
    high: float
    person: float  # [m]
    walker: float | None


def detours_svg(dots: Sequence[Dot], medians: Sequence[Median], *, title: str) -> str:
    """The plot as a picture of its own, light or dark as the reader's system."""
    highest = max([0.1, *(dot.person for dot in dots), *(dot.walker or 0.0 for dot in dots)])
    frame = _Frame(
        low=math.floor(10 * min((dot.impulse for dot in dots), default=0.0)) / 10,
        high=math.ceil(10 * max((dot.impulse for dot in dots), default=1.0)) / 10,
        top=math.ceil(5 * highest) / 5,
    )
    parts = [frame.grid(), "".join(_dot(frame, dot) for dot in dots), "".join(_median(frame, m) for m in medians)]
    fallen = sum(dot.walker is None for dot in dots)
    parts.append(_legend(fallen, len(dots)))
    return (
        f"<svg class='detours' xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' role='img' "
        f"aria-label='{escape(title, quote=True)}'><title>{escape(title)}</title><style>{_STYLE}</style>"
        f"{''.join(parts)}</svg>"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Frame:
    low: float
    high: float
    top: float  # [m]

    def x(self, impulse: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (impulse - self.low) / max(self.high - self.low, 1e-9)

    def y(self, detour: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * detour / self.top

    def grid(self) -> str:
        out = []
        for i in range(round(5 * self.top) + 1):
            y = self.y(i / 5)
            out.append(f"<path class='grid' d='M{LEFT} {y:.1f}H{WIDTH - RIGHT}'/>")
            out.append(f"<text x='{LEFT - 8}' y='{y + 4:.1f}' text-anchor='end'>{20 * i}</text>")
        for i in range(round(10 * (self.high - self.low)) + 1):
            x = self.x(self.low + i / 10)
            out.append(
                f"<text x='{x:.1f}' y='{HEIGHT - BOTTOM + 18}' text-anchor='middle'>{self.low + i / 10:.1f}</text>"
            )
        out.append(
            f"<text class='name' x='{WIDTH / 2}' y='{HEIGHT - BOTTOM + 38}' text-anchor='middle'>"
            "impulse [N·s/kg]</text>"
        )
        turn = f"rotate(-90 16 {(HEIGHT - BOTTOM) / 2})"
        out.append(
            f"<text class='name' x='16' y='{(HEIGHT - BOTTOM) / 2}' text-anchor='middle' transform='{turn}'>"
            "greatest detour [cm]</text>"
        )
        return "".join(out)


def _dot(frame: _Frame, dot: Dot) -> str:
    x = frame.x(dot.impulse)
    person = f"<circle class='person' cx='{x:.1f}' cy='{frame.y(dot.person):.1f}' r='3'/>"
    if dot.walker is None:
        return person + _cross(x, TOP - FELL)
    return person + f"<circle class='walker' cx='{x:.1f}' cy='{frame.y(max(dot.walker, 0.0)):.1f}' r='3'/>"


def _median(frame: _Frame, median: Median) -> str:
    begin, end = frame.x(median.low) + 3, frame.x(median.high) - 3
    out = f"<path class='median of-people' d='M{begin:.1f} {frame.y(median.person):.1f}H{end:.1f}'/>"
    if median.walker is not None:
        out += f"<path class='median of-walker' d='M{begin:.1f} {frame.y(max(median.walker, 0.0)):.1f}H{end:.1f}'/>"
    return out


def _cross(x: float, y: float) -> str:
    return f"<path class='fell' d='M{x - 3:.1f} {y - 3:.1f}l6 6m0 -6l-6 6'/>"


def _legend(fallen: int, count: int) -> str:
    y = HEIGHT - 16.0
    return (
        f"<circle class='person' cx='{LEFT}' cy='{y - 4}' r='3'/><text x='{LEFT + 9}' y='{y}'>people</text>"
        f"<circle class='walker' cx='{LEFT + 90}' cy='{y - 4}' r='3'/>"
        f"<text x='{LEFT + 99}' y='{y}'>the walker, upright</text>"
        f"{_cross(LEFT + 256, y - 4)}<text x='{LEFT + 265}' y='{y}'>it fell: {fallen} of {count}</text>"
        f"<path class='median of-people' d='M{LEFT + 380} {y - 4}h22'/><text x='{LEFT + 410}' y='{y}'>medians</text>"
    )
