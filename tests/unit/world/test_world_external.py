"""Pushes and launches compiled to steps, and declared in words."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from reenact.body.load import load_body
from reenact.errors import WorldError
from reenact.geometry.rotation import from_axis_angle
from reenact.world.external import declared_pushes, external_forces, force_table, heading_of, plan_arrays
from reenact.world.load import load_world
from reenact.world.pushes import COMES_FROM, Push
from reenact.world.things import Thrown
from reenact.world.world import World

BODY = load_body("adult")
STEP = 1 / 120


@pytest.mark.parametrize(
    ("origin", "force"),
    [
        ("front", [-50, 0, 0]),
        ("rear", [50, 0, 0]),
        ("left", [0, -50, 0]),
        ("right", [0, 50, 0]),
        ("above", [0, 0, -50]),
    ],
)
def test_a_push_drives_away_from_where_it_comes(origin: str, force: list[float]) -> None:
    push = Push(segment="thorax", newtons=50.0, origin=origin)
    np.testing.assert_allclose(push.force(0.0), force, atol=1e-12)


def test_names_follow_the_heading() -> None:
    push = Push(segment="thorax", newtons=50.0, origin="rear")
    np.testing.assert_allclose(push.force(math.pi / 2), [0, 50, 0], atol=1e-12)


def test_vectors_follow_the_heading_only_when_asked() -> None:
    world = Push(segment="thorax", newtons=10.0, direction=(3.0, 0.0, 4.0))
    turned = Push(segment="thorax", newtons=10.0, direction=(3.0, 0.0, 4.0), frame="heading")
    np.testing.assert_allclose(world.force(math.pi / 2), [6, 0, 8], atol=1e-12)
    np.testing.assert_allclose(turned.force(math.pi / 2), [0, 6, 8], atol=1e-12)


def test_a_repeated_push_starts_every_time_before_until() -> None:
    push = Push(segment="thorax", newtons=1.0, origin="left", start=1.0, every=0.5, until=2.5)
    assert push.starts(10.0) == pytest.approx([1.0, 1.5, 2.0])
    assert push.starts(1.6) == pytest.approx([1.0, 1.5])
    assert push.starts(0.5) == []


def test_the_plan_counts_steps() -> None:
    world = World(pushes=(Push(segment="thorax", newtons=60.0, origin="rear", start=0.5, duration=0.2, every=1.0),))
    plan = external_forces(world, BODY, STEP, 360)
    assert [(f.first, f.last) for f in plan.forces] == [(60, 84), (180, 204), (300, 324)]
    table = force_table(plan, {"thorax": 3}, 19)
    assert table.shape == (360, 19, 6)
    assert table[:, 3, 0].sum() * STEP == pytest.approx(3 * 60.0 * 0.2), "impulse"
    assert np.count_nonzero(table) == 72
    first, last, body, wrench = plan_arrays(plan, {"thorax": 3})
    assert (first.tolist(), last.tolist(), body.tolist()) == ([60, 180, 300], [84, 204, 324], [3, 3, 3])
    np.testing.assert_array_equal(wrench, np.tile([60.0, 0, 0, 0, 0, 0], (3, 1)))


def test_a_plan_is_cut_at_the_end_and_may_be_empty() -> None:
    world = World(pushes=(Push(segment="thorax", newtons=60.0, origin="rear", start=0.9, duration=0.5),))
    (force,) = external_forces(world, BODY, STEP, 120).forces
    assert (force.first, force.last) == (108, 120)
    empty = external_forces(world, BODY, STEP, 60)
    assert empty.forces == ()
    assert plan_arrays(empty, {})[3].shape == (0, 6)


def test_forces_that_overlap_add_up() -> None:
    push = Push(segment="thorax", newtons=60.0, origin="rear", start=0.0)
    plan = external_forces(World(pushes=(push, push)), BODY, STEP, 12)
    assert force_table(plan, {"thorax": 1}, 2)[0, 1, 0] == 120.0


def test_an_unknown_segment_lists_those_of_the_body() -> None:
    world = World(pushes=(Push(name="p", segment="torax", newtons=60.0, origin="rear"),), source="w.toml")
    with pytest.raises(
        WorldError, match=r"w.toml: \[\[push\]\] \"p\": segment = 'torax'.*pelvis.*did you mean 'thorax'\?"
    ):
        external_forces(world, BODY, STEP, 12)


def test_declared_pushes_are_plain_json() -> None:
    ball = Thrown(name="ball", origin=(4.0, 0.0, 1.0), target=(0.0, 0.0, 1.3))
    world = World(pushes=load_world("pushes").pushes, things=(ball,))
    declared = json.loads(json.dumps(declared_pushes(world), allow_nan=False))
    assert [entry["kind"] for entry in declared] == ["push", "push", "thrown"]
    assert declared[0]["from"] == "rear"
    assert declared[0]["newtons"] == 100.0
    assert declared[1]["direction"] == [0.0, 1.0, 0.2]
    assert len(declared[2]["force"]) == 3


def test_nothing_is_declared_where_nothing_acts() -> None:
    assert declared_pushes(load_world("trampoline")) == []


@pytest.mark.parametrize("angle", [0.0, 1.0, -2.0])
def test_heading(angle: float) -> None:
    assert heading_of(from_axis_angle([0, 0, 1], angle)) == pytest.approx(angle)


def test_every_named_direction_is_a_unit_vector() -> None:
    assert all(np.linalg.norm(v) == 1 for v in COMES_FROM.values())
