"""Where the swing leg, the standing ankle and the trunk are sent, seen through the engine's forward kinematics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hand_made_machine import (
    WEIGHT,
    Felt,
    bit,
    com_of,
    machine,
    model_of,
    posed,
    random_pose,
    root_wish,
    state,
    step,
)
from reenact.control.machine import layout as at
from reenact.control.machine.events import LEFT_STANDS, RIGHT_STANDS
from reenact.control.machine.machine import Balance
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.physics import sense as part
from reenact.physics.model import Model

LEFT = {"foot_left": WEIGHT}
STANDING_LEFT = {at.STANCE: LEFT_STANDS}
SWINGS = 1e-12  # a blend that makes a state one of a gait and turns no leg


def thigh(model: Model, qpos: Array, angles: Array, side: str = "right", root: Array | None = None) -> Array:
    """Where a thigh points in the world (3,) with the hinges at `angles`, the root as it is or turned as `root`."""
    there = qpos.copy()
    there[model.hinge_qpos] = angles
    if root is not None:
        there[3:7] = root
    return -posed(model, there).body(f"thigh_{side}").xmat.reshape(3, 3)[:, 2]


def angle_between(u: Array, w: Array) -> float:
    return float(np.arctan2(np.linalg.norm(np.cross(u, w)), u @ w))


def unit(v: Array) -> Array:
    return v / np.linalg.norm(v)


def ahead(felt: Felt, forward: float, left: float) -> Array:
    """A direction on the ground (2,), as the root faces."""
    c, s = np.cos(felt.sense[part.HEADING]), np.sin(felt.sense[part.HEADING])
    return np.array([c * forward - s * left, s * forward + c * left])


def paper(model: Model, blend: float, **changes: Any) -> Any:
    pose = {"hip_right_flexion": 0.5, "hip_right_abduction": 0.1, "hip_right_twist": -0.1, "knee_right_flexion": 0.6}
    own = Balance(**{"place": 1.0, "blend": blend, **changes})
    return machine(model, state(model, pose=pose, balance=own), law="paper", share=0.0)


@pytest.mark.parametrize("name", ["adult", "human50", "robot35"])
@pytest.mark.parametrize("towards", [(1.0, 0.0), (1.0, 0.7), (0.6, -0.7), (-1.0, 0.1), (-0.7, 0.5)])
def test_the_papers_law_turns_the_swing_thigh_by_its_share_towards_d(name: str, towards: tuple[float, float]) -> None:
    model, rng = model_of(name), np.random.default_rng(4)
    qpos = random_pose(model, rng, tilt=0.1)
    d = 0.2 * ahead(step(model, paper(model, 0.0), qpos=qpos), *towards)
    cop = com_of(step(model, paper(model, 0.0), qpos=qpos)) - d
    own = paper(model, 0.0).states[0].pose
    before, wanted = thigh(model, qpos, own), np.append(unit(d), 0.0)
    for blend in (0.0, 0.3, 0.8, 1.0):
        felt = step(model, paper(model, blend), qpos=qpos, loads=LEFT, cop=tuple(cop))
        np.testing.assert_allclose(felt.at(part.COP, 2), cop, atol=1e-12)
        now = thigh(model, qpos, felt.angle)
        assert angle_between(before, now) == pytest.approx(blend * angle_between(before, wanted), abs=2e-4)
        assert angle_between(now, wanted) == pytest.approx((1.0 - blend) * angle_between(before, wanted), abs=2e-4)
        others = np.ones(model.hinges, bool)
        others[model.body.axis_index("hip_right_flexion") :][:3] = False
        np.testing.assert_array_equal(felt.angle[others], own[others])
        if blend == 0.0:
            np.testing.assert_array_equal(felt.angle, own)


def test_a_leg_sent_straight_aside_stays_within_reason() -> None:
    """There the hip's axes fold flat: it goes as far as they turn it, not anywhere."""
    model = model_of()
    qpos = model.mj.qpos0
    cop = com_of(step(model, paper(model, 0.0))) - [0.0, -0.2]  # d to the right
    felt = step(model, paper(model, 1.0), qpos=qpos, loads=LEFT, cop=tuple(cop))
    now = thigh(model, qpos, felt.angle)
    assert now[1] < -0.8
    assert np.abs(felt.angle - paper(model, 1.0).states[0].pose).max() < 2.5


def test_the_papers_d_weighs_the_velocity_of_com_over_cop() -> None:
    model = model_of()
    made = paper(model, 0.5, place=0.3, velocity=0.2)
    qvel = np.zeros(model.mj.nv)
    qvel[:2] = 0.5, -0.1
    com, cop, before = com_of(step(model, made)), np.array([0.03, 0.05]), np.array([0.031, 0.049])
    own = thigh(model, model.mj.qpos0, made.states[0].pose)

    def share_of(d: Array, memory: dict[int, float]) -> None:
        felt = step(model, made, qvel=qvel, loads=LEFT, cop=(0.03, 0.05), memory=STANDING_LEFT | memory)
        wanted = np.append(unit(d), 0.0)
        now = thigh(model, model.mj.qpos0, felt.angle)
        np.testing.assert_allclose(angle_between(own, now), 0.5 * angle_between(own, wanted), atol=2e-4)
        np.testing.assert_allclose(angle_between(now, wanted), 0.5 * angle_between(own, wanted), atol=2e-4)

    known = {at.COP_KNOWN: 1.0, at.COP: before[0], at.COP + 1: before[1]}
    drift = (cop - before) / model.timestep
    touching = {at.TOUCHING: bit(model, "left foot")}
    share_of(0.3 * (com - cop) + 0.2 * (qvel[:2] - drift), known | touching)
    share_of(0.3 * (com - cop) + 0.2 * qvel[:2], touching)  # where the last pressure is not known
    jumped = {at.TOUCHING: bit(model, "left foot", "right foot")}  # one foot less bears now: no velocity
    share_of(0.3 * (com - cop) + 0.2 * qvel[:2], known | jumped)


def test_the_pressure_is_remembered_while_something_bears() -> None:
    model = model_of()
    felt = step(model, machine(model), loads=LEFT, cop=(0.1, 0.2), memory=STANDING_LEFT)
    assert felt.memory[at.COP_KNOWN] == 1.0
    np.testing.assert_array_equal(felt.memory[at.COP : at.COP + 2], [0.1, 0.2])
    assert step(model, machine(model), memory=felt.memory).memory[at.COP_KNOWN] == 0.0


def deviating(model: Model, **changes: Any) -> Any:
    """A machine whose nominal place and velocity are those of the pose `POSE` at a speed, with feedback as told."""
    pose = {"hip_right_flexion": 0.4, "hip_left_flexion": 0.4, "knee_right_flexion": 0.2}
    settings = {key: changes.pop(key) for key in ("share", "level") if key in changes}
    only = state(model, pose=pose, root=changes.pop("root", rotation.IDENTITY), balance=Balance(**changes), then="a")
    return machine(model, only, law="deviation", **{"share": 0.0, **settings})


def nominal(model: Model, qpos: Array, qvel: Array, heading: float, side: str = "left") -> dict[str, Any]:
    """The nominal values that the body has in a state, given in a heading."""
    felt = step(model, machine(model), qpos=qpos, qvel=qvel)
    foot = posed(model, qpos).body(f"foot_{side}").xpos[:2]
    turn = np.array([[np.cos(heading), np.sin(heading)], [-np.sin(heading), np.cos(heading)]])
    place, velocity = turn @ (com_of(felt) - foot), turn @ felt.at(part.COM_VELOCITY, 2)
    return {"nominal_place": tuple(place), "nominal_velocity": tuple(velocity)}


GAINS: dict[str, Any] = {"place": 0.7, "velocity": 0.3, "blend": 0.9, "aside": (0.7, 0.3)}
REFLEXES: dict[str, Any] = {"ankle": (0.5, 0.2), "lean": (0.4, 0.1)}


def about_z(heading: float) -> Array:
    return rotation.from_axis_angle(rotation.AXES["z"], heading)


def tilt(rng: np.random.Generator) -> Array:
    """An orientation (4,) a little off upright and off the heading."""
    return rotation.from_rotvec(rng.uniform(-0.2, 0.2, 3))


def test_a_body_at_its_nominal_is_left_alone_whichever_way_it_started() -> None:
    """With its root oriented as asked."""
    model, rng = model_of(), np.random.default_rng(5)
    for heading in (0.0, 2.0, -1.1):
        qpos, qvel, root = random_pose(model, rng), rng.normal(scale=0.5, size=model.mj.nv), tilt(rng)
        qpos[3:7] = rotation.multiply(about_z(heading), root)
        made = deviating(model, root=root, **GAINS, **REFLEXES, **nominal(model, qpos, qvel, heading))
        felt = step(model, made, qpos=qpos, qvel=qvel, loads=LEFT, memory=STANDING_LEFT | {at.HEADING: heading})
        np.testing.assert_allclose(felt.angle, made.states[0].pose, atol=1e-9)


@pytest.mark.parametrize("level", [False, True])
def test_a_tilted_root_does_not_carry_the_swing_leg_along(level: bool) -> None:
    """The thigh points as under a root oriented as asked; where the heading is free, in the present one."""
    model, rng = model_of(), np.random.default_rng(9)
    for heading in (0.0, 2.0, -1.1):
        qpos, root = random_pose(model, rng), tilt(rng)
        qpos[3:7] = rotation.multiply(about_z(heading), tilt(rng))
        values = nominal(model, qpos, np.zeros(model.mj.nv), heading)
        made = deviating(model, root=root, level=level, **GAINS, **REFLEXES, **values)
        felt = step(model, made, qpos=qpos, loads=LEFT, memory=STANDING_LEFT | {at.HEADING: heading})
        asked = rotation.multiply(about_z(heading), root)
        if level:
            x = rotation.rotate(root, rotation.AXES["x"])
            present = felt.sense[part.HEADING] - np.arctan2(x[1], x[0])
            asked = rotation.multiply(about_z(present), root)
        own, others = made.states[0].pose, np.ones(model.hinges, bool)
        now = thigh(model, qpos, felt.angle)
        np.testing.assert_allclose(now, thigh(model, qpos, own, root=asked), atol=2e-5)
        assert angle_between(now, thigh(model, qpos, own)) > 0.02
        others[model.body.axis_index("hip_right_flexion") :][:3] = False
        np.testing.assert_allclose(felt.angle[others], own[others], atol=1e-9)


def test_without_feedback_the_swing_leg_is_the_states_own_under_any_root() -> None:
    model, rng = model_of(), np.random.default_rng(10)
    qpos = random_pose(model, rng)
    made = deviating(model, place=0.7, velocity=0.3, blend=0.0)
    felt = step(model, made, qpos=qpos, loads=LEFT, memory=STANDING_LEFT)
    np.testing.assert_array_equal(felt.angle, made.states[0].pose)


def test_where_the_root_is_asked_to_lean_the_swing_leg_is_set_under_the_leaning_one() -> None:
    model = model_of()
    qpos, off = model.mj.qpos0, np.array([0.1, -0.05])
    values = nominal(model, qpos, np.zeros(model.mj.nv), 0.0)
    values["nominal_place"] = tuple(np.subtract(values["nominal_place"], off))
    made = deviating(model, blend=0.5, lean=(2.0, 0.0), **values)  # d is none
    felt = step(model, made, loads=LEFT, memory=STANDING_LEFT)
    half = np.array([-off[1], off[0], 0.0])  # half of z × 2·off
    asked = rotation.normalize(np.append(1.0, half))
    np.testing.assert_allclose(
        thigh(model, qpos, felt.angle), thigh(model, qpos, made.states[0].pose, root=asked), atol=2e-5
    )


@pytest.mark.parametrize(("side", "stands"), [("left", RIGHT_STANDS), ("right", LEFT_STANDS)])
def test_a_body_ahead_of_its_nominal_steps_ahead(side: str, stands: float) -> None:
    """The thigh's direction under the root as asked is moved by ϑ₃·d, d by place and velocity, exactly."""
    model, rng = model_of(), np.random.default_rng(6)
    other, heading = "left" if side == "right" else "right", 1.9
    qpos, root = random_pose(model, rng), tilt(rng)
    qpos[3:7] = rotation.multiply(about_z(heading), tilt(rng))
    asked = rotation.multiply(about_z(heading), root)
    for off, speed_off in (((0.1, 0.0), (0.0, 0.0)), ((0.0, 0.1), (0.0, 0.0)), ((-0.05, 0.1), (0.3, -0.2))):
        values = nominal(model, qpos, np.zeros(model.mj.nv), heading, other)
        values["nominal_place"] = tuple(np.subtract(values["nominal_place"], off))
        values["nominal_velocity"] = tuple(np.negative(speed_off))
        made = deviating(model, root=root, **GAINS, **values)
        felt = step(
            model, made, qpos=qpos, loads={f"foot_{other}": WEIGHT}, memory={at.STANCE: stands, at.HEADING: heading}
        )
        before, now = thigh(model, qpos, made.states[0].pose, side, asked), thigh(model, qpos, felt.angle, side)
        d = rotation.rotate(about_z(heading), np.append(0.7 * np.array(off) + 0.3 * np.array(speed_off), 0.0))
        np.testing.assert_allclose(now, unit(before + 0.9 * d), atol=2e-5)
        assert (now - before) @ d > 0.0


def test_to_the_side_of_the_present_heading_gains_are_their_own() -> None:
    model, rng = model_of(), np.random.default_rng(7)
    qpos = random_pose(model, rng, tilt=0.0)
    present = 2.0 * float(np.arctan2(qpos[6], qpos[3]))
    start, off = present - 0.3, np.array([0.05, 0.08])
    values = nominal(model, qpos, np.zeros(model.mj.nv), start)
    told = rotation.rotate(about_z(-start), np.append(off, 0.0))[:2]
    values["nominal_place"] = tuple(np.subtract(values["nominal_place"], told))
    made = deviating(model, place=0.5, blend=1.0, aside=(2.0, 0.0), **values)
    felt = step(model, made, qpos=qpos, loads=LEFT, memory=STANDING_LEFT | {at.HEADING: start})
    front, left = ahead(felt, 1.0, 0.0), ahead(felt, 0.0, 1.0)
    d = 0.5 * (off @ front) * front + 2.0 * (off @ left) * left
    before, now = thigh(model, qpos, made.states[0].pose, root=about_z(start)), thigh(model, qpos, felt.angle)
    np.testing.assert_allclose(now, unit(before + np.append(d, 0.0)), atol=2e-5)


@pytest.mark.parametrize("law", ["paper", "deviation"])
def test_in_double_support_the_leg_that_came_down_first_is_sent_and_in_flight_none(law: Any) -> None:
    model = model_of()
    made = machine(
        model, state(model, balance=Balance(place=1.0, blend=0.5, aside=(1.0, 0.0), ankle=(1.0, 0.0))), law=law
    )
    both = {"foot_left": WEIGHT, "foot_right": WEIGHT}
    hips = {side: model.body.axis_index(f"hip_{side}_flexion") for side in ("left", "right")}
    for stands, swings, still in ((LEFT_STANDS, "right", "left"), (RIGHT_STANDS, "left", "right")):
        made_still = machine(model, made.states[0], law=law, share=0.0)
        away = at.AWAY + (0 if still == "left" else 1)
        stood = RIGHT_STANDS if stands == LEFT_STANDS else LEFT_STANDS
        landing = {at.STANCE: stood, at.LANDED: stood, away: 30.0}
        for memory in ({at.STANCE: stands}, {at.STANCE: stands, at.LANDED: stands}, landing):
            felt = step(model, made_still, loads=both, cop=(-0.2, 0.1), memory=memory)
            assert np.abs(felt.angle[hips[swings] :][:3]).max() > 0.02
            np.testing.assert_array_equal(felt.angle[hips[still] :][:3], 0.0)
        for loads in ({}, {"hand_left": WEIGHT}):
            felt = step(model, made, loads=loads, cop=(-0.2, 0.1), memory={at.STANCE: stands})
            np.testing.assert_array_equal(felt.angle, 0.0)
            np.testing.assert_array_equal(felt.rate, 0.0)


@pytest.mark.parametrize("name", ["adult", "human50", "robot35"])
@pytest.mark.parametrize(("side", "stands"), [("left", LEFT_STANDS), ("right", RIGHT_STANDS)])
def test_the_standing_ankle_presses_the_side_to_which_the_body_deviates(name: str, side: str, stands: float) -> None:
    model = model_of(name)
    heading = 0.8
    qpos = model.mj.qpos0.copy()
    qpos[3:7] = np.cos(heading / 2), 0.0, 0.0, np.sin(heading / 2)
    for forward, left in ((0.05, 0.0), (-0.05, 0.0), (0.0, 0.05), (0.0, -0.05)):
        values = nominal(model, qpos, np.zeros(model.mj.nv), heading, side)
        values["nominal_place"] = tuple(np.subtract(values["nominal_place"], (forward, left)))
        made = deviating(model, ankle=(2.0, 0.0), blend=SWINGS, **values)
        felt = step(
            model, made, qpos=qpos, loads={f"foot_{side}": WEIGHT}, memory={at.STANCE: stands, at.HEADING: heading}
        )
        there = qpos.copy()
        turned = felt.angle - made.states[0].pose
        there[model.hinge_qpos] = turned
        foot = posed(model, there).body(f"foot_{side}").xmat.reshape(3, 3)
        assert foot[2, 0] == pytest.approx(-2.0 * forward, abs=2e-3)  # the toes go down
        assert foot[2, 1] == pytest.approx(-2.0 * left, abs=2e-3)  # or the left edge
        ankle = [i for i, axis in enumerate(model.body.axes) if axis.name.startswith(f"ankle_{side}")]
        assert np.flatnonzero(np.abs(turned) > 1e-9).tolist() == [ankle[0 if forward else 1]]


def test_the_ankle_answers_to_velocity_too() -> None:
    model = model_of()
    values = nominal(model, model.mj.qpos0, np.zeros(model.mj.nv), 0.0)
    made = deviating(model, ankle=(0.0, 0.5), blend=SWINGS, **(values | {"nominal_velocity": (-0.2, 0.0)}))
    felt = step(model, made, loads=LEFT, memory=STANDING_LEFT)
    assert felt.angle[model.body.axis_index("ankle_left_flexion")] == pytest.approx(-0.1)


def test_the_trunk_leans_the_way_the_body_deviates() -> None:
    model, rng = model_of(), np.random.default_rng(8)
    qpos = model.mj.qpos0.copy()
    qpos[3:7] = random_pose(model, rng, tilt=0.0)[3:7]
    heading = 2.0 * float(np.arctan2(qpos[6], qpos[3]))
    for off in rng.uniform(-0.1, 0.1, (4, 2)):  # in the world
        values = nominal(model, qpos, np.zeros(model.mj.nv), 0.0)
        place = np.subtract(values["nominal_place"], off)
        c, s = np.cos(heading), np.sin(heading)
        values["nominal_place"] = (c * place[0] + s * place[1], c * place[1] - s * place[0])
        made = deviating(model, lean=(1.5, 0.0), blend=SWINGS, share=1.0, **values)
        felt = step(model, made, qpos=qpos, loads=LEFT, memory=STANDING_LEFT | {at.HEADING: heading})
        wish = root_wish(model, felt, "left", before=np.zeros(3))
        top = np.cross(wish, [0.0, 0.0, 1.0])  # how it moves the top of the trunk
        np.testing.assert_allclose(top[:2], 0.1 * 120 * 1.5 * off, rtol=0.01)
        assert abs(wish[2]) < 1e-3
