"""A dressed person before an empty place as a camera sees them: pictures, and what the person truly covers in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Self

import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.body.mjcf import add_body
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.tree import tree_of
from reenact.observe.camera import Camera
from reenact.view.offscreen import Offscreen
from reenact.view.seen_by_engine import look
from reenact.view.synthetic.person import Person
from reenact.view.synthetic.place import Place
from reenact.view.synthetic.shadow import Box, Lamp, Singles, lamp_at

Picture = NDArray[np.uint8]
FLESH: Final = 0.16  # of the stature, from a joint's centre to the outside of whatever hangs on it, at most
SLICES: Final = 40
NOISE: Final = 2.2  # grey levels, standard deviation of a sensor's noise in the middle of the scale
BANK: Final = 64  # [px] by which the bank of noise is larger than the picture, each way
ABOVE: Final = 6.0  # [m] of the other lamp over the person
SUN: Final = (-1.8, -2.6, 5.0)  # [m] of the main lamp from the person: along the picture, towards the camera, up


class Drawing:
    """Draws one person before one camera; use as a context manager."""

    def __init__(self, person: Person, place: Place, camera: Camera, poses: Array, seed: int) -> None:
        """poses (T, 7 + A): all that will be drawn, which settles how large a picture of the person alone must be."""
        self._person, self._place, self._camera = person, place, camera
        self._rng = np.random.default_rng([seed, 13])
        boxes = np.array([self._box(each) for each in forward(tree_of(person.body), poses)[0]])
        sides = (boxes[:, 2:] - boxes[:, :2]).max(axis=0)
        self._side = int(min(camera.size[0], sides[0])), int(min(camera.size[1], sides[1]))
        self._model = _model(person, self._side)
        self._data = mujoco.MjData(self._model)
        self._lamps = self._lit(poses)
        width, height = camera.size
        bank = self._rng.normal(0.0, NOISE, (height + BANK, width + BANK, 3))
        self._plain = np.rint(place.picture).astype(np.int16)
        self._bank = np.clip(np.rint(bank), -127, 127).astype(np.int16)
        self._target = Offscreen(self._model, *self._side)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._target.__exit__(*error)

    def empty(self) -> Picture:
        """The place with nobody in it."""
        return self._sensed(self._plain.copy())

    def picture(self, pose: Array) -> tuple[Picture, NDArray[np.bool_], Box]:
        """A pose (7 + A,): the picture (height, width, 3), and a box of it with what the person covers there."""
        shadows = [lamp.shadow(pose) for lamp in self._lamps]
        colour, box = self._drawn(pose)
        around = _around([box, *(each for _, each in shadows)])
        out = self._place.picture[_part(around, (0, 0))].copy()
        for light, shaded in shadows:
            out[_part(shaded, around)] *= light[..., None]
        covered = np.asarray(colour.any(axis=-1), np.bool_)
        soft = _softened(np.concatenate([colour, 255 * covered[..., None]], axis=-1).astype(np.float32))
        behind = out[_part(box, around)]
        behind *= 1.0 - soft[..., 3:] / 255.0
        behind += soft[..., :3]
        whole = self._plain.copy()
        whole[_part(around, (0, 0))] = out
        return self._sensed(whole), covered, box

    def _drawn(self, pose: Array) -> tuple[Picture, Box]:
        """The person alone on black, in a box of the picture."""
        self._data.qpos[:] = pose
        mujoco.mj_kinematics(self._model, self._data)
        mujoco.mj_comPos(self._model, self._data)
        mujoco.mj_camlight(self._model, self._data)
        scene = self._target.scene
        everything = mujoco.mjtCatBit.mjCAT_ALL.value
        option, perturb, free = mujoco.MjvOption(), mujoco.MjvPerturb(), mujoco.MjvCamera()
        mujoco.mjv_updateScene(self._model, self._data, option, perturb, free, everything, scene)
        left, top, _, _ = self._box(forward(tree_of(self._person.body), pose[None])[0][0])
        left, top = min(left, self._camera.size[0] - self._side[0]), min(top, self._camera.size[1] - self._side[1])
        look(scene, self._camera.cropped(left, top, *self._side))
        return self._target.pixels(), (left, top, left + self._side[0], top + self._side[1])

    def _box(self, centres: Array) -> Box:
        """A box of the picture that holds a body with joints (S, 3)."""
        corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        offsets = FLESH * self._person.body.stature * corners
        pixels = self._camera.project((centres[:, None] + offsets).reshape(-1, 3))
        low, high = np.nanmin(pixels, axis=0), np.nanmax(pixels, axis=0)
        size = np.array(self._camera.size)
        left, top = np.clip(np.floor(low), 0, size - 1).astype(int)
        right, bottom = np.clip(np.ceil(high), 1, size).astype(int)
        return int(left), int(top), int(right), int(bottom)

    def _lit(self, poses: Array) -> tuple[Lamp, ...]:
        """A lamp from the side of the camera, and light from above, whose shadow is weak and wide."""
        root = poses[:, :3]
        middle = 0.5 * (root.min(axis=0) + root.max(axis=0))
        middle[2] = self._camera.ground + 0.5
        reach = 2.2 + 0.5 * float(np.ptp(root[:, :2], axis=0).max())
        ahead = self._camera.turn[2] * [1.0, 1.0, 0.0]
        ahead /= np.linalg.norm(ahead)
        right = np.array([ahead[1], -ahead[0], 0.0])
        sun = middle + SUN[0] * right + SUN[1] * ahead + np.array([0.0, 0.0, SUN[2]])
        body, points = self._person.body, self._place.points
        above = middle + np.array([0.0, 0.0, ABOVE])
        return (
            lamp_at(sun, middle, reach, body, points, blur=0.07, share=0.24),
            lamp_at(above, middle, reach, body, points, blur=0.12, share=0.22),
        )

    def _sensed(self, picture: NDArray[np.int16]) -> Picture:
        """What a sensor makes of it: noise, within the range of grey levels; `picture` is changed."""
        down, across = self._rng.integers(0, BANK, 2)
        height, width = picture.shape[:2]
        picture += self._bank[down : down + height, across : across + width]
        return np.clip(picture, 0, 255, out=picture).astype(np.uint8)


def _around(boxes: Sequence[Box]) -> Box:
    """The box around all that are not empty."""
    left, top, right, bottom = zip(*(box for box in boxes if box[2] > box[0]), strict=True)
    return min(left), min(top), max(right), max(bottom)


def _part(box: Box, origin: Sequence[int]) -> tuple[slice, slice]:
    """Rows and columns of a box in a picture whose upper left corner is at `origin`."""
    left, top, right, bottom = box
    return slice(top - origin[1], bottom - origin[1]), slice(left - origin[0], right - origin[0])


def _model(person: Person, size: tuple[int, int]) -> mujoco.MjModel:
    spec = mujoco.MjSpec()
    add_body(spec, person.body, actuation="none")
    for name, colour in person.colours.items():
        spec.geom(name).rgba = (*colour, 1.0)
    quality = spec.visual.quality
    quality.numslices, quality.numstacks, quality.offsamples, quality.shadowsize = SLICES, SLICES // 2, 0, 0
    spec.visual.global_.offwidth, spec.visual.global_.offheight = size
    head = spec.visual.headlight
    head.ambient, head.diffuse, head.specular = (0.42, 0.42, 0.43), (0.20, 0.20, 0.20), (0.0, 0.0, 0.0)
    spec.worldbody.add_light(
        type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL, dir=(0.3, 0.4, -1.0), diffuse=(0.50, 0.49, 0.46),
        specular=(0.05, 0.05, 0.05), castshadow=False,
    )  # fmt: skip
    return spec.compile()


def _softened(picture: Singles) -> Singles:
    """Blurred by about a pixel, each way by weights 1, 2, 1."""
    out = picture.copy()
    out[1:-1] = 0.25 * picture[:-2] + 0.5 * picture[1:-1] + 0.25 * picture[2:]
    across = out.copy()
    across[:, 1:-1] = 0.25 * out[:, :-2] + 0.5 * out[:, 1:-1] + 0.25 * out[:, 2:]
    return across
