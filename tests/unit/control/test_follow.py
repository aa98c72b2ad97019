"""Following a motion makes a take that is honest, says how it ended, and can be made again."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest
from swinging_motion import swinging

from reenact.control.fall import find_fall
from reenact.control.follow import follow
from reenact.control.place import staged, start_state
from reenact.control.ragdoll import Ragdoll
from reenact.control.recipe import rerun_take
from reenact.errors import InputError
from reenact.motion.motion import Motion
from reenact.physics.audit import audit_motion
from reenact.physics.model import compile_model
from reenact.physics.simulate import simulate
from reenact.physics.trace import Trace
from reenact.world.load import load_world
from reenact.world.pushes import Push
from reenact.world.world import World


@pytest.mark.parametrize("actuation", ["motor", "servo"])
def test_a_followed_motion_is_an_honest_take_that_can_be_made_again(actuation: str) -> None:
    world = World(pushes=(Push(segment="thorax", newtons=60.0, origin="left", start=0.2, duration=0.1),))
    take = follow(swinging(), world, actuation=actuation)  # type: ignore[arg-type]
    assert take.info.status == "ok", take.info.reason
    assert take.info.metrics["joint_error_cm"] < 5.0
    assert take.info.pushes
    model = mujoco.MjModel.from_xml_string(take.model_xml)
    verdict = audit_motion(model, dict(take.motion), dict(take.reference), declared=True)
    assert verdict.honest, verdict.faults
    assert verdict.residual_root_force_max_N < 1e-3
    assert verdict.joint_error_cm == pytest.approx(take.info.metrics["joint_error_cm"])
    again = rerun_take(take)
    np.testing.assert_array_equal(again.qpos, take.motion["qpos"])
    np.testing.assert_array_equal(again.qvel, take.motion["qvel"])


def limp(motion: Motion, seconds: float) -> Trace:
    model = compile_model(motion.body, World(), actuation="none")
    start = start_state(model, motion.qpos[0], np.zeros(motion.qpos.shape[1] - 1))
    return simulate(model, Ragdoll(), start, seconds=seconds)


def test_a_body_that_sinks_unlike_the_reference_fell() -> None:
    motion = swinging(2.0)
    tumble = find_fall(limp(motion, 2.0), motion)
    assert tumble is not None
    assert 0.2 < tumble.time < 1.5
    assert "pelvis" in tumble.reason or "hit the ground" in tumble.reason


def test_lying_down_as_the_reference_does_is_no_fall() -> None:
    motion = swinging(2.0)
    trace = limp(motion, 2.0)
    assert find_fall(trace, replace(motion, qpos=trace.qpos)) is None


def test_a_trunk_on_the_ground_is_a_fall_even_at_the_references_height() -> None:
    motion = swinging(2.0)
    trace = limp(motion, 2.0)
    qpos = motion.qpos.copy()
    qpos[:, 2] = trace.qpos[:, 2]  # upright, but sunk into the floor as deep as the body fell
    hit = find_fall(trace, replace(motion, qpos=qpos))
    assert hit is not None
    assert "hit the ground" in hit.reason


def test_motions_start_at_the_origin_of_worlds_that_differ_from_place_to_place() -> None:
    motion = swinging()
    qpos = motion.qpos.copy()
    qpos[:, :2] += [3.0, -2.0]
    qpos[:, 3:7] = [np.cos(0.5), 0.0, 0.0, np.sin(0.5)]
    motion = replace(motion, qpos=qpos)
    flat = staged(motion, compile_model(motion.body, load_world("flat")))
    np.testing.assert_allclose(flat.qpos[:, :2], motion.qpos[:, :2])
    stairs = staged(motion, compile_model(motion.body, load_world("stairs")))
    np.testing.assert_allclose(stairs.qpos[0, :2], 0.0, atol=1e-12)
    np.testing.assert_allclose(np.abs(stairs.qpos[0, 3:7]), [1, 0, 0, 0], atol=1e-12)


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), 1e9])
def test_no_time_and_endless_time_are_refused(seconds: float) -> None:
    with pytest.raises(InputError, match="cannot simulate"):
        follow(swinging(), seconds=seconds)


@pytest.mark.parametrize("name", ["slope", "stairs", "pebbles", "trampoline", "crash_pad", "ice", "beam"])
def test_every_kind_of_ground_gives_an_honest_take(name: str) -> None:
    take = follow(swinging(), load_world(name))
    model = mujoco.MjModel.from_xml_string(take.model_xml)
    verdict = audit_motion(model, dict(take.motion), dict(take.reference), declared=True)
    assert verdict.honest, verdict.faults
    assert verdict.residual_root_force_max_N < 1e-3
