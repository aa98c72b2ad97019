"""Target poses as coefficients of a pose model: projection, priors, bodies of other sizes, the choice of a model."""

from __future__ import annotations

import numpy as np
import pytest

from hand_made_machine import machine, model_of, state
from reenact.body.adult import adult
from reenact.body.load import load_body
from reenact.control.machine import layout as at
from reenact.control.machine.limbs import limbs_of
from reenact.control.machine.machine import Machine
from reenact.errors import InputError
from reenact.estimate.states.pose_choice import chosen, fitting
from reenact.estimate.states.pose_space import PoseSpace, pose_space_of, pose_spaces
from reenact.estimate.states.space import Space, space_of
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.priors.load import bundled_models
from reenact.priors.root import up_of

BENT = {"hip_left_flexion": 0.6, "knee_left_flexion": 0.4, "hip_right_flexion": -0.2, "elbow_left_flexion": 0.5}
LEANING = rotation.from_rotvec([0.05, 0.2, 0.4])


def bent() -> Machine:
    model = model_of()
    first = state(model, "a", pose=BENT, then="b", seconds=0.3, root=LEANING)
    return machine(model, first, state(model, "b", pose={"neck_flexion": 0.3}))


def modelled(name: str, of: Machine | None = None, states: tuple[int, ...] = (0,)) -> Space:
    body = model_of().body
    poses = pose_space_of(name, body)
    assert poses is not None
    return space_of(of or bent(), limbs_of(body), body, states, poses=poses)


def rows_of(space: Space, vectors: Array) -> Array:
    return space.params(np.atleast_2d(vectors))[0].reshape(len(np.atleast_2d(vectors)), len(space.machine.states), -1)


def walk() -> PoseSpace:
    poses = pose_space_of("walk", model_of().body)
    assert poses is not None
    return poses


@pytest.mark.parametrize("name", ["walk", "spin_kick"])
def test_zero_is_the_projected_machine_and_projected_again_it_stays(name: str) -> None:
    space = modelled(name, states=(0, 1))
    groups = len(space.machine.groups)
    assert space.size == 2 * (1 + groups + {"walk": 14, "spin_kick": 21}[name] + 1)
    once = rows_of(space, np.zeros(space.size))[0]
    own = space.machine.rows()
    np.testing.assert_array_equal(once[:, at.PLACE : at.GAINS], own[:, at.PLACE : at.GAINS])
    np.testing.assert_allclose(once[:, : at.root_at(groups)], own[:, : at.root_at(groups)], atol=1e-15)
    moved = np.abs(once - own)[:, at.pose_at(groups) :].mean()
    assert 0.005 < moved < 0.15  # what the model cannot say is lost
    np.testing.assert_allclose(space.zero.rows(), once, atol=1e-12)
    again = modelled(name, space.zero, (0, 1))
    np.testing.assert_allclose(rows_of(again, np.zeros(again.size))[0], once, atol=1e-4)


def test_the_projection_is_nearer_than_the_papers() -> None:
    poses, pose = walk(), bent().states[0].pose
    straight = poses.model.project(np.concatenate([np.zeros(3), LEANING, pose]))
    weights, up = poses.model.weights, up_of(LEANING)

    def far(s: Array) -> float:
        angles, tilt = poses.model.pose(s)
        return float(np.sum((weights[3::2] * (angles - pose)) ** 2) + np.sum((weights[:3] * (up_of(tilt) - up)) ** 2))

    best = far(poses.coefficients(LEANING, pose))
    assert best < 0.99 * far(straight)
    rng = np.random.default_rng(0)
    around = poses.coefficients(LEANING, pose) + 0.02 * rng.standard_normal((200, poses.model.size))
    assert best <= min(far(s) for s in around)
    turn, off = poses.lost(LEANING, pose)
    assert 0.0 < turn < 0.3
    assert 0.0 < off < 0.15


def test_the_heading_is_the_machines_own_and_turns_about_the_vertical() -> None:
    space = modelled("walk")
    groups, turned = len(space.machine.groups), np.zeros(space.size)
    turned[-1] = 2.0  # the heading stands last in a state without feedback
    before, after = rows_of(space, np.array([np.zeros(space.size), turned]))[:, 0]
    root = slice(at.root_at(groups), at.pose_at(groups))
    turn = rotation.to_rotvec(rotation.multiply(after[root], rotation.conjugate(before[root])))
    np.testing.assert_allclose(turn, [0.0, 0.0, 2.0 * space.scale[-1]], atol=1e-12)
    np.testing.assert_array_equal(after[root.stop :], before[root.stop :])
    rest = rotation.to_rotvec(rotation.multiply(rotation.conjugate(before[root]), LEANING))
    assert abs(rest[2]) < 0.02  # the heading of the state's own root is kept


def test_coefficients_outside_four_sigma_are_charged_in_proportion() -> None:
    space = modelled("walk")
    assert space.poses is not None
    assert space.centres is not None
    first = 1 + len(space.machine.groups)
    reach = 4.0 * space.poses.model.sigma[0] - space.centres[0, 0]
    vectors = np.zeros((3, space.size))
    vectors[:, first] = np.array([reach - 0.1, reach + 0.1, reach + 0.3]) / space.scale[first]
    charge = space.params(vectors)[1]
    np.testing.assert_allclose(np.diff(charge), [0.1, 0.2], atol=1e-12)


def test_the_identity_keeps_poses_and_moves_one_angle_at_a_time() -> None:
    space = modelled("identity")
    groups, tilts = len(space.machine.groups), 2
    np.testing.assert_allclose(rows_of(space, np.zeros(space.size))[0], space.machine.rows(), atol=1e-12)
    axis = space.machine.axes.index("knee_left_flexion")
    step = np.zeros(space.size)
    step[1 + groups + tilts + axis] = 1.0
    change = rows_of(space, step)[0, 0] - space.machine.rows()[0]
    assert np.flatnonzero(np.abs(change) > 1e-9).tolist() == [at.pose_at(groups) + axis]


def test_a_model_serves_bodies_of_any_size_and_no_other_hinges() -> None:
    small, tall = (pose_space_of("jump", adult(height=height)) for height in (1.5, 2.0))
    assert small is not None
    assert tall is not None
    pose = bent().states[0].pose
    np.testing.assert_array_equal(small.coefficients(LEANING, pose), tall.coefficients(LEANING, pose))
    with pytest.raises(InputError, match=r"human50.*has"):
        pose_space_of("walk", load_body("human50"))
    with pytest.raises(InputError, match="did you mean 'walk'"):
        pose_space_of("wlak", adult())
    assert pose_space_of("plain", adult()) is None


def test_the_best_by_the_objective_is_chosen_among_those_that_fit() -> None:
    body = model_of().body
    assert fitting(body) == pose_spaces() == ("plain", "identity", *bundled_models())
    assert fitting(load_body("human50")) == ("plain", "identity")
    tried = []

    def cost_of(poses: PoseSpace | None) -> float:
        tried.append("plain" if poses is None else poses.name)
        return {"plain": 3.0, "jump": 2.0, "walk": 2.0}.get(tried[-1], 5.0)

    best = chosen("best", body, cost_of)
    assert tuple(tried) == pose_spaces() == tuple(best.costs)
    assert best.name == "jump"  # of equals the first
    assert best.poses is not None
    tried.clear()
    assert chosen("walk", body, cost_of).name == "walk"
    assert not tried
    with pytest.raises(InputError, match="no pose space but a choice"):
        pose_space_of("best", body)
