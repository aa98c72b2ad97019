"""Balance on both feet: when it is at work, what it asks of the ankles, and that it holds a body which is pushed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hand_made_machine import WEIGHT, machine, model_of, posed, state, step
from reenact.body.load import load_body
from reenact.control.machine.machine import Balance
from reenact.control.machine.performance import performance_of
from reenact.control.place import lift_onto, start_state
from reenact.physics import sense
from reenact.physics.model import Model, compile_model
from reenact.physics.simulate import simulate
from reenact.physics.state import State
from reenact.world.attachments import Ski
from reenact.world.parts import Ground
from reenact.world.world import World

BOTH = {"foot_left": WEIGHT, "foot_right": WEIGHT}
LEFT = {"foot_left": WEIGHT}
AHEAD, ASIDE = 0.04, 0.02  # [m] that the body is off its nominal place


def over_feet(model: Model, qpos: Any) -> tuple[float, float]:
    """Where the COM of a body that faces +x is over the middle of its feet [m]."""
    data = posed(model, qpos)
    middle = 0.5 * (data.body("foot_left").xpos + data.body("foot_right").xpos)
    off = data.subtree_com[1] - middle
    return float(off[0]), float(off[1])


def standing(model: Model, then: str | None = None, **changes: Any) -> Any:
    """One state whose nominal place is off the rest pose's by AHEAD and ASIDE."""
    x, y = over_feet(model, model.mj.qpos0)
    own = Balance(**{"ankle": (2.0, 0.0), "nominal_place": (x - AHEAD, y - ASIDE), **changes})
    return machine(model, state(model, balance=own, then=then), share=0.0)


def pitch(model: Model, felt: Any) -> list[float]:
    return [float(felt.angle[model.body.axis_index(f"ankle_{side}_flexion")]) for side in ("left", "right")]


def test_both_ankles_press_the_toes_of_a_body_that_is_ahead() -> None:
    model = model_of()
    felt = step(model, standing(model), loads=BOTH)
    assert pitch(model, felt) == pytest.approx([-2.0 * AHEAD] * 2)
    left, right = (felt.angle[model.body.axis_index(f"ankle_{side}_inversion")] for side in ("left", "right"))
    assert left == pytest.approx(-right)
    assert 0.0 < abs(left) < 2.0 * ASIDE


def test_every_joint_reacts_on_both_feet_too() -> None:
    model, elbow = model_of(), "elbow_left_flexion"
    reactions = np.zeros((4, model.hinges))
    reactions[:, model.body.axis_index(elbow)] = 1.0, 0.0, 3.0, 0.0  # ahead, back, to the left, to the right
    plain = standing(model)
    machine = replace(plain, states=(replace(plain.states[0], reactions=reactions),))
    still, felt = step(model, plain, loads=BOTH), step(model, machine, loads=BOTH)
    moved = felt.angle - still.angle
    assert moved[model.body.axis_index(elbow)] == pytest.approx(AHEAD + 3.0 * ASIDE)
    assert np.count_nonzero(np.abs(moved) > 1e-9) == 1
    flying = step(model, machine, loads={})
    assert flying.angle[model.body.axis_index(elbow)] == 0.0


def test_it_turns_with_the_feet() -> None:
    model = model_of()
    qpos = model.mj.qpos0.copy()
    qpos[3:7] = np.cos(1.1), 0.0, 0.0, np.sin(1.1)
    there, here = (step(model, standing(model), qpos=q, loads=BOTH).angle for q in (qpos, model.mj.qpos0))
    np.testing.assert_allclose(there, here, atol=1e-9)


def test_the_nominal_place_goes_on_with_the_nominal_velocity() -> None:
    from reenact.control.machine import layout as at

    model = model_of()
    made = standing(model, then="a", nominal_velocity=(0.1, 0.0))  # a second long: half-way after 60 steps
    for clock, moved in ((59.0, 0.0), (83.0, 0.02)):
        felt = step(model, made, loads=BOTH, memory={at.CLOCK: clock})
        assert pitch(model, felt) == pytest.approx([-2.0 * (AHEAD - moved)] * 2, abs=2e-3)


@pytest.mark.parametrize(
    ("loads", "then", "changes"),
    [
        ({}, None, {}),
        (LEFT, None, {"blend": 0.5}),  # one that swings a leg has the rule of the standing foot
        (BOTH, None, {"blend": 0.5}),
        (BOTH, None, {"ankle": (0.0, 0.0)}),
    ],
)
def test_else_the_right_ankle_is_left_alone(loads: dict[str, float], then: str | None, changes: dict[str, Any]) -> None:
    model = model_of()
    felt = step(model, standing(model, then, **changes), loads=loads, memory={4: 1.0})  # the left leg stands
    assert pitch(model, felt)[1] == 0.0


@pytest.mark.parametrize("then", [None, "a"])
def test_a_body_that_rocks_stands_on_one_foot_too(then: str | None) -> None:
    model = model_of()
    assert pitch(model, step(model, standing(model, then), loads=LEFT)) == pytest.approx([-2.0 * AHEAD] * 2)


@pytest.mark.parametrize(("friction", "slope"), [(1.0, 0.0), (0.0005, 0.0), (0.0005, 5.0)])
def test_a_body_that_glides_keeps_up_with_its_feet(friction: float, slope: float) -> None:
    skis = tuple(Ski(name=f"ski_{side}", segment=f"foot_{side}", friction=friction) for side in ("left", "right"))
    ground = Ground(friction=friction, slope_deg=slope, uphill_deg=180.0)
    model = compile_model(load_body("adult"), World(ground=ground, attachments=skis))
    qpos = model.mj.qpos0.copy()
    qpos[2] += lift_onto(model, qpos)
    place = (0.04, over_feet(model_of(), model_of().mj.qpos0)[1])
    balance = Balance(ankle=(6.0, 1.2), lean=(1.0, 0.3), nominal_place=place)
    trace = simulate(
        model,
        machine(model, state(model, balance=balance, gain=0.2)),
        start_state(model, qpos, np.zeros(0)),
        seconds=3.0,
    )
    tilt = 1.0 - 2.0 * (trace.qpos[-1, 4] ** 2 + trace.qpos[-1, 5] ** 2)
    gone = float(np.linalg.norm(trace.qpos[-1, :2] - trace.qpos[0, :2]))
    assert tilt > 0.9
    assert gone > 3.0 if slope else gone < 0.5


def root_height(model: Model, balance: Balance, speed: tuple[float, float]) -> float:
    """How high the root is three seconds after the rest pose was given a speed [m/s], relative to before."""
    made = machine(model, state(model, balance=balance, gain=0.2))
    qvel = np.zeros(model.mj.nv)
    qvel[:2] = speed
    trace = simulate(model, made, State(qpos=model.mj.qpos0, qvel=qvel), seconds=3.0)
    return float(trace.qpos[-1, 2] / trace.qpos[0, 2])


@pytest.mark.parametrize("speed", [(0.3, 0.0), (-0.15, 0.0), (0.0, 0.3), (0.15, -0.15)])
def test_a_body_that_is_pushed_stays_up(speed: tuple[float, float]) -> None:
    model = model_of()
    place = (0.04, over_feet(model, model.mj.qpos0)[1])
    assert root_height(model, Balance(ankle=(6.0, 1.2), lean=(1.0, 0.3), nominal_place=place), speed) > 0.95


def test_without_it_the_body_falls() -> None:
    assert root_height(model_of(), Balance(), (0.3, 0.0)) < 0.7


@pytest.mark.parametrize(("lean", "both"), [((1.0, 0.0), True), (None, False)])
def test_a_lean_to_the_side_alone_is_reason_enough(lean: tuple[float, float] | None, both: bool) -> None:
    model = model_of()
    made = machine(model, state(model, balance=Balance(lean_aside=lean, nominal_place=(0.0, 0.05))), share=0.5)
    rate = step(model, made, loads=BOTH, memory={4: 1.0}).rate  # the left leg stands
    assert (rate[model.body.axis_index("hip_right_abduction")] != 0.0) == both


def test_what_a_take_says_was_asked_is_the_lean_over_both_feet_and_the_states_own_hips() -> None:
    model = model_of()
    place = over_feet(model, model.mj.qpos0)
    made = machine(model, state(model, balance=Balance(lean=(1.0, 0.3), nominal_place=place)))
    qvel = np.zeros(model.mj.nv)
    qvel[0] = 0.3
    trace = simulate(model, made, State(qpos=model.mj.qpos0, qvel=qvel), steps=60, record_senses=True)
    found = performance_of(made, trace)
    assert trace.senses is not None
    for k in range(20, 60):
        off = np.subtract(over_feet(model, trace.qpos[k]), place)
        speed = trace.senses[k, sense.COM_VELOCITY : sense.COM_VELOCITY + 2]
        lean = off + 0.3 * speed
        asked = found["target_root"][k]
        np.testing.assert_allclose(2.0 * asked[1:3] / asked[0], [-lean[1], lean[0]], atol=5e-3)
    hips = [model.body.axis_index(f"hip_{side}_flexion") for side in ("left", "right")]
    assert (found["target"][:, hips][20:] == 0.0).all()
