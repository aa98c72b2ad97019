"""The cost of a sample, each equation of [L10] evaluated another way: by MuJoCo, loops and matrices."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from reenact.body.body import Body
from reenact.body.load import load_body
from reenact.body.mjcf import bare_model
from reenact.errors import InputError
from reenact.estimate.sampling.cost import AHEAD, Weights, distances, roughness, total
from reenact.estimate.sampling.features import anatomy_of

Pair = tuple[np.ndarray, np.ndarray]


@pytest.fixture(scope="module")
def body() -> Body:
    return load_body("human50")


@pytest.fixture(scope="module")
def states(body: Body) -> tuple[Pair, Pair]:
    """Three samples and a reference, at random."""
    rng = np.random.default_rng(3)
    axes = len(body.axes)
    turns = Rotation.random(4, random_state=5).as_quat(scalar_first=True)
    qpos = np.concatenate([rng.normal(size=(4, 3)), turns, rng.uniform(-0.7, 0.7, (4, axes))], axis=1)
    qvel = rng.normal(size=(4, 6 + axes))
    return (qpos[:3], qvel[:3]), (qpos[3:], qvel[3:])


def simulated(body: Body, qpos: np.ndarray, qvel: np.ndarray) -> mujoco.MjData:
    model = bare_model(body)
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = qpos, qvel
    mujoco.mj_forward(model, data)
    mujoco.mj_subtreeVel(model, data)
    return data


def by_mujoco(body: Body, sample: Pair, reference: Pair) -> dict[str, list[float]]:
    model, h = bare_model(body), body.stature
    b = simulated(body, reference[0][0], reference[1][0])
    out: dict[str, list[float]] = {name: [] for name in ("pose", "root", "effectors", "balance", "place")}
    for qpos, qvel in zip(*sample, strict=True):
        a = simulated(body, qpos, qvel)
        pose = []
        for segment in body.segments[1:]:
            child, parent = model.body(segment.name).id, model.body(segment.parent).id
            (turn_a, spin_a), (turn_b, spin_b) = (_relative(model, d, child, parent) for d in (a, b))
            angle = (turn_a * turn_b.inv()).magnitude()
            pose.append(angle + 0.1 * np.linalg.norm(spin_a - spin_b))
        out["pose"].append(np.mean(pose))
        roots = [Rotation.from_matrix(d.xmat[1].reshape(3, 3)) for d in (a, b)]
        spins = [r.apply(d.qvel[3:6]) for r, d in zip(roots, (a, b), strict=True)]
        out["root"].append((roots[0] * roots[1].inv()).magnitude() + 0.1 * np.linalg.norm(spins[0] - spins[1]))
        tips = [model.body(name).id for name in body.end_effectors]
        out["effectors"].append(np.mean([abs(a.xipos[t, 2] - b.xipos[t, 2]) for t in tips]))
        com_a, com_b, v_a, v_b = a.subtree_com[1], b.subtree_com[1], a.subtree_linvel[1], b.subtree_linvel[1]
        planar = [np.linalg.norm(((com_a - a.xipos[t]) - (com_b - b.xipos[t]))[:2]) for t in tips]
        out["balance"].append(np.sum(planar) / (h * len(tips)) + 0.1 * np.linalg.norm(v_a - v_b))
        far = np.linalg.norm((com_a - com_b)[:2] + AHEAD * (v_a - v_b)[:2])
        out["place"].append(np.hypot(far, com_a[2] - com_b[2]) / h)
    return out


def _relative(model: mujoco.MjModel, data: mujoco.MjData, child: int, parent: int) -> tuple[Rotation, np.ndarray]:
    """A joint's rotation and angular velocity in the parent's frame, from the segments in the world."""
    frames = [Rotation.from_matrix(data.xmat[b].reshape(3, 3)) for b in (child, parent)]
    spins = []
    for b in (child, parent):
        velocity = np.zeros(6)
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, b, velocity, 0)
        spins.append(velocity[:3])
    return frames[1].inv() * frames[0], frames[1].inv().apply(spins[0] - spins[1])


def test_every_term_agrees_with_its_equation(body: Body, states: tuple[Pair, Pair]) -> None:
    sample, reference = states
    anatomy = anatomy_of(body)
    terms = distances(anatomy.features(*sample), anatomy.features(*reference), body.stature)
    for name, expected in by_mujoco(body, sample, reference).items():
        np.testing.assert_allclose(terms[name], expected, rtol=1e-6, err_msg=name)


def test_the_sum_is_weighted_and_a_state_costs_nothing_against_itself(body: Body, states: tuple[Pair, Pair]) -> None:
    anatomy = anatomy_of(body)
    sample, reference = (anatomy.features(*pair) for pair in states)
    terms = distances(sample, reference, body.stature)
    cost = total(terms, Weights(pose=8, root=5, effectors=20, balance=20, place=0))
    expected = 8 * terms["pose"] + 5 * terms["root"] + 20 * terms["effectors"] + 20 * terms["balance"]
    np.testing.assert_allclose(cost, expected)
    assert total(distances(reference, reference, body.stature), Weights()) == pytest.approx(0.0, abs=1e-6)


def test_a_state_that_is_no_number_costs_infinitely_much() -> None:
    cost = total({"pose": np.array([1.0, np.nan, np.inf])}, Weights(pose=2.0))
    assert cost.tolist() == [2.0, np.inf, np.inf]


def test_a_foot_that_slides_where_the_reference_stands_costs(body: Body) -> None:
    anatomy = anatomy_of(body)
    qpos = np.tile(bare_model(body).qpos0, (2, 1))
    qvel = np.zeros((2, 6 + len(body.axes)))
    qvel[1, 0] = 0.5
    features = anatomy.features(qpos, qvel)
    heights = features.tips[0, :, 2]
    floor = float(heights.min())
    slide = distances(features, features.at(0), body.stature, floor=floor)["slide"]
    standing = (heights < floor + 0.05).sum()
    assert 0 < standing < len(heights)
    np.testing.assert_allclose(slide, [0.0, 0.5 * standing / len(heights)], rtol=0.2)
    away = distances(features, features.at(1), body.stature, floor=floor)["slide"]
    assert (away < 0.05).all()  # the reference itself moves, so moving is right


def test_what_is_high_above_the_ground_does_not_slide(body: Body) -> None:
    anatomy = anatomy_of(body)
    qpos = np.tile(bare_model(body).qpos0, (2, 1))
    qvel = np.zeros((2, 6 + len(body.axes)))
    qvel[1, 0] = 0.5
    floor = float(anatomy.features(qpos, qvel).tips[0, :, 2].min())
    aloft = qpos + 0.3 * np.eye(1, qpos.shape[1], 2)
    flying = anatomy.features(aloft, qvel)
    assert (distances(flying, flying.at(0), body.stature, floor=floor)["slide"] < 1e-4).all()
    raised = distances(flying, flying.at(0), body.stature, floor=floor + 0.3)["slide"]
    assert raised[1] > 0.1, "on ground that is as high it does"


def test_roughness_counts_in_windows() -> None:
    rough = roughness(np.array([[0.2, 0.0]]), np.array([[0.0, 0.1]]), np.array([0.2, 0.1]))
    np.testing.assert_allclose(rough, [1.0])


def test_a_negative_weight_is_refused() -> None:
    with pytest.raises(InputError, match="'balance' is -1"):
        Weights(balance=-1)
