"""Camera and poses from joints clicked in one or more frames, given the body's size ([V12] §6).

Camera (focal length, tilt, roll, height) and the poses of all frames are found together by least squares: the clicked
points must be seen where they were clicked, a body that stands or walks has a foot on the ground and its trunk over its
feet, hinges stay within their limits and near their rest, and the camera is near what is known or usual. That balance
is what tells the camera's tilt and roll: nothing else in a picture of a person says where down is. A body seen once can
face either way, so several headings are tried. The camera's yaw and place on the ground are free choices: x is to the
right in the picture, and the first frame's root stands over the origin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.geometry import rotation
from reenact.geometry.one_thread import one_thread
from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.motion.ik import neutral_stiffness
from reenact.motion.tree import move
from reenact.observe.camera import Camera
from reenact.observe.camera_equations import Frame, Scene
from reenact.observe.camera_guess import COUNT, FOCAL, HEIGHT, ROLL, TILT, Known
from reenact.observe.camera_points import named_points, points_of

Clicks = Mapping[str, tuple[float, float]]  # point -> pixel (u, v) from the picture's upper left corner

SOLES = ("heel_left", "heel_right", "toe_tip_left", "toe_tip_right")
TRUNK = ("hip_left", "hip_right", "shoulder_left", "shoulder_right")
FEWEST = 6  # points in a frame
HEADINGS = 8  # tried, evenly around
STEPS, POLISH = 25, 60  # of the search: for each heading, and of all frames together
SETTLED = 1e-6  # share of the cost by which a step must improve to go on


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SolvedCamera:
    """A camera with the poses that were solved beside it, and how sure it is."""

    camera: Camera
    poses: Array  # (F, 7 + A) in the camera's world
    seen: tuple[dict[str, Array], ...]  # per frame: point -> pixel (2,) where the solution puts it
    errors: tuple[dict[str, float], ...]  # per frame: point -> distance from the click [px]
    spread: dict[str, float]  # one standard deviation: focal [share], tilt, roll [rad], height [m]

    @property
    def rms_px(self) -> float:
        """Root mean square distance between clicks and solution [px]."""
        return float(np.sqrt(np.mean([e * e for frame in self.errors for e in frame.values()])))

    @property
    def worst(self) -> tuple[int, str, float]:
        """The click that fits least: frame, point, distance [px]."""
        return max(((i, n, e) for i, f in enumerate(self.errors) for n, e in f.items()), key=lambda item: item[2])


def solve_camera(
    clicks: Sequence[Clicks],
    body: Body,
    size: tuple[int, int],
    *,
    known: Known | None = None,
    standing: Sequence[bool] | None = None,
    spread: Sequence[float | None] | None = None,
    progress: Progress | None = None,
) -> SolvedCamera:
    """The camera of a picture of `size` (width, height) [px] in which a body's points were clicked.

    clicks: one mapping per frame. standing: whether the body stands or walks in a frame, that is has a foot on the
    ground and is over its feet; unless said in all. Not so in flight, upside down, or far out of balance. spread: how
    far the points of a frame may lie beside the joints [px], where they were not clicked by hand.
    """
    known = known or Known()
    tell = progress or (lambda fraction, what: None)
    frames = [_frame(one, body, size, i) for i, one in enumerate(clicks)]
    if not frames:
        raise InputError("no joints were clicked; at least one frame is needed")
    if standing is not None:
        if len(standing) != len(frames):
            raise InputError(f"standing has {len(standing)} values for {len(frames)} frames")
        frames = [replace(f, standing=bool(s)) for f, s in zip(frames, standing, strict=True)]
    if spread is not None:
        frames = [replace(f, spread=s) for f, s in zip(frames, spread, strict=True)]
    there = named_points(body)
    soles, trunk = (points_of(body, [name for name in names if name in there]) for names in (SOLES, TRUNK))
    pull = neutral_stiffness(frames[0].tree)
    scene = Scene(frames=tuple(frames), soles=soles, trunk=trunk, size=size, known=known, stiffness=pull)
    with one_thread():
        alone = []
        for i, frame in enumerate(frames):
            tell(0.8 * i / len(frames), f"frame {i + 1} alone")
            alone.append(_headings(replace(scene, frames=(frame,))))
        tell(0.8, "all frames together")
        solved = _solved(scene, *_together(scene, alone))
    tell(1.0, "done")
    return solved


def _frame(clicks: Clicks, body: Body, size: tuple[int, int], index: int) -> Frame:
    label = f"frame {index + 1}"
    if len(clicks) < FEWEST:
        raise InputError(f"{label}: {len(clicks)} points were clicked, at least {FEWEST} are needed")
    pixels = np.array([clicks[name] for name in clicks], float)
    for name, (u, v) in zip(clicks, pixels.tolist(), strict=True):
        if not (0 <= u <= size[0] and 0 <= v <= size[1]):
            raise InputError(f"{label}: '{name}' is at ({u:g}, {v:g}), outside of the {size[0]} × {size[1]} picture")
    if np.ptp(pixels, axis=0).max() < 10.0:
        raise InputError(f"{label}: all points lie within 10 pixels; the person is too small")
    return Frame(points=points_of(body, clicks), pixels=pixels)


def _headings(scene: Scene) -> list[tuple[float, Array, Array]]:
    """Solutions of one frame from several headings, best first: cost, camera's numbers (4,), poses (1, 7 + A)."""
    middle, _ = scene.known.expected(scene.size)
    found = []
    for k in range(HEADINGS):
        start = _start(scene, middle, 2.0 * np.pi * k / HEADINGS)
        found.append(_descend(scene, middle.copy(), start[None], STEPS))
    return sorted(found, key=lambda one: one[0])


def _start(scene: Scene, numbers: Array, heading: float) -> Array:
    """The body at rest with a heading, as far off as its points' spread in the picture says."""
    frame = scene.frames[0]
    pose = frame.tree.neutral()
    pose[3:7] = rotation.from_axis_angle([0.0, 0.0, 1.0], heading)
    points = frame.points.at(pose)
    camera = scene.known.camera(numbers, scene.size)
    across = np.linalg.norm(points - points.mean(axis=0)) / np.linalg.norm(frame.pixels - frame.pixels.mean(axis=0))
    ray = camera.rays(frame.pixels.mean(axis=0))
    ahead = camera.focal[0] * across / (ray @ camera.turn[2])
    pose[:3] = camera.position + ahead * ray - points.mean(axis=0)
    return pose


def _together(scene: Scene, alone: list[list[tuple[float, Array, Array]]]) -> tuple[Array, Array]:
    """All frames with one camera, from each frame's best heading; then each frame's next best is tried."""
    begin = np.median([one[0][1] for one in alone], axis=0)
    cost, numbers, poses = _descend(scene, begin, np.concatenate([one[0][2] for one in alone]), POLISH)
    if len(alone) == 1:
        return numbers, poses
    for i, choices in enumerate(alone):
        other = next((c for c in choices[1:] if _differs(c[2][0], poses[i])), None)
        if other is None:
            continue
        trial = poses.copy()
        trial[i] = other[2][0]
        tried = _descend(scene, numbers.copy(), trial, STEPS)
        if tried[0] < cost:
            cost, numbers, poses = tried
    return numbers, poses


def _differs(a: Array, b: Array) -> bool:
    """Whether two poses face ways more than 45° apart."""
    return bool(2.0 * np.arccos(min(1.0, abs(float(a[3:7] @ b[3:7])))) > np.pi / 4)


def _descend(scene: Scene, numbers: Array, poses: Array, steps: int) -> tuple[float, Array, Array]:
    """Levenberg and Marquardt's method."""
    damping, cost = 1e-3, scene.cost(numbers, poses)
    for _ in range(steps):
        matrix, gradient = scene.equations(numbers, poses)
        for _ in range(8):
            damped = matrix + damping * np.diag(np.diag(matrix) + 1e-6)
            step: Array = np.asarray(np.linalg.solve(damped, -gradient), np.float64)
            trial = numbers + step[:COUNT], move(poses, step[COUNT:].reshape(len(poses), -1))
            new = scene.cost(*trial)
            if new < cost:
                break
            damping *= 8.0
        else:
            return cost, numbers, poses
        gain, cost, damping = cost - new, new, max(1e-9, 0.2 * damping)
        numbers, poses = trial
        if gain < SETTLED * cost:
            break
    return cost, numbers, poses


def _solved(scene: Scene, numbers: Array, poses: Array) -> SolvedCamera:
    camera = scene.known.camera(numbers, scene.size)
    seen = [
        dict(zip(f.points.names, camera.project(f.points.at(pose)), strict=True))
        for f, pose in zip(scene.frames, poses, strict=True)
    ]
    errors = [
        {name: float(np.linalg.norm(at[name] - pixel)) for name, pixel in zip(f.points.names, f.pixels, strict=True)}
        for f, at in zip(scene.frames, seen, strict=True)
    ]
    inverse = np.linalg.inv(scene.equations(numbers, poses)[0])
    sigma = np.sqrt(np.diag(inverse)[:COUNT])
    shift = np.array([-poses[0, 0], -poses[0, 1], 0.0])
    moved = poses.copy()
    moved[:, :3] += shift
    return SolvedCamera(
        camera=camera.moved(rotation.IDENTITY, shift),
        poses=moved,
        seen=tuple(seen),
        errors=tuple(errors),
        spread={
            "focal": float(sigma[FOCAL]),
            "tilt": float(sigma[TILT]),
            "roll": float(sigma[ROLL]),
            "height": float(sigma[HEIGHT]),
        },
    )
