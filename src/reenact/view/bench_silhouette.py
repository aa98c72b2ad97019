"""How exact the silhouettes are, against the engine's own drawing, and how many are drawn in a second."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from reenact.body.load import load_body
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.measure import Progress, Row
from reenact.motion.tree import Tree
from reenact.observe.camera import Camera
from reenact.observe.machine_seen_speed import cost_of_looking
from reenact.observe.projection import Projection, projection_of
from reenact.observe.projection_speed import cost_in_the_loop, seconds_per_frame
from reenact.observe.projection_table import pack
from reenact.view.seen_by_engine import SLICES, SeenByEngine

BODIES: Final = ("adult", "human50", "robot35")
PICTURE: Final = (1920, 1080)
VIEWS: Final = 300  # random poses, each by a random camera, of each body
QUICK_VIEWS: Final = 40
FRAMES: Final = 240  # of one timing
SEED: Final = 5
IOU_GOAL, SPEED_GOAL, COST_GOAL = 0.99, 100_000, 1.4
SIDE_VIEW: Final = 4.0  # [m] to the side camera of the timing


def bench_silhouette(*, quick: bool = False, progress: Progress | None = None) -> Iterator[Row]:
    """Rows of the silhouettes' bench."""
    tell = progress or (lambda fraction, what: None)
    rng = np.random.default_rng(SEED)
    scores: dict[str, Array] = {}
    for i, name in enumerate(BODIES):
        tell(0.8 * i / len(BODIES), f"{name} against the engine's drawing")
        scores[name] = overlap_with_engine(name, QUICK_VIEWS if quick else VIEWS, rng)
    every = np.concatenate(list(scores.values()))
    unit = f"mean IoU at 160 × 90, {len(every)} random poses and cameras"
    peer = f"1 is the engine's own segmentation, {SLICES} slices"
    mean = float(every.mean())
    yield Row(name="silhouette.iou", value=mean, unit=unit, goal=f"≥ {IOU_GOAL:g}", holds=mean >= IOU_GOAL, peer=peer)
    yield Row(name="silhouette.iou_least", value=float(every.min()), unit="IoU of the worst of them")
    for name, score in scores.items():
        yield Row(name=f"silhouette.iou_{name}", value=float(score.mean()), unit="mean IoU")
    tell(0.8, "frames per second")
    yield from _speed(5 if quick else 40)
    tell(1.0, "done")


def overlap_with_engine(name: str, views: int, rng: np.random.Generator) -> Array:
    """IoU (views,) of our silhouettes of a body with the engine's, random poses seen by random cameras."""
    body = load_body(name)
    scores = np.empty(views)
    with SeenByEngine(body, projection_of(body, random_camera(rng)).camera) as engine:
        for i in range(views):
            projection = projection_of(body, random_camera(rng))
            pose = random_poses(rng, projection.tree, 1)
            ours, theirs = projection.silhouettes(pose)[0], engine.mask(pose[0], projection.camera)
            scores[i] = np.count_nonzero(ours & theirs) / np.count_nonzero(ours | theirs)
    return scores


def random_camera(rng: np.random.Generator) -> Camera:
    """A camera somewhere around the origin, at any height, that has the person in view but seldom in its middle."""
    around, distance, height = rng.uniform(-np.pi, np.pi), rng.uniform(2.0, 6.0), rng.uniform(0.2, 2.8)
    position = np.array([distance * np.cos(around), distance * np.sin(around), height])
    ahead = rng.normal([0.0, 0.0, 0.9], 0.25) - position
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    axes = np.stack([right, np.cross(ahead, right), ahead], axis=1)  # columns: the camera's axes in the world
    roll = rotation.from_axis_angle([0.0, 0.0, 1.0], rng.normal(0.0, 0.15))
    return Camera(
        size=PICTURE,
        focal=rng.uniform(1100.0, 1900.0) * np.array([1.0, rng.uniform(0.98, 1.02)]),
        centre=np.array([960.0, 540.0]) + rng.normal(0.0, 30.0, 2),
        position=position,
        orientation=rotation.multiply(rotation.from_matrix(axes), roll),
    )


def random_poses(rng: np.random.Generator, tree: Tree, count: int) -> Array:
    """Poses (count, 7 + A) near the origin: hinges anywhere in the middle of their range, any heading, much lean."""
    lower, upper = tree.limits
    poses = np.tile(tree.neutral(), (count, 1))
    poses[:, :3] = rng.normal([0.0, 0.0, 0.95], 0.1, (count, 3))
    turn = rotation.from_axis_angle([0.0, 0.0, 1.0], rng.uniform(-np.pi, np.pi, count))
    poses[:, 3:7] = rotation.multiply(turn, rotation.from_rotvec(rng.normal(0.0, 0.4, (count, 3))))
    middle, half = 0.5 * (lower + upper), 0.5 * np.minimum(upper - lower, 3.0)
    poses[:, 7:] = middle + 0.7 * half * rng.uniform(-1.0, 1.0, (count, len(lower)))
    return poses


def _speed(rounds: int) -> Iterator[Row]:
    body = load_body("adult")
    projection, poses = side_view(FRAMES)
    masks = pack(projection.silhouettes(np.roll(poses, 7, axis=0)))
    seconds, drawn = seconds_per_frame(projection, poses, masks, rounds)
    rate = 1.0 / seconds
    grid = f"{projection.columns} × {projection.rows}"
    unit = f"1/s, one core, overlap counts included; {body.name}, {drawn:.0f} cells of {grid} on"
    yield Row(
        name="silhouette.frames_per_s", value=rate, unit=unit, goal=f"≥ {SPEED_GOAL:,}", holds=rate >= SPEED_GOAL,
        peer="150,000: an experiment with the same method",
    )  # fmt: skip
    ratio = cost_in_the_loop(body, projection, max(3, rounds // 4))
    yield Row(
        name="silhouette.cost_ratio", value=ratio, unit="× the simulation alone, 60 Hz masks in a loop of 120 Hz",
        goal=f"≤ {COST_GOAL:g}", holds=ratio <= COST_GOAL, peer="1.4: [V12] §6.2, video against motion capture",
    )  # fmt: skip
    looking = cost_of_looking(body, [projection], max(3, rounds // 4))
    yield Row(
        name="silhouette.machine_cost_ratio", value=looking, goal=f"≤ {COST_GOAL:g}", holds=looking <= COST_GOAL,
        unit="× a state machine held against markers alone, 60 Hz masks besides",
        peer="1.4: [V12] §6.2, video against motion capture",
    )  # fmt: skip
    yield Row(name="silhouette.share", value=1.0 - 1.0 / ratio, unit="of the loop's time goes to silhouettes")


def side_view(count: int) -> tuple[Projection, Array]:
    """The adult from the side at 4 m, 70 cells tall, and poses like those of a walk."""
    body = load_body("adult")
    axes = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])  # looks along +y
    camera = Camera(
        size=PICTURE,
        focal=np.array([1900.0, 1900.0]),
        centre=np.array([960.0, 540.0]),
        position=np.array([0.0, -SIDE_VIEW, 0.9]),
        orientation=rotation.from_matrix(axes),
    )
    projection = projection_of(body, camera)
    phase = np.linspace(0.0, 8.0 * np.pi, count)
    poses = np.tile(projection.tree.neutral(), (count, 1))
    poses[:, 2] = body.segments[0].offset[2]
    for side, sign in (("left", 1.0), ("right", -1.0)):
        for axis, swing, bend in (("hip", 0.4, 0.1), ("knee", 0.4, 0.45), ("shoulder", -0.4, 0.0), ("elbow", 0.2, 0.4)):
            at = projection.tree.hinges.index(f"{axis}_{side}_flexion")
            poses[:, 7 + at] = bend + sign * swing * np.sin(phase)
    return projection, poses
