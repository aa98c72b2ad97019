"""One small frame of a take's video as it is looked at: alone, with the body, with the mask, or what differs."""

from __future__ import annotations

from typing import Final, Literal, get_args

import numpy as np

from reenact.formats.video import Picture
from reenact.view.body_layer import layer_of
from reenact.view.overlay import EDGE, STRENGTH, TINT, edge_of
from reenact.view.seen import SeenView
from reenact.view.small_pictures import decoded, decoded_mask

Mode = Literal["video", "body", "mask", "mismatch"]
MODES: Final[tuple[Mode, ...]] = get_args(Mode)
BOTH: Final = (240, 200, 60)
MASK_ALONE: Final = (226, 60, 70)
BODY_ALONE: Final = (60, 130, 240)
DIM: Final = 0.35  # brightness of the video below a mismatch
COVER: Final = 0.85  # of a mismatch's colours over the video


def seen_frame(view: SeenView, k: int, mode: Mode) -> Picture:
    """The k-th frame of a view (height, width, 3); grey where there is no picture."""
    width, height = view.camera.size
    picture = decoded(view.pictures[k]) if view.pictures else np.full((height, width, 3), 96, np.uint8)
    if mode == "video":
        return picture
    layer = layer_of(view.shapes[k], view.camera.size)
    if mode == "body":
        return picture if layer is None else layer.over(picture)
    mask = decoded_mask(view.masks[k])
    if mode == "mask":
        picture = picture.copy()
        picture[mask] = np.rint((1.0 - STRENGTH) * picture[mask] + STRENGTH * np.array(TINT)).astype(np.uint8)
        picture[edge_of(mask)] = EDGE
        return picture
    body = np.zeros((height, width), bool)
    if layer is not None:
        high, wide = layer.inside.shape
        body[layer.top : layer.top + high, layer.left : layer.left + wide] = layer.inside >= 0.5
    out = DIM * picture
    for where, colour in ((mask & body, BOTH), (mask & ~body, MASK_ALONE), (body & ~mask, BODY_ALONE)):
        out[where] = (1.0 - COVER) * out[where] + COVER * np.array(colour)
    return np.asarray(np.rint(out), np.uint8)
