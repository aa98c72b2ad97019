"""A take drawn over frames of the video it was made from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reenact.body.toml import parse_body
from reenact.errors import MissingExtraError
from reenact.formats.video import Picture, VideoFrame
from reenact.geometry.rotation import Array
from reenact.observe.outlines import outlines
from reenact.observe.take_views import TakeView
from reenact.view import colours
from reenact.view.body_layer import THIN, layer_of
from reenact.view.overlay import outlined
from reenact.view.poses import character_states
from reenact.view.recording import Recording
from reenact.view.seen import NEAR, states_at


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlayStyle:
    """What is drawn over the video, besides the body."""

    mask: bool = False  # the outline of the mask
    ghost: bool = False  # the outline of the reference: the track that the search began from


class Overlay:
    """Draws a take over frames of one of its videos, at any size, through the camera's lens."""

    def __init__(self, recording: Recording, view: TakeView, style: OverlayStyle | None = None) -> None:
        self.view = view
        self.seconds = recording.seconds
        self._recording = recording
        self._style = style or OverlayStyle()
        self._body = parse_body(recording.body_toml)

    def drawn(self, frame: VideoFrame) -> Picture:
        """A frame of the video with the body over it, where the simulation had it at that instant."""
        since = frame.time - self.view.start
        picture = frame.image
        if self._style.mask:
            picture = self._with_mask(picture, frame.time)
        if self._style.ghost and (pose := self._reference(since)) is not None:
            picture = self._with_body(picture, pose, ghost=True)
        return self._with_body(picture, states_at(self._recording, self._body, np.array([since]))[0], ghost=False)

    def box(self, time: float) -> tuple[Array, Array]:
        """Upper left and lower right corner [px] of the body in the video at a time [s] of the video."""
        pose = states_at(self._recording, self._body, np.array([time - self.view.start]))[0]
        shapes = outlines(self._body, self.view.camera, pose)
        corners = np.concatenate([each.corners for each in shapes]) if shapes else np.zeros((1, 2))
        return corners.min(axis=0), corners.max(axis=0)

    def _with_body(self, picture: Picture, pose: Array, *, ghost: bool) -> Picture:
        size = (picture.shape[1], picture.shape[0])
        layer = layer_of(outlines(self._body, self.view.camera.resized(*size), pose), size)
        if layer is None:
            return picture
        return layer.over(picture, veil=0.0, rim=colours.GHOST) if ghost else layer.over(picture)

    def _reference(self, since: float) -> Array | None:
        """The reference's pose (7 + A,) at a time [s] since the take's first instant; None where it has none."""
        reference, at = self._recording.reference, float(self._recording.motion["time"][0]) + since
        if "qpos" not in reference or not len(reference["time"]):
            return None
        times = np.asarray(reference["time"], float)
        if not times[0] - NEAR <= at <= times[-1] + NEAR:
            return None
        width = 7 + len(self._body.axes)
        return np.asarray(character_states(times, reference["qpos"], np.array([at]), width)[0])

    def _with_mask(self, picture: Picture, time: float) -> Picture:
        seen = self.view.silhouettes
        nearest = int(np.abs(seen.time - time).argmin())
        if abs(seen.time[nearest] - time) > NEAR or seen.masks[nearest].empty:
            return picture
        try:
            from PIL import Image
        except ImportError:
            raise MissingExtraError("video", "drawing over a video") from None
        high, wide = picture.shape[:2]
        mask = Image.fromarray(seen.masks[nearest].full()).resize((wide, high), Image.Resampling.NEAREST)
        return outlined(picture, np.asarray(mask, bool), max(1, round(high / THIN)))
