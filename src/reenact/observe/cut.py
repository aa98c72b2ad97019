"""Cutting a silhouette at full size: pixels decide together with their neighbours, except across edges of the frame.

Each pixel's distance from the empty scene votes for or against the person; neighbours that look alike vote together
(a mean field on the pixel grid), so that stripes and patches where the person has the colour of the wall are filled,
and gaps between the legs, which look like the wall and are bounded by edges, stay open. Edges that belong to the empty
scene do not separate. Deviation: [V12] §5 names background subtraction only; a bare threshold leaves such stripes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numba
import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from reenact.formats.video import Picture
from reenact.observe.background import Background, Image32, gradient_of
from reenact.observe.blobs import outline_of
from reenact.observe.mask import Bits, Mask, mask_of
from reenact.observe.shadow import shadow_like

TURN: Final = 8.0  # distance (not squared) at which a pixel's own vote changes sides
STEEP: Final = 0.4  # votes per unit of distance
MOST: Final = 2.5  # greatest vote of a pixel
SHADOW: Final = -MOST  # vote of a pixel that may be the scene in shadow, at most
SHADE_FROM: Final = 0.5  # of the person's height, from above: shadows lie on the ground
TOGETHER: Final = 2.0  # vote of a neighbour that looks the same
CONTRAST: Final = 14.0  # difference of colour [grey levels] across which neighbours hardly count
SCENE: Final = 6.0  # difference in the empty scene from which on an edge counts as the scene's
MARGIN: Final = 3  # cells around the place found by following that are looked at
SPECK: Final = 0.01  # share of the largest piece below which another is dropped
HOLE: Final = 0.001  # share of the silhouette below which a hole is filled
BAY: Final = 0.035  # share of the silhouette's height: half the width of a bay that may be filled
SEPARATE: Final = 0.5  # strength of an edge, as a share of the outline's, from which on it separates
PEEL: Final = 2  # [px] by which the outline may lie too far outside
SWEEPS: Final = 3  # there and back in both directions, each


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cut:
    """A silhouette and what speaks for it."""

    mask: Mask  # at full size
    sure: float  # share of its pixels that stand out by themselves, 0 … 1
    edge: float  # share of the edges along its outline that are the frame's own, 0 … 1
    whole: float  # share of it that is one piece, 0 … 1


def cut_out(
    background: Background, image: Picture, gain: NDArray[np.float64], place: Bits, others: Bits, side: int
) -> Cut:
    """The silhouette of what stands at `place`, and not at `others`, both on cells (h, w) of `side` pixels."""
    height, width = image.shape[:2]
    near = ndimage.binary_dilation(place, iterations=MARGIN) & ~(others & ~place)
    rows, columns = np.flatnonzero(near.any(axis=1)), np.flatnonzero(near.any(axis=0))
    left, top = int(columns[0]) * side, int(rows[0]) * side
    right = width if columns[-1] + 1 == near.shape[1] else (int(columns[-1]) + 1) * side
    bottom = height if rows[-1] + 1 == near.shape[0] else (int(rows[-1]) + 1) * side
    part, picture = background.part(left, top, right, bottom), image[top:bottom, left:right]
    distance = np.sqrt(part.distance(picture, gain))
    allowed = _pixels(near, left, top, right, bottom, side)
    vote = np.clip(STEEP * (distance - TURN), -MOST, MOST).astype(np.float32)
    low = round(SHADE_FROM * vote.shape[0])
    shadow = shadow_like((picture / gain)[low:], part.colour[low:], max(width, height))
    vote[low:][shadow] = np.minimum(vote[low:][shadow], SHADOW)
    vote[~allowed] = -3.0 * MOST
    field = np.tanh(0.5 * vote)
    scale = (1.0 / gain).astype(np.float32)
    across, down = (np.empty(vote.shape, np.float32) for _ in range(2))
    _bonds(np.ascontiguousarray(picture), scale, np.ascontiguousarray(part.colour), across, down)
    _settle(field, vote, across, down, SWEEPS)
    bits = _cleaned(field > 0, _pixels(place, left, top, right, bottom, side))
    bits = _peeled(_filled(bits, _edges(picture)), picture / gain, part.colour)
    return Cut(
        mask=mask_of(bits, shape=(height, width), at=(left, top)),
        sure=float((distance[bits] > TURN).mean()) if bits.any() else 0.0,
        edge=_own_edges(picture, part, bits),
        whole=_largest(bits),
    )


def _pixels(cells: Bits, left: int, top: int, right: int, bottom: int, side: int) -> Bits:
    """Cells spread over the pixels of a part of the picture; pixels beyond the last cell take after it."""
    y = np.minimum(np.arange(top, bottom) // side, cells.shape[0] - 1)
    x = np.minimum(np.arange(left, right) // side, cells.shape[1] - 1)
    return np.asarray(cells[np.ix_(y, x)], bool)


def _cleaned(bits: Bits, place: Bits) -> Bits:
    """Pieces that lie where the person is, without specks and hairs."""
    bits = ndimage.binary_opening(bits, ndimage.generate_binary_structure(2, 1))
    labels, count = ndimage.label(bits)
    if count == 0:
        return np.zeros(bits.shape, bool)
    inside = ndimage.sum_labels(place, labels, np.arange(1, count + 1))
    area = np.bincount(labels.ravel())[1:]
    keep = (inside > 0.5 * area) & (area > SPECK * area.max())
    return np.asarray(np.isin(labels, np.flatnonzero(keep) + 1), bool)


def _filled(bits: Bits, edges: Image32) -> Bits:
    """Holes and bays filled where no edge of the frame separates them from the rest, and pinholes."""
    rows = np.flatnonzero(bits.any(axis=1))
    if not len(rows):
        return bits
    reach = max(2, round(BAY * (rows[-1] + 1 - rows[0])))
    padded = np.pad(bits, reach + 1)
    wide = ndimage.distance_transform_edt(~padded) <= reach
    closed = ndimage.distance_transform_edt(np.pad(wide, 1, constant_values=False))[1:-1, 1:-1] > reach
    whole = ndimage.binary_fill_holes(closed | padded)[reach + 1 : -reach - 1, reach + 1 : -reach - 1]
    labels, count = ndimage.label(whole & ~bits)
    if count == 0:
        return bits
    border = ndimage.binary_dilation(bits) & ~bits  # pixels beside the silhouette
    usual = float(edges[border & ~whole].mean()) if np.any(border & ~whole) else float(edges[border].mean())
    numbers = np.arange(1, count + 1)
    between = np.where(border, labels, 0)
    beside = np.bincount(between.ravel(), minlength=count + 1)[1:]
    sharp = np.bincount(between.ravel(), edges.ravel(), minlength=count + 1)[1:] / np.maximum(beside, 1)
    area = np.bincount(labels.ravel(), minlength=count + 1)[1:]
    fill = (sharp < SEPARATE * usual) | (area < HOLE * np.count_nonzero(bits))
    return np.asarray(bits | np.isin(labels, numbers[fill]), bool)


def _peeled(bits: Bits, picture: NDArray[np.float64], colour: Image32) -> Bits:
    """Without the pixels of the outline that look more like the empty scene than like what is next to them inside.

    A person's edge changes the gradient one pixel beyond it, and video blurs it further, so the outline lies too far
    outside by about that much.
    """
    cross = ndimage.generate_binary_structure(2, 1)
    for _ in range(PEEL):
        inside = ndimage.binary_erosion(bits, cross, border_value=1)
        weight = ndimage.uniform_filter(inside.astype(np.float64), 5)
        rim = np.nonzero(bits & ~inside & (weight > 1e-9))
        near = np.stack([ndimage.uniform_filter(picture[..., c] * inside, 5)[rim] for c in range(3)], axis=-1)
        own = picture[rim]
        from_inside = np.sum((own - near / weight[rim][:, None]) ** 2, axis=-1)
        from_scene = np.sum((own - colour[rim]) ** 2, axis=-1)
        gone = (from_scene < from_inside) & (from_inside > CONTRAST**2)
        bits = bits.copy()
        bits[rim[0][gone], rim[1][gone]] = False
    return bits


def _edges(picture: Picture) -> Image32:
    return np.asarray(np.hypot(*np.moveaxis(gradient_of(picture), -1, 0)), np.float32)


def _own_edges(picture: Picture, part: Background, bits: Bits) -> float:
    """Share of the edges along an outline that the frame has and the empty scene has not, see `blobs`."""
    outline = outline_of(bits)
    if not outline.any():
        return 0.0
    now = float(_edges(picture)[outline].sum())
    empty = float(np.hypot(*np.moveaxis(part.gradient[outline], -1, 0)).sum())
    return now / (now + empty) if now + empty > 0 else 0.5


def _largest(bits: Bits) -> float:
    labels, count = ndimage.label(bits, np.ones((3, 3)))
    return float(np.bincount(labels.ravel())[1:].max() / np.count_nonzero(bits)) if count else 0.0


@numba.njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def _bonds(picture: Picture, scale: Image32, colour: Image32, across: Image32, down: Image32) -> None:
    """How much each pixel and its right-hand and lower neighbour vote together, 0 … TOGETHER.

    The contrast of a pair counts less where the empty scene has it too and the pair shows the empty scene
    (J. Sun et al. 2006, Background cut, Eq. 8).
    """
    height, width = across.shape
    for y in range(height):
        for x in range(width):
            for way in range(2):
                v, u = (y, x + 1) if way == 0 else (y + 1, x)
                out = across if way == 0 else down
                if v >= height or u >= width:
                    out[y, x] = 0.0
                    continue
                contrast = scene = off = other = np.float32(0)
                for c in range(3):
                    here, there = picture[y, x, c] * scale[c], picture[v, u, c] * scale[c]
                    contrast += (here - there) ** 2
                    scene += (colour[y, x, c] - colour[v, u, c]) ** 2
                    off += (here - colour[y, x, c]) ** 2
                    other += (there - colour[v, u, c]) ** 2
                like = np.exp(-max(off, other) / np.float32(300.0))
                contrast /= (np.float32(1.0) + scene / np.float32(SCENE**2) * like) ** 2
                out[y, x] = np.float32(TOGETHER) * np.exp(-contrast / np.float32(2.0 * CONTRAST**2))


@numba.njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def _settle(field: Image32, vote: Image32, across: Image32, down: Image32, sweeps: int) -> None:
    """Mean field of the votes, updated pixel after pixel, there and back, until neighbours agree; -1 … 1."""
    height, width = field.shape
    for sweep in range(4 * sweeps):
        back, turned = sweep % 2 == 1, sweep % 4 >= 2
        for i in range(width if turned else height):
            for j in range(height if turned else width):
                a = (width if turned else height) - 1 - i if back else i
                b = (height if turned else width) - 1 - j if back else j
                y, x = (b, a) if turned else (a, b)
                total = vote[y, x]
                if x > 0:
                    total += across[y, x - 1] * field[y, x - 1]
                if x + 1 < width:
                    total += across[y, x] * field[y, x + 1]
                if y > 0:
                    total += down[y - 1, x] * field[y - 1, x]
                if y + 1 < height:
                    total += down[y, x] * field[y + 1, x]
                field[y, x] = np.tanh(np.float32(0.5) * total)
