"""Poses as vectors: nothing depends on the heading, nothing breaks upside down or at a limit."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.body.load import load_body
from reenact.errors import InputError
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.priors.encoding import ENCODINGS, Encoding, decode, encode, feature_names
from reenact.priors.hinges import hinges_of
from reenact.priors.root import heading_of, nearest, tilt_of, turned, up_of

BODY = load_body("adult")
HINGES = hinges_of(BODY)
LOW, HIGH = HINGES.limits.T


def some_poses(count: int = 200, seed: int = 1) -> Array:
    """Poses within the limits with any orientation of the root."""
    rng = np.random.default_rng(seed)
    root = rotation.normalize(rng.normal(size=(count, 4)))
    angles = LOW + (HIGH - LOW) * rng.random((count, len(LOW)))
    return np.concatenate([rng.normal(size=(count, 3)), root, angles], axis=1)


def same_turn(a: Array, b: Array) -> Array:
    return np.abs(np.sum(a * b, axis=-1))


def test_up_is_the_third_row_of_the_rotation() -> None:
    q = some_poses()[:, 3:7]
    np.testing.assert_allclose(up_of(q), rotation.to_matrix(q)[:, 2, :], atol=1e-12)


def test_tilt_has_the_up_and_no_heading() -> None:
    up = up_of(some_poses()[:, 3:7])
    tilt = tilt_of(0.01 * up)
    np.testing.assert_allclose(up_of(tilt), up, atol=1e-9)
    np.testing.assert_allclose(heading_of(tilt), 0.0, atol=1e-9)


def test_tilt_and_heading_are_the_orientation() -> None:
    q = some_poses()[:, 3:7]
    np.testing.assert_allclose(same_turn(turned(tilt_of(up_of(q)), heading_of(q)), q), 1.0, atol=1e-9)


@pytest.mark.parametrize("off", [0.0, 1e-12, 1e-6, 0.1])
def test_nearest_gives_an_upside_down_root_back(off: float) -> None:
    q = rotation.multiply(rotation.from_axis_angle([0.0, 0.0, 1.0], 0.7), rotation.from_rotvec([np.pi - off, 0.0, 0.0]))
    np.testing.assert_allclose(same_turn(nearest(tilt_of(up_of(q)), q), q), 1.0, atol=1e-9)


def test_nearest_is_nearer_than_any_other_heading() -> None:
    poses = some_poses()
    tilt, reference = tilt_of(up_of(poses[:100, 3:7])), poses[100:, 3:7]
    best = same_turn(nearest(tilt, reference), reference)
    for heading in np.linspace(-np.pi, np.pi, 25):
        assert (same_turn(turned(tilt, heading), reference) <= best + 1e-12).all()


def test_no_up_is_upright() -> None:
    np.testing.assert_array_equal(tilt_of(np.zeros(3)), rotation.IDENTITY)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_heading_and_place_do_not_matter(encoding: Encoding) -> None:
    poses = some_poses()
    moved = poses.copy()
    moved[:, :3] += 3.0
    moved[:, 3:7] = turned(poses[:, 3:7], np.linspace(-3.0, 3.0, len(poses)))
    np.testing.assert_allclose(encode(moved, encoding, HINGES), encode(poses, encoding, HINGES), atol=1e-9)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_decoding_gives_the_pose_back(encoding: Encoding) -> None:
    poses = some_poses()
    vectors = encode(poses, encoding, HINGES)
    assert vectors.shape == (len(poses), len(feature_names(HINGES, encoding)))
    angles, tilt = decode(vectors, encoding, HINGES)
    np.testing.assert_allclose(angles, poses[:, 7:], atol=1e-9)
    np.testing.assert_allclose(same_turn(nearest(tilt, poses[:, 3:7]), poses[:, 3:7]), 1.0, atol=1e-9)


def test_features_are_what_their_names_say() -> None:
    pose = some_poses(1)[0]
    named = dict(zip(feature_names(HINGES, "sine_cosine"), encode(pose, "sine_cosine", HINGES), strict=True))
    knee = pose[7 + BODY.axis_index("knee_left_flexion")]
    assert named["knee_left_flexion_sin"] == pytest.approx(np.sin(knee))
    assert named["knee_left_flexion_cos"] == pytest.approx(np.cos(knee))
    assert named["root_up_z"] == pytest.approx(rotation.rotate(pose[3:7], [0.0, 0.0, 1.0])[2])


def test_shrunken_vectors_mean_the_same_pose_and_nothing_means_rest() -> None:
    vectors = encode(some_poses(), "sine_cosine", HINGES)
    for whole, part in zip(
        decode(vectors, "sine_cosine", HINGES), decode(0.01 * vectors, "sine_cosine", HINGES), strict=True
    ):
        np.testing.assert_allclose(part, whole, atol=1e-9)
    for sign in (0.0, -0.0):
        angles, tilt = decode(np.full(71, sign), "sine_cosine", HINGES)
        np.testing.assert_array_equal(angles, np.zeros(34))
        np.testing.assert_array_equal(tilt, rotation.IDENTITY)


@pytest.mark.parametrize(
    ("hinge", "asked", "got"),
    [
        ("elbow_left_flexion", -20.0, -5.0),
        ("elbow_left_flexion", 170.0, 155.0),
        ("shoulder_right_flexion", 190.0, 190.0),
        ("shoulder_right_flexion", 215.0, 200.0),
        ("shoulder_right_flexion", 240.0, -100.0),
    ],
)
def test_angles_stop_at_the_nearer_limit(hinge: str, asked: float, got: float) -> None:
    pose = np.zeros(41)
    pose[3] = 1.0
    index = BODY.axis_index(hinge)
    pose[7 + index] = np.deg2rad(asked)
    angles, _ = decode(encode(pose, "sine_cosine", HINGES), "sine_cosine", HINGES)
    assert np.rad2deg(angles[index]) == pytest.approx(got)


@pytest.mark.parametrize(
    ("change", "words"),
    [(lambda q: q[:, :-1], "shape"), (lambda q: q * np.nan, "not finite"), (lambda q: 2.0 * q, "length 1")],
)
def test_poses_that_are_none_are_refused(change: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        encode(change(some_poses(3)), "sine_cosine", HINGES)  # type: ignore[operator]
