"""One camera and the poses of many frames from detected landmarks, see `walk_equations`.

The network's guess at where the landmarks are in space gives each frame's first pose, which decides which way a limb
points; the rest is least squares. A detector may take left for right in single frames: where the exchanged landmarks
fit the motion of the frames around much better, they are exchanged and all is solved again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from scipy.linalg import LinAlgError, solveh_banded

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.geometry import rotation
from reenact.geometry.one_thread import one_thread
from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.motion import ik
from reenact.motion.aims import Aims
from reenact.motion.ik import neutral_stiffness
from reenact.motion.tree import move
from reenact.observe.camera_equations import BALANCE, Scene
from reenact.observe.camera_guess import COUNT, FOCAL, HEIGHT, ROLL, TILT, Known
from reenact.observe.camera_points import BodyPoints, points_of
from reenact.observe.camera_solve import SOLES, TRUNK, SolvedCamera
from reenact.observe.walk_equations import Walk
from reenact.observe.walk_seen import SeenWalk, kind_of
from reenact.observe.walk_sides import exchanges, with_exchanged

FEWEST: Final = 6  # points in a frame
STEPS: Final = 60
SETTLED: Final = 1e-5  # share of the cost by which a step must improve to go on
STRANGE: Final = 3.0  # frames whose lean counts as known independently of each other: a walk leans alike throughout
ROUNDS: Final = 3  # in which left and right may be exchanged


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SolvedWalk:
    """What was solved, and what was found out about the landmarks."""

    solved: SolvedCamera
    seen: SeenWalk  # with left and right as they were taken in the end
    offsets: dict[str, Array]  # kind of landmark -> (3,) on its segment [m], ahead, outwards, up in the rest pose
    exchanged: tuple[tuple[int, str], ...]  # frames and limbs whose left and right were exchanged


def solve_walk(
    seen: SeenWalk, body: Body, size: tuple[int, int], *, known: Known | None = None, progress: Progress | None = None
) -> SolvedWalk:
    """The camera of a picture of `size` (width, height) [px], and the poses of all frames."""
    tell = progress or (lambda fraction, what: None)
    walk = walk_of(seen, body, size, known or Known())
    with one_thread():
        tell(0.0, "first poses")
        shared = np.zeros(walk.shared)
        shared[:COUNT] = walk.scene.known.expected(size)[0]
        poses = first_guesses(seen, walk, shared[:COUNT])
        exchanged: list[tuple[int, str]] = []
        for k in range(ROUNDS + 1):
            tell(0.1 + 0.9 * k / (ROUNDS + 1), "camera and poses of all frames together")
            shared, poses = descend(walk, shared, poses)
            wrong = exchanges(walk, shared, poses) if k < ROUNDS else []
            if not wrong:
                break
            exchanged += wrong
            seen = with_exchanged(seen, wrong)
            walk = replace(walk, pixels=seen.pixels, spread=seen.spread, planted=seen.planted)
    tell(1.0, "done")
    kinds = list(dict.fromkeys(kind_of(name)[0] for name in seen.names))
    return SolvedWalk(
        solved=_solved(walk, shared, poses),
        seen=seen,
        offsets=dict(zip(kinds, shared[COUNT:].reshape(-1, 3), strict=True)),
        exchanged=tuple(sorted(exchanged)),
    )


def walk_of(seen: SeenWalk, body: Body, size: tuple[int, int], known: Known, *, depth: bool = False) -> Walk:
    """The equations of what was seen; with `depth` the detector's guess at depth counts too, not only at the start.

    Where the camera is to be found it must not: its errors are alike in all frames and would tilt the camera.
    """
    count = np.isfinite(seen.pixels).all(axis=2).sum(axis=1)
    if not len(seen.time) or count.min() < FEWEST:
        raise InputError(f"a frame with {min(count, default=0)} landmarks, expected {FEWEST} or more in each")
    points, soles, trunk = (points_of(body, names) for names in (seen.names, SOLES, TRUNK))
    kinds = list(dict.fromkeys(kind_of(name)[0] for name in seen.names))
    mirrored = {"left": (1.0, 1.0, 1.0), "right": (1.0, -1.0, 1.0), "": (1.0, 0.0, 1.0)}
    strange = np.sqrt(max(1.0, len(seen.time) / STRANGE))
    scene = Scene(
        frames=(), soles=soles, trunk=trunk, size=size, known=known,
        stiffness=neutral_stiffness(points.tree), balance=BALANCE * float(strange),
    )  # fmt: skip
    hips = [seen.names.index(f"hip_{side}") for side in ("left", "right")]
    deeper = seen.space[..., 2] - seen.space[:, hips, 2].mean(axis=1, keepdims=True)
    return Walk(
        scene=scene,
        time=seen.time,
        points=points,
        group=np.array([kinds.index(kind_of(name)[0]) for name in seen.names]),
        sense=np.array([mirrored[kind_of(name)[1]] for name in seen.names]),
        pixels=seen.pixels,
        spread=seen.spread,
        depth=deeper if depth else np.full_like(deeper, np.nan),
        standing=seen.standing,
        planted=seen.planted,
    )


def first_guesses(seen: SeenWalk, walk: Walk, numbers: Array) -> Array:
    """Poses (F, 7 + A) near the landmarks in space, as far off as their spread in the picture says."""
    camera = walk.scene.known.camera(numbers, walk.scene.size)
    space = seen.space @ camera.turn  # in the world's axes
    points = walk.points
    start = np.tile(points.tree.neutral(), (len(space), 1))
    for i, each in enumerate(space):
        across = _between(seen, each, "hip") + _between(seen, each, "shoulder")
        start[i, 3:7] = rotation.from_axis_angle([0.0, 0.0, 1.0], np.arctan2(-across[0], across[1]))
        start[i, :3] = each.mean(axis=0) - points.at(start[i]).mean(axis=0)
    poses, _ = ik.solve(points.tree, _aims(points, space), start, iterations=40)
    for i, pose in enumerate(poses):
        there = np.isfinite(seen.pixels[i]).all(axis=1)
        pixels, at = seen.pixels[i][there], points.at(pose)[there]
        local = at @ camera.turn.T
        wide = np.linalg.norm(local[:, :2] - local[:, :2].mean(axis=0))
        ray = camera.rays(pixels.mean(axis=0))
        ahead = camera.focal[0] * wide / np.linalg.norm(pixels - pixels.mean(axis=0)) / (ray @ camera.turn[2])
        poses[i, :3] += camera.position + ahead * ray - at.mean(axis=0)
    return poses


def _between(seen: SeenWalk, space: Array, kind: str) -> Array:
    """From right to left (3,)."""
    left, right = (space[seen.names.index(f"{kind}_{side}")] for side in ("left", "right"))
    return np.asarray(left - right)


def _aims(points: BodyPoints, target: Array) -> Aims:
    count = len(points.names)
    return Aims(
        sites=points.names,
        segment=points.segment,
        local=points.local,
        spread=np.zeros(count),
        weight=np.full(count, 0.1),
        target=target,
        turn_segment=np.empty(0, np.int64),
        turn_weight=np.empty(0),
        turn_target=np.empty((len(target), 0, 3, 3)),
    )


def descend(walk: Walk, shared: Array, poses: Array, steps: int = STEPS) -> tuple[Array, Array]:
    """Levenberg and Marquardt's method; poses far apart in time do not know of each other, which is made use of."""
    damping, cost = 1e-3, walk.cost(shared, poses)
    for _ in range(steps):
        matrix, gradient = walk.equations(shared, poses)
        for _ in range(10):
            step = _step(matrix, gradient, damping, walk.shared, 2 * walk.points.tree.dofs + 3)
            if step is not None:
                trial = shared + step[: walk.shared], move(poses, step[walk.shared :].reshape(len(poses), -1))
                new = walk.cost(*trial)
                if new < cost:
                    break
            damping *= 8.0
        else:
            return shared, poses
        gain, cost, damping = cost - new, new, max(1e-9, 0.2 * damping)
        shared, poses = trial
        if gain < SETTLED * cost:
            break
    return shared, poses


def _step(matrix: Array, gradient: Array, damping: float, shared: int, width: int) -> Array | None:
    """The damped step (N,): the poses' part of the matrix is banded, what they share comes before it."""
    diagonal = np.diag(matrix)
    add = damping * (diagonal + 1e-6)
    poses = matrix[shared:, shared:]
    size = len(poses)
    bands = np.zeros((min(width, size), size))
    for k in range(len(bands)):
        bands[k, : size - k] = np.diagonal(poses, -k)
    bands[0] += add[shared:]
    right = np.column_stack([matrix[shared:, :shared], gradient[shared:]])
    try:
        solved = solveh_banded(bands, right, lower=True, check_finite=False)
        left = matrix[:shared, :shared] + np.diag(add[:shared]) - matrix[:shared, shared:] @ solved[:, :-1]
        first = np.linalg.solve(left, matrix[:shared, shared:] @ solved[:, -1] - gradient[:shared])
    except (LinAlgError, np.linalg.LinAlgError):
        return None
    return np.concatenate([first, -solved[:, -1] - solved[:, :-1] @ first])


def _solved(walk: Walk, shared: Array, poses: Array) -> SolvedCamera:
    camera = walk.scene.known.camera(shared[:COUNT], walk.scene.size)
    seen, errors = [], []
    for i, pose in enumerate(poses):
        at = walk.seen(shared, pose)
        there = np.flatnonzero(np.isfinite(walk.pixels[i]).all(axis=1))
        seen.append({walk.points.names[k]: at[k] for k in there})
        errors.append({walk.points.names[k]: float(np.linalg.norm(at[k] - walk.pixels[i, k])) for k in there})
    matrix = walk.equations(shared, poses)[0]
    sigma = np.sqrt(np.diag(np.linalg.inv(matrix))[:COUNT])
    shift = np.array([-poses[0, 0], -poses[0, 1], 0.0])
    moved = poses.copy()
    moved[:, :3] += shift
    places = {"focal": FOCAL, "tilt": TILT, "roll": ROLL, "height": HEIGHT}
    return SolvedCamera(
        camera=camera.moved(rotation.IDENTITY, shift),
        poses=moved,
        seen=tuple(seen),
        errors=tuple(errors),
        spread={name: float(sigma[place]) for name, place in places.items()},
    )
