"""calibrate.html: click joints in frames of a video, see camera and body that were solved from them."""

from __future__ import annotations

import re
from html import escape
from importlib.resources import files
from typing import Any, Final

import msgspec
import numpy as np

from reenact.formats.video import Video
from reenact.observe.calibrate import FAR, Calibrated
from reenact.observe.clicks import CLICKABLE, ClickedVideo
from reenact.observe.outlines import outlines
from reenact.view.pack import json_for_script

SCRIPTS: Final = ("calibrate.js", "calibrate_draw.js", "calibrate_input.js")
STYLES: Final = ("report.css", "calibrate.css")

# Joints on the small figure, which faces the reader, so that its right is on the left: x from the middle, y.
_HALF: Final = {
    "shoulder": (17, 47),
    "elbow": (24, 73),
    "wrist": (28, 97),
    "hip": (9, 96),
    "knee": (10, 135),
    "ankle": (11, 172),
    "toe_tip": (16, 181),
}
_MIDDLE: Final = 50
_WORDS: Final = {
    "vertex": "the scalp, below raised hair or a hat",
    "shoulder": "middle of the shoulder joint",
    "elbow": "middle of the elbow",
    "wrist": "middle of the wrist",
    "hip": "hip joint: where the thigh turns, lower than the waist",
    "knee": "middle of the knee",
    "ankle": "middle of the ankle",
    "toe_tip": "tip of the shoe, on the ground side",
}


def calibrate_html(video: Video, start: ClickedVideo, times: tuple[float, ...], output: str) -> str:
    """The whole page as text; it begins with what was clicked before and with frames at `times` [s]."""
    data = {
        "video": start.video,
        "size": [video.width, video.height],
        "rate": video.rate,
        "duration": video.duration,
        "joints": [_joint(name) for name in CLICKABLE],
        "start": msgspec.to_builtins(start),
        "times": list(times),
        "output": output,
    }
    static = files("reenact.view") / "static"
    parts = {
        "title": escape(start.video),
        "output": escape(output),
        "figure": _figure(),
        "data": json_for_script(data),
        "style": "\n".join((static / name).read_text(encoding="utf-8") for name in STYLES),
        "script": "\n".join((static / name).read_text(encoding="utf-8") for name in SCRIPTS),
    }
    page = (static / "calibrate.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match.group(1)], page)  # one pass: values are never expanded


def answer(calibrated: Calibrated) -> dict[str, Any]:
    """What was solved, as the page's script reads it: pixels, metres, degrees."""
    solved, camera = calibrated.solved, calibrated.camera
    spread = solved.spread
    frame, name, error = solved.worst
    return {
        "camera": {
            "focal_px": [float(camera.focal[0]), 100.0 * spread["focal"]],
            "tilt_deg": [float(np.degrees(camera.tilt)), float(np.degrees(spread["tilt"]))],
            "roll_deg": [float(np.degrees(camera.roll)), float(np.degrees(spread["roll"]))],
            "height": [camera.height, spread["height"]],
        },
        "distance": [float(camera.depth(pose[:3])) for pose in solved.poses],
        "rms_px": solved.rms_px,
        "worst": {"time": calibrated.clicked.frames[frame].time, "joint": name, "error_px": error},
        "warnings": list(calibrated.remarks),
        "frames": [
            {
                "time": clicked.time,
                "seen": {name: _rounded(pixel) for name, pixel in solved.seen[i].items()},
                "errors": solved.errors[i],
                "far": FAR * float(np.ptp(np.array(list(clicked.points.values())), axis=0).max()),
                "shapes": [
                    {"segment": shape.segment, "corners": _rounded(shape.corners)}
                    for shape in outlines(calibrated.body, camera, solved.poses[i])
                ],
            }
            for i, clicked in enumerate(calibrated.clicked.frames)
        ],
    }


def _rounded(values: Any) -> Any:
    return np.round(values, 1).tolist()


def _joint(name: str) -> dict[str, str]:
    kind, side = _parts(name)
    word = {"vertex": "top of the head", "toe_tip": "toe tip"}.get(kind, kind)
    return {"name": name, "side": side, "label": f"{side} {word}".strip(), "hint": _WORDS[kind]}


def _parts(name: str) -> tuple[str, str]:
    """A joint's kind and its side, "" in the middle."""
    for side in ("left", "right"):
        if name.endswith(f"_{side}"):
            return name.removesuffix(f"_{side}"), side
    return name, ""


def _place(name: str) -> tuple[int, int]:
    kind, side = _parts(name)
    if not side:
        return _MIDDLE, 8
    x, y = _HALF[kind]
    return _MIDDLE + (x if side == "left" else -x), y


def _figure() -> str:
    """A person who faces the reader, with a dot at each joint."""
    limbs = []
    for side in ("right", "left"):
        for chain in (("shoulder", "elbow", "wrist"), ("hip", "knee", "ankle", "toe_tip")):
            line = " ".join("{},{}".format(*_place(f"{joint}_{side}")) for joint in chain)
            limbs.append(f"<polyline class='{side}' points='{line}'/>")
    corners = ("shoulder_right", "shoulder_left", "hip_left", "hip_right")
    trunk = " ".join("{},{}".format(*_place(name)) for name in corners)
    dots = [
        f"<circle data-joint='{name}' class='{_parts(name)[1]}' cx='{x}' cy='{y}' r='4'/>"
        for name in CLICKABLE
        for x, y in (_place(name),)
    ]
    return (
        "<svg id='figure' viewBox='0 0 100 190' role='img' aria-label='Which joint to click'>"
        f"<ellipse cx='{_MIDDLE}' cy='21' rx='10' ry='13'/><polygon points='{trunk}'/>{''.join(limbs)}"
        "<text x='8' y='24' class='right'>right</text><text x='92' y='24' class='left' text-anchor='end'>left</text>"
        f"{''.join(dots)}</svg>"
    )
