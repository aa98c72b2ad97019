"""Put a motion, recorded on a level floor, into a world: where its start is, on its ground, sunk into nothing."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np

from reenact.control.clear import clear_of
from reenact.control.glide import glide_of, gliding
from reenact.control.over_ground import Staged, over_ground
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.motion import Motion
from reenact.physics.model import Model
from reenact.physics.state import State
from reenact.world.ground import ground_height
from reenact.world.world import World

SHORTEST_WAY = 0.5  # [m]; a root that goes less far has no direction
STRAIGHTEST = 0.08  # of its way: a root that strays more from a line goes in a curve


def staged(motion: Motion, model: Model) -> Staged:
    """The motion where its world wants it: on the ground all along, and where places differ, from the origin on.

    Worlds are laid out for a body that starts at the origin and faces +x. On a bare level plane, which is the same
    everywhere, a motion stays where it was recorded; on a slope without hold it glides down. This is what a simulation
    follows and what it is judged against.
    """
    moved = motion if _same_everywhere(model.world) else _from_origin(motion)
    if (glide := glide_of(model)) is not None:
        return gliding(moved, model, glide)
    return over_ground(moved, model.world, lift_onto(model, moved.qpos[0]))


def _same_everywhere(world: World) -> bool:
    return not (world.parts or world.things) and world.ground.slope_deg == 0.0


def _from_origin(motion: Motion) -> Motion:
    """The motion moved and turned on the floor so that it starts at the origin and goes along +x.

    A root that goes straight, in whatever direction the body faces, is put on the x axis as a whole: a walker's pelvis
    swings to and fro, and only its mean path follows a beam. Otherwise the first pose stands at the origin and faces +x
    on average over the first second.
    """
    first = motion.qpos[0, :3] * [1.0, 1.0, 0.0]
    ahead = rotation.rotate(motion.qpos[: max(1, round(motion.rate)), 3:7], rotation.AXES["x"]).mean(axis=0)[:2]
    straight = _straight_line(motion.qpos[:, :2])
    if straight is not None:
        ahead, centre = straight
        first[:2] = centre + ((first[:2] - centre) @ ahead) * ahead
    turn = rotation.from_axis_angle(rotation.AXES["z"], -np.arctan2(ahead[1], ahead[0]))
    qpos = motion.qpos.copy()
    qpos[:, :3] = rotation.rotate(turn, qpos[:, :3] - first)
    qpos[:, 3:7] = rotation.multiply(turn, qpos[:, 3:7])
    return replace(motion, qpos=qpos, joints=rotation.rotate(turn, motion.joints - first))


def _straight_line(path: Array) -> tuple[Array, Array] | None:
    """Direction (2,) and a point (2,) of the line that a path (T, 2) follows, None where it goes nowhere or bends."""
    way = path[-1] - path[0]
    centre = path.mean(axis=0)
    ahead = np.linalg.svd(path - centre, full_matrices=False)[2][0]
    ahead = ahead * np.sign(ahead @ way)
    aside = (path - centre) @ [-ahead[1], ahead[0]]
    if ahead @ way < SHORTEST_WAY or aside.std() > STRAIGHTEST * float(ahead @ way):
        return None
    return ahead, centre


def lift_onto(model: Model, qpos: Array) -> float:
    """How much higher [m] a pose (7+A,) recorded on the plane z = 0 must stand so that it overlaps nothing."""
    return clear_of(model, qpos, ground_under(model, qpos))


def start_state(model: Model, qpos: Array, qvel: Array) -> State:
    """The state in which the body has a pose (7+A,) and velocities (6+A,), and all else is at rest."""
    position, velocity = model.mj.qpos0.copy(), np.zeros(model.mj.nv)
    position[: len(qpos)] = qpos
    velocity[: len(qvel)] = qvel
    return State(qpos=position, qvel=velocity)


def ground_under(model: Model, qpos: Array) -> float:
    """The highest ground [m] under a pose (7+A,): under any of the points it stands on."""
    points = standing_points(model, qpos)
    return float(np.max(ground_height(model.world, points[:, 0], points[:, 1])))


def standing_points(model: Model, qpos: Array) -> Array:
    """The landmarks (n, 3) of a pose (7+A,) that are lowest, e.g. heels and toes."""
    data = mujoco.MjData(model.mj)
    data.qpos[: len(qpos)] = qpos
    mujoco.mj_kinematics(model.mj, data)
    names = model.body.segment_names
    points = np.array(
        [
            data.xpos[b] + data.xmat[b].reshape(3, 3) @ point
            for segment, point in model.body.landmarks.values()
            for b in (model.segment_body[names.index(segment)],)
        ]
    ).reshape(-1, 3)
    if not len(points):
        points = data.xpos[model.segment_body]
    return np.asarray(points[points[:, 2] <= points[:, 2].min() + 0.1])
