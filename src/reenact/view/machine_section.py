"""What the report shows of a state machine: its graph, and its course along the time line."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from reenact.control.machine.machine import TIME
from reenact.control.machine.notation import structure_of
from reenact.geometry.rotation import AXES, rotate
from reenact.view.course import Span
from reenact.view.graph import graph_svg
from reenact.view.graph_layout import MOST
from reenact.view.pack import packed
from reenact.view.recording import Recording
from reenact.view.scene import Scene
from reenact.view.target_figures import TargetFigures


def machine_section(recording: Recording, scene: Scene) -> tuple[str, str]:
    """The graph, to stand above the moving body, or below where it has several rows; empty for other controllers."""
    if scene.course is None:
        return "", ""
    machine = scene.course.machine
    ahead = rotate(np.asarray(recording.motion["qpos"][0, 3:7], float), AXES["x"])
    heading = float(np.arctan2(ahead[1], ahead[0]))
    figures = TargetFigures(recording.model, machine, heading=heading)
    count = len(machine.states)
    head = f"{count} state{'s' if count != 1 else ''}, {structure_of(machine).kind}"
    above = count <= MOST
    hint = "; click a state to go to its next time" if scene.course.visits else ""
    section = (
        f"<section class='machine card{' above' if above else ''}' id='machine'>"
        f"<h2>Controller <span>{head}{hint}</span><output id='machine-now'></output></h2>"
        f"<div class='frame'>{graph_svg(machine, figures)}</div></section>"
    )
    return (section, "") if above else ("", section)


def course_strip(scene: Scene) -> str:
    """States and contacts along the time line, a lane each; nothing for other controllers."""
    course = scene.course
    if course is None or not (course.visits or course.lanes):
        return ""
    whole = scene.duration or 1.0
    lanes = []
    if course.visits:
        blocks = "".join(
            f"<button class='tone{visit.state % 2}' data-visit='{i}' style='{_stretch(visit.span, whole)}' "
            f"title='{escape(course.machine.states[visit.state].name)}, from {visit.span.begin:.2f} to "
            f"{visit.span.end:.2f} s'>{visit.state + 1}</button>"
            for i, visit in enumerate(course.visits)
        )
        lanes.append(f"<div class='lane'><b>State</b><div class='track states'>{blocks}</div></div>")
    for lane in course.lanes:
        bars = "".join(
            f"<i style='{_stretch(span, whole)}' title='{escape(lane.part)} touches from {span.begin:.2f} to "
            f"{span.end:.2f} s'></i>"
            for span in lane.spans
        )
        name = escape(lane.part[:1].upper() + lane.part[1:])
        lanes.append(f"<div class='lane {lane.side}'><b>{name}</b><div class='track'>{bars}</div></div>")
    return f"<div class='course' id='course' role='group' aria-label='States and contacts'>{''.join(lanes)}</div>"


def course_data(scene: Scene) -> dict[str, Any] | None:
    """What the page's scripts need of a machine."""
    course = scene.course
    if course is None:
        return None
    target = course.target
    return {
        "states": [
            {"name": state.name, "until": state.until, "onTime": state.until == TIME, "stays": state.then is None}
            for state in course.machine.states
        ],
        "visits": [[round(visit.span.begin, 6), visit.state] for visit in course.visits],
        "target": None
        if target is None
        else {"position": packed(target.position, 5e-4), "orientation": packed(target.orientation)},
        "balance": None if course.balance is None else packed(course.balance, 1e-3),
        "balanceScale": course.balance_scale,
    }


def _stretch(span: Span, whole: float) -> str:
    return f"left:{100 * span.begin / whole:.3f}%;width:{100 * (min(span.end, whole) - span.begin) / whole:.3f}%"
