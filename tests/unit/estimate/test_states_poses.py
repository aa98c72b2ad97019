"""Target poses as coefficients of a pose model: projection, priors, bodies of other sizes, the choice of a model."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bending_motion import bending
from stopping_search import TINY

from hand_made_machine import machine, model_of, state
from reenact.body.adult import adult
from reenact.body.load import load_body
from reenact.control.machine import layout as at
from reenact.control.machine.limbs import limbs_of
from reenact.control.machine.machine import Machine
from reenact.errors import InputError
from reenact.estimate.exact_json import dumps
from reenact.estimate.spent import Spent
from reenact.estimate.states.capture import Capture, Subject, plan_of, subject_of
from reenact.estimate.states.checkpoint import Checkpoint
from reenact.estimate.states.pose_choice import contents, contest_of, fitting
from reenact.estimate.states.pose_space import PoseSpace, pose_space_of, pose_spaces
from reenact.estimate.states.search import search
from reenact.estimate.states.space import Space, space_of
from reenact.formats.take import Source
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.priors.load import bundled_models, load_model, save_model
from reenact.priors.root import up_of
from reenact.world.world import World

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


def in_model(name: str) -> Machine:
    """The bent machine with its poses brought into a model."""
    poses, own = pose_space_of(name, model_of().body), bent()
    assert poses is not None
    pairs = [poses.brought(each.root, each.pose) for each in own.states]
    states = [replace(each, root=root, pose=pose) for each, (root, pose) in zip(own.states, pairs, strict=True)]
    return replace(own, states=tuple(states))


@pytest.mark.parametrize("name", ["walk", "spin_kick", "identity"])
def test_zero_is_the_machine_itself_whether_its_poses_are_the_models_or_not(name: str) -> None:
    for of in (bent(), in_model(name)):
        space = modelled(name, of, states=(0, 1))
        coefficients = {"walk": 14, "spin_kick": 20, "identity": 36}[name]
        assert space.size == 2 * (1 + len(of.groups) + coefficients + 1)
        np.testing.assert_allclose(rows_of(space, np.zeros(space.size))[0], of.rows(), atol=1e-12)


@pytest.mark.parametrize("name", ["walk", "spin_kick"])
def test_a_pose_of_the_model_stays_one_wherever_it_goes(name: str) -> None:
    space, groups = modelled(name, in_model(name)), len(bent().groups)
    moved = rows_of(space, np.random.default_rng(0).standard_normal((3, space.size)))[:, 0]
    assert space.poses is not None
    for row, other in ((row, bent().states[0]) for row in moved):
        root = row[at.root_at(groups) : at.pose_at(groups)]
        pose = row[at.pose_at(groups) : at.reactions_at(groups, len(bent().axes))]
        turn, off = space.poses.lost(root, pose)
        assert max(turn, off) < 1e-3 < space.poses.lost(other.root, other.pose)[1]


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
    first = 1 + len(space.machine.groups)
    reach = 4.0 * space.poses.model.sigma[0] - space.centres[0].coefficients[0]
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


def test_a_contest_is_won_by_the_least_cost_among_those_that_fit() -> None:
    body = model_of().body
    assert fitting(body) == pose_spaces() == ("plain", "identity", *bundled_models())
    assert fitting(load_body("human50")) == ("plain", "identity")
    costs = {"plain": 3.0, "cartwheel": np.nan, "jump": 2.0, "walk": 2.0}
    contest = contest_of("each", body)
    while contest.next is not None:
        contest = contest.after(costs.get(contest.next, 5.0))
    assert tuple(contest.table) == pose_spaces()
    assert contest.best == "jump"  # of equals the first
    alone = contest_of("walk", body)
    assert alone.next is None
    assert (alone.best, alone.table) == ("walk", {})
    with pytest.raises(InputError, match="no pose space but a choice"):
        pose_space_of("each", body)
    with pytest.raises(InputError, match=r"human50.*has"):
        contest_of("walk", load_body("human50"))


def test_a_models_file_is_known_by_what_it_says(tmp_path: Path) -> None:
    body, path = model_of().body, tmp_path / "mine.toml"
    hashes = [contents(contest_of(name, body), body) for name in ("plain", "walk", "each")]
    assert hashes[0] == ""
    for model in (load_model("walk"), load_model("walk").keep(5)):
        save_model(path, model)
        hashes.append(contents(contest_of(str(path), body), body))
    assert hashes[1] == hashes[3]
    assert len(set(hashes)) == 4


@pytest.fixture(scope="module")
def subject() -> Subject:
    return subject_of(bending(0.4), World(), threads=1)


def test_a_search_stays_in_its_model(subject: Subject) -> None:
    found = list(search(subject.task, replace(TINY, poses="jump")))[-1].best
    assert found is not None
    poses = pose_space_of("jump", subject.task.model.body)
    assert poses is not None
    assert max(max(poses.lost(each.root, each.pose)) for each in found.machine.states) < 2e-3
    plain = list(search(subject.task, TINY))[-1].best
    assert plain is not None
    assert max(max(poses.lost(each.root, each.pose)) for each in plain.machine.states) > 0.02


def test_each_model_is_tried_and_stopped_anywhere_the_contest_goes_on(subject: Subject, tmp_path: Path) -> None:
    settings = replace(TINY, poses="each")
    events = list(search(subject.task, settings))
    names = pose_spaces()
    assert [event.phase for event in events[: len(names)]] == ["poses"] * (len(names) - 1) + ["grow"]
    assert all(a.fraction <= b.fraction for a, b in itertools.pairwise(events))
    final = events[-1].contest
    assert final.best == min(final.table, key=lambda name: final.table[name])
    first = Checkpoint(tmp_path, plan_of(subject, settings))
    for event in (events[0], events[len(names) - 1], events[-2]):
        first.save(event, Spent())
        again = Checkpoint(tmp_path, plan_of(subject, settings)).load()
        assert dumps(list(search(subject.task, settings, again))[-1]) == dumps(events[-1])
    along = Capture(subject, settings, source=Source(name="bend.bvh", sha256="0" * 64))
    along.now = events[-1]
    metrics = along.run().info.metrics
    assert metrics["poses"] == final.best
    assert {name: metrics[f"poses_{name}_cm2"] for name in names} == final.table
    along.now = events[1]
    early = along.so_far("stopped")
    assert early is not None  # what was found in a contest is a take too
    assert "poses_jump_cm2" not in early.info.metrics
