"""The network's masks as silhouettes, judged like those cut from the background."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from scipy import ndimage

from reenact.formats.video import VideoFrame
from reenact.formats.video_content import content_of
from reenact.measure import Progress
from reenact.observe.cut import SPECK, Cut
from reenact.observe.mask import Mask, mask_of
from reenact.observe.network.keypoints import Keypoints
from reenact.observe.network.look import keypoints_of
from reenact.observe.quality import Look, judged, remarks_of
from reenact.observe.silhouettes import Silhouettes
from reenact.observe.watch import Asked, Watch

_UNKNOWN: Final = float("nan")


def silhouettes_by_network(
    path: Path | str, asked: Asked | None = None, *, watch: Watch | None = None, progress: Progress | None = None
) -> Silhouettes:
    """Silhouettes of one person in a video by the pose network; no background is learned and the camera may move."""

    def shown(frame: VideoFrame, mask: Mask) -> None:
        if watch is not None:
            watch(frame, cleaned(mask)[0])

    found = silhouettes_from(keypoints_of(path, asked, watch=shown, progress=progress))
    return replace(found, content=content_of(path))


def silhouettes_from(keypoints: Keypoints) -> Silhouettes:
    """The masks of keypoints, without specks; quality is that of `judged` times the network's score."""
    cuts = [cleaned(mask) for mask in keypoints.masks]
    looks = [
        Look(
            cut=None if mask.empty else Cut(mask=mask, sure=1.0, edge=1.0, whole=whole),
            shared=False,
            unlike=0.0,
            flooded=False,
            behind=0.0,
            shift=_UNKNOWN,
        )
        for mask, whole in cuts
    ]
    quality, doubts = judged(looks, keypoints.time)
    return Silhouettes(
        name=keypoints.name,
        video_size=keypoints.video_size,
        time=keypoints.time,
        masks=tuple(mask for mask, _ in cuts),
        quality=quality * np.clip(keypoints.score, 0.0, 1.0),
        doubts=doubts,
        remarks=(*keypoints.remarks, *remarks_of(doubts, keypoints.time)),
    )


def cleaned(mask: Mask) -> tuple[Mask, float]:
    """A mask without pieces below SPECK of the largest one, and the share of it that is one piece."""
    if mask.empty:
        return mask, 0.0
    labels, pieces = ndimage.label(mask.crop())
    sizes = np.bincount(labels.ravel())[1:]
    keep = np.concatenate([[False], sizes >= SPECK * sizes.max()])
    out = mask if pieces == 1 else mask_of(keep[labels], shape=mask.shape, at=mask.box[:2])
    return out, float(sizes.max() / sizes[keep[1:]].sum())
