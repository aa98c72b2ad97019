"""Frames of a take as pictures: where the camera stands, what is drawn into each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Self

import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.view import colours
from reenact.view.colours import RGB
from reenact.view.course import aims_of, course_of
from reenact.view.forces import BodyForces, arrows, contact_forces, pushes
from reenact.view.line_of_sight import clear_elevation
from reenact.view.offscreen import Offscreen
from reenact.view.pieces import character_bodies
from reenact.view.poses import Poses, display_times, poses_at
from reenact.view.recording import Recording
from reenact.view.scene import DISPLAY_RATE
from reenact.view.stage import FIELD_OF_VIEW_DEG, dressed_model

Picture = NDArray[np.uint8]
Angle = Literal["side", "front", "three-quarter", "back"]

AZIMUTH_DEG: Final[dict[Angle, float]] = {"side": 90.0, "front": 180.0, "three-quarter": 140.0, "back": 0.0}
LOOKS: Final = 12  # moments at which the body must not be hidden
HEIGHT_IN_VIEW: Final = 2.2  # [m] at the body's distance
WIDTH_IN_VIEW: Final = 1.5  # [m] at least
GHOST_SIZE: Final = 0.96  # where it coincides with the body, the body is seen
SMOOTHING: Final = 0.35  # of the camera's path [s]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """How a take is filmed."""

    camera: Angle = "three-quarter"
    follow: bool = True  # or stand still, aimed at the middle of the way
    ghost: bool = False  # also the reference
    target: bool = False  # also the pose that a state machine aims at, and its balance vector
    contacts: bool = True
    zoom: float = 1.0


class Film:
    """Draws a take's states; use as a context manager."""

    def __init__(self, recording: Recording, width: int, height: int, shot: Shot) -> None:
        self._recording, self._shot = recording, shot
        self._model = dressed_model(recording, width, height)
        self._data, self._ghost = mujoco.MjData(self._model), mujoco.MjData(self._model)
        self._options, self._camera = mujoco.MjvOption(), mujoco.MjvCamera()
        self._recorded = np.asarray(recording.motion["time"], float)
        self._display = display_times(self._recorded, DISPLAY_RATE)
        poses = poses_at(recording.model, recording.motion["qpos"], self._recorded, self._display)
        self._contacts = contact_forces(recording.motion, self._display, DISPLAY_RATE)
        com = recording.model.body_ipos
        self._mass = float(recording.model.body_mass[list(character_bodies(recording.model))].sum())
        self._pushes = pushes(recording.motion, poses, com, self._display, DISPLAY_RATE)
        self._course = course_of(recording, self._display)
        planned = shot.target and self._course is not None and self._course.target is not None
        self._aims = aims_of(recording) if planned else None
        self._path = camera_path(poses, character_bodies(recording.model)[0])
        self._aim(poses, width / height)
        self._screen = Offscreen(self._model, width, height)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._screen.__exit__(*error)

    def pictures(self, times: Sequence[float]) -> Iterator[Picture]:
        """A picture (height, width, 3) for each of `times` [s] since the first frame."""
        for time in times:
            yield self.picture(float(time))

    def picture(self, time: float) -> Picture:
        """The take at `time` [s] since the first frame, the nearest recorded state."""
        at = self._recorded[0] + time
        frame = int(np.clip(round(time * DISPLAY_RATE), 0, len(self._display) - 1))
        state = int(np.abs(self._recorded - at).argmin())
        self._data.qpos[:] = self._recording.motion["qpos"][state]
        mujoco.mj_kinematics(self._model, self._data)
        mujoco.mj_camlight(self._model, self._data)
        self._camera.lookat[:] = self._looked_at(frame)
        scene = self._screen.scene
        categories = int(mujoco.mjtCatBit.mjCAT_ALL)
        mujoco.mjv_updateScene(self._model, self._data, self._options, None, self._camera, categories, scene)
        scene.flags[mujoco.mjtRndFlag.mjRND_FOG] = True
        for light in scene.lights[: scene.nlight]:
            if light.castshadow:  # its shadow is cast around where it stands
                light.pos[:] = self._camera.lookat - 4.0 * light.dir
        if self._shot.ghost:
            self._add_reference(at)
        if self._aims is not None:
            self._add_target(min(state, len(self._aims) - 1), frame)
        if self._shot.contacts:
            self._add_arrows(self._contacts, frame, colours.FORCE, push=False)
            self._add_arrows(self._pushes, frame, colours.PUSH, push=True)
        return self._screen.pixels()

    def _aim(self, poses: Poses, aspect: float) -> None:
        heading = np.degrees(heading_of(poses, character_bodies(self._recording.model)[0]))
        height = max(HEIGHT_IN_VIEW, WIDTH_IN_VIEW / aspect) / self._shot.zoom
        self._camera.type = mujoco.mjtCamera.mjCAMERA_FREE
        self._camera.azimuth = AZIMUTH_DEG[self._shot.camera] + heading
        self._camera.distance = 0.5 * height / np.tan(np.radians(0.5 * FIELD_OF_VIEW_DEG))
        looks = np.linspace(0, len(self._display) - 1, LOOKS).round().astype(int)
        states = np.abs(self._recorded[:, None] - self._display[looks]).argmin(axis=0)
        self._camera.elevation = clear_elevation(
            self._recording.model,
            [np.asarray(self._recording.motion["qpos"][i], float) for i in states],
            [self._looked_at(int(frame)) for frame in looks],
            character_bodies(self._recording.model),
            self._camera.azimuth,
            self._camera.distance,
        )

    def _looked_at(self, frame: int) -> NDArray[np.float64]:
        """What stands in the middle of the picture (3,) [m]."""
        return np.asarray(self._path[frame if self._shot.follow else len(self._path) // 2])

    def caption(self, time: float) -> str:
        """The state of the machine at `time` [s] since the first frame, in words; empty for other controllers."""
        return "" if self._course is None else self._course.title_at(time)

    def _add_reference(self, at: float) -> None:
        """The reference's pose as a veil, where it has one at this time."""
        reference = self._recording.reference
        if "qpos" in reference and at <= float(reference["time"][-1]) + 1e-6:
            self._add_ghost(reference["qpos"][int(np.abs(reference["time"] - at).argmin())], colours.GHOST)

    def _add_target(self, step: int, frame: int) -> None:
        """The pose that the machine asks for as a veil, and its balance vector."""
        assert self._aims is not None
        assert self._course is not None
        self._add_ghost(self._aims[step], colours.TARGET)
        motion = self._recording.motion
        if "cop" in motion and "support" in motion and motion["support"][step] > 0.0:
            ends = self._course.balance_arrow(frame, np.asarray(motion["cop"][step], np.float32))
            self._add_each(ends, colours.BALANCE)

    def _add_ghost(self, pose: NDArray[np.float64], colour: RGB) -> None:
        """A pose of the character as a veil."""
        scene = self._screen.scene
        self._ghost.qpos[: len(pose)] = pose
        mujoco.mj_kinematics(self._model, self._ghost)
        first = scene.ngeom
        categories = int(mujoco.mjtCatBit.mjCAT_DYNAMIC)
        mujoco.mjv_addGeoms(self._model, self._ghost, self._options, mujoco.MjvPerturb(), categories, scene)
        for geom in scene.geoms[first : scene.ngeom]:
            own = geom.objtype == mujoco.mjtObj.mjOBJ_GEOM and self._is_character(int(geom.objid))
            geom.rgba[:] = (*colour, 0.28 if own else 0.0)
            geom.size[:] *= GHOST_SIZE

    def _is_character(self, geom: int) -> bool:
        return int(self._model.body_rootid[self._model.geom_bodyid[geom]]) == 1

    def _add_arrows(self, forces: BodyForces, frame: int, colour: RGB, *, push: bool) -> None:
        self._add_each(arrows(forces, frame, self._mass, push=push), colour)

    def _add_each(self, ends: NDArray[np.float32], colour: RGB) -> None:
        """An arrow for each start and end (n, 2, 3) [m]."""
        scene, arrow = self._screen.scene, mujoco.mjtGeom.mjGEOM_ARROW
        for start, end in ends.astype(float):
            if scene.ngeom >= scene.maxgeom:
                return
            geom = scene.geoms[scene.ngeom]
            rgba = np.array([*colour, 1.0], np.float32)
            mujoco.mjv_initGeom(geom, arrow, np.zeros(3), np.zeros(3), np.eye(3).ravel(), rgba)
            mujoco.mjv_connector(geom, arrow, 0.018, start, end)
            scene.ngeom += 1


def camera_path(poses: Poses, root: int) -> NDArray[np.float64]:
    """Where to look at each displayed frame (F, 3): the root's path without its bounce, at half the body's height."""
    path = poses.position[:, root].astype(float)
    width = max(1, round(SMOOTHING * DISPLAY_RATE))
    kernel = np.exp(-0.5 * (np.arange(-2 * width, 2 * width + 1) / width) ** 2)
    padded = np.concatenate([np.tile(path[:1], (2 * width, 1)), path, np.tile(path[-1:], (2 * width, 1))])
    smooth = np.stack([np.convolve(padded[:, i], kernel / kernel.sum(), mode="valid") for i in range(3)], -1)
    first = poses.position[0, 1:, 2]
    middle = 0.5 * float(first.min() + first.max()) + 0.02
    smooth[:, 2] += middle - path[0, 2]
    return smooth


def heading_of(poses: Poses, root: int) -> float:
    """Which way the body faces at first, about z [rad]; 0 where it lies down."""
    w, x, y, z = poses.orientation[0, root].astype(float)
    forward = np.array([1 - 2 * (y * y + z * z), 2 * (x * y + w * z)])
    return float(np.arctan2(forward[1], forward[0])) if np.linalg.norm(forward) > 0.3 else 0.0
