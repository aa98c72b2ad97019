"""Target poses of a state machine as small flat figures: one view and one scale for all of its states."""

from __future__ import annotations

from typing import Final

import mujoco
import numpy as np

from reenact.body.body import Body
from reenact.body.mjcf import bare_model
from reenact.control.machine.machine import Machine
from reenact.errors import InputError
from reenact.geometry import rotation
from reenact.view.outline import PER_METRE, Array, Look, Shapes, dimmed
from reenact.view.pieces import character_bodies, is_seen
from reenact.view.thumbnails import look_at

MARGIN: Final = 0.05  # room around the figures [m]
GROUND: Final = 0.02  # thickness of the line below the lowest point [m]


class TargetFigures:
    """Draws the targets of a machine; `heading` [rad] is where the body faces at the start, `look` the side seen."""

    def __init__(
        self, model: mujoco.MjModel, machine: Machine, *, heading: float = 0.0, look: Look | None = None
    ) -> None:
        self._model, self._data = model, mujoco.MjData(model)
        own = character_bodies(model)
        if 7 + len(machine.axes) > model.nq or any(_joint(model, name) < 0 for name in machine.axes):
            strange = next((name for name in machine.axes if _joint(model, name) < 0), "a hinge")
            raise InputError(f"this state machine is for another body: there is no '{strange}'")
        geoms = [g for g in range(model.ngeom) if model.geom_bodyid[g] in own and is_seen(model, g)]
        self._shapes = Shapes(model, geoms)
        self._poses = self._states(machine, heading)
        joints = np.array([self._posed(pose).xpos[list(own)] for pose in self._poses])
        self.look = look if look is not None else look_at(joints, self._poses[:, 3:7])
        bounds = np.array([self._bounds(pose) for pose in self._poses])  # (M, 3): lowest, highest, farthest aside
        self._lowest, self._half = bounds[:, 0], float(bounds[:, 2].max()) + MARGIN
        self._height = float((bounds[:, 1] - bounds[:, 0]).max()) + 2.0 * MARGIN

    @property
    def aspect(self) -> float:
        """Width of a figure's room by its height."""
        return 2.0 * self._half / self._height

    def svg(self, state: int, box: tuple[float, float, float, float]) -> str:
        """The figure of a state, within (x, y, width, height) of a larger drawing."""
        data = self._posed(self._poses[state])
        foot = (-self._lowest[state] + MARGIN) * PER_METRE  # lower edge of the picture, y downwards
        middle = float(data.xpos[1] @ self.look.right) * PER_METRE
        width, height = 2.0 * self._half * PER_METRE, self._height * PER_METRE
        view = " ".join(str(round(v)) for v in (middle - 0.5 * width, foot - height, width, height))
        ground = (
            f"<rect class='floor' x='{round(middle - 0.5 * width)}' y='{round(foot - MARGIN * PER_METRE)}' "
            f"width='{round(width)}' height='{round(GROUND * PER_METRE)}'/>"
        )
        paths = "".join(
            f"<path fill='rgb({' '.join(str(round(255 * c)) for c in shape.colour)})' d='{shape.path}'/>"
            for shape in dimmed(self._shapes.outlines(data, self.look))
        )
        place = " ".join(
            f"{name}='{round(v, 1):g}'" for name, v in zip(("x", "y", "width", "height"), box, strict=True)
        )
        return f"<svg {place} viewBox='{view}'>{ground}<g class='figure'>{paths}</g></svg>"

    def _states(self, machine: Machine, heading: float) -> Array:
        """The targets as states of the model, (M, nq), the root at the origin."""
        turn = rotation.from_axis_angle(np.array([0.0, 0.0, 1.0]), heading)
        poses = np.tile(np.asarray(self._model.qpos0, float), (len(machine.states), 1))
        columns = [int(self._model.jnt_qposadr[_joint(self._model, name)]) for name in machine.axes]
        for row, state in zip(poses, machine.states, strict=True):
            row[:3], row[3:7] = 0.0, rotation.multiply(turn, state.root)
            row[columns] = state.pose
        return poses

    def _posed(self, pose: Array) -> mujoco.MjData:
        self._data.qpos[:] = pose
        mujoco.mj_kinematics(self._model, self._data)
        return self._data

    def _bounds(self, pose: Array) -> tuple[float, float, float]:
        """Lowest and highest point, and the greatest distance from the root to either side [m]."""
        data, geoms = self._posed(pose), self._shapes.geoms
        turns, box = data.geom_xmat[geoms].reshape(-1, 3, 3), self._model.geom_aabb[geoms]
        middle = data.geom_xpos[geoms] + np.einsum("gij,gj->gi", turns, box[:, :3])
        up = np.einsum("gj,gj->g", np.abs(turns[:, 2]), box[:, 3:])
        across = np.einsum("gj,gj->g", np.abs(np.einsum("i,gij->gj", self.look.right, turns)), box[:, 3:])
        aside = np.abs((middle - data.xpos[1]) @ self.look.right) + across
        return float((middle[:, 2] - up).min()), float((middle[:, 2] + up).max()), float(aside.max())


def figures_of(body: Body, machine: Machine) -> TargetFigures:
    """Figures on the body alone."""
    return TargetFigures(bare_model(body), machine)


def _joint(model: mujoco.MjModel, name: str) -> int:
    return int(mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name))
