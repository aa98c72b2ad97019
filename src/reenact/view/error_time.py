"""Error against computing time: a line for each motion, the paper's error as a dashed line of the same colour."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

WIDTH, HEIGHT = 760, 420  # of the picture, in its own units
LEFT, RIGHT, TOP, BOTTOM = 64.0, 150.0, 24.0, 64.0  # margins
_STYLE: Final = """
.errors { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; --ink: #1c2127; --faint: #68727f;
  --grid: #e2e5e9; }
@media (prefers-color-scheme: dark) { .errors { --ink: #e7eaee; --faint: #95a0ad; --grid: #2f363f; } }
.errors text { fill: var(--faint); font-size: 12px; } .errors .name { fill: var(--ink); }
.errors .grid { stroke: var(--grid); } .errors .line { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
.errors .peer { fill: none; stroke-width: 1.5; stroke-dasharray: 5 4; }
"""
_COLOURS: Final = ("#2c6cb4", "#c2571a", "#3c8d40", "#8a4fa3")


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """One motion."""

    name: str
    points: tuple[tuple[float, float], ...]  # seconds of computing and error [cm], the shortest first
    peer: float | None = None  # [cm]


def error_time_svg(courses: Sequence[Course], *, title: str, peer: str = "") -> str:
    """The plot as a picture of its own, light or dark as the reader's system; peer: whose the dashed lines are."""
    frame = _Frame(courses)
    parts = [frame.grid()]
    for i, course in enumerate(courses):
        parts.append(_course(frame, course, _COLOURS[i % len(_COLOURS)], TOP + 14.0 + 40.0 * i, peer))
    return (
        f"<svg class='errors' xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' role='img' "
        f"aria-label='{escape(title, quote=True)}'><title>{escape(title)}</title><style>{_STYLE}</style>"
        f"{''.join(parts)}</svg>"
    )


class _Frame:
    """Where numbers lie: time by its logarithm, errors from zero."""

    def __init__(self, courses: Sequence[Course]) -> None:
        seconds = [x for course in courses for x, _ in course.points]
        errors = [y for course in courses for y in (*(y for _, y in course.points), course.peer or 0.0)]
        self._times = sorted(set(seconds))
        self._low, self._high = math.log(min(seconds)), math.log(max(seconds))
        self._step = next(step for step in (0.5, 1.0, 2.0, 5.0, 10.0, 50.0, 1e3) if max(errors) / step <= 10.0)
        self._top = self._step * math.ceil(max(errors) / self._step + 1e-9)

    def x(self, seconds: float) -> float:
        share = (math.log(seconds) - self._low) / max(self._high - self._low, 1e-9)
        return LEFT + (WIDTH - LEFT - RIGHT) * share

    def y(self, error: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * error / self._top

    def grid(self) -> str:
        out = []
        for i in range(round(self._top / self._step) + 1):
            y = self.y(i * self._step)
            out.append(f"<path class='grid' d='M{LEFT} {y:.1f}H{WIDTH - RIGHT}'/>")
            out.append(f"<text x='{LEFT - 8}' y='{y + 4:.1f}' text-anchor='end'>{i * self._step:g}</text>")
        last = -math.inf
        for seconds in self._times:
            x = self.x(seconds)
            if x - last > 30.0:
                out.append(f"<text x='{x:.1f}' y='{HEIGHT - BOTTOM + 18}' text-anchor='middle'>{seconds:.0f}</text>")
                last = x
        middle, side = (LEFT + WIDTH - RIGHT) / 2, (HEIGHT - BOTTOM + TOP) / 2
        out.append(f"<text class='name' x='{middle}' y='{HEIGHT - 20}' text-anchor='middle'>computing [s]</text>")
        turn = f"rotate(-90 16 {side})"
        out.append(
            f"<text class='name' x='16' y='{side}' text-anchor='middle' transform='{turn}'>joint error [cm]</text>"
        )
        return "".join(out)


def _course(frame: _Frame, course: Course, colour: str, y: float, peer: str) -> str:
    points = [(frame.x(seconds), frame.y(error)) for seconds, error in course.points]
    line = "L".join(f"{x:.1f} {height:.1f}" for x, height in points)
    out = [f"<path class='line' stroke='{colour}' d='M{line}'/>"]
    out += [f"<circle cx='{x:.1f}' cy='{height:.1f}' r='4' fill='{colour}'/>" for x, height in points]
    left = WIDTH - RIGHT + 14.0
    out.append(f"<circle cx='{left}' cy='{y - 4}' r='4' fill='{colour}'/>")
    out.append(f"<text class='name' x='{left + 10}' y='{y}'>{escape(course.name)}</text>")
    if course.peer is not None:
        height = frame.y(course.peer)
        out.append(f"<path class='peer' stroke='{colour}' d='M{LEFT} {height:.1f}H{WIDTH - RIGHT}'/>")
        out.append(f"<text x='{left + 10}' y='{y + 16}'>{escape(peer)}: {course.peer:g} cm</text>")
    return "".join(out)
