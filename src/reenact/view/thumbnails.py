"""Small pictures of poses side by side: what the character does, at a glance.

Drawn as flat outlines in SVG, so that a page can hold them before anything else of it works, and so that a search can
show its best performance so far at next to no cost. All pictures of a strip share one view and one scale.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape
from typing import Final

import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.geometry.rotation import rotate
from reenact.view.colours import RGB
from reenact.view.outline import PER_METRE, Array, Look, Shapes, dimmed, path_through
from reenact.view.pieces import HIDDEN_GROUP, character_bodies, is_seen, role_of
from reenact.view.pressure import RAMP
from reenact.view.recording import Recording

COUNT: Final = 10  # pictures in a strip
ASPECT: Final = 0.86  # least width of a picture, of its height
MARGIN: Final = (0.16, 0.06)  # room below the lowest and above the highest point [m]
TALLEST: Final = 3.2  # a way that rises more than this is followed up and down [m]
OBLIQUE: Final = np.radians(22.0)  # from where one looks, turned from square on towards the front
CLEAR: Final = 1.15  # a way is long, and seen from its side, where it is so much longer than wide
CUTS: Final = 40  # points of the ground's section
AWAY: Final = 1e3  # where free bodies are put while the ground is looked at [m]
DOT: Final = 0.045  # drawn on the body [m]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """One pose to draw; states are the model's."""

    time: float  # [s]
    pose: NDArray[np.float64] | None  # (nq,) of the simulated body
    ghost: NDArray[np.float64] | None = None  # (nq,) of the reference
    faint: bool = False  # the pose is not the present one
    dots: tuple[Array, NDArray[np.uint8]] | None = None  # points (n, 3) [m], colours (n, 3), on a body that has none


class Sketcher:
    """Draws poses of one model from one side, chosen once by what the poses in `shown` (T, nq) do.

    There is room for all of these, and for the poses in `room` (T, nq).
    """

    def __init__(
        self, model: mujoco.MjModel, shown: NDArray[np.float64], room: NDArray[np.float64] | None = None
    ) -> None:
        self._model, self._data = model, mujoco.MjData(model)
        self._own = list(character_bodies(model))
        self._all = Shapes(model, [geom for geom in range(model.ngeom) if _moves(model, geom)])
        self._character = Shapes(
            model, [geom for geom in range(model.ngeom) if _moves(model, geom) and model.geom_bodyid[geom] in self._own]
        )
        chosen = _some(shown)
        joints = np.array([self._posed(pose).xpos[self._own] for pose in chosen])  # (T, S, 3)
        self.look = look_at(joints, chosen[:, 3:7])
        self._choose_size(chosen if room is None else np.concatenate([chosen, _some(room)]))
        self._ghosts: dict[bytes, str] = {}

    def _choose_size(self, shown: Array) -> None:
        """Choose the size of all pictures, and the heights they show."""
        bounds = np.array([self._bounds(pose) for pose in shown])  # (T, 3): lowest, highest, farthest aside
        low, high = bounds[:, 0].min() - MARGIN[0], bounds[:, 1].max() + MARGIN[1]
        self._low: float | None = float(low)
        self._height = float(high - low)
        if self._height > TALLEST:  # the pictures go up and down with the body
            self._low, self._height = None, float((bounds[:, 1] - bounds[:, 0]).max()) + sum(MARGIN)
        self._half = max(0.5 * ASPECT * self._height, float(bounds[:, 2].max()) + MARGIN[1])

    def _bounds(self, pose: NDArray[np.float64]) -> tuple[float, float, float]:
        """Lowest and highest point of the character, and its greatest distance from the root to either side [m]."""
        data = self._posed(pose)
        turns, half, middle = self._boxes(data)
        up = np.einsum("gj,gj->g", np.abs(turns[:, 2]), half)
        across = np.einsum("gj,gj->g", np.abs(np.einsum("i,gij->gj", self.look.right, turns)), half)
        aside = np.abs((middle - data.xpos[1]) @ self.look.right) + across
        return float((middle[:, 2] - up).min()), float((middle[:, 2] + up).max()), float(aside.max())

    def _boxes(self, data: mujoco.MjData) -> tuple[Array, Array, Array]:
        """Frames (G, 3, 3), half sizes (G, 3) and middles (G, 3) of boxes around the character's shapes."""
        geoms = self._character.geoms
        turns, box = data.geom_xmat[geoms].reshape(-1, 3, 3), self._model.geom_aabb[geoms]
        return turns, box[:, 3:], data.geom_xpos[geoms] + np.einsum("gij,gj->gi", turns, box[:, :3])

    def _lowest(self, data: mujoco.MjData) -> Array:
        """Middle (3,) of the shape that reaches down farthest: below it is what bears the body, be it narrow."""
        turns, half, middle = self._boxes(data)
        low = middle[:, 2] - np.einsum("gj,gj->g", np.abs(turns[:, 2]), half)
        return np.asarray(middle[np.argmin(low)])

    def svg(self, picture: Picture) -> str:
        """The picture as an SVG element; empty of any body where there is none to draw."""
        pose = picture.pose if picture.pose is not None else picture.ghost
        if pose is None:
            return ""
        data = self._posed(pose)
        root = data.xpos[1].copy()
        low = self._low if self._low is not None else self._bounds(pose)[0] - MARGIN[0]
        left = float(root @ self.look.right) - self._half
        box = np.array([left, -low - self._height, 2.0 * self._half, self._height]) * PER_METRE
        parts = [self._floor(pose, left, low)]
        if picture.ghost is not None:
            parts.append(self._ghost(picture.ghost))
        if picture.pose is not None:
            colour = RAMP[0] if picture.dots is not None else None
            parts.append(self._figure(picture.pose, faint=picture.faint, colour=colour))
        if picture.dots is not None:
            parts.append(self._dots(*picture.dots))
        view = " ".join(str(round(float(side))) for side in box)
        return f"<svg viewBox='{view}' aria-hidden='true'>{''.join(parts)}</svg>"

    def _posed(self, pose: NDArray[np.float64]) -> mujoco.MjData:
        self._data.qpos[: len(pose)] = pose
        mujoco.mj_kinematics(self._model, self._data)
        return self._data

    def _figure(self, pose: NDArray[np.float64], *, faint: bool, colour: RGB | None) -> str:
        shapes = self._all.outlines(self._posed(pose), self.look)
        shapes = dimmed(shapes if colour is None else [replace(shape, colour=colour) for shape in shapes])
        paths = "".join(f"<path fill='{_hex(shape.colour)}' d='{shape.path}'/>" for shape in shapes)
        return f"<g class='figure{' faint' if faint else ''}'>{paths}</g>"

    def _ghost(self, pose: NDArray[np.float64]) -> str:
        """The character alone as one even shape; kept, since a search asks for the same ones again and again."""
        key = pose.tobytes()
        if key not in self._ghosts:
            shapes = self._character.outlines(self._posed(pose), self.look)
            self._ghosts[key] = f"<path class='ghost' d='{''.join(shape.path for shape in shapes)}'/>"
        return self._ghosts[key]

    def _dots(self, points: Array, colours: NDArray[np.uint8]) -> str:
        """Points on the body, the darker ones over the lighter."""
        rough = (colours // 16 * 16).astype(int)
        shades = sorted({tuple(shade) for shade in rough.tolist()}, key=sum, reverse=True)
        groups = []
        for shade in shades:
            flat = np.unique(np.round(self.look.flat(points[(rough == shade).all(axis=1)])).astype(int), axis=0)
            path = "".join(f"M{x} {y}h0" for x, y in flat.tolist())
            groups.append(f"<path stroke='rgb({shade[0]} {shade[1]} {shade[2]})' d='{path}'/>")
        return f"<g class='dots' stroke-width='{round(DOT * PER_METRE)}'>{''.join(groups)}</g>"

    def _floor(self, pose: NDArray[np.float64], left: float, low: float) -> str:
        """The ground cut open below what bears the body, along its way; left: edge of the picture."""
        model, data, look = self._model, self._posed(pose), self.look
        through, top = self._lowest(data), max(low + self._height, float(data.xpos[1, 2])) + 1.0
        free = model.jnt_qposadr[model.jnt_type == int(mujoco.mjtJoint.mjJNT_FREE)]
        data.qpos[free + 2] += AWAY
        mujoco.mj_kinematics(model, data)
        group = (np.arange(mujoco.mjNGROUP) < HIDDEN_GROUP).astype(np.uint8)
        hit, down = np.zeros(1, np.int32), np.array([0.0, 0.0, -1.0])
        points = []
        for aside in np.linspace(left - 0.01, left + 2.0 * self._half + 0.01, CUTS) - through @ look.right:
            start = np.array([*(through + aside / (look.along @ look.right) * look.along)[:2], top])
            depth = float(mujoco.mj_ray(model, data, start, down, group, 1, -1, hit))
            points.append([*start[:2], top - depth if depth >= 0.0 else low])
        section = look.flat(np.array(points))
        bottom = (1.0 - low) * PER_METRE
        corners = [[section[-1, 0], bottom], [section[0, 0], bottom]]
        return f"<path class='floor' d='{path_through(_straightened(np.concatenate([section, corners])).tolist())}'/>"


def look_at(joints: Array, turns: Array) -> Look:
    """The side from which a motion is seen best: joints (T, S, 3) [m] go from left to right, a little towards the eye.

    turns: the root's orientations (T, 4). A motion on the spot is seen from the side of where it faces.
    """
    facing = rotate(turns[0], np.array([1.0, 0.0, 0.0]))
    spread = joints.reshape(-1, 3)[:, :2] - joints.reshape(-1, 3)[:, :2].mean(axis=0)
    values, axes = np.linalg.eigh(spread.T @ spread)
    along = np.array([*axes[:, 1], 0.0]) if values[1] > CLEAR**2 * values[0] else np.array([*facing[:2], 0.0])
    if np.linalg.norm(along) < 0.1:  # it looks straight up or down
        along = np.array([*axes[:, 1], 0.0])
    along /= np.linalg.norm(along)
    travel = float((joints[-1, 0] - joints[0, 0]) @ along)
    if (travel if abs(travel) > 0.2 else float(facing @ along)) < 0.0:
        along = -along
    square = np.cross(along, [0.0, 0.0, 1.0])
    toward = np.cos(OBLIQUE) * square + np.sin(OBLIQUE) * along
    return Look(right=np.cross([0.0, 0.0, 1.0], toward), along=along)


def sketcher_of(recording: Recording) -> Sketcher:
    """A sketcher for a take, that looks at what was recorded: takes of one clip are then seen from one side."""
    ghosts, own = recording.reference_states(), np.asarray(recording.motion["qpos"], float)
    return Sketcher(recording.model, own if ghosts is None else ghosts, own)


def pose_strip(recording: Recording) -> str:
    """The strip of a take as HTML: a button for each picture, with its time since the first frame."""
    motion, reference = recording.motion, recording.reference
    recorded = np.asarray(motion["time"], float)
    qpos = np.asarray(motion["qpos"], float)
    ghosts, sketcher = recording.reference_states(), sketcher_of(recording)
    cells = []
    for instant in np.linspace(recorded[0], recorded[-1], COUNT if len(recorded) > 1 else 1):
        ghost = None
        if ghosts is not None and instant <= float(reference["time"][-1]) + 1e-6:
            ghost = ghosts[nearest(reference["time"], instant)]
        pose = qpos[nearest(recorded, instant)]
        cells.append(sketcher.svg(Picture(time=float(instant - recorded[0]), pose=pose, ghost=ghost)))
    times = np.linspace(0.0, recorded[-1] - recorded[0], len(cells))
    buttons = [
        f"<button data-time='{time:.4f}' title='Go to {escape(f'{time:.2f}')} s'>{svg}<span>{time:.2f}</span></button>"
        for time, svg in zip(times, cells, strict=True)
    ]
    return f"<div class='poses' id='poses' role='group' aria-label='Poses over time'>{''.join(buttons)}</div>"


def _some(poses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Enough of the poses (T, nq) to judge them all by."""
    return np.asarray(poses[np.unique(np.linspace(0, len(poses) - 1, 4 * COUNT).round().astype(int))])


def _moves(model: mujoco.MjModel, geom: int) -> bool:
    """Whether a geom is part of a figure: the character, or another thing that moves."""
    return role_of(model, int(model.geom_bodyid[geom])) != "ground" and is_seen(model, geom)


def nearest(times: NDArray[np.float64], instant: float) -> int:
    """Index of the time nearest to an instant."""
    return int(np.abs(np.asarray(times, float) - instant).argmin())


def _straightened(points: Array) -> Array:
    """The points (P, 2) without those on a straight line between their neighbours."""
    keep = np.ones(len(points), bool)
    before, after = points[1:-1] - points[:-2], points[2:] - points[1:-1]
    keep[1:-1] = np.abs(before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]) > 1e-3
    return points[keep]


def _hex(colour: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(255 * min(1.0, max(0.0, channel))):02x}" for channel in colour)
