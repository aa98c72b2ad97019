"""What the engine itself draws of a body for a given camera, as a mask: the yardstick of our silhouettes.

The engine draws meshes, so round shapes are polygons; they are cut finely here (`SLICES`).
"""

from __future__ import annotations

from typing import Final, Self

import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.body.mjcf import add_body
from reenact.geometry.rotation import Array
from reenact.observe.camera import Camera
from reenact.view.offscreen import Offscreen

SLICES: Final = 128  # of a full turn
NEAR, FAR = 0.05, 50.0  # [m]


class SeenByEngine:
    """The engine's own silhouettes of a body in a camera's picture; use as a context manager."""

    def __init__(self, body: Body, camera: Camera, slices: int = SLICES) -> None:
        spec = mujoco.MjSpec()
        add_body(spec, body, actuation="none")
        quality = spec.visual.quality
        quality.numslices, quality.numstacks, quality.numquads, quality.offsamples = slices, slices // 2, 4, 0
        width, height = camera.size
        spec.visual.global_.offwidth, spec.visual.global_.offheight = width, height
        self.camera = camera
        self._model = spec.compile()
        self._data = mujoco.MjData(self._model)
        self._target = Offscreen(self._model, width, height)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._target.__exit__(*error)

    def mask(self, pose: Array, camera: Camera | None = None) -> NDArray[np.bool_]:
        """The silhouette (height, width) of a pose (7 + A,), by this or another camera of the same size."""
        seen_by = camera or self.camera
        self._data.qpos[:] = pose
        mujoco.mj_kinematics(self._model, self._data)
        mujoco.mj_comPos(self._model, self._data)
        scene = self._target.scene
        option, perturb = mujoco.MjvOption(), mujoco.MjvPerturb()
        mujoco.mjv_updateScene(
            self._model, self._data, option, perturb, mujoco.MjvCamera(), mujoco.mjtCatBit.mjCAT_ALL.value, scene
        )
        look(scene, seen_by)
        scene.flags[mujoco.mjtRndFlag.mjRND_SEGMENT.value] = True
        scene.flags[mujoco.mjtRndFlag.mjRND_IDCOLOR.value] = True
        return np.asarray(self._target.pixels().any(axis=-1))


def look(scene: mujoco.MjvScene, camera: Camera) -> None:
    """Give both of the scene's eyes our camera."""
    width, height = camera.size
    turn = camera.turn  # its rows are the camera's axes in the world
    near = NEAR / camera.focal
    for eye in scene.camera:
        eye.pos, eye.forward, eye.up = camera.position, turn[2], -turn[1]
        eye.frustum_bottom, eye.frustum_top = -near[1] * (height - camera.centre[1]), near[1] * camera.centre[1]
        eye.frustum_center, eye.frustum_width = near[0] * (0.5 * width - camera.centre[0]), 0.5 * near[0] * width
        eye.frustum_near, eye.frustum_far = NEAR, FAR
