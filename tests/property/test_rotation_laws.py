"""Quaternions obey the laws of the rotation group, and every conversion agrees with an independent library."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.transform import Rotation

from reenact.geometry import rotation

ORDERS = ["xyz", "xzy", "yxz", "yzx", "zxy", "zyx"]
angles = st.floats(-np.pi, np.pi)
rotvecs = arrays(np.float64, 3, elements=st.floats(-3.0, 3.0))
vectors = arrays(np.float64, 3, elements=st.floats(-10.0, 10.0))


def same_rotation(a: np.ndarray, b: np.ndarray) -> bool:
    return bool(np.allclose(rotation.to_matrix(a), rotation.to_matrix(b), atol=1e-9))


def peer(q: np.ndarray) -> Rotation:
    return Rotation.from_quat(q, scalar_first=True)


@given(rotvecs, rotvecs, rotvecs)
def test_product_is_associative_and_inverse_undoes(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    p, q, r = (rotation.from_rotvec(v) for v in (a, b, c))
    left = rotation.multiply(rotation.multiply(p, q), r)
    np.testing.assert_allclose(left, rotation.multiply(p, rotation.multiply(q, r)), atol=1e-12)
    np.testing.assert_allclose(rotation.multiply(p, rotation.conjugate(p)), rotation.IDENTITY, atol=1e-12)


@given(rotvecs, rotvecs, vectors)
def test_rotate_is_a_group_action_that_keeps_length(a: np.ndarray, b: np.ndarray, v: np.ndarray) -> None:
    p, q = rotation.from_rotvec(a), rotation.from_rotvec(b)
    once = rotation.rotate(rotation.multiply(p, q), v)
    np.testing.assert_allclose(once, rotation.rotate(p, rotation.rotate(q, v)), atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(once), np.linalg.norm(v), atol=1e-9)
    np.testing.assert_allclose(once, peer(rotation.multiply(p, q)).apply(v), atol=1e-9)


@given(rotvecs)
def test_exponential_matrix_and_back(v: np.ndarray) -> None:
    q = rotation.from_rotvec(v)
    np.testing.assert_allclose(rotation.to_matrix(q), Rotation.from_rotvec(v).as_matrix(), atol=1e-12)
    assert same_rotation(rotation.from_matrix(rotation.to_matrix(q)), q)
    assert same_rotation(rotation.from_rotvec(rotation.to_rotvec(q)), q)
    assert np.linalg.norm(rotation.to_rotvec(q)) <= np.pi + 1e-9


@given(st.sampled_from(ORDERS), angles, angles, angles)
def test_euler_agrees_with_scipy_and_inverts(order: str, a: float, b: float, c: float) -> None:
    q = rotation.from_euler(order, [a, b, c])
    assert same_rotation(q, Rotation.from_euler(order.upper(), [a, b, c]).as_quat(scalar_first=True))
    back = rotation.to_euler(order, q)
    np.testing.assert_allclose(rotation.to_matrix(rotation.from_euler(order, back)), rotation.to_matrix(q), atol=1e-9)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("middle", [-np.pi / 2, np.pi / 2, np.pi / 2 - 1e-9, np.pi / 2 - 1e-10, np.pi / 2 - 1e-8])
def test_euler_survives_gimbal_lock(order: str, middle: float) -> None:
    q = rotation.from_euler(order, [0.7, middle, -0.4])
    assert same_rotation(rotation.from_euler(order, rotation.to_euler(order, q)), q)


def test_euler_refuses_repeated_axes() -> None:
    with pytest.raises(ValueError, match="three distinct axes"):
        rotation.to_euler("zxz", rotation.IDENTITY)


@given(vectors, vectors)
def test_between_turns_one_direction_into_the_other(a: np.ndarray, b: np.ndarray) -> None:
    if min(np.linalg.norm(a), np.linalg.norm(b)) < 1e-3:
        return
    turned = rotation.rotate(rotation.between(a, b), a / np.linalg.norm(a))
    np.testing.assert_allclose(turned, b / np.linalg.norm(b), atol=1e-6)


@given(vectors)
def test_between_opposite_directions_is_a_half_turn(a: np.ndarray) -> None:
    if np.linalg.norm(a) < 1e-3:
        return
    np.testing.assert_allclose(rotation.rotate(rotation.between(a, -a), a), -a, atol=1e-9)


@given(rotvecs, rotvecs, st.floats(0, 1))
def test_slerp_goes_the_shorter_way_at_even_speed(a: np.ndarray, b: np.ndarray, t: float) -> None:
    p, q = rotation.from_rotvec(a), rotation.from_rotvec(b)
    whole = np.linalg.norm(rotation.to_rotvec(rotation.multiply(rotation.conjugate(p), q)))
    part = rotation.multiply(rotation.conjugate(p), rotation.slerp(p, q, t))
    np.testing.assert_allclose(np.linalg.norm(rotation.to_rotvec(part)), t * whole, atol=1e-6)


def test_unroll_keeps_rotations_and_removes_sign_jumps() -> None:
    turn = rotation.from_axis_angle([0.0, 0.0, 1.0], np.linspace(0, 6 * np.pi, 200))
    flipped = turn * np.where(np.arange(200) % 3 == 0, -1.0, 1.0)[:, None]
    smooth = rotation.unroll(flipped)
    assert (np.sum(smooth[1:] * smooth[:-1], axis=-1) > 0).all()
    np.testing.assert_allclose(rotation.to_matrix(smooth), rotation.to_matrix(turn), atol=1e-12)
