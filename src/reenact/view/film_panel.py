"""The video of takes on the browser page: a picture among the controls, the cameras in the scene."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
import viser

from reenact.geometry.rotation import Array
from reenact.view import colours
from reenact.view.page_text import plain
from reenact.view.scene import Scene
from reenact.view.seen import SeenView
from reenact.view.seen_frame import MODES, Mode, seen_frame

FRUSTUM: Final = 0.3  # size of a camera in the scene [m]
NAMES: Final[dict[str, Mode]] = dict(zip(("Video", "Body", "Mask", "Mismatch"), MODES, strict=True))
KEY: Final = "Yellow: mask and body, red: mask alone, blue: body alone."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choice:
    """A video that can be shown."""

    take: int  # which of the scenes
    view: SeenView


class FilmPanel:
    """Shows the videos of scenes; `place` tells where a take stands, [m] from where its own world has it."""

    def __init__(self, server: viser.ViserServer, scenes: Sequence[Scene], place: Callable[[int], Array]) -> None:
        self._place = place
        self._choices: dict[str, _Choice] = {}
        for i, scene in enumerate(scenes):
            for view in scene.seen.views if scene.seen is not None else ():
                label = view.name if len(scenes) == 1 else f"{i + 1}. {scene.name}: {view.name}"
                self._choices[label] = _Choice(take=i, view=view)
                _frustum(server, f"/stage/take{i}/camera-{len(self._choices)}", view)
        self._shown: tuple[str, int, str] | None = None
        if self._choices:
            self._add_controls(server)

    def _add_controls(self, server: viser.ViserServer) -> None:
        gui, labels = server.gui, tuple(self._choices)
        first = self._choices[labels[0]].view
        with gui.add_folder("Video"):
            self._image = gui.add_image(np.zeros((2, 2, 3), np.uint8), format="jpeg", jpeg_quality=80)
            self._said = gui.add_markdown("")
            self._mode = gui.add_dropdown("Show", tuple(NAMES), initial_value="Body")
            self._which = gui.add_dropdown("Camera", labels, initial_value=labels[0], visible=len(labels) > 1)
            self.through = gui.add_button("Look through the camera")
            if any(choice.view.remark for choice in self._choices.values()):
                self._remark = gui.add_markdown(plain(first.remark))
        self._mode.on_update(lambda _: self._again())
        self._which.on_update(lambda _: self._again())
        self._time = 0.0

    def show(self, now: float) -> None:
        """Put the picture at `now` [s] since the first frame, where it differs from the present one."""
        if not self._choices:
            return
        self._time = now
        label, mode = self._which.value, NAMES[self._mode.value]
        view = self._choices[label].view
        if not len(view.time):
            return
        k = view.at(now)
        if self._shown == (label, k, mode):
            return
        self._shown = (label, k, mode)
        self._image.image = seen_frame(view, k, mode)
        value = view.mismatch[k]
        known = "no mask" if np.isnan(value) else f"mismatch {value:.2f}"
        self._said.content = f"{view.time[k]:.2f} s: {known}. {KEY if mode == 'mismatch' else ''}"

    def next_mode(self) -> None:
        """Show the next of video, body, mask and mismatch."""
        if self._choices:
            names, mode = list(NAMES), cast(Any, self._mode)
            mode.value = names[(names.index(mode.value) + 1) % len(names)]

    def look_through(self, client: Any) -> None:
        """Put a visitor's camera where the chosen video's is, wide enough for its whole picture."""
        choice = self._choices[self._which.value]
        camera = choice.view.camera
        half = 0.5 * np.array(camera.size) / camera.focal
        with client.atomic():
            client.camera.position = camera.position + self._place(choice.take)
            client.camera.wxyz = camera.orientation
            client.camera.fov = float(2.0 * np.arctan(max(half[1], half[0] / max(client.camera.aspect, 1e-3))))

    def _again(self) -> None:
        if hasattr(self, "_remark"):
            self._remark.content = plain(self._choices[self._which.value].view.remark)
        self.show(self._time)


def _frustum(server: viser.ViserServer, name: str, view: SeenView) -> None:
    """A camera in the scene with a little picture, which lies at the pinhole: so the camera does not see itself."""
    camera = view.camera
    high = 0.5 * camera.size[1] / camera.focal[1]
    wide = high * camera.size[0] / camera.size[1]
    depth = 1.02 * FRUSTUM / np.cbrt(high * wide / 3.0)  # as the page draws it
    red, green, blue = (round(255 * channel) for channel in colours.CAMERA)
    server.scene.add_camera_frustum(
        name,
        fov=float(2.0 * np.arctan(high)),
        aspect=wide / high,
        scale=FRUSTUM,
        color=(red, green, blue),
        image=seen_frame(view, 0, "video") if view.pictures else None,
        format="jpeg",
        wxyz=camera.orientation,
        position=camera.position - depth * camera.turn[2],
    )
