"""Plots for the page of `reenact bench states`: error against time, forces from every side, the walker and people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from reenact.estimate.bench.shelf import Shelf
    from reenact.estimate.states.bench.summary import Summary


def draw_plots(summaries: Sequence[Summary], shelf: Shelf, out: Path) -> dict[str, Path]:
    """Pictures by name, as `Sheet.plots` calls them, of what was run."""
    from reenact.formats.replace_file import replace_file

    out.mkdir(parents=True, exist_ok=True)
    drawn = {}
    plots = {**_times(summaries), **_pushes(summaries, shelf), **_people(summaries, shelf)}
    for name, picture in plots.items():
        drawn[name] = out / f"{name}.svg"
        replace_file(drawn[name], picture + "\n")
    return drawn


def _times(summaries: Sequence[Summary]) -> dict[str, str]:
    """Medians of what searches took and came to."""
    from reenact.estimate.states.bench.lines import FIGURE_6_PAPER
    from reenact.view.error_time import Course, error_time_svg

    points: dict[str, list[tuple[float, float]]] = {}
    for one in summaries:
        seconds, error = one.median("seconds"), one.median("error_cm")
        if one.line.part == "time" and seconds is not None and error is not None:
            points.setdefault(one.line.paper, []).append((seconds, error))
    courses = [
        Course(name=name, points=tuple(sorted(own)), peer=FIGURE_6_PAPER[name].refined) for name, own in points.items()
    ]
    if not courses:
        return {}
    return {"time": error_time_svg(courses, title="Joint error against computing time", peer="[V12]")}


PLOTTED: Final = {
    "average": "an average adult's mass",
    "full": "the performer's mass",
    "limited": "75 % of the torque limits",
}


def _pushes(summaries: Sequence[Summary], shelf: Shelf) -> dict[str, str]:
    """Of the first seed whose tests are all there."""
    from reenact.view.polar import polar_svg, spokes_of

    plots = {}
    for label, words in PLOTTED.items():
        own = [one for one in summaries if one.line.part == "push" and one.line.name.startswith(f"{label}.")]
        for seed in range(max((len(one.records) for one in own), default=0)):
            tests = [_read(shelf.text(one.line.key, seed, "push.json")) for one in own]
            sides = [side for test in tests if test is not None for side in test["directions"]]
            if len(sides) == len(own):
                sides.sort(key=lambda side: float(side["from_deg"]))
                title = f"Greatest pushes with {words}, seed {seed}"
                plots[f"push_{label}"] = polar_svg(spokes_of({"directions": sides}), title=title, peer="[V12]")
                break
    return plots


def _people(summaries: Sequence[Summary], shelf: Shelf) -> dict[str, str]:
    from reenact.view.detours import Dot, Median, detours_svg

    for one in summaries:
        shown = one.shown if one.line.part == "people" else None
        record = None if shown is None else _read(shelf.text(one.line.key, shown.seed, "people.json"))
        if shown is None or record is None:
            continue
        dots = [
            Dot(
                impulse=trial["person"]["impulse"] / trial["person"]["mass"],
                person=trial["person"]["detour"],
                walker=trial["walker"]["detour"] if trial["walker"]["upright"] else None,
            )
            for trial in record["trials"]
        ]
        medians = [
            Median(
                low=each["low"],
                high=each["high"],
                person=each["people_cm"] / 100.0,
                walker=None if each["walker_cm"] is None else each["walker_cm"] / 100.0,
            )
            for each in shown.figures["bins"]
        ]
        return {"people": detours_svg(dots, medians, title=f"Shoves of people and of the walk, seed {shown.seed}")}
    return {}


def _read(path: Path) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return found
