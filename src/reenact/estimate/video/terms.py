"""What a track of poses costs, and its normal equations: masks, likely poses, smoothness, feet on the ground."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reenact.estimate.video.banded import Equations
from reenact.estimate.video.blur import BlurGrid, Scale, blur_grid
from reenact.estimate.video.feet import Feet
from reenact.estimate.video.likely import Likely
from reenact.geometry.rotation import Array
from reenact.motion.tree import difference, move
from reenact.observe.projection import Projection
from reenact.observe.projection_table import Words

STEPS = (0.02, 0.04, 0.06)  # of derivatives by differences: root [m], root [rad], hinges [rad]; about a cell
Frames = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class View:
    """One camera's masks, and how their differences are blurred."""

    projection: Projection
    masks: Words  # (T, rows, words)
    weight: Array  # (T,) of a half square of a cell
    grid: BlurGrid

    def residuals(self, poses: Array, frames: Frames) -> Array:
        """Weighted blurred differences (n, samples) of poses (n, 7 + A) from the masks of frames (n,)."""
        found = self.grid.differences(self.projection.drawn(poses), self.masks[frames], frames)
        return np.asarray(found * np.sqrt(self.weight[frames])[:, None])

    def slopes(self, moved: Array, steps: Array, frames: Frames) -> Array:
        """Derivatives (n, V, samples) from poses moved both ways along each unknown, (n, 2, V, 7 + A)."""
        count, _, size, width = moved.shape
        words = self.projection.drawn(moved.reshape(-1, width)).reshape(count, 2, size, *self.masks.shape[1:])
        ahead, back = (np.ascontiguousarray(words[:, i]).reshape(-1, *self.masks.shape[1:]) for i in range(2))
        found = self.grid.differences(ahead, back, np.repeat(frames, size)).reshape(count, size, -1)
        scale = np.sqrt(self.weight[frames])[:, None] / (2.0 * steps)
        return np.asarray(found * scale[:, :, None].astype(np.float32))


def view_of(projection: Projection, masks: Words, weight: float, scales: tuple[Scale, ...]) -> View:
    """Masks (T, rows, words) as a camera saw them; an empty one says nothing."""
    cells = np.bitwise_count(masks).sum(axis=(1, 2), dtype=np.int64)
    weights = np.where(cells > 0, weight / np.maximum(cells, 1), 0.0)
    return View(projection=projection, masks=masks, weight=weights, grid=blur_grid(masks, projection.columns, scales))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Terms:
    """All that a track is judged by."""

    views: tuple[View, ...]
    likely: Likely
    feet: Feet
    smooth: Array  # (V, V) weights of second differences

    def blurred(self, scales: tuple[Scale, ...]) -> Terms:
        """The same with masks compared at other scales."""
        views = [replace(v, grid=blur_grid(v.masks, v.projection.columns, scales)) for v in self.views]
        return replace(self, views=tuple(views))

    def cost(self, poses: Array, frames: Frames, touching: Array | None = None) -> float:
        """Of poses (n, 7 + A) in frames (n,) that follow each other; `touching` where it is kept from other poses."""
        total = sum(float(np.sum(view.residuals(poses, frames) ** 2)) for view in self.views)
        total += float(np.sum(self.likely.residuals(poses) ** 2))
        bend = _bends(poses)
        total += float(np.sum((bend @ self.smooth) * bend))
        places = self.feet.places(poses)
        return 0.5 * total + self.feet.cost(places, self.feet.touching(places) if touching is None else touching)

    def equations(self, poses: Array, frames: Frames) -> Equations:
        """Gauss–Newton's equations at poses (n, 7 + A)."""
        count, size = len(poses), poses.shape[1] - 1
        steps = np.concatenate([np.full(3, STEPS[0]), np.full(3, STEPS[1]), np.full(size - 6, STEPS[2])])
        both = np.concatenate([np.diag(steps), -np.diag(steps)])
        moved = move(np.repeat(poses, 2 * size, axis=0), np.tile(both, (count, 1))).reshape(count, 2, size, size + 1)
        slopes = self.likely.slopes(poses)
        residuals = self.likely.residuals(poses)
        own = np.stack([one.T @ one for one in slopes])
        slope = np.stack([one.T @ r for one, r in zip(slopes, residuals, strict=True)])
        for view in self.views:
            response, off = view.slopes(moved, steps, frames), view.residuals(poses, frames)
            own += np.stack([one @ one.T for one in response])
            slope += np.stack([one @ r for one, r in zip(response, off, strict=True)])
        found = Equations(own=own, next=np.zeros_like(own), after=np.zeros_like(own), slope=slope)
        _add_smoothness(found, poses, self.smooth)
        _add_feet(found, self.feet, poses, moved, steps)
        return found


def _bends(poses: Array) -> Array:
    """Second differences (n − 2, V) of poses."""
    step = difference(poses[:-1], poses[1:])
    return np.diff(step, axis=0)


def _add_smoothness(to: Equations, poses: Array, smooth: Array) -> None:
    if len(poses) < 3:
        return
    pull = _bends(poses) @ smooth
    for i, a in enumerate((1.0, -2.0, 1.0)):
        part = slice(i, len(poses) - 2 + i)
        to.slope[part] += a * pull
        to.own[part] += a * a * smooth
    to.next[:-2] -= 2.0 * smooth
    to.next[1:-1] -= 2.0 * smooth
    to.after[:-2] += smooth


def _add_feet(to: Equations, feet: Feet, poses: Array, moved: Array, steps: Array) -> None:
    count, _, size, width = moved.shape
    points = len(feet.points)
    places = feet.places(poses)
    ways = feet.places(moved.reshape(-1, width)).reshape(count, 2, size, points, 3)
    response = (ways[:, 0] - ways[:, 1]) / (2.0 * steps[:, None, None])  # (n, V, F, 3)
    under = (places[..., 2] < 0.0) / feet.settings.sink**2
    sinking = response[..., 2] * under[:, None, :]
    to.own[:] += sinking @ response[..., 2].swapaxes(1, 2)
    to.slope[:] += np.einsum("nvf,nf->nv", sinking, places[..., 2])
    stiff = np.repeat(feet.stiffness(places, feet.touching(places)), 2, axis=1)[:, None, :]  # (n − 1, 1, 2F)
    before = response[:-1, ..., :2].reshape(count - 1, size, 2 * points)
    then = response[1:, ..., :2].reshape(count - 1, size, 2 * points)
    way = np.diff(places[..., :2], axis=0).reshape(count - 1, 2 * points)
    to.own[:-1] += (before * stiff) @ before.swapaxes(1, 2)
    to.own[1:] += (then * stiff) @ then.swapaxes(1, 2)
    to.next[:-1] -= (before * stiff) @ then.swapaxes(1, 2)
    to.slope[:-1] -= np.einsum("nvf,nf->nv", before * stiff, way)
    to.slope[1:] += np.einsum("nvf,nf->nv", then * stiff, way)
