"""A track on disk, beside what it depends on, so that a capture that was stopped need not find it again.

One .npz without pickle: header (JSON text: what it depends on as a hash, model, body as TOML, what was tried), poses
(T, 7 + A), mismatch (T,), first (7 + A,) and its frame. Version 2 has what tracks from several beginnings cost.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from reenact.body.toml import dump_body, parse_body
from reenact.errors import InputError
from reenact.estimate.video.track import Track
from reenact.formats.npz_file import NpzHeader, packed_npz, read_npz
from reenact.formats.replace_file import replace_file
from reenact.geometry.rotation import Array

FORMAT: Final = "reenact-track"
VERSION: Final = 2
_ARRAYS: Final = ("poses", "mismatch", "first")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KeptTrack:
    """A track and how it began."""

    depends: str  # hash of all that it was found from
    track: Track
    model: str  # name of the pose model
    variant: str  # of the first pose that did best
    first: Array  # (7 + A,) the first pose as known or found
    frame: int  # that it belongs to
    first_mismatch: float
    words: str  # where it comes from
    prices: tuple[float, ...] = ()  # of the tracks from all beginnings that it is the cheapest of, see `price`
    doubts: tuple[str, ...] = ()  # why there was more than one, in words


class _Header(NpzHeader):
    depends: str
    body: str
    rate: float
    cost: float
    swaps: int
    model: str
    variant: str
    frame: int
    first_mismatch: float
    words: str
    prices: tuple[float, ...] = ()
    doubts: tuple[str, ...] = ()


def save_track(path: Path | str, kept: KeptTrack) -> None:
    """Write a track; the file appears whole or not at all."""
    track = kept.track
    header = _Header(
        format=FORMAT, version=VERSION, depends=kept.depends, body=dump_body(track.body), rate=track.rate,
        cost=track.cost, swaps=track.swaps, model=kept.model, variant=kept.variant, frame=kept.frame,
        first_mismatch=kept.first_mismatch, words=kept.words, prices=kept.prices, doubts=kept.doubts,
    )  # fmt: skip
    replace_file(path, packed_npz(header, poses=track.poses, mismatch=track.mismatch, first=kept.first))


def load_track(path: Path | str) -> KeptTrack:
    """Read a track that `save_track` wrote."""
    path = Path(path)
    header, content = read_npz(path, _Header, _ARRAYS, what="a track", kind=FORMAT, version=VERSION)
    poses, mismatch, first = (np.asarray(content[key], np.float64) for key in _ARRAYS)
    body = parse_body(header.body, path)
    if poses.ndim != 2 or poses.shape[1] != 7 + len(body.axes) or mismatch.shape != (len(poses),):
        raise InputError(f"broken track: poses {poses.shape}, mismatch {mismatch.shape}", path=path)
    track = Track(body=body, rate=header.rate, poses=poses, mismatch=mismatch, cost=header.cost, swaps=header.swaps)
    return KeptTrack(
        depends=header.depends, track=track, model=header.model, variant=header.variant, first=first,
        frame=header.frame, first_mismatch=header.first_mismatch, words=header.words, prices=header.prices,
        doubts=header.doubts,
    )  # fmt: skip
