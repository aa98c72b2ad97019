"""What a state machine knows of each body, against the engine."""

from __future__ import annotations

import ctypes
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hand_made_machine import machine, model_of, posed, random_pose, state, step
from reenact.body.load import load_body
from reenact.control.machine import layout as at
from reenact.control.machine.balance import hip_axes, hip_turned
from reenact.control.machine.limbs import limbs_of, side_of, unsided
from reenact.control.machine.machine import Balance
from reenact.geometry.native_vectors import vector
from reenact.physics.controller import control

HUMANOIDS = ("adult", "human50", "robot35")


@pytest.mark.parametrize("name", HUMANOIDS)
def test_left_and_right_share_gains_and_nothing_else_does(name: str) -> None:
    body = load_body(name)
    limbs = limbs_of(body)
    assert limbs.groups[0] == "root"
    joints = [segment.joint for segment in body.segments for _ in segment.axes]
    assert [limbs.groups[group] for group in limbs.group_of] == [unsided(joint) for joint in joints]
    by_group = {
        group: {joints[i] for i in np.flatnonzero(np.array(limbs.group_of) == group)} for group in limbs.group_of
    }
    assert 0 not in by_group
    for names in by_group.values():
        assert len(names) == 1 or {side_of(joint) for joint in names} == {"left", "right"}


@pytest.mark.parametrize("name", HUMANOIDS)
def test_legs_of_a_humanoid(name: str) -> None:
    body = load_body(name)
    limbs, axes = limbs_of(body), [axis.name for axis in body.axes]
    assert [leg.side for leg in limbs.legs] == ["left", "right"]
    for leg in limbs.legs:
        assert body.segment_names[leg.thigh] == f"thigh_{leg.side}"
        assert body.segment_names[leg.foot] == f"foot_{leg.side}"
        assert limbs.parts[leg.part] == f"{leg.side} foot"
        assert all(axis.startswith(f"hip_{leg.side}") for axis in axes[leg.hip : leg.hip + 3])
        assert leg.ankle is not None
        (pitch, _), (roll, _) = leg.ankle
        assert (axes[pitch], axes[roll]) == (f"ankle_{leg.side}_flexion", f"ankle_{leg.side}_inversion")


@pytest.mark.parametrize("name", HUMANOIDS)
def test_the_hips_twist_is_found_in_whatever_order_its_hinges_are(name: str) -> None:
    body = load_body(name)
    turned = replace(
        body,
        segments=tuple(
            replace(s, axes=(*s.axes[1:], s.axes[0])) if s.name.startswith("thigh") else s for s in body.segments
        ),
    )
    for one in (body, turned):
        for leg in limbs_of(one).legs:
            assert one.axes[leg.twist].name == f"hip_{leg.side}_twist"
            assert one.axes[leg.knee].name == f"knee_{leg.side}_flexion"


def test_toes_belong_to_the_foot_and_all_else_is_a_part_of_its_own() -> None:
    body = load_body("adult")
    limbs = limbs_of(body)
    named = {name: limbs.parts[part] for name, part in zip(body.segment_names, limbs.part_of, strict=True)}
    assert named["foot_left"] == named["toes_left"] == "left foot"
    assert named["hand_right"] == "right hand"
    assert named["upper_arm_left"] == "left upper arm"
    assert named["head"] == "head"
    assert len(limbs.parts) == len(body.segments) - 2


@control
def _hip(sense: Any, table: Any, params: Any, memory: Any, target: Any) -> None:
    """Axes of a hip at three angles, and a vector of the thigh, in the root's frame."""
    a, b, c = hip_axes(table, 0, vector(params, 0))
    v = hip_turned(table, 0, vector(params, 0), vector(params, 3))
    for i in range(3):
        memory[i], memory[3 + i], memory[6 + i], memory[9 + i] = a[i], b[i], c[i], v[i]


@pytest.mark.parametrize("name", HUMANOIDS)
def test_hip_axes_are_the_engines(name: str) -> None:
    model, rng = model_of(name), np.random.default_rng(1)
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 5)(_hip.address)
    for leg in limbs_of(model.body).legs:
        table = np.zeros(at.LEG_WIDTH)
        table[at.LEG_AXES : at.LEG_AXES + 9] = leg.axes.ravel()
        for _ in range(5):
            qpos = random_pose(model, rng, bend=1.0)
            data = posed(model, qpos)
            first = model.mj.joint(model.body.axes[leg.hip].name).id
            root, thigh = (data.xmat[model.segment_body[i]].reshape(3, 3) for i in (0, leg.thigh))
            local = rng.normal(size=3)
            params = np.concatenate([qpos[model.hinge_qpos][leg.hip : leg.hip + 3], local])
            out, unused = np.zeros(12), np.zeros(1)
            call(*[row.ctypes.data for row in (unused, table, params, out, unused)])
            np.testing.assert_allclose(out[:9].reshape(3, 3) @ root.T, data.xaxis[first : first + 3], atol=1e-5)
            np.testing.assert_allclose(root @ out[9:], thigh @ local, atol=1e-5)  # MJCF holds six digits


def test_a_quadruped_has_no_legs_and_four_feet_of_their_own() -> None:
    limbs = limbs_of(load_body("laikago"))
    assert limbs.legs == ()
    feet = {part for part in limbs.parts if part.endswith("foot")}
    assert feet == {f"{end} {side} foot" for end in ("front", "rear") for side in ("left", "right")}
    assert len(set(limbs.part_of)) == len(limbs.parts)


def test_without_legs_nothing_balances() -> None:
    model, rng = model_of("laikago"), np.random.default_rng(2)
    own = Balance(place=1.0, velocity=1.0, blend=1.0, ankle=(1.0, 1.0), lean=(1.0, 1.0))
    pose = dict(zip((axis.name for axis in model.body.axes), rng.uniform(-0.3, 0.3, model.hinges), strict=True))
    only = state(model, pose=pose, gain=0.13, balance=own)
    for law in ("paper", "deviation"):
        felt = step(
            model, machine(model, only, law=law), qpos=random_pose(model, rng), loads={"lower_leg_front_left": 90.0}
        )
        np.testing.assert_array_equal(felt.angle, only.pose)
        np.testing.assert_array_equal(felt.rate, 0.0)
        np.testing.assert_array_equal(felt.gain, 0.13)
