"""Takes put into other worlds: started on their ground, measured and judged against the reference there."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest
from swinging_motion import swinging

from reenact.control.follow import follow
from reenact.control.replay import replay, same_motion
from reenact.errors import InputError
from reenact.formats.take import SMOOTHED_HZ, Take
from reenact.geometry import rotation
from reenact.physics.audit import audit_motion
from reenact.world.load import load_world
from reenact.world.toml import parse_world


def moved() -> Take:
    """A take of a body that stands away from the origin and faces elsewhere."""
    motion = swinging(0.5)
    qpos = motion.qpos.copy()
    qpos[:, :2] += [3.0, -2.0]
    qpos[:, 3:7] = rotation.from_axis_angle(rotation.AXES["z"], 1.0)
    return follow(replace(motion, qpos=qpos))


@pytest.fixture(scope="module")
def take() -> Take:
    return moved()


def test_its_own_world_makes_the_same_bits(take: Take) -> None:
    for world in (None, load_world("flat")):
        again = replay(take, world=world)
        assert same_motion(take, again)
        assert again.info.metrics == take.info.metrics
        np.testing.assert_array_equal(again.reference["qpos"], take.reference["qpos"])


@pytest.mark.parametrize(("name", "height"), [("drop_100cm", 1.0), ("beam", 0.1), ("ball", 0.0), ("slope", 0.0)])
def test_another_world_lifts_body_and_reference_onto_its_ground(take: Take, name: str, height: float) -> None:
    there = replay(take, world=load_world(name))
    start, aim = there.motion["qpos"][0], there.reference["qpos"][0]
    hinges = take.motion["qpos"].shape[1]
    np.testing.assert_allclose(start[:hinges], aim[:hinges], atol=1e-9)
    np.testing.assert_allclose(start[:2], 0.0, atol=1e-9)
    np.testing.assert_allclose(np.abs(start[3:7]), [1.0, 0.0, 0.0, 0.0], atol=1e-9)
    assert start[2] - take.motion["qpos"][0, 2] == pytest.approx(height, abs=0.02)
    assert there.info.world == name
    assert there.info.status == "ok", there.info.reason
    verdict = audit_motion(
        mujoco.MjModel.from_xml_string(there.model_xml), dict(there.motion), dict(there.reference), declared=True
    )
    assert verdict.honest, verdict.faults
    assert verdict.joint_error_cm == pytest.approx(there.info.metrics["joint_error_cm"])


def test_there_and_back_again_is_the_same_motion_elsewhere(take: Take) -> None:
    there = replay(take, world=load_world("drop_100cm"))
    back = replay(there, world=load_world("flat"))
    np.testing.assert_allclose(back.motion["qpos"][:, 2], take.motion["qpos"][:, 2], atol=1e-6)
    np.testing.assert_allclose(back.reference["qpos"][:, 2], take.reference["qpos"][:, 2], atol=1e-9)


def test_a_judged_take_is_judged_again_against_the_reference_there(take: Take) -> None:
    judged = replace(take, info=replace(take.info, metrics={**take.info.metrics, "success": True}))
    there = replay(judged, world=load_world("drop_50cm"))
    assert there.info.metrics["success"] is True
    assert there.info.reason == ""
    short = replay(judged, world=load_world("drop_50cm"), seconds=0.25)
    assert "success" not in short.info.metrics, "a beginning alone is not the motion"
    assert short.info.status == "ok"
    shove = parse_world('name = "s"\n[[push]]\nsegment = "thorax"\nfrom = "rear"\nnewtons = 500.0\nstart = 0.1\n')
    fallen = replay(judged, world=shove, seconds=2.0)
    assert fallen.info.metrics["success"] is False
    assert "below the reference" in fallen.info.reason or "hit the ground" in fallen.info.reason


def test_a_copy_that_is_not_made_again_is_not_claimed(take: Take) -> None:
    """`capture --smooth` writes a filtered copy beside the take and says so in its metrics; a replay writes none."""
    smoothed = replace(take, info=replace(take.info, metrics={**take.info.metrics, SMOOTHED_HZ: 6.0}))
    again = replay(smoothed)
    assert same_motion(smoothed, again)
    assert again.info.metrics == take.info.metrics
    assert SMOOTHED_HZ in smoothed.info.metrics


def test_a_take_without_a_usable_start_is_refused(take: Take) -> None:
    broken = replace(take, controller={**take.controller, "start_qpos": "1 2 three"})
    with pytest.raises(InputError, match="start_qpos"):
        replay(broken, world=load_world("ice"))
    bare = replace(take, reference={k: v for k, v in take.reference.items() if k != "qpos"})
    with pytest.raises(InputError, match="lacks qpos"):
        replay(bare)
