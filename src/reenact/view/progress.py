"""progress.html: how a search is doing and what the character does by now, as one page that renews itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from reenact.view.thumbnails import Picture, Sketcher

Array = NDArray[np.float64]
State = Literal["searching", "found", "stopped"]

EVERY: Final = 2.0  # a page that is looked at is loaded anew so often [s]
LEAD: Final = 3.0  # from the end of a search to the jump to its report [s]
WORDS: Final[dict[State, str]] = {"searching": "Searching", "found": "Found", "stopped": "Stopped"}
WIDE, HIGH = 1190.0, 220.0  # of the plot [px]
LEFT, RIGHT, TOP, BELOW = 48.0, 24.0, 8.0, 24.0  # its margins
TICKS: Final = {0.7: (1, 1.5, 2, 3, 4, 5, 6, 8), 2.5: (1, 2, 5)}  # of a decade, where so many decades are seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """The least cost at the end of sampling steps, of one round of visits to them."""

    time: Array  # (n,) of the motion, where the steps end [s]
    cost: Array  # (n,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a search is."""

    name: str  # of the take
    state: State = "searching"
    sweep: int  # over a part of the motion, counted from 1
    step: int  # sampling steps that it stands at the end of
    steps: int
    seconds: float  # of the motion reached
    length: float  # of the whole motion [s]
    fraction: float  # of the work
    cost: float  # of the best sample there
    rewinds: int
    elapsed: float  # [s]
    left: float | None  # about so long to go [s]; None where nobody knows yet
    costs: tuple[Costs, ...]  # of earlier visits, and last the latest of each step
    report: str = ""  # address of the report, once the motion is found
    renewed: str = ""  # when that was, e.g. "14:05:09"


def progress_html(progress: Progress, sketcher: Sketcher, pictures: Sequence[Picture]) -> str:
    """The whole page as text; pictures: of the whole motion, those ahead with the reference alone."""
    static = files("reenact.view") / "static"
    parts = {
        "title": escape(progress.name),
        "refresh": _refresh(progress),
        "percent": str(round(100.0 * progress.fraction)),
        "state": {"searching": "", "found": "ok", "stopped": "stopped"}[progress.state],
        "state_word": WORDS[progress.state],
        "words": _words(progress),
        "headline": _headline(progress),
        "poses": _strip(progress, sketcher, pictures),
        "legend": _legend(pictures),
        "costs": cost_plot(progress.costs, progress.length, progress.seconds),
        "footer": _footer(progress),
        "style": (static / "report.css").read_text(encoding="utf-8"),
    }
    page = (static / "progress.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match.group(1)], page)  # one pass: values are never expanded


def cost_plot(rounds: Sequence[Costs], length: float, seconds: float) -> str:
    """Costs over the motion's time as SVG, one line per round of visits, on a logarithmic scale.

    The last round stands out, with a dot where the search is, `seconds` into a motion that lasts `length` [s].
    """
    shown = [each for each in rounds if len(each.cost)]
    if not shown:
        return "<p>No step is done yet.</p>"
    logs = [np.log10(np.maximum(each.cost, 1e-6)) for each in shown]
    low, high = min(float(log.min()) for log in logs) - 0.05, max(float(log.max()) for log in logs) + 0.05
    if high - low < 0.3:
        low, high = low - 0.1, high + 0.1
    across, up = WIDE - LEFT - RIGHT, HIGH - TOP - BELOW
    parts = []
    for tick in _ticks(low, high):
        y = TOP + up * (high - np.log10(tick)) / (high - low)
        parts.append(f"<line class='grid' x1='{LEFT:g}' x2='{WIDE - RIGHT:g}' y1='{y:.1f}' y2='{y:.1f}'/>")
        parts.append(f"<text x='{LEFT - 8:g}' y='{y + 4:.1f}' text-anchor='end'>{tick:g}</text>")
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        words = f"{share * length:.2f}{' s' if share == 1.0 else ''}"
        parts.append(f"<text x='{LEFT + across * share:.1f}' y='{HIGH - 6:g}' text-anchor='middle'>{words}</text>")
    lines = [
        np.column_stack([LEFT + across * each.time / length, TOP + up * (high - log) / (high - low)])
        for each, log in zip(shown, logs, strict=True)
    ]
    parts += [f"<polyline points='{_points(line)}'/>" for line in lines[:-1]]
    x, y = lines[-1][np.abs(shown[-1].time - seconds).argmin()]
    parts.append(f"<polyline class='now' points='{_points(lines[-1])}'/><circle cx='{x:.1f}' cy='{y:.1f}' r='3.5'/>")
    return (
        f"<svg class='costs' viewBox='0 0 {WIDE:g} {HIGH:g}' role='img' aria-label='Cost over the motion'>"
        f"{''.join(parts)}</svg>"
    )


def _points(line: Array) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in line)


def _ticks(low: float, high: float) -> list[float]:
    decades = range(int(np.floor(low)), int(np.ceil(high)) + 1)
    kinds = next((kinds for reach, kinds in TICKS.items() if high - low < reach), (1,))
    return [kind * 10.0**d for d in decades for kind in kinds if low <= np.log10(kind * 10.0**d) <= high]


def _refresh(progress: Progress) -> str:
    if progress.state == "stopped":
        return ""
    if progress.state == "found":
        return f"<meta http-equiv='refresh' content='{LEAD:g}; url={escape(progress.report, quote=True)}'>"
    return f"<meta http-equiv='refresh' content='{EVERY:g}'>"


def _words(progress: Progress) -> str:
    if progress.state == "found":
        return "The report is being written; this page goes there."
    if progress.state == "stopped":
        return "What was found is kept; the same command with --resume goes on."
    return ""


def _footer(progress: Progress) -> str:
    words = f"As of {escape(progress.renewed)}." if progress.renewed else ""
    return f"This page renews itself while the search runs. {words}" if progress.state == "searching" else words


def _headline(progress: Progress) -> str:
    figures = [
        (str(progress.sweep), "sweep"),
        (f"{progress.step} of {progress.steps}", "step"),
        (f"{progress.seconds:.2f} of {progress.length:.2f} s", "of the motion"),
        (f"{progress.cost:.3g}", "best cost"),
        (str(progress.rewinds), "went back" if progress.rewinds == 1 else "times back"),
        (clock(progress.elapsed), "so far"),
    ]
    if progress.state == "searching":
        figures.append(("–" if progress.left is None else clock(progress.left), "left, about"))
    return "".join(f"<div><b>{escape(value)}</b><span>{escape(label)}</span></div>" for value, label in figures)


def clock(seconds: float) -> str:
    """A stretch of time in few characters."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes}:{rest:02d} min" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02d} h"


def _strip(progress: Progress, sketcher: Sketcher, pictures: Sequence[Picture]) -> str:
    reached = [i for i, picture in enumerate(pictures) if picture.time <= progress.seconds + 1e-6]
    now = reached[-1] if reached else 0
    cells = [
        f"<div{' aria-current=time' if i == now else ''}>{sketcher.svg(picture)}<span>{picture.time:.2f}</span></div>"
        for i, picture in enumerate(pictures)
    ]
    return f"<div class='poses'>{''.join(cells)}</div>"


def _legend(pictures: Sequence[Picture]) -> str:
    words = "Behind the body, in green, the recorded motion; where there is no body yet, the search has not been."
    return words + (" Pale: as the sweep before left it." if any(picture.faint for picture in pictures) else "")
