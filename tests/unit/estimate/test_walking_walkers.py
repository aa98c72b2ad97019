"""Bodies that walk on side by side: pushes, falls, other ground, and what is told of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from recorded_walk import recorded_walk

from reenact.body.mirror import mirror_angles, mirror_pose, other_side
from reenact.control.machine import layout as at
from reenact.estimate.walking import walkers as side_by_side
from reenact.estimate.walking.explore import ALL, Explorer
from reenact.estimate.walking.grounds import terrains
from reenact.estimate.walking.moment import Eye
from reenact.estimate.walking.space import AGAINST_PUSHES, gait_space
from reenact.estimate.walking.usual import with_usual_cues
from reenact.estimate.walking.walk import Walk
from reenact.estimate.walking.walkers import FALLEN, Walkers
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.physics.state import State, row_width
from reenact.world.ground import ground_height

FORCES, USUAL = np.array([60.0, 50.0, 40.0, 40.0]), np.array([294.0, 210.0, 283.5, 283.5])
STATES = 3  # of a step


@pytest.fixture(scope="module")
def walk() -> Walk:
    return recorded_walk()


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"PUSHED": 8, "ALONE": 3, "GROUND": 2, "TENTHS": 6}.items():
        monkeypatch.setattr(side_by_side, name, value)


def explorer_of(walk: Walk) -> Explorer:
    body = walk.task.model.body
    return Explorer(
        gait_space(
            walk.machine, walk.task.limbs, body, first=walk.first, feedback=AGAINST_PUSHES, reactions=True, answers=True
        )
    )


def walkers_of(walk: Walk, seed: int = 0, forces: Array = FORCES) -> Walkers:
    each = np.repeat(forces[:, None], STATES, axis=1)
    grounds = {"uphill": terrains(walk, "uphill", 5.0)}
    made = Walkers(walk, explorer_of(walk), each, USUAL, grounds, np.random.default_rng(seed))
    made.settle([walk.at_strike()] * 2)
    return made


def test_what_is_seen_has_a_place_for_every_body_and_tenth(walk: Walk) -> None:
    made = walkers_of(walk)
    size = made._explorer.space.size
    seen = made.walk_on(np.zeros(size))
    bodies = 8 + 3 + 2 * 4
    assert seen.course.moments.shape[:2] == (6, bodies)
    assert seen.course.last.shape == seen.course.moments.shape[1:]
    assert np.isfinite(seen.course.moments).all()
    assert seen.entered.shape == (6 * bodies, made._explorer.space.half, ALL)
    np.testing.assert_allclose(seen.entered[:, :, 0].sum(axis=1), 1.0)
    assert np.all(seen.spread > 0.0)
    assert np.all(seen.course.rewards[seen.course.fell] == FALLEN)
    assert np.all((seen.course.rewards[~seen.course.fell] <= 0.0) & (seen.course.rewards[~seen.course.fell] > -1.0))


def test_it_is_the_same_every_time_on_any_number_of_threads(walk: Walk) -> None:
    found = []
    for threads in (1, 2):
        made = walkers_of(replace(walk, task=replace(walk.task, threads=threads)), seed=3)
        first = made.walk_on(np.zeros(made._explorer.space.size))
        second = made.walk_on(np.full(made._explorer.space.size, 0.02))
        found.append((first, second))
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one.course.rewards, other.course.rewards)
        np.testing.assert_array_equal(one.course.moments, other.course.moments)
        np.testing.assert_array_equal(one.entered, other.entered)


def test_who_falls_begins_anew_and_the_staircase_is_told(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_by_side, "BEGUN", (0, 1))
    monkeypatch.setattr(side_by_side, "SELDOM", 0.0)
    made = walkers_of(walk, forces=20.0 * FORCES)
    made._wait[:] = 0
    before = made._staircase._logs.copy()
    seen = made.walk_on(np.zeros(made._explorer.space.size))
    assert seen.course.fell[:, :8].any(), "a push of more than the weight"
    told = made._staircase._logs - before
    assert told.min() < 0.0
    bodies = np.flatnonzero(seen.course.fell.any(axis=0))
    assert np.all(made._age[bodies] < 6)


def test_pushes_go_where_they_are_sent_as_seen_from_the_standing_leg(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(side_by_side, "ASKEW", 0.0)
    monkeypatch.setattr(side_by_side, "SELDOM", 0.0)
    made = walkers_of(walk)
    made._wait[:] = 0
    made._push()
    pushed = np.flatnonzero(made._left > 0)
    assert len(pushed) > 4
    assert np.all(pushed < 8), "neither who walks alone nor who walks on other ground"
    ahead, left = (np.array([f(walk.way), g(walk.way)]) for f, g in ((np.cos, np.sin), (lambda x: -np.sin(x), np.cos)))
    over = left if walk.stride[0].leg == 0 else -left  # at the strike the leg that has come down stands
    for i in pushed:
        way = int(made._scene[i, 0])
        where = made._force[i] / np.linalg.norm(made._force[i])
        np.testing.assert_allclose(where, (ahead, -ahead, over, -over)[way], atol=1e-12)
        assert 0.9 <= np.linalg.norm(made._force[i]) / FORCES[way] <= 1.15


def test_other_ground_lies_under_those_who_are_put_there(walk: Walk) -> None:
    made = walkers_of(walk)
    for place in made._places[1:]:
        for i in place.bodies:
            state = State.from_row(made._rows[i], place.model)
            height = float(ground_height(place.model.world, *state.qpos[:2]))
            flat = State.from_row(walk.at_strike(), walk.task.model).qpos[2]
            assert state.qpos[2] - height == pytest.approx(flat, abs=0.12)


def mirrored(walk: Walk, row: Array, points: Array, half: int) -> tuple[Array, Array]:
    """A moment across an upright plane along the way, in the other step of the cycle."""
    body, model, memory = walk.task.model.body, walk.task.model, row_width(walk.task.model)
    c, s = np.cos(2.0 * walk.way), np.sin(2.0 * walk.way)
    plane = np.array([[c, s, 0.0], [s, -c, 0.0], [0.0, 0.0, 1.0]])  # reflects vectors of the world
    there = rotation.from_axis_angle(rotation.AXES["z"], walk.way)
    out, hinges = row.copy(), len(body.axes)
    qpos = np.concatenate([np.zeros(3), rotation.multiply(rotation.conjugate(there), row[4:8]), row[8 : 8 + hinges]])
    qpos = mirror_pose(body, qpos)
    out[4:8], out[8 : 8 + hinges] = rotation.multiply(there, qpos[3:7]), qpos[7:]
    first = 1 + model.mj.nq
    out[first : first + 3] = plane @ row[first : first + 3]
    out[first + 3 : first + 6] = row[first + 3 : first + 6] * [-1.0, 1.0, -1.0]
    out[first + 6 : first + 6 + hinges] = mirror_angles(body, row[first + 6 : first + 6 + hinges])
    out[memory + at.STATE] += half
    out[memory + at.STANCE] = 3.0 - row[memory + at.STANCE]
    bits = [1 << leg.part for leg in walk.task.limbs.legs]
    down = [int(row[memory + at.TOUCHING]) & bit > 0 for bit in bits]
    out[memory + at.TOUCHING] = float(bits[0] * down[1] + bits[1] * down[0])
    names = [*body.segment_names]
    twins = [names.index(other_side(name)) for name in names]
    return out, np.concatenate([points[twins], points[-1:]]) @ plane


def test_a_moment_looks_alike_in_both_steps(walk: Walk) -> None:
    rng, eye = np.random.default_rng(0), Eye(walk, 3)
    row = walk.at_strike(rng)
    row[row_width(walk.task.model) + at.TOUCHING] = float(1 << walk.task.limbs.legs[walk.stride[0].leg].part)
    points = rng.normal(size=(len(walk.task.model.segment_body) + 1, 3))
    push = np.array([np.cos(walk.way) - 0.4 * np.sin(walk.way), np.sin(walk.way) + 0.4 * np.cos(walk.way)])
    image = np.array([np.cos(walk.way) + 0.4 * np.sin(walk.way), np.sin(walk.way) - 0.4 * np.cos(walk.way)])
    own = eye.see(row[None], points[None], 30.0 * push[None], np.ones(1))
    other_row, other_points = mirrored(walk, row, points, 3)
    other = eye.see(other_row[None], other_points[None], 30.0 * image[None], np.ones(1))
    np.testing.assert_allclose(other, own, atol=1e-9)
    assert not np.allclose(eye.see(other_row[None], points[None], 30.0 * push[None], np.ones(1)), own)


def test_cues_as_a_rule_are_looked_at_once(walk: Walk) -> None:
    known = with_usual_cues(walk, walk.at_strike())
    usual = np.array([state.balance.usual for state in known.machine.states[known.first :]])
    half = len(usual) // 2
    np.testing.assert_array_equal(usual[:half], usual[half:])
    if known is not walk:  # it may fall before it has gone through two cycles
        assert np.abs(usual).max() > 0.05
    assert with_usual_cues(known, walk.at_strike()) is known or known is walk
