"""Connected regions of cells that are unlike the empty scene: candidates for a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from reenact.observe.cells import CAP, Cells
from reenact.observe.mask import Bits, Mask, mask_of

UNLIKE: Final = 0.25 * CAP  # mean squared distance from which a cell stands out
LEAST: Final = 0.0004  # share of the picture that a region must cover
FLOOD: Final = 0.4  # share of the picture from which on not a person but the scene has changed
_NEAR: Final = 2  # cells over which pieces of one thing are joined
_DISC: Final = ndimage.iterate_structure(ndimage.generate_binary_structure(2, 1), _NEAR)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Blob:
    """A region of one frame."""

    mask: Mask  # on cells
    edge: float  # how much of the edges along its outline are the frame's own, 0 (all the empty scene's) to 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Seen:
    """What stands out in one frame."""

    blobs: tuple[Blob, ...]  # largest first
    unlike: float  # share of cells that stand out, small regions included


def blobs_of(cells: Cells) -> Seen:
    """Regions of a frame that are large enough, largest first; none where most of the picture stands out."""
    out = cells.unlike > UNLIKE
    share = float(out.mean())
    if share > FLOOD:
        return Seen(blobs=(), unlike=share)
    joined = ndimage.binary_closing(np.pad(out, _NEAR), _DISC)[_NEAR:-_NEAR, _NEAR:-_NEAR] | out
    joined = ndimage.binary_opening(joined, ndimage.generate_binary_structure(2, 1))
    labels, _ = ndimage.label(joined, np.ones((3, 3)))
    least = max(8.0, LEAST * out.size)
    found = []
    for i, place in enumerate(ndimage.find_objects(labels)):
        bits = labels[place] == i + 1
        if np.count_nonzero(bits) >= least:
            mask = mask_of(bits, shape=cells.shape, at=(place[1].start, place[0].start))
            found.append(Blob(mask=mask, edge=_own_edges(cells, mask.full())))
    return Seen(blobs=tuple(sorted(found, key=lambda blob: -blob.mask.area)), unlike=share)


def _own_edges(cells: Cells, bits: Bits) -> float:
    """Share of the edges along an outline that the frame has and the empty scene has not.

    Where somebody stood while the scene was learned and has left, the outline shows in the plate and not in the frame.
    """
    outline = outline_of(bits)
    now, empty = float(cells.edge_now[outline].sum()), float(cells.edge_empty[outline].sum())
    return now / (now + empty) if now + empty > 0 else 0.5


def outline_of(bits: Bits) -> NDArray[np.bool_]:
    """Cells at the border of a region, one inside and one outside."""
    cross = ndimage.generate_binary_structure(2, 1)
    return np.asarray(ndimage.binary_dilation(bits, cross) & ~ndimage.binary_erosion(bits, cross), bool)
