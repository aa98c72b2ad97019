"""Vectors and quaternions of compiled code against the library's own rotations."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from reenact.geometry import native_vectors as native
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.physics.controller import control

_CALL = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 5)


@control
def _exercise(sense: Any, table: Any, params: Any, memory: Any, target: Any) -> None:
    """All functions on three vectors, two quaternions, a matrix, an angle and two numbers; results in the memory."""
    u, v, w = native.vector(params, 0), native.vector(params, 3), native.vector(params, 6)
    p, q, m = native.quaternion(params, 9), native.quaternion(params, 13), native.matrix(params, 17)
    angle, s, t = params[26], params[27], params[28]
    memory[0] = native.dot(u, v)
    _put(memory, 1, native.cross(u, v))
    _put(memory, 4, native.blend(u, v, s, t))
    _put(memory, 7, native.turned(m, v))
    _put(memory, 10, native.about(u, angle, v))
    _put(memory, 13, native.difference(p, q))
    _put(memory, 16, native.between(u, v))
    found, good = native.solved(u, v, w, native.vector(params, 29), 1e-3)
    _put(memory, 19, found)
    memory[22] = 1.0 if good else 0.0
    both = native.product(p, q)
    for i in range(4):
        memory[23 + i] = both[i]
    of_q = native.rotation_of(q)
    for i in range(9):
        memory[27 + i] = of_q[i]


@native.njit
def _put(row: Any, at: Any, v: Any) -> None:
    for i in range(3):
        row[at + i] = v[i]


def exercised(
    *vectors: Array, p: Array = rotation.IDENTITY, q: Array = rotation.IDENTITY, angle: float = 0.0,
    s: float = 1.0, t: float = 1.0, aim: Array | None = None,
) -> dict[str, Array]:  # fmt: skip
    """Results by name."""
    three = [*vectors, *[np.zeros(3)] * (3 - len(vectors))]
    aim = np.zeros(3) if aim is None else aim
    params = np.concatenate([*three, p, q, rotation.to_matrix(p).ravel(), [angle, s, t], aim])
    out, unused = np.zeros(36), np.zeros(1)
    rows = (unused, unused, params, out, unused)
    _CALL(_exercise.address)(*[row.ctypes.data for row in rows])
    places = {"dot": (0, 1), "cross": (1, 3), "blend": (4, 3), "turned": (7, 3), "about": (10, 3)}
    places |= {"difference": (13, 3), "between": (16, 3), "solved": (19, 3), "good": (22, 1), "product": (23, 4)}
    places |= {"rotation_of": (27, 9)}
    return {name: out[at : at + count] for name, (at, count) in places.items()}


numbers = st.floats(-3.0, 3.0, allow_subnormal=False)
vectors = st.tuples(numbers, numbers, numbers).map(np.array)
longer = vectors.filter(lambda v: np.linalg.norm(v) > 0.1)
units = longer.map(lambda v: v / np.linalg.norm(v))
quaternions = (
    st.tuples(numbers, numbers, numbers, numbers)
    .map(np.array)
    .filter(lambda q: np.linalg.norm(q) > 0.1)
    .map(rotation.normalize)
)


@given(vectors, vectors, numbers, numbers)
def test_products_and_sums_of_vectors(u: Array, v: Array, s: float, t: float) -> None:
    found = exercised(u, v, s=s, t=t)
    np.testing.assert_allclose(found["dot"][0], u @ v, atol=1e-12)
    np.testing.assert_allclose(found["cross"], np.cross(u, v), atol=1e-12)
    np.testing.assert_allclose(found["blend"], s * u + t * v, atol=1e-12)


@given(quaternions, quaternions, vectors)
def test_quaternions_and_matrices_turn_as_the_library_does(p: Array, q: Array, v: Array) -> None:
    found = exercised(np.zeros(3), v, p=p, q=q)
    np.testing.assert_allclose(found["product"], rotation.multiply(p, q), atol=1e-12)
    np.testing.assert_allclose(found["turned"], rotation.rotate(p, v), atol=1e-12)
    np.testing.assert_allclose(found["rotation_of"].reshape(3, 3), rotation.to_matrix(q), atol=1e-12)


@given(units, st.floats(-7.0, 7.0), vectors)
def test_a_turn_about_an_axis(axis: Array, angle: float, v: Array) -> None:
    turned = rotation.rotate(rotation.from_axis_angle(axis, angle), v)
    np.testing.assert_allclose(exercised(axis, v, angle=angle)["about"], turned, atol=1e-12)


@given(quaternions, quaternions, st.booleans())
def test_the_difference_turns_one_orientation_into_the_other_by_the_shorter_way(p: Array, q: Array, flip: bool) -> None:
    turn = exercised(p=-p if flip else p, q=q)["difference"]
    assert np.linalg.norm(turn) <= np.pi + 1e-9
    again = rotation.multiply(rotation.from_rotvec(turn), q)
    assert abs(again @ p) > 1.0 - 1e-12
    expected = rotation.to_rotvec(rotation.multiply(p, rotation.conjugate(q)))
    if np.linalg.norm(expected) < np.pi - 1e-6:  # a half turn goes either way
        np.testing.assert_allclose(turn, expected, atol=1e-9)


@given(quaternions, units, st.floats(-14.0, -3.0))
def test_small_differences_keep_their_digits(q: Array, axis: Array, exponent: float) -> None:
    small = 10.0**exponent * axis
    turn = exercised(p=rotation.multiply(rotation.from_rotvec(small), q), q=q)["difference"]
    np.testing.assert_allclose(turn, small, rtol=1e-6, atol=1e-15)


@given(longer, longer, longer, vectors)
def test_solved_numbers_make_the_vector(a: Array, b: Array, c: Array, v: Array) -> None:
    volume = abs(a @ np.cross(b, c))
    assume(abs(volume - 1e-3) > 1e-6)
    found = exercised(a, b, c, aim=v)
    assert bool(found["good"][0]) == (volume > 1e-3)
    x, y, z = found["solved"]
    if found["good"][0]:
        np.testing.assert_allclose(x * a + y * b + z * c, v, atol=1e-8 / volume)
    else:
        np.testing.assert_array_equal(found["solved"], 0.0)


@given(units, units)
def test_the_least_turn_between_directions(u: Array, w: Array) -> None:
    angle = np.arctan2(np.linalg.norm(np.cross(u, w)), u @ w)
    assume(angle < np.pi - 1e-6)
    turn = exercised(u, w)["between"]
    np.testing.assert_allclose(np.linalg.norm(turn), angle, atol=1e-9)
    np.testing.assert_allclose(rotation.rotate(rotation.from_rotvec(turn), u), w, atol=1e-9)
    assert abs(turn @ u) < 1e-9


def test_no_turn_between_equal_or_opposed_directions() -> None:
    for w in (1.0, -1.0):
        np.testing.assert_array_equal(exercised(rotation.AXES["x"], w * rotation.AXES["x"])["between"], 0.0)
