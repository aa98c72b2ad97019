"""report.html: one self-contained page that plays a take offline, with its plots and its numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np

from reenact.formats.observed import Observed
from reenact.formats.replace_file import replace_file
from reenact.formats.take import Take
from reenact.measure import Progress
from reenact.physics.audit import AuditResult
from reenact.view import colours, forces, meshes
from reenact.view.contact_table import contact_data, contact_section
from reenact.view.curves import Curve, Curves
from reenact.view.facts import Section, sections_of, verdict_of
from reenact.view.forces import BodyForces
from reenact.view.machine_section import course_data, course_strip, machine_section
from reenact.view.meshes import Mesh
from reenact.view.pack import json_for_script, packed
from reenact.view.poses import Poses
from reenact.view.recording import Recording, recording_of
from reenact.view.scene import Scene, scene_of
from reenact.view.thumbnails import pose_strip
from reenact.view.torque_bars import torque_section
from reenact.view.video_section import aspect_of, video_data, video_section

SCRIPTS: Final = (
    "data.js",
    "math.js",
    "shaders.js",
    "pressure.js",
    "marks.js",
    "renderer.js",
    "camera.js",
    "player.js",
    "plots.js",
    "strips.js",
    "poses.js",
    "machine.js",
    "film.js",
    "keys.js",
    "main.js",
)
STYLES: Final = ("report.css", "machine.css", "film.css")
POSITION_RESOLUTION: Final = 5e-4  # coarser positions than this are kept in single precision [m]


def write_report(
    folder: Path | str, out: Path | str | None = None, *, audit: AuditResult | None = None, videos: Sequence[Path] = ()
) -> Path:
    """Write the report of a take, by default as report.html in its folder, whole or not at all; returns its path."""
    path = Path(out) if out is not None else Path(folder) / "report.html"
    replace_file(path, report_html(folder, audit=audit, videos=videos))
    return path


def report_html(
    take: Recording | Take | Path | str,
    *,
    name: str | None = None,
    audit: AuditResult | None = None,
    observed: Observed | None = None,
    videos: Sequence[Path] = (),
    progress: Progress | None = None,
) -> str:
    """The whole page as text, titled `name`; everything that comes from the take is escaped.

    `audit` is what an audit of the same take found; without it the page says nothing of one. `observed` is what a take
    in memory was made from, where that was a video; `videos` says where videos are that have moved.
    """
    recording = recording_of(take, name, observed)
    scene = scene_of(recording, videos=videos, progress=progress)
    facts = scene.facts if audit is None else {**scene.facts, "audit": _audit_facts(audit, scene.facts)}
    verdict = verdict_of(facts)
    above, below = machine_section(recording, scene)
    static = files("reenact.view") / "static"
    script = "\n".join((static / name).read_text(encoding="utf-8") for name in SCRIPTS)
    parts = {
        "title": escape(scene.name),
        "tone": verdict.tone,
        "verdict": escape(verdict.word),
        "reason": escape(verdict.reason),
        "audit": "" if audit is None else "honest" if audit.honest else "dishonest",
        "audit_word": "" if audit is None else "Audit: honest" if audit.honest else "Audit: not honest",
        "headline": _headline(scene),
        "poses": pose_strip(recording),
        "video": video_section(scene),
        "aspect": aspect_of(scene),
        "course": course_strip(scene),
        "controller_above": above,
        "controller_below": below,
        "torques": torque_section(scene.curves),
        "contacts": contact_section(scene),
        "facts": "\n".join(_table(section) for section in sections_of(facts)),
        "style": "\n".join((static / name).read_text(encoding="utf-8") for name in STYLES),
        "data": json_for_script(scene_data(scene)),
        "script": script,
    }
    page = (static / "report.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match.group(1)], page)  # one pass: values are never expanded


def scene_data(scene: Scene) -> dict[str, Any]:
    """A scene as the page's scripts read it."""
    marks = [meshes.cylinder(1.0, 0.5, sectors=20), meshes.cylinder(1e-4, 0.5, 1.0, 20), meshes.sphere(1.0)]
    return {
        "name": scene.name,
        "rate": scene.rate,
        "start": float(scene.time[0]),
        "frames": scene.frames,
        "mass": scene.mass,
        "character": list(scene.character),
        "meshes": [_mesh(mesh) for mesh in (*scene.meshes, *marks)],
        "markers": {name: len(scene.meshes) + i for i, name in enumerate(("shaft", "cone", "ball"))},
        "pieces": [
            {
                "role": piece.role,
                "body": piece.body,
                "mesh": piece.mesh,
                "flat": piece.flat,
                "position": piece.position.tolist(),
                "orientation": piece.orientation.tolist(),
                "stretch": piece.stretch.tolist(),
                "colour": list(piece.colour),
                "sideColour": list(piece.side_colour),
                "alpha": piece.alpha,
            }
            for piece in scene.pieces
        ],
        "poses": _poses(scene.poses),
        "ghost": _poses(scene.ghost) if scene.ghost is not None else None,
        "ghostUntil": scene.ghost_until,
        "contacts": _forces(scene.contacts),
        "pushes": _forces(scene.pushes),
        "pressure": contact_data(scene),
        "machine": course_data(scene),
        "video": video_data(scene),
        "com": packed(scene.com, POSITION_RESOLUTION),
        "cop": packed(scene.cop, POSITION_RESOLUTION),
        "arrows": {
            "perWeight": forces.METRES_PER_WEIGHT,
            "longest": forces.LONGEST,
            "pushScale": forces.PUSH_SCALE,
            "pushGap": forces.PUSH_GAP,
        },
        "curves": _curves(scene.curves),
        "colours": {
            name.lower(): list(getattr(colours, name))
            for name in (
                "GHOST",
                "FORCE",
                "PUSH",
                "COM",
                "COP",
                "LEFT",
                "RIGHT",
                "TARGET",
                "BALANCE",
                "CENTRE",
                "CAMERA",
            )
        },
    }


def _mesh(mesh: Mesh) -> dict[str, Any]:
    return {
        "vertices": packed(mesh.vertices, 1e-3),
        "normals": packed(mesh.normals),
        "faces": packed(mesh.faces.astype(np.int32)),
    }


def _poses(poses: Poses) -> dict[str, Any]:
    return {"position": packed(poses.position, POSITION_RESOLUTION), "orientation": packed(poses.orientation)}


def _forces(given: BodyForces) -> dict[str, Any]:
    return {
        "first": packed(given.first),
        "point": packed(given.point, POSITION_RESOLUTION),
        "force": packed(given.force),
    }


def _curves(curves: Curves) -> dict[str, Any]:
    return {
        "time": packed(curves.time, 0.0),
        "groups": [
            {
                "name": group.name,
                "plots": [
                    {
                        "title": plot.title,
                        "unit": plot.unit,
                        "bound": plot.bound,
                        "curves": [_curve(curve) for curve in plot.curves],
                    }
                    for plot in group.plots
                ],
            }
            for group in curves.groups
        ],
    }


def _curve(curve: Curve) -> dict[str, Any]:
    return {"label": curve.label, "style": curve.style, "values": packed(curve.values)}


def _audit_facts(audit: AuditResult, facts: Mapping[str, Any]) -> dict[str, Any]:
    """What the audit found, without the figures that the metrics tell already."""
    told = facts.get("metrics") or {}
    found = {key: value for key, value in asdict(audit).items() if key not in told and value is not None}
    return {**found, "faults": list(audit.faults) or "none"}


def _headline(scene: Scene) -> str:
    """A few figures at the top: seconds, joint error where measured, what moved it and by which method."""
    metrics = scene.facts.get("metrics") or {}
    figures: list[tuple[str, str]] = [(f"{scene.duration:.2f} s", "of motion")]
    error = metrics.get("joint_error_cm") if isinstance(metrics, dict) else None
    if isinstance(error, (int, float)):
        figures.append((f"{error:.2f} cm", "mean joint error"))
    figures.append((f"{scene.mass:.1f} kg", "body"))
    figures.append((f"{_actuated(scene.curves)}", "joint axes"))
    return "".join(f"<div><b>{escape(value)}</b><span>{escape(label)}</span></div>" for value, label in figures)


def _actuated(curves: Curves) -> int:
    return sum(group.plots[0].title == "Angle" for group in curves.groups)


def _table(section: Section) -> str:
    rows: Sequence[str] = [
        f"<tr><th scope='row'>{escape(row.label)}</th><td>{escape(row.value)}</td></tr>" for row in section.rows
    ]
    return f"<section class='card'><h2>{escape(section.title)}</h2><table>{''.join(rows)}</table></section>"
