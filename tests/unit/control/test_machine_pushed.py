"""What a machine does beyond [V12] when it is pushed: legs not crossed, a level sole, haste, a lean to the side."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hand_made_machine import WEIGHT, machine, model_of, posed, random_pose, start_of, state, step
from reenact.control.machine import layout as at
from reenact.control.machine.events import LEFT_STANDS, RIGHT_STANDS
from reenact.control.machine.machine import Balance, Machine
from reenact.geometry.rotation import Array
from reenact.physics.model import Model
from reenact.physics.simulate import simulate

LOADS = {"left": {"foot_left": WEIGHT}, "right": {"foot_right": WEIGHT}}
STANDS = {"left": LEFT_STANDS, "right": RIGHT_STANDS}


def balanced(model: Model, **numbers: Any) -> Machine:
    own = Balance(**{"blend": 1.0, "aside": (0.0, 0.5), **numbers})
    return machine(model, state(model, balance=own), share=0.0)


def thigh_aside(model: Model, angles: Array, side: str) -> float:
    """How far a thigh points to the left."""
    qpos = model.mj.qpos0.copy()
    qpos[model.hinge_qpos] = angles
    return float(-posed(model, qpos).body(f"thigh_{side}").xmat.reshape(3, 3)[1, 2])


def sent(model: Model, standing: str, to_the_left: float, **numbers: Any) -> float:
    """Where the swing thigh is sent to, to the left, while the body moves to the left at so many m/s."""
    qvel = np.zeros(model.mj.nv)
    qvel[1] = to_the_left
    felt = step(
        model, balanced(model, **numbers), qvel=qvel, loads=LOADS[standing], memory={at.STANCE: STANDS[standing]}
    )
    return thigh_aside(model, felt.angle, "right" if standing == "left" else "left")


@pytest.mark.parametrize(("standing", "inward"), [("left", 1.0), ("right", -1.0)])
def test_the_swing_leg_is_not_sent_across_the_standing_one(standing: str, inward: float) -> None:
    model = model_of()
    free, held, none = (sent(model, standing, inward, inward=limit) for limit in (None, 0.1, 0.0))
    straight = sent(model, standing, 0.0)
    assert inward * free > 0.4
    assert inward * (held - straight) == pytest.approx(0.1, abs=0.01)
    assert none == pytest.approx(straight, abs=1e-4)
    outward = [sent(model, standing, -inward, inward=limit) for limit in (None, 0.0)]
    assert outward[0] == outward[1]  # nothing holds it on its own side


@pytest.mark.parametrize("name", ["adult", "human50", "robot35"])
@pytest.mark.parametrize(("standing", "swinging"), [("left", "right"), ("right", "left")])
def test_the_swinging_sole_is_levelled_and_the_standing_one_left_alone(name: str, standing: str, swinging: str) -> None:
    model = model_of(name)
    qpos = random_pose(model, np.random.default_rng(2), tilt=0.05)
    memory = {at.STANCE: STANDS[standing]}
    plain, level = (
        step(model, balanced(model, sole=share), qpos=qpos, loads=LOADS[standing], memory=memory)
        for share in (0.0, 1.0)
    )
    changed = np.flatnonzero(plain.angle != level.angle)
    names = [axis.name for axis in model.body.axes]
    assert [names[i] for i in changed] == [f"ankle_{swinging}_inversion"]
    foot = f"foot_{swinging}"
    tilts = []
    for share in (0.0, 1.0):
        there = qpos.copy()
        turned = there[model.hinge_qpos[changed[0]]]
        there[model.hinge_qpos[changed[0]]] += share * (level.angle[changed[0]] - turned)
        tilts.append(abs(posed(model, there).body(foot).xmat.reshape(3, 3)[2, 1]))
    assert tilts[0] > 0.02
    assert tilts[1] < 0.15 * tilts[0]  # the sine stands for the angle


@pytest.mark.parametrize(
    ("velocity", "hurry", "haste"),
    [
        ((1.0, 0.0), (2.0, 0.0, 0.0, 0.0), 0.6),  # ahead, 0.3 s of it
        ((-1.0, 0.0), (2.0, 1.0, 0.0, 0.0), 0.3),  # back
        ((0.0, 1.0), (0.0, 0.0, 3.0, 0.0), 0.9),  # to the left, over the leg that stands
        ((0.0, -1.0), (0.0, 0.0, 3.0, -1.0), -0.3),  # to the right, where the other swings: slower
        ((1.0, 1.0), (1.0, 0.0, 1.0, 0.0), 0.6),
        ((1.0, 0.0), (0.0, 0.0, 0.0, 0.0), 0.0),
        ((9.0, 0.0), (9.0, 0.0, 0.0, 0.0), 3.0),  # no faster
        ((1.0, 0.0), (-9.0, 0.0, 0.0, 0.0), -0.5),  # and no slower
    ],
)
def test_time_runs_faster_or_slower_for_a_body_that_falls(
    velocity: tuple[float, float], hurry: tuple[float, float, float, float], haste: float
) -> None:
    model = model_of()
    qvel = np.zeros(model.mj.nv)
    qvel[:2] = velocity
    own = Balance(hurry=hurry, nominal_place=_place(model))
    own = machine(model, state(model, "a", then="b", balance=own), state(model, "b"))
    felt = step(model, own, qvel=qvel, loads=LOADS["left"], memory={at.STANCE: LEFT_STANDS, at.CLOCK: 3.0})
    assert felt.memory[at.HASTE] == pytest.approx(haste, abs=1e-9)
    assert felt.memory[at.CLOCK] == 4.0
    later = step(model, own, qvel=qvel, loads=LOADS["left"], memory=felt.memory, number=1)
    assert later.memory[at.CLOCK] == pytest.approx(5.0 + haste)


def test_a_state_that_hurries_is_over_sooner() -> None:
    model = model_of()
    first = state(model, "a", seconds=0.1, then="b", balance=Balance(nominal_place=_place(model)))
    ends = []
    for hurry in (0.0, 3.0):
        own = machine(
            model, replace(first, balance=replace(first.balance, hurry=(hurry, 0.0, 0.0, 0.0))), state(model, "b")
        )
        trace = simulate(model, own, start_of(model, speed=1.0), steps=20)
        assert trace.final.memory is not None
        ends.append(int(trace.final.memory[at.ENTRY + 1]))
    assert ends[0] == 12
    assert 4 < ends[1] < 10


def test_the_lean_to_the_side_has_numbers_of_its_own_where_they_are_given() -> None:
    model = model_of()
    for aside, as_before in ((None, True), ((0.3, 0.05), True), ((0.0, 0.0), False)):
        qvel = np.zeros(model.mj.nv)
        qvel[:2] = 0.2, 0.4
        felt = [
            step(model, balanced(model, lean=(0.3, 0.05), lean_aside=given), qvel=qvel, loads=LOADS["left"],
                 memory={at.STANCE: LEFT_STANDS})
            for given in (None, aside)
        ]  # fmt: skip
        assert np.array_equal(felt[0].angle, felt[1].angle) == as_before


def _place(model: Model) -> tuple[float, float]:
    """Where the COM is over the left foot in the rest pose."""
    data = posed(model, model.mj.qpos0)
    x, y, _ = data.subtree_com[1] - data.body("foot_left").xpos
    return float(x), float(y)
