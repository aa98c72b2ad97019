"""Features of states against MuJoCo, which computes them another way."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from reenact.body.body import Body
from reenact.body.load import load_body
from reenact.body.mjcf import bare_model
from reenact.estimate.sampling.features import Features, anatomy_of

COUNT = 6
NAMES = ("human50", "laikago", "adult")


def at_random(body: Body, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """States all over the place: positions (n, 7+A) and velocities (n, 6+A)."""
    rng = np.random.default_rng(seed)
    axes = len(body.axes)
    turns = Rotation.random(COUNT, random_state=seed).as_quat(scalar_first=True)
    qpos = np.concatenate([rng.normal(size=(COUNT, 3)), turns, rng.uniform(-2.0, 2.0, (COUNT, axes))], axis=1)
    return qpos, 3.0 * rng.normal(size=(COUNT, 6 + axes))


def velocity(model: mujoco.MjModel, data: mujoco.MjData, kind: mujoco.mjtObj, body: int) -> tuple[np.ndarray, ...]:
    """Angular and linear velocity in the world's axes."""
    both = np.zeros(6)
    mujoco.mj_objectVelocity(model, data, kind, body, both, 0)
    return both[:3], both[3:]


@pytest.mark.parametrize("name", NAMES)
def test_features_are_those_of_mujoco(name: str) -> None:
    body = load_body(name)
    model, (qpos, qvel) = bare_model(body), at_random(body)
    features = anatomy_of(body).features(qpos, qvel)
    data = mujoco.MjData(model)
    near = {"rtol": 0, "atol": 1e-9}
    tips = [model.body(tip).id for tip in body.end_effectors]
    jointed = [s for s in body.segments[1:] if model.body(s.name).jntnum[0]]
    assert features.turns.shape == (COUNT, len(jointed), 4)
    for n in range(COUNT):
        data.qpos[:], data.qvel[:] = qpos[n], qvel[n]
        mujoco.mj_forward(model, data)
        mujoco.mj_subtreeVel(model, data)
        np.testing.assert_allclose(features.com[n], data.subtree_com[1], **near)
        np.testing.assert_allclose(features.com_velocity[n], data.subtree_linvel[1], **near)
        np.testing.assert_allclose(features.root[n], data.xquat[1], **near)
        spin, _ = velocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, 1)
        np.testing.assert_allclose(features.root_spin[n], spin, **near)
        np.testing.assert_allclose(features.tips[n], data.xipos[tips], **near)
        moving = [velocity(model, data, mujoco.mjtObj.mjOBJ_BODY, tip)[1] for tip in tips]
        np.testing.assert_allclose(features.tip_velocities[n], moving, **near)
        for j, segment in enumerate(jointed):
            turn, spin = relative(model, data, segment.name)
            np.testing.assert_allclose(
                Rotation.from_quat(features.turns[n, j], scalar_first=True).as_matrix(), turn, **near
            )
            np.testing.assert_allclose(features.spins[n, j], spin, **near)


def relative(model: mujoco.MjModel, data: mujoco.MjData, segment: str) -> tuple[np.ndarray, np.ndarray]:
    """A segment's rotation matrix and angular velocity in its parent's frame."""
    child = model.body(segment).id
    parent = model.body_parentid[child]
    frame = data.xmat[parent].reshape(3, 3)
    spins = [velocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, b)[0] for b in (child, parent)]
    return frame.T @ data.xmat[child].reshape(3, 3), frame.T @ (spins[0] - spins[1])


@pytest.mark.parametrize("name", NAMES)
def test_the_velocities_are_the_rates_of_the_positions(name: str) -> None:
    body = load_body(name)
    model, anatomy = bare_model(body), anatomy_of(body)
    qpos, qvel = at_random(body, seed=1)
    ahead, behind, step = qpos.copy(), qpos.copy(), 1e-6
    for n in range(COUNT):
        mujoco.mj_integratePos(model, ahead[n], qvel[n], step)
        mujoco.mj_integratePos(model, behind[n], qvel[n], -step)
    now, later, before = (anatomy.features(q, qvel) for q in (qpos, ahead, behind))
    for place, rate in (("com", "com_velocity"), ("tips", "tip_velocities")):
        change = (getattr(later, place) - getattr(before, place)) / (2 * step)
        np.testing.assert_allclose(getattr(now, rate), change, atol=1e-6)


def test_a_batch_is_its_states_one_by_one_and_inputs_stay() -> None:
    body = load_body("human50")
    anatomy = anatomy_of(body)
    qpos, qvel = at_random(body)
    kept = qpos.copy(), qvel.copy()
    whole = anatomy.features(qpos, qvel)
    wide = np.concatenate([qpos, qvel], axis=1)  # views that are not contiguous
    views = anatomy.features(wide[:, : qpos.shape[1]], wide[:, qpos.shape[1] :])
    joined = whole.of(np.arange(2)).joined(whole.of(np.arange(2, COUNT)))
    for n in range(COUNT):
        alone = anatomy.features(qpos[n : n + 1], qvel[n : n + 1])
        for name in Features.__slots__:
            for other in (whole.at(n), views.at(n), joined.at(n)):
                np.testing.assert_array_equal(getattr(alone, name), getattr(other, name))
    np.testing.assert_array_equal(qpos, kept[0])
    np.testing.assert_array_equal(qvel, kept[1])
