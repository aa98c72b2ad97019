"""Silhouettes against rays cast through every cell, and against the engine's own drawing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.body.body import Body, Shape
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.observe.camera import Camera, CameraError
from reenact.observe.projection import Projection, mismatches, projection_of
from reenact.observe.projection_table import pack, unpack
from reenact.view.bench_silhouette import overlap_with_engine, random_camera, random_poses
from reenact.view.offscreen import RenderError

BODY = adult()


def cast(body: Body, camera: Camera, pose: Array, projection: Projection) -> np.ndarray:
    """Which cells' rays meet a shape, one shape after the other."""
    columns, rows = camera.size
    pixels = np.stack(np.meshgrid(np.arange(columns) + 0.5, np.arange(rows) + 0.5), axis=-1)
    rays = camera.rays(pixels)
    origin, frame = forward(projection.tree, pose[None])
    mask = np.zeros((rows, columns), bool)
    for s, segment in enumerate(body.segments):
        for shape in segment.shapes:
            turn = frame[0, s] @ rotation.to_matrix(shape.orientation)
            middle = origin[0, s] + frame[0, s] @ shape.position
            mask |= _hit((camera.position - middle) @ turn, rays @ turn, shape)
    return mask


def _hit(start: Array, rays: Array, shape: Shape) -> np.ndarray:
    """Rays from `start` (3,) in the shape's own frame."""
    size = shape.size
    if shape.kind == "box":
        with np.errstate(divide="ignore"):
            one, two = (-size - start) / rays, (size - start) / rays
        return np.minimum(one, two).max(axis=-1) <= np.maximum(one, two).min(axis=-1)
    if shape.kind == "capsule":
        ends = np.linspace(-size[1], size[1], 400)  # spheres along the axis: dense enough at this grid
        centres = np.stack([0 * ends, 0 * ends, ends], axis=-1) - start
        along = rays @ centres.T
        return (np.sum(centres**2, axis=-1) - along**2 <= size[0] ** 2).any(axis=-1)
    scale = size if shape.kind == "ellipsoid" else np.full(3, size[0])
    o, d = start / scale, rays / scale
    b = np.sum(o * d, axis=-1)
    return b * b >= np.sum(d * d, axis=-1) * (o @ o - 1.0)


@pytest.mark.parametrize("kind", ["sphere", "capsule", "ellipsoid", "box"])
def test_each_shape_against_rays(kind: str) -> None:
    size = {"sphere": [0.2], "capsule": [0.08, 0.3], "ellipsoid": [0.1, 0.25, 0.3], "box": [0.1, 0.2, 0.3]}[kind]
    turn = rotation.from_rotvec([0.4, -0.7, 0.9])
    shape = Shape(name="one", kind=kind, position=np.array([0.1, 0.0, 0.2]), orientation=turn, size=np.array(size))  # type: ignore[arg-type]
    segments = (replace(BODY.segments[0], shapes=(shape,)), *(replace(s, shapes=()) for s in BODY.segments[1:]))
    rng = np.random.default_rng(3)
    differing = total = 0
    for _ in range(6):
        projection = projection_of(BODY, random_camera(rng), (80, 45))
        projection = replace(projection, shapes=projection_of_segments(segments))
        pose = random_poses(rng, projection.tree, 1)
        ours = projection.silhouettes(pose)[0]
        rays = cast(_Segments(segments), projection.camera, pose[0], projection)  # type: ignore[arg-type]
        differing += np.count_nonzero(ours ^ rays)
        total += np.count_nonzero(rays)
    assert total > 100
    assert differing <= (total // 200 if kind == "capsule" else 0)  # rays meet a capsule cut into spheres


class _Segments:
    """As much of a body as has shapes."""

    def __init__(self, segments: tuple[object, ...]) -> None:
        self.segments = segments


def projection_of_segments(segments: tuple[object, ...]) -> Array:
    from reenact.observe.projection_table import shape_numbers

    return shape_numbers(_Segments(segments))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["adult", "robot35"])
def test_against_the_engines_drawing(name: str) -> None:
    try:
        scores = overlap_with_engine(name, 25, np.random.default_rng(7))
    except RenderError as error:
        pytest.skip(str(error))
    assert scores.mean() > 0.998
    assert scores.min() > 0.97


def test_a_body_cut_by_the_pictures_edge_is_the_same_where_it_is_seen() -> None:
    rng = np.random.default_rng(11)
    camera = random_camera(rng).resized(160, 90)
    pose = random_poses(rng, projection_of(BODY, camera, (160, 90)).tree, 4)
    whole = projection_of(BODY, camera, (160, 90)).silhouettes(pose)
    for left, top in ((70, 40), (-30, -20), (80, 0)):
        part = projection_of(BODY, camera.cropped(left, top, 64, 40), (64, 40)).silhouettes(pose)
        kept = np.zeros_like(part)
        for v in range(40):
            for u in range(64):
                if 0 <= u + left < 160 and 0 <= v + top < 90:
                    kept[:, v, u] = True
        rows, columns = np.arange(40) + top, np.arange(64) + left
        same = whole[:, np.clip(rows, 0, 89)][:, :, np.clip(columns, 0, 159)]
        assert (part[kept] == same[kept]).all()
    assert whole.sum() > 400


def test_counts_are_those_of_whole_masks() -> None:
    rng = np.random.default_rng(5)
    projection = projection_of(BODY, random_camera(rng))
    poses = random_poses(rng, projection.tree, 5)
    drawn = projection.silhouettes(poses)
    masks = np.roll(drawn, 3, axis=2) ^ (rng.random(drawn.shape) < 0.02)
    masks[4] = False
    counts = projection.overlaps(poses, pack(masks))
    assert counts[:, 0].tolist() == np.count_nonzero(drawn & masks, axis=(1, 2)).tolist()
    assert counts[:, 1].tolist() == np.count_nonzero(masks & ~drawn, axis=(1, 2)).tolist()
    assert counts[:, 2].tolist() == np.count_nonzero(drawn & ~masks, axis=(1, 2)).tolist()
    terms = mismatches(counts)
    y, r, b = counts[0]
    assert terms[0] == pytest.approx(b / (b + y) + r / (r + y))
    assert terms[4] == pytest.approx(2.0)  # nothing was seen and something drawn
    assert (unpack(pack(masks), projection.columns) == masks).all()
    assert np.isfinite(projection.block(pack(masks))).all()


def test_a_body_behind_the_camera_or_around_it_is_not_drawn() -> None:
    camera = random_camera(np.random.default_rng(1))
    projection = projection_of(BODY, camera)
    pose = random_poses(np.random.default_rng(2), projection.tree, 2)
    pose[0, :3] = camera.position - 3.0 * camera.turn[2]
    pose[1, :3] = camera.position
    masks = projection.silhouettes(pose)
    assert not masks[0].any()
    assert masks.shape == (2, 90, 160)


def test_grids_and_masks_of_the_wrong_size() -> None:
    camera = random_camera(np.random.default_rng(1))
    assert projection_of(BODY, camera.resized(1768, 994)).camera.size == (160, 90)
    assert projection_of(BODY, camera.resized(1080, 1920)).camera.size == (90, 160)
    with pytest.raises(CameraError, match="500 × 90 cells"):
        projection_of(BODY, camera, (500, 90))
    projection = projection_of(BODY, camera)
    pose = projection.tree.neutral()[None]
    with pytest.raises(CameraError, match="expected packed rows"):
        projection.overlaps(pose, pack(np.zeros((1, 80, 160), bool)))
    with pytest.raises(CameraError, match="1 poses and 2 masks"):
        projection.overlaps(pose, pack(np.zeros((2, 90, 160), bool)))
