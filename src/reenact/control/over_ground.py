"""A motion recorded on a level floor as it would go over other ground: each frame as high as what bears it there.

The ground pushes and never pulls, so where it falls away the body falls freely: from the frame in which its last part
leaves the upper level, the centre of mass keeps its velocity over the ground and follows a parabola down to where the
clip has it over the lower level; the rest of the path is moved along. A rise is the same backwards in time: the body
leaves the ground just early enough to arrive up there with the clip's own velocity.

Poses and orientations stay: the ground need not fit the steps, and on a slope the body is as upright as recorded, as in
[L10] §4, because it balances against gravity and not against the ground. Deviation: [L10] does not say that the height
follows the ground; a reference that stays up in the air cannot be told from a fall.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from reenact.errors import InputError
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.contact import Contact
from reenact.motion.kinematics import forward
from reenact.motion.lowest import lowest_by_segment, shapes_of
from reenact.motion.motion import Motion
from reenact.motion.support import GRAVITY, centre_of_mass
from reenact.motion.tree import tree_of
from reenact.world.ground import ground_height
from reenact.world.world import World

BEARING: Final = 0.05  # parts that little above the lowest one bear weight or are about to [m]
REACH: Final = 0.25  # a part over ground that much below another's hangs in the air; a stair is less [m]
EDGE: Final = 0.15  # ground that changes more from frame to frame falls away; less is evened out [m]
EVEN: Final = 0.08  # over about this time [s]
ROUND: Final = 0.03  # the velocity of the centre of mass is taken over about this time [s]
ROUNDS: Final = 5  # in which a flight's end and the ground there are brought together
CLEAR: Final = 0.01  # a floor that much above the ground is no ground: the body flies [m]


@dataclass(frozen=True, slots=True, kw_only=True)
class Staged(Motion):
    """A motion in a world, and what its ground did to it."""

    moved: Array  # (T, 3) from where each frame would be on level ground z = 0, turned about the origin [m]
    turned: Array = field(default_factory=rotation.IDENTITY.copy)  # (4,) by which all frames are turned with a slope

    def __post_init__(self) -> None:
        """Refuse moves that do not belong to the motion."""
        Motion.__post_init__(self)
        if self.moved.shape != (self.frames, 3) or not np.isfinite(self.moved).all():
            raise InputError(f"motion '{self.name}': moved {self.moved.shape} must be ({self.frames}, 3) and finite")
        if self.turned.shape != (4,) or not abs(float(np.linalg.norm(self.turned)) - 1.0) < 1e-6:
            raise InputError(f"motion '{self.name}': turned {self.turned} must be a unit quaternion")


def first_frames(motion: Staged, frames: int) -> Staged:
    """The first so many frames, as many as there are."""
    return replace(
        motion,
        qpos=motion.qpos[:frames],
        joints=motion.joints[:frames],
        lift=motion.lift[:frames],
        moved=motion.moved[:frames],
    )


def floor_of(motion: Motion) -> Array:
    """Height (T,) [m] of what stands for the level floor a motion was recorded on; zero for one that is in no world."""
    if not isinstance(motion, Staged):
        return np.zeros(motion.frames)
    level = rotation.rotate(rotation.conjugate(motion.turned), motion.qpos[:, :3] - motion.moved) * [1.0, 1.0, 0.0]
    return np.asarray(motion.moved[:, 2] + rotation.rotate(motion.turned, level)[:, 2])


def over_ground(motion: Motion, world: World, lift: float) -> Staged:
    """A motion placed in a world: `lift` [m] higher at its start, and from there on as the ground under it rises.

    A body in flight on the way down or up keeps its velocity over the ground, too; what follows is moved along. It
    touches nothing, so contacts are cut short there.
    """
    com = centre_of_mass(motion.body, tree_of(motion.body), motion.qpos)
    com = gaussian_filter1d(com, ROUND * motion.rate, axis=0, mode="nearest")
    move = np.zeros((motion.frames, 3))
    for _ in range(ROUNDS):  # who flies farther lands on other ground
        ground = _bearing_ground(motion, world, move[:, :2])
        even = _evened(ground - ground[0], motion.rate)
        down = falling(even, com[:, 2], motion.rate)
        rise = falling(down[::-1], com[::-1, 2], motion.rate)[::-1]
        flying = rise > even + CLEAR
        move[:, 2] = rise - rise[0] + lift
        farther = _drift(com[:, :2], flying)
        settled = bool(np.abs(farther - move[:, :2]).max() < CLEAR)
        move[:, :2] = farther
        if settled:
            break
    qpos = motion.qpos.copy()
    qpos[:, :3] += move
    contacts = _grounded(motion.contacts, flying, motion.rate)
    return placed(replace(motion, contacts=contacts), qpos, motion.joints + move[:, None], move)


def placed(motion: Motion, qpos: Array, joints: Array, moved: Array, turned: Array = rotation.IDENTITY) -> Staged:
    """A motion with its poses (T, 7+A) and joints (T, J, 3) in a world; moved, turned: see `Staged`."""
    return Staged(
        name=motion.name,
        rate=motion.rate,
        body=motion.body,
        qpos=qpos,
        joint_names=motion.joint_names,
        joints=joints,
        lift=motion.lift,
        contacts=motion.contacts,
        report=motion.report,
        moved=moved,
        turned=turned.copy(),
    )


def falling(level: Array, com: Array, rate: float) -> Array:
    """The floor (T,) [m] under a body that falls freely where the ground (T,) falls away, until it is there.

    com: height of the centre of mass (T,) over a level floor [m]; over the floor returned it is in free fall wherever
    that floor is above the ground.
    """
    floor = level.copy()
    speed = 0.0
    for k in range(1, len(level)):
        if level[k] < floor[k - 1]:
            fallen = com[k - 1] + floor[k - 1] + speed / rate - 0.5 * GRAVITY / rate**2
            floor[k] = max(level[k], fallen - com[k])
        if floor[k] > level[k]:
            speed -= GRAVITY / rate
        else:
            speed = (com[k] - com[k - 1] + min(0.0, floor[k] - floor[k - 1])) * rate
    return floor


def _bearing_ground(motion: Motion, world: World, move: Array) -> Array:
    """Height of the ground (T,) [m] under the parts that are lowest, the lower the more, without those over a void.

    move: by how much each frame is moved over the ground (T, 2) [m].
    """
    tree = tree_of(motion.body)
    lowest = lowest_by_segment(motion.body, tree, motion.qpos, motion.rate)
    above = lowest.height - lowest.height.min(axis=1, keepdims=True)
    weight = np.clip(1.0 - above / BEARING, 0.0, 1.0)
    place = lowest.place + move[:, None]
    ground = ground_height(world, place[..., 0], place[..., 1])
    shapes = shapes_of(motion.body)
    position, frame = forward(tree, motion.qpos)
    centre = position[:, shapes.segment] + np.einsum("tgij,gj->tgi", frame[:, shapes.segment], shapes.position)
    centre[..., :2] += move[:, None]
    below = ground_height(world, centre[..., 0], centre[..., 1])  # a foot stands on a beam narrower than itself
    for p, segment in enumerate(lowest.segments):
        ground[:, p] = np.maximum(ground[:, p], below[:, shapes.segment == segment].max(axis=1))
    highest = np.where(weight > 0.0, ground, -np.inf).max(axis=1, keepdims=True)
    weight = np.where(ground < highest - REACH, 0.0, weight)
    return np.asarray(np.sum(weight * ground, axis=1) / weight.sum(axis=1))


def _evened(ground: Array, rate: float) -> Array:
    """The ground (T,) without its small steps; edges stay where they are."""
    change = np.diff(ground, prepend=ground[:1])
    edges = np.cumsum(np.where(np.abs(change) > EDGE, change, 0.0))
    return np.asarray(gaussian_filter1d(ground - edges, EVEN * rate, mode="nearest") + edges)


def _drift(path: Array, flying: NDArray[np.bool_]) -> Array:
    """By how much a path over the ground (T, 2) [m] is moved so that its steps stay the same while the body flies."""
    step = np.diff(path, axis=0)
    even = step.copy()
    for k in range(1, len(step)):
        if flying[k]:
            even[k] = even[k - 1]
    return np.concatenate([np.zeros((1, 2)), np.cumsum(even - step, axis=0)])


def _grounded(contacts: tuple[Contact, ...], flying: NDArray[np.bool_], rate: float) -> tuple[Contact, ...]:
    """What is left of contacts outside the frames (T,) in which the body flies."""
    out: list[Contact] = []
    for contact in contacts:
        first, last = round(contact.start * rate), min(round(contact.end * rate), len(flying) - 1)
        if not flying[first : last + 1].any():
            out.append(contact)
            continue
        on = np.concatenate([[False], ~flying[first : last + 1], [False]])
        for begin, end in np.flatnonzero(np.diff(on.astype(np.int8))).reshape(-1, 2):
            start, stop = (first + begin) / rate, (first + end - 1) / rate
            out.append(Contact(segment=contact.segment, start=start, end=stop))
    return tuple(sorted(out, key=lambda c: (c.start, c.segment)))
