"""The solver's own kinematics equal the engine's, and its derivatives are right."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from reenact.body.load import load_body
from reenact.body.mjcf import bare_model
from reenact.geometry import rotation
from reenact.motion.aims import Aims
from reenact.motion.branches import limbs_of
from reenact.motion.kinematics import forward, new_placed
from reenact.motion.lowest import lowest_by_segment, lowest_points, shapes_of
from reenact.motion.misfit import equations, misfit
from reenact.motion.motion import velocities
from reenact.motion.tree import Tree, difference, move, tree_of

BODIES = ("adult", "human50", "robot35")


def random_poses(tree: Tree, count: int, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    lower, upper = tree.limits
    poses = np.zeros((count, 1 + tree.dofs))
    poses[:, :3] = random.normal(size=(count, 3))
    poses[:, 3:7] = rotation.normalize(random.normal(size=(count, 4)))
    poses[:, 7:] = random.uniform(0.9 * lower, 0.9 * upper, (count, len(lower)))
    return poses


@pytest.mark.parametrize("name", BODIES)
def test_forward_kinematics_equals_the_engine(name: str) -> None:
    body = load_body(name)
    tree, model = tree_of(body), bare_model(body)
    data = mujoco.MjData(model)
    poses = random_poses(tree, 5)
    position, frame = forward(tree, poses)
    for k, pose in enumerate(poses):
        data.qpos[:] = pose
        mujoco.mj_kinematics(model, data)
        np.testing.assert_allclose(position[k], data.xpos[1:], rtol=0, atol=1e-12)
        np.testing.assert_allclose(frame[k].reshape(-1, 9), data.xmat[1:], rtol=0, atol=1e-12)


def test_tangents_and_velocities_equal_the_engine() -> None:
    body = load_body("adult")
    tree, model = tree_of(body), bare_model(body)
    a, b = random_poses(tree, 2)
    between, moved = np.zeros(model.nv), a.copy()
    mujoco.mj_differentiatePos(model, between, 1.0, a, b)
    np.testing.assert_allclose(difference(a, b), between, atol=1e-12)
    step = np.linspace(-0.2, 0.3, model.nv)
    mujoco.mj_integratePos(model, moved, step, 1.0)
    np.testing.assert_allclose(move(a, step), moved, atol=1e-12)
    spinning = np.repeat(a[None], 5, axis=0)
    for t in range(5):
        spinning[t] = move(a, t * 0.01 * step)
    np.testing.assert_allclose(velocities(spinning, 100.0)[2], step, atol=1e-3)


def test_gradient_and_curvature_by_finite_differences() -> None:
    tree = tree_of(load_body("adult"))
    random = np.random.default_rng(1)
    pose, other = random_poses(tree, 2, seed=2)
    count = len(tree.names)
    position, frame = forward(tree, other[None])
    local = random.normal(scale=0.1, size=(count, 3))
    aims = Aims(
        sites=tree.joints, segment=np.arange(count), local=local, spread=np.zeros(count),
        weight=random.uniform(0.1, 1.0, count), target=position, turn_segment=np.arange(count),
        turn_weight=random.uniform(0.1, 1.0, count), turn_target=frame,
    )  # fmt: skip
    for huber in (np.inf, 0.3):  # at 0.3 m some points are beyond and count linearly
        hessian, gradient = np.zeros((tree.dofs, tree.dofs)), np.zeros(tree.dofs)
        placed = new_placed(tree.arrays)
        cost = equations(tree.arrays, aims.arrays(), 0, pose, huber, placed, hessian, gradient)
        assert cost == pytest.approx(misfit(tree.arrays, aims.arrays(), 0, pose, huber, placed), rel=1e-12)
        numeric = np.empty(tree.dofs)
        for i in range(tree.dofs):
            step = np.zeros(tree.dofs)
            step[i] = 1e-6
            ahead = misfit(tree.arrays, aims.arrays(), 0, move(pose, step), huber, placed)
            behind = misfit(tree.arrays, aims.arrays(), 0, move(pose, -step), huber, placed)
            numeric[i] = (ahead - behind) / 2e-6
        np.testing.assert_allclose(gradient, numeric, rtol=1e-5, atol=1e-3 * np.abs(numeric).max())
    # At the solution Gauss–Newton's matrix is the true second derivative.
    hessian, gradient = np.zeros((tree.dofs, tree.dofs)), np.zeros(tree.dofs)
    exact = aims.with_local(np.zeros((count, 3)))
    equations(tree.arrays, exact.arrays(), 0, other, np.inf, new_placed(tree.arrays), hessian, gradient)
    step = random.normal(size=tree.dofs)
    full = hessian + np.tril(hessian, -1).T
    small = 1e-4
    grown = misfit(tree.arrays, exact.arrays(), 0, move(other, small * step), np.inf, new_placed(tree.arrays))
    assert grown == pytest.approx(0.5 * small**2 * step @ full @ step, rel=1e-2)


@pytest.mark.parametrize("name", BODIES)
def test_lowest_points_equal_the_engine(name: str) -> None:
    body = load_body(name)
    tree, model = tree_of(body), bare_model(body)
    data = mujoco.MjData(model)
    poses = random_poses(tree, 8, seed=3)
    height, point = lowest_points(tree, shapes_of(body), poses)
    names = [g.name for s in body.segments for g in s.shapes]
    frames = forward(tree, poses)
    owners = shapes_of(body).segment
    for k, pose in enumerate(poses):
        data.qpos[:] = pose
        mujoco.mj_kinematics(model, data)
        for g, geom in enumerate(names):
            i = model.geom(geom).id
            assert height[k, g] == pytest.approx(_lowest_by_sampling(model, data, i), abs=5e-4)
            there = frames[0][k, owners[g]] + frames[1][k, owners[g]] @ point[k, g]
            assert there[2] == pytest.approx(height[k, g], abs=1e-12)


def _lowest_by_sampling(model: mujoco.MjModel, data: mujoco.MjData, geom: int) -> float:
    """Lowest of many points on a shape's surface, the least of which is at most 0.5 mm too high."""
    size, turn = model.geom_size[geom], data.geom_xmat[geom].reshape(3, 3)
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 181), np.linspace(0, np.pi, 91))
    ball = np.stack([np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)], axis=-1).reshape(-1, 3)
    kind = model.geom_type[geom]
    if kind == mujoco.mjtGeom.mjGEOM_BOX:
        points = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T * size
    elif kind == mujoco.mjtGeom.mjGEOM_ELLIPSOID:
        points = ball * size
    else:
        half = size[1] if kind == mujoco.mjtGeom.mjGEOM_CAPSULE else 0.0
        points = size[0] * ball + np.where(ball[:, 2:] > 0, 1, -1) * [0, 0, half]
    return float((data.geom_xpos[geom] + points @ turn.T)[:, 2].min())


def test_material_speed_is_zero_on_a_rolling_ball_and_right_on_a_sliding_one() -> None:
    body = load_body("adult")
    tree = tree_of(body)
    poses = np.repeat(tree.neutral()[None], 5, axis=0)
    poses[:, 0] = 0.02 * np.arange(5)  # 2 m/s at 100 Hz
    lowest = lowest_by_segment(body, tree, poses, 100.0)
    np.testing.assert_allclose(lowest.speed, 2.0, atol=1e-9)
    turning = np.repeat(tree.neutral()[None], 5, axis=0)
    sole = float(lowest.height.min())
    for t in range(5):  # the body turns about a lateral axis through its soles: what is lowest stands still
        angle = 0.02 * (t - 2)
        turning[t, 3:7] = rotation.from_axis_angle([0.0, 1.0, 0.0], angle)
        turning[t, :3] = np.array([0, 0, sole]) - rotation.rotate(turning[t, 3:7], [0, 0, sole])
    lowest = lowest_by_segment(body, tree, turning, 100.0)
    feet = [p for p, s in enumerate(lowest.segments) if body.segments[s].part == "foot"]
    assert lowest.speed[2, feet].max() < 0.6 < lowest.speed[2].max()


def test_limbs_are_the_chains_that_hang_on_the_trunk() -> None:
    tree = tree_of(load_body("adult"))
    groups = dict(zip(tree.names, limbs_of(tree), strict=True))
    assert groups["pelvis"] == groups["abdomen"] == groups["thorax"] == 0
    assert groups["thigh_left"] == groups["toes_left"] != groups["thigh_right"]
    assert len(set(groups.values())) == 6
