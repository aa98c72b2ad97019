"""What the report shows of the video that a take was made from: a screen beside the 3D view, on one time line."""

from __future__ import annotations

import base64
from html import escape
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from reenact.view.colours import side_of
from reenact.view.pack import packed
from reenact.view.scene import Scene

if TYPE_CHECKING:
    from reenact.view.seen import SeenView

MODES: Final = {
    "video": ("Video", "The video alone"),
    "body": ("Body", "The simulated body over the video"),
    "mask": ("Mask", "The silhouette cut out of the video"),
    "mismatch": ("Mismatch", "Where mask and body differ: Eq. 9 counts these pixels"),
}
SIDES: Final = ("centre", "left", "right")


def video_section(scene: Scene) -> str:
    """The screen for the video and its buttons; empty for takes that were not made from video."""
    if scene.seen is None:
        return ""
    views = scene.seen.views
    buttons = "".join(
        f"<button data-film='{mode}' aria-pressed='{str(mode == 'body').lower()}' title='{title} (V: next)'>"
        f"{label}</button>"
        for mode, (label, title) in MODES.items()
    )
    options = "".join(f"<option value='{i}'>{escape(view.name)}</option>" for i, view in enumerate(views))
    choice = f"<select id='film-view' aria-label='Which camera'>{options}</select>" if len(views) > 1 else ""
    return (
        "<div class='film' id='film'>"
        "<canvas id='film-canvas' aria-label='The video of the take'></canvas>"
        f"<div class='toggles' role='group' aria-label='What is shown of the video'>{choice}{buttons}</div>"
        "<p class='remark' id='film-remark'></p><div class='parts' id='film-parts' aria-hidden='true'></div>"
        "<output class='said' id='film-said'></output></div>"
    )


def aspect_of(scene: Scene) -> str:
    """The shape of the screen for the video, as a style; empty where there is none."""
    if scene.seen is None:
        return ""
    width, height = scene.seen.views[0].camera.size
    return f"--aspect:{width / height:.4f}"


def video_data(scene: Scene) -> list[dict[str, Any]] | None:
    """What the page's scripts need of the video's views."""
    return None if scene.seen is None else [_view(view) for view in scene.seen.views]


def _view(view: SeenView) -> dict[str, Any]:
    shapes = [shape for each in view.shapes for shape in each]
    corners = np.concatenate([shape.corners for shape in shapes]) if shapes else np.zeros((0, 2))
    camera = view.camera
    return {
        "name": view.name,
        "size": list(camera.size),
        "focal": camera.focal.tolist(),
        "centre": camera.centre.tolist(),
        "position": camera.position.tolist(),
        "axes": camera.turn.tolist(),  # right, down, ahead in the world
        "time": packed(view.time, 0.0),
        "mismatch": packed(view.mismatch),
        "kind": view.kind,
        "pictures": [base64.b64encode(each).decode("ascii") for each in view.pictures],
        "masks": [base64.b64encode(each).decode("ascii") for each in view.masks],
        "firstShape": packed(_firsts([len(each) for each in view.shapes])),
        "side": packed(np.array([SIDES.index(side_of(shape.segment)) for shape in shapes], np.uint8)),
        "firstCorner": packed(_firsts([len(shape.corners) for shape in shapes])),
        "corners": packed(corners, 0.05),
        "remark": view.remark,
    }


def _firsts(counts: list[int]) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.cumsum([0, *counts])
