"""The root's orientation is asked of the standing hip alone: the rates asked, against the engine's velocities."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hand_made_machine import WEIGHT, machine, model_of, posed, random_pose, root_wish, spin_of, state, step
from reenact.control.machine import layout as at
from reenact.control.machine.events import LEFT_STANDS, RIGHT_STANDS
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.physics.model import Model, compile_model
from reenact.world.world import World

SIDES = (("left", LEFT_STANDS, 0), ("right", RIGHT_STANDS, 3))
GAIN = 0.15


def holding(model: Model, **changes: Any) -> Any:
    settings = {key: changes.pop(key) for key in ("share", "level") if key in changes}
    root = changes.pop("root", rotation.from_euler("zyx", [0.3, 0.1, -0.05]))
    return machine(model, state(model, gain=GAIN, root=root, **changes), **{"share": 1.0, **settings})


def asked(heading: float, root: Array, now: Array) -> Array:
    """Rotation vector (3,) [rad] from the present orientation to the one a state asks for."""
    wanted = rotation.multiply(rotation.from_axis_angle(rotation.AXES["z"], heading), root)
    return rotation.to_rotvec(rotation.multiply(wanted, rotation.conjugate(now)))


@pytest.mark.parametrize("name", ["adult", "human50", "robot35"])
@pytest.mark.parametrize(("side", "stands", "place"), SIDES)
def test_the_rates_asked_turn_the_root_as_wanted_while_the_thigh_turns_on(
    name: str, side: str, stands: float, place: int
) -> None:
    model, rng = model_of(name), np.random.default_rng(3)
    made = holding(model)
    for _ in range(3):
        qpos, qvel = random_pose(model, rng), rng.normal(size=model.mj.nv)
        heading, before = float(rng.uniform(-3, 3)), rng.normal(size=3)
        memory = {at.STANCE: stands, at.HEADING: heading}
        memory |= {at.THIGHS + place + i: before[i] for i in range(3)}
        felt = step(model, made, qpos=qpos, qvel=qvel, loads={f"foot_{side}": WEIGHT}, memory=memory)
        wish = root_wish(model, felt, side, before)
        np.testing.assert_allclose(wish, GAIN * 120.0 * asked(heading, made.states[0].root, qpos[3:7]), atol=1e-3)
        for i, (other, _, at_) in enumerate(SIDES):
            spin = spin_of(model, qpos, qvel, f"thigh_{other}")
            np.testing.assert_allclose(
                felt.memory[at.THIGHS + at_ : at.THIGHS + at_ + 3], spin, atol=1e-4, err_msg=str(i)
            )


def test_at_the_first_step_the_thigh_is_taken_to_turn_on_as_it_does() -> None:
    model, rng = model_of(), np.random.default_rng(9)
    qpos, qvel = random_pose(model, rng), rng.normal(size=model.mj.nv)
    felt = step(model, holding(model), qpos=qpos, qvel=qvel, loads={"foot_left": WEIGHT})
    heading = float(felt.memory[at.HEADING])
    forward = posed(model, qpos).body("pelvis").xmat.reshape(3, 3)[:, 0]
    assert heading == pytest.approx(np.arctan2(forward[1], forward[0]))
    wish = GAIN * 120.0 * asked(heading, holding(model).states[0].root, qpos[3:7])
    np.testing.assert_allclose(root_wish(model, felt, "left"), wish, atol=1e-3)


def test_the_share_blends_what_the_root_and_what_the_pose_ask_of_the_hip() -> None:
    model, rng = model_of(), np.random.default_rng(10)
    qpos, qvel = random_pose(model, rng), rng.normal(size=model.mj.nv)
    pose = {"hip_left_flexion": 0.3, "hip_right_flexion": -0.2, "knee_left_flexion": 0.4}
    memory, loads = {at.STANCE: LEFT_STANDS}, {"foot_left": WEIGHT}
    whole, none, part = (
        step(model, holding(model, share=share, pose=pose), qpos=qpos, qvel=qvel, loads=loads, memory=memory)
        for share in (1.0, 0.0, 0.3)
    )
    hip = slice(model.body.axis_index("hip_left_flexion"), model.body.axis_index("hip_left_flexion") + 3)
    now = qpos[model.hinge_qpos]
    np.testing.assert_array_equal(none.angle, holding(model, pose=pose).states[0].pose)
    np.testing.assert_array_equal(none.rate, 0.0)
    np.testing.assert_allclose(whole.angle[hip], now[hip], atol=1e-12)
    np.testing.assert_allclose(part.rate[hip], 0.3 * whole.rate[hip], atol=1e-12)
    np.testing.assert_allclose(part.angle[hip], now[hip] + 0.7 * (none.angle[hip] - now[hip]), atol=1e-12)
    rest = np.ones(model.hinges, bool)
    rest[hip] = False
    for felt in (whole, part):
        np.testing.assert_array_equal(felt.angle[rest], none.angle[rest])
        np.testing.assert_array_equal(felt.rate[rest], 0.0)


def test_the_pace_is_the_same_per_second_at_any_step_length() -> None:
    fine = compile_model(model_of().body, World(), timestep=1.0 / 480.0)
    qpos = fine.mj.qpos0.copy()
    qpos[3:7] = rotation.from_euler("zyx", [0.0, 0.2, 0.0])
    made = holding(fine, root=rotation.IDENTITY)
    felt = step(fine, made, qpos=qpos, loads={"foot_left": WEIGHT}, memory={at.STANCE: LEFT_STANDS})
    share = 1.0 - (1.0 - GAIN) ** 0.25
    np.testing.assert_allclose(root_wish(fine, felt, "left", np.zeros(3)), [0.0, -0.2 * share * 480.0, 0.0], atol=1e-3)


def test_a_free_heading_is_held_upright_however_far_it_has_turned() -> None:
    """Tilted forward as the state asks, a body is left alone; tilted otherwise it is set right, without a twist."""
    model = model_of()
    lean = rotation.from_euler("zyx", [0.2, 0.15, 0.0])
    made = holding(model, level=True, root=lean)
    for turn in (0.0, 1.5, 3.0, -2.5):
        around = rotation.from_axis_angle(rotation.AXES["z"], turn)
        qpos = model.mj.qpos0.copy()
        memory, loads = {at.STANCE: LEFT_STANDS, at.HEADING: 0.0}, {"foot_left": WEIGHT}
        qpos[3:7] = rotation.multiply(around, lean)
        felt = step(model, made, qpos=qpos, loads=loads, memory=memory)
        np.testing.assert_allclose(root_wish(model, felt, "left", np.zeros(3)), 0.0, atol=1e-6)
        aside = rotation.multiply(rotation.from_axis_angle(rotation.AXES["x"], 0.1), lean)  # tilted to the right
        qpos[3:7] = rotation.multiply(around, aside)
        felt = step(model, made, qpos=qpos, loads=loads, memory=memory)
        wish = rotation.rotate(rotation.conjugate(around), root_wish(model, felt, "left", np.zeros(3)))
        np.testing.assert_allclose(wish, [-0.1 * GAIN * 120.0, 0.0, 0.0], atol=0.06)
        assert abs(wish[2]) < 1e-6


def test_a_hip_folded_flat_is_left_to_its_pose() -> None:
    model = model_of()
    qpos = model.mj.qpos0.copy()
    qpos[7 + model.body.axis_index("hip_left_abduction")] = 1.5
    felt = step(model, holding(model), qpos=qpos, loads={"foot_left": WEIGHT}, memory={at.STANCE: LEFT_STANDS})
    np.testing.assert_array_equal(felt.angle, 0.0)
    np.testing.assert_array_equal(felt.rate, 0.0)
