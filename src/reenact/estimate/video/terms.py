"""What a track of poses costs, and its normal equations: masks, likely poses, smoothness, feet, physics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reenact.estimate.video.balance import Balance
from reenact.estimate.video.banded import Equations
from reenact.estimate.video.blur import BlurGrid, Scale, blur_grid
from reenact.estimate.video.dynamics import Dynamics
from reenact.estimate.video.feet import Feet
from reenact.estimate.video.keypoints import Marks
from reenact.estimate.video.level import Level
from reenact.estimate.video.likely import Likely
from reenact.estimate.video.responses import Limbs, picture_differences, picture_responses, point_responses
from reenact.estimate.video.smooth import Smooth
from reenact.geometry.rotation import Array
from reenact.motion.tree import difference
from reenact.observe import projection_table as part
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
    table: Array  # what compiled code reads of the camera and the body's shapes
    first: NDArray[np.int64]  # (S + 1,) where each segment's shapes begin

    def residuals(self, poses: Array, frames: Frames) -> Array:
        """Weighted blurred differences (n, samples) of poses (n, 7 + A) from the masks of frames (n,)."""
        found = picture_differences(
            self.projection.tree.arrays, self.table, self.first, np.ascontiguousarray(poses), self.masks[frames],
            self.grid.left[frames], *self.grid.bands,
        )  # fmt: skip
        return np.asarray(found * np.sqrt(self.weight[frames]).astype(np.float32)[:, None])

    def slopes(self, poses: Array, steps: Array, frames: Frames, limbs: Limbs) -> Array:
        """Derivatives (n, V, samples) by differences of silhouettes a step ahead and a step back."""
        found = picture_responses(
            self.projection.tree.arrays, limbs.below, limbs.moved, self.table, self.first, np.ascontiguousarray(poses),
            steps, self.grid.left[frames], *self.grid.bands,
        )  # fmt: skip
        scale = np.sqrt(self.weight[frames])[:, None] / (2.0 * steps)
        found *= scale[:, :, None].astype(np.float32)
        return np.asarray(found)


def view_of(projection: Projection, masks: Words, weight: float, scales: tuple[Scale, ...]) -> View:
    """Masks (T, rows, words) as a camera saw them; an empty one says nothing."""
    cells = np.bitwise_count(masks).sum(axis=(1, 2), dtype=np.int64)
    weights = np.where(cells > 0, weight / np.maximum(cells, 1), 0.0)
    on = projection.shapes[:, part.SEGMENT]
    return View(
        projection=projection,
        masks=masks,
        weight=weights,
        grid=blur_grid(masks, projection.columns, scales),
        table=projection.block(),
        first=np.searchsorted(on, np.arange(len(projection.tree.names) + 1)).astype(np.int64),
    )


class Held(NamedTuple):
    """What weighs terms by what the poses themselves show."""

    touching: Array  # (n − 1, F) see `Feet`
    resting: Array  # (n, F)
    bearing: Array  # (n, B) see `Balance`
    down: Array  # (n − 2, K) see `Dynamics`


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Terms:
    """All that a track is judged by."""

    views: tuple[View, ...]
    likely: Likely
    feet: Feet
    balance: Balance
    level: Level
    smooth: Smooth
    dynamics: Dynamics
    limbs: Limbs
    image: Callable[[Array], Array]  # poses (n, 7 + A) mirrored in depth
    marks: tuple[Marks, ...] = ()  # landmarks of views in which a detector saw some

    def blurred(self, scales: tuple[Scale, ...]) -> Terms:
        """The same with masks compared at other scales."""
        views = [replace(v, grid=blur_grid(v.masks, v.projection.columns, scales)) for v in self.views]
        return replace(self, views=tuple(views))

    def held(self, poses: Array) -> Held:
        """What is read off poses and taken to stay while a step is found."""
        places = self.feet.places(poses)
        down = self.dynamics.down(self.dynamics.places(poses), self.feet.ground)
        return Held(self.feet.touching(places), self.feet.resting(places), self.balance.bearing(poses), down)

    def cost(self, poses: Array, frames: Frames, held: Held | None = None) -> float:
        """Of poses (n, 7 + A) in frames (n,) that follow each other; `held` where it is kept from other poses."""
        held = held or self.held(poses)
        return float(self.costs(poses, frames, held).sum()) + self.feet_cost(poses, held)

    def costs(self, poses: Array, frames: Frames, held: Held) -> Array:
        """The same by frames (n,), what feet cost apart."""
        total = np.sum(self.likely.residuals(poses) ** 2, axis=1)
        for view in self.views:
            total += np.sum(view.residuals(poses, frames) ** 2, axis=1)
        for marks in self.marks:
            total += marks.costs(poses, frames)
        total += self.balance.residuals(poses, held.bearing) ** 2 + self.level.costs(poses)
        if len(poses) > 2:
            total[1:-1] += np.sum(self.smooth.levelled(_bends(poses)), axis=1)
            total[1:-1] += self.dynamics.all_costs(poses, held.down)
        return np.asarray(0.5 * total)

    def feet_cost(self, poses: Array, held: Held) -> float:
        """Of feet that sink, slide or hover."""
        return self.feet.cost(self.feet.places(poses), held.touching, held.resting)

    def next_costs(self, before: Array, poses: Array, frame: int) -> Array:
        """Of each of poses (k, 7 + A) as what follows the last two, (2, 7 + A), or one or none of them; (k,)."""
        frames = np.full(len(poses), frame)
        total = np.sum([np.sum(view.residuals(poses, frames) ** 2, axis=1) for view in self.views], axis=0)
        total = total + np.sum(self.likely.residuals(poses) ** 2, axis=1) + self.level.costs(poses)
        for marks in self.marks:
            total += marks.costs(poses, frames)
        if len(before) == 2:
            bend = difference(before[1:], poses) - difference(before[:1], before[1:])
            total += np.sum(self.smooth.levelled(bend), axis=1)
            total += self._next_dynamics(before, poses)
        return np.asarray(0.5 * total)

    def _next_dynamics(self, before: Array, poses: Array) -> Array:
        old, new = self.dynamics.places(before), self.dynamics.places(poses)
        early, late = (np.broadcast_to(each, new.shape) for each in old)
        down = np.concatenate([self.dynamics.down(np.stack([*old, one]), self.feet.ground) for one in new])
        return self.dynamics.costs(early, late, new, down)

    def equations(self, poses: Array, frames: Frames, fixed: int = 0) -> Equations:
        """Gauss–Newton's equations at poses (n, 7 + A); the first `fixed` stay, and masks tell nothing of them."""
        size = poses.shape[1] - 1
        steps = np.concatenate([np.full(3, STEPS[0]), np.full(3, STEPS[1]), np.full(size - 6, STEPS[2])])
        slopes = self.likely.slopes(poses)
        residuals = self.likely.residuals(poses)
        own = np.stack([one.T @ one for one in slopes])
        slope = np.stack([one.T @ r for one, r in zip(slopes, residuals, strict=True)])
        bearing = self.balance.bearing(poses)
        leaning = self.balance.slopes(poses, bearing, self.limbs)
        own += leaning[:, :, None] * leaning[:, None, :]
        slope += leaning * self.balance.residuals(poses, bearing)[:, None]
        stiff, pull = self.level.equations(poses, self.limbs)
        own += stiff
        slope += pull
        for view in self.views:
            response = view.slopes(poses[fixed:], steps, frames[fixed:], self.limbs)
            off = view.residuals(poses[fixed:], frames[fixed:])
            own[fixed:] += np.stack([one @ one.T for one in response])
            slope[fixed:] += np.stack([one @ r for one, r in zip(response, off, strict=True)])
        for marks in self.marks:
            stiff, pull = marks.equations(poses[fixed:], frames[fixed:], self.limbs)
            own[fixed:] += stiff
            slope[fixed:] += pull
        scale = np.diagonal(own, axis1=1, axis2=2).copy()
        found = Equations(own=own, next=np.zeros_like(own), after=np.zeros_like(own), slope=slope, scale=scale)
        _add_smoothness(found, poses, self.smooth)
        _add_feet(found, self.feet, poses, self.limbs)
        self.dynamics.add(found, poses, self.limbs, self.feet.ground)
        return found


def _bends(poses: Array) -> Array:
    """Second differences (n − 2, V) of poses."""
    step = difference(poses[:-1], poses[1:])
    return np.diff(step, axis=0)


def _add_smoothness(to: Equations, poses: Array, smooth: Smooth) -> None:
    if len(poses) < 3:
        return
    bend = _bends(poses)
    stiff = smooth.stiffness(bend)  # (n − 2, V, V)
    pull = np.einsum("nvw,nw->nv", stiff, bend)
    for i, a in enumerate((1.0, -2.0, 1.0)):
        part = slice(i, len(poses) - 2 + i)
        to.slope[part] += a * pull
        to.own[part] += a * a * stiff
    to.next[:-2] -= 2.0 * stiff
    to.next[1:-1] -= 2.0 * stiff
    to.after[:-2] += stiff


def _add_feet(to: Equations, feet: Feet, poses: Array, limbs: Limbs) -> None:
    places, tree = feet.places(poses), feet.tree
    response = point_responses(
        tree.arrays, limbs.below, limbs.moved, np.ascontiguousarray(poses), feet.segments, feet.points
    )  # (n, V, F, 3)
    count, size, points, _ = response.shape
    sinking = response[..., 2] * feet.weights(places)[:, None, :]
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
