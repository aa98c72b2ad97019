"""Models of poses: [V12] Eq. 7 evaluated another way, mirror symmetry, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from reenact.body.load import load_body
from reenact.body.mirror import mirror_pose
from reenact.errors import InputError
from reenact.formats.take import Source
from reenact.geometry.rotation import Array, to_matrix
from reenact.motion.edit_mirror import mirrored
from reenact.motion.kinematics import forward
from reenact.motion.motion import Motion
from reenact.motion.tree import move, tree_of
from reenact.priors.components import moves_most
from reenact.priors.identity import identity
from reenact.priors.levers import mean_levers
from reenact.priors.model import PoseModel
from reenact.priors.reconstruction import reconstruction
from reenact.priors.root import nearest
from reenact.priors.train import train
from reenact.priors.training_clip import TrainingClip


@pytest.fixture(scope="module")
def model(walk: Motion, cartwheel: Motion) -> PoseModel:
    return train([walk, cartwheel], "both")


def test_components_are_those_of_the_covariance(walk: Motion) -> None:
    model = train([walk], "walk", mirror=False, weigh=False)
    poses = model.encode(walk.qpos)
    values, vectors = np.linalg.eigh(np.cov(poses.T, bias=True))
    np.testing.assert_allclose(model.offset, poses.mean(axis=0), atol=1e-8)
    np.testing.assert_allclose(model.sigma**2, values[::-1][: model.size], atol=1e-7)
    np.testing.assert_allclose(np.abs(np.sum(model.basis * vectors[:, ::-1][:, : model.size], axis=0)), 1.0, atol=1e-6)
    kept = np.cumsum(values[::-1]) / values.sum()
    assert kept[model.size - 2] < 0.95 <= kept[model.size - 1]
    assert model.variance == pytest.approx(kept[model.size - 1], abs=1e-8)


def test_the_pose_of_coefficients_is_equation_7(model: PoseModel) -> None:
    s = np.random.default_rng(3).normal(size=(5, model.size)) * model.sigma
    expected = np.array(
        [
            [
                b + sum(u * c for u, c in zip(row, each, strict=True)) / w
                for b, w, row in zip(model.offset, model.weights, model.basis, strict=True)
            ]
            for each in s
        ]
    )
    np.testing.assert_allclose(model.vector(s), expected, atol=1e-12)
    up = expected[:, :3] / np.linalg.norm(expected[:, :3], axis=1, keepdims=True)
    angles, tilt = model.pose(s)
    raw = np.arctan2(expected[:, 3::2], expected[:, 4::2])
    inside = (raw > model.hinges.limits[:, 0]) & (raw < model.hinges.limits[:, 1])
    assert inside.mean() > 0.8
    np.testing.assert_allclose(angles[inside], raw[inside], atol=1e-9)
    np.testing.assert_allclose(to_matrix(tilt)[:, 2, :], up, atol=1e-9)
    for one, pose in zip(s, angles, strict=True):
        np.testing.assert_allclose(model.pose(one).angles, pose, atol=1e-12)


def test_all_of_the_variance_gives_every_pose_back(walk: Motion) -> None:
    model = train([walk], "walk", variance=1.0)
    loss = reconstruction(model, walk)
    assert loss.joint_cm < 0.01
    assert loss.angle_deg < 0.01
    assert reconstruction(train([walk], "walk"), walk).joint_cm > 0.3  # 95 % does not


def test_coefficients_vary_by_sigma(model: PoseModel, walk: Motion, cartwheel: Motion) -> None:
    views = [view for m in (walk, cartwheel) for view in (m.qpos, mirror_pose(m.body, m.qpos))]
    squares = [np.mean(model.project(view) ** 2, axis=0) for view in views]
    np.testing.assert_allclose(np.mean(squares, axis=0), model.sigma**2, rtol=1e-5)
    means = [np.mean(model.project(view), axis=0) for view in views]
    np.testing.assert_allclose(np.mean(means, axis=0), 0.0, atol=1e-6)


def test_a_longer_clip_does_not_count_more(walk: Motion, cartwheel: Motion, of_poses: Callable[..., Motion]) -> None:
    twice = of_poses(np.repeat(walk.qpos, 2, axis=0))
    once, other = train([walk, cartwheel], "a", weigh=False), train([twice, cartwheel], "a", weigh=False)
    np.testing.assert_allclose(other.offset, once.offset, atol=1e-8)
    np.testing.assert_allclose(other.sigma, once.sigma, atol=1e-6)


def test_a_mirrored_model_prefers_no_side(model: PoseModel, cartwheel: Motion) -> None:
    there = mirror_pose(cartwheel.body, model.reconstruct(cartwheel.qpos))
    back = model.reconstruct(mirror_pose(cartwheel.body, cartwheel.qpos))
    np.testing.assert_allclose(back[:, 7:], there[:, 7:], atol=1e-5)
    one_sided = train([cartwheel], "right", mirror=False)
    lost, lost_mirrored = reconstruction(one_sided, cartwheel), reconstruction(one_sided, mirrored(cartwheel))
    assert lost_mirrored.joint_cm > 1.5 * lost.joint_cm


def test_training_on_the_mirror_image_gives_the_same_model(cartwheel: Motion) -> None:
    one, other = train([cartwheel], "a"), train([mirrored(cartwheel)], "a")
    np.testing.assert_allclose(other.basis, one.basis, atol=1e-6)
    np.testing.assert_allclose(other.weights, one.weights, atol=1e-6)


def test_levers_are_what_points_do_when_a_hinge_turns(walk: Motion) -> None:
    body, pose, step = walk.body, walk.qpos[40], 1e-6
    tree = tree_of(body)

    def points(qpos: Array) -> Array:
        position, frame = (values[0] for values in forward(tree, qpos[None]))
        marks = [position[i] + frame[i] @ p for i, p in ((tree.names.index(s), p) for s, p in body.landmarks.values())]
        return np.concatenate([position, marks])

    levers = mean_levers(body, pose[None])
    for hinge in ("hip_left_flexion", "ankle_right_flexion", "shoulder_left_twist", "lumbar_bend"):
        index = body.axis_index(hinge)
        turn = np.zeros(40)
        turn[6 + index] = step
        way = np.linalg.norm(points(move(pose, turn)) - points(pose)) / step
        assert levers[1 + index] == pytest.approx(way, rel=1e-4)
    assert levers[0] > levers[1:].max()


def test_penalty_is_linear_outside_four_sigma(model: PoseModel) -> None:
    rng = np.random.default_rng(5)
    s = rng.normal(size=(40, model.size)) * 4.0 * model.sigma
    expected = [
        sum(abs(max(0.0, v - 4 * g)) + abs(min(0.0, v + 4 * g)) for v, g in zip(row, model.sigma, strict=True))
        for row in s
    ]
    np.testing.assert_allclose(model.penalty(s), expected, atol=1e-12)
    assert min(expected) < max(expected)
    assert model.penalty(3.99 * model.sigma) == 0.0


def test_poses_stay_within_the_limits_however_far_out(model: PoseModel) -> None:
    s = np.random.default_rng(6).normal(size=(200, model.size)) * 20.0 * model.sigma
    angles, tilt = model.pose(s)
    assert (angles >= model.hinges.limits[:, 0]).all()
    assert (angles <= model.hinges.limits[:, 1]).all()
    np.testing.assert_allclose(np.linalg.norm(tilt, axis=1), 1.0, atol=1e-12)


def test_the_identity_model_is_the_angles(cartwheel: Motion) -> None:
    model = identity(cartwheel.body)
    assert (model.size, model.offset.any()) == (36, False)
    np.testing.assert_array_equal(model.basis, np.eye(36))
    s = model.project(cartwheel.qpos)
    np.testing.assert_allclose(s[:, 2:], cartwheel.qpos[:, 7:], atol=1e-12)
    assert (model.penalty(s) == 0.0).all()
    angles, tilt = model.pose(s)
    np.testing.assert_allclose(angles, cartwheel.qpos[:, 7:], atol=1e-9)
    root = nearest(tilt, cartwheel.qpos[:, 3:7])
    np.testing.assert_allclose(np.abs(np.sum(root * cartwheel.qpos[:, 3:7], axis=1)), 1.0, atol=1e-9)


def test_fewer_components_are_the_first(model: PoseModel, walk: Motion) -> None:
    few = model.keep(4)
    np.testing.assert_array_equal(few.project(walk.qpos), model.project(walk.qpos)[:, :4])
    assert few.variance == pytest.approx(model.shares[:4].sum())
    with pytest.raises(InputError, match="cannot keep 99"):
        model.keep(99)


def test_what_a_component_moves_is_in_order_and_in_step_with_the_model(walk: Motion) -> None:
    model = train([walk], "walk")
    (first, change), *rest = moves_most(model, 0, count=6)
    assert "hip" in first or "shoulder" in first  # arms and legs swing
    assert [abs(c) for _, c in rest] == sorted((abs(c) for _, c in rest), reverse=True)
    ends = model.pose(np.eye(model.size)[:1] * model.sigma * np.array([[-0.5], [0.5]])).angles
    assert change == pytest.approx(np.diff(ends[:, model.hinges.names.index(first)])[0])


def test_limits_are_the_bodys(model: PoseModel, walk: Motion) -> None:
    stiff = replace(
        walk.body,
        segments=tuple(
            replace(s, axes=tuple(replace(a, range=(-0.01, 0.01)) for a in s.axes)) for s in walk.body.segments
        ),
    )
    assert np.abs(model.on(stiff).pose(2.0 * model.sigma).angles).max() <= 0.01


def test_another_body_is_refused_by_what_differs(model: PoseModel, walk: Motion) -> None:
    with pytest.raises(
        InputError, match=r"body 'adult'; body 'human50' has no lumbar_flexion, .* and \d+ more, instead there is"
    ):
        model.on(load_body("human50"))
    segment = walk.body.segments[1]
    turned = replace(segment, axes=(replace(segment.axes[0], direction=-segment.axes[0].direction), *segment.axes[1:]))
    with pytest.raises(InputError, match=f"another direction of {segment.axes[0].name}"):
        model.on(replace(walk.body, segments=(walk.body.segments[0], turned, *walk.body.segments[2:])))


def test_bad_training_is_refused(walk: Motion, of_poses: Callable[..., Motion]) -> None:
    with pytest.raises(InputError, match="no motion"):
        train([], "none")
    with pytest.raises(InputError, match="19 poses in all, expected at least 20"):
        train([of_poses(walk.qpos[:10]), of_poses(walk.qpos[:9])], "few")
    with pytest.raises(InputError, match="all poses are the same"):
        train([of_poses(np.repeat(walk.qpos[:1], 30, axis=0))], "still", mirror=False)
    with pytest.raises(InputError, match=r"variance to keep is 1\.5"):
        train([walk], "all", variance=1.5)
    other = load_body("robot35")
    pose = np.zeros((30, 7 + len(other.axes)))
    pose[:, 3] = 1.0
    stranger = replace(
        walk,
        name="robot",
        body=other,
        qpos=pose,
        joint_names=(),
        joints=np.zeros((30, 0, 3)),
        lift=np.zeros(30),
        contacts=(),
    )
    with pytest.raises(InputError, match="'robot' is of 'robot35', which has no lumbar_flexion"):
        train([walk, stranger], "mixed")
    with pytest.raises(InputError, match="1 sources of 2 motions"):
        train([walk, walk], "odd", sources=[Source(name="a", sha256="")])


def test_coefficients_that_are_none_are_refused(model: PoseModel) -> None:
    with pytest.raises(InputError, match=rf"expected \(\.\.\., {model.size}\)"):
        model.pose(np.zeros(model.size + 1))
    with pytest.raises(InputError, match="not finite"):
        model.penalty(np.full(model.size, np.nan))


@pytest.mark.parametrize(
    ("field", "change", "words"),
    [
        ("basis", lambda v: 2.0 * v, "not orthonormal"),
        ("basis", lambda v: v[:-1], "basis has shape"),
        ("sigma", lambda v: -v, "sigma must be positive"),
        ("weights", lambda v: 0.0 * v, "weights must be positive"),
        ("offset", lambda v: v + np.inf, "offset holds numbers that are not finite"),
    ],
)
def test_numbers_that_make_no_model_are_refused(
    model: PoseModel, field: str, change: Callable[[Array], Array], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        replace(model, **{field: change(getattr(model, field))})


@pytest.mark.parametrize(
    ("trained", "tested", "same"),
    [
        (("a.bvh", "11"), ("b.bvh", "11"), True),  # renamed
        (("a.bvh", "11"), ("a.bvh", "22"), False),  # another file of that name
        (("a.bvh", "11"), ("a.npz", "22"), True),  # fitted before
        (("a", ""), ("a.bvh", "22"), True),  # the poses came from no file
        (("a.bvh", "11"), ("b.npz", "22"), False),
        (("a", ""), ("b", ""), False),
    ],
)
def test_training_clips_are_known_again(
    trained: tuple[str, str], tested: tuple[str, str], same: bool, model: PoseModel
) -> None:
    clip = TrainingClip(source=Source(name=trained[0], sha256=trained[1]), poses=1)
    source = Source(name=tested[0], sha256=tested[1])
    assert clip.is_same(source) is same
    if same:
        with pytest.raises(InputError, match=f"was trained on {source.name}"):
            replace(model, clips=(clip,)).require_unseen(source)
    else:
        replace(model, clips=(clip,)).require_unseen(source)
