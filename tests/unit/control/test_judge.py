"""Verdicts on simulated motions, from made-up traces that do and do not do what their reference does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from swinging_motion import swinging

from reenact.body.load import load_body
from reenact.control.bearing import bearings, missed_bearing, stepped_off
from reenact.control.fall import find_fall
from reenact.control.judge import judge
from reenact.control.place import staged, start_state
from reenact.control.ragdoll import Ragdoll
from reenact.formats.bench_motions import bench_motion, bench_reference
from reenact.geometry import rotation
from reenact.motion.lowest import lowest_by_segment
from reenact.motion.motion import Motion
from reenact.motion.resample import resample
from reenact.motion.support import centre_of_mass
from reenact.motion.tree import tree_of
from reenact.physics.contact_forces import Contacts
from reenact.physics.model import compile_model
from reenact.physics.simulate import simulate
from reenact.physics.trace import Trace
from reenact.world.load import load_world
from reenact.world.world import World

SECONDS = 1.0


def posed(turn: float, *, overhead: bool = False) -> Motion:
    """The adult at rest, its root turned about y and set down so that its lowest point is on the floor."""
    motion = swinging(SECONDS)
    qpos = np.tile(motion.qpos[0], (motion.frames, 1))
    qpos[:, 3:7] = rotation.from_axis_angle(rotation.AXES["y"], turn)
    if overhead:
        for side in ("left", "right"):
            qpos[:, 7 + motion.body.axis_index(f"shoulder_{side}_flexion")] = np.pi
    qpos[:, 2] -= lowest_by_segment(motion.body, tree_of(motion.body), qpos, motion.rate).height.min()
    return replace(motion, qpos=qpos)


def tracing(motion: Motion, loads: dict[str, float], start: float = 0.0, end: float = SECONDS) -> Trace:
    """A trace that has the motion's poses, and upward ground forces on segments [body weights] for some time [s]."""
    model = compile_model(motion.body, World(), actuation="none")
    begin = start_state(model, motion.qpos[0], np.zeros(motion.qpos.shape[1] - 1))
    steps = motion.frames - 1
    trace = simulate(model, Ragdoll(), begin, steps=steps)
    rows = [
        (step, motion.body.segment_names.index(name), share)
        for step in range(round(start * motion.rate), min(round(end * motion.rate), steps))
        for name, share in loads.items()
    ]
    weight = model.mass * float(np.linalg.norm(model.mj.opt.gravity))
    up = np.tile([0.0, 0.0, 1.0], (len(rows), 1))
    contacts = Contacts(
        step=np.array([r[0] for r in rows], np.int32),
        segment=np.array([r[1] for r in rows], np.int16),
        other=np.full(len(rows), model.mj.geom("ground").id, np.int32),
        own=np.zeros(len(rows), bool),
        point=np.zeros((len(rows), 3)),
        normal=up,
        force=up * np.array([r[2] for r in rows])[:, None] * weight,
    )
    return replace(trace, qpos=motion.qpos.copy(), contacts=contacts)


LYING, HANDSTAND = posed(-np.pi / 2), posed(np.pi, overhead=True)


def test_a_body_on_its_back_is_borne_by_its_trunk() -> None:
    (bearing,) = bearings(replace(LYING, qpos=without_legs(LYING)))
    assert bearing.group == "trunk"
    assert bearing.impulse == pytest.approx(SECONDS, rel=0.25)


def without_legs(motion: Motion) -> np.ndarray:
    """Poses with the limbs up in the air, so that the trunk is alone on the floor."""
    qpos = motion.qpos.copy()
    for side in ("left", "right"):
        qpos[:, 7 + motion.body.axis_index(f"hip_{side}_flexion")] = 1.5
        qpos[:, 7 + motion.body.axis_index(f"shoulder_{side}_flexion")] = 1.5
    return qpos


def test_a_handstand_is_borne_by_the_arms() -> None:
    (bearing,) = bearings(HANDSTAND)
    assert bearing.group == "arms"
    assert bearing.impulse == pytest.approx(SECONDS, rel=0.1)


def test_who_stands_or_flies_bears_on_neither() -> None:
    assert bearings(posed(0.0)) == []
    time = HANDSTAND.time
    qpos = HANDSTAND.qpos.copy()
    qpos[:, 2] += 4.5 * time - 0.5 * 9.81 * time**2  # upside down, yet in free flight
    assert bearings(replace(HANDSTAND, qpos=qpos)) == []


@pytest.mark.parametrize(
    ("loads", "start", "end", "passes"),
    [
        ({"hand_left": 0.5, "hand_right": 0.5}, 0.0, 1.0, True),
        ({"hand_left": 0.4}, 0.0, 1.0, True),  # the head helps
        ({"forearm_left": 0.5, "forearm_right": 0.5}, 0.0, 1.0, True),
        ({"hand_left": 0.5, "hand_right": 0.5}, 0.0, 0.2, False),  # no more than a touch
        ({"hand_left": 0.1, "hand_right": 0.1}, 0.0, 1.0, False),
        ({"foot_left": 1.0}, 0.0, 1.0, False),
        ({}, 0.0, 1.0, False),
    ],
)
def test_who_follows_a_handstand_bears_on_the_arms(
    loads: dict[str, float], start: float, end: float, passes: bool
) -> None:
    missed = missed_bearing(tracing(HANDSTAND, loads, start, end), HANDSTAND)
    assert (missed == "") == passes
    if not passes:
        assert "never bore on its arms: the reference does from 0.00 to 1.00 s" in missed


def test_a_trunk_may_touch_earlier_or_later_but_not_much() -> None:
    """Up to 0.25 s before and after the reference's own time, here from 0.4 to 0.6 s."""
    frames = (LYING.time >= 0.4) & (LYING.time < 0.6)
    qpos = np.where(frames[:, None], without_legs(LYING), posed(0.0).qpos)
    qpos[:, 2] += 0.5 - centre_of_mass(LYING.body, tree_of(LYING.body), qpos)[:, 2]  # borne all the time
    roll = replace(LYING, qpos=qpos)
    (bearing,) = bearings(roll)
    assert (bearing.start, bearing.end) == pytest.approx((0.4, 0.6), abs=0.02)
    assert missed_bearing(tracing(roll, {"thorax": 1.0}, 0.2, 0.3), roll) == ""
    assert missed_bearing(tracing(roll, {"thorax": 1.0}, 0.7, 0.85), roll) == ""
    assert "never lay or rolled on its trunk" in missed_bearing(tracing(roll, {"thorax": 1.0}, 0.0, 0.14), roll)
    assert "never lay or rolled on its trunk" in missed_bearing(tracing(roll, {"thorax": 1.0}, 0.87, 1.0), roll)


def test_the_verdict_names_what_was_missed() -> None:
    good = judge(tracing(HANDSTAND, {"hand_left": 0.5, "hand_right": 0.5}), HANDSTAND)
    assert good.success, good.reason
    bad = judge(tracing(HANDSTAND, {"foot_left": 1.0}), HANDSTAND)
    assert not bad.success
    assert bad.status == "ok"
    assert bad.reason.startswith("never bore on its arms")


def test_a_turn_missed_and_a_place_lost() -> None:
    standing = posed(0.0)
    trace = tracing(standing, {"foot_left": 1.0})
    assert judge(trace, standing).success
    angle = np.linspace(0.0, 2.8, standing.frames)
    spun = standing.qpos.copy()
    spun[:, 3:7] = rotation.from_axis_angle(rotation.AXES["z"], angle)
    assert judge(trace, replace(standing, qpos=spun)).reason.startswith("did not turn over: the pelvis was 160°")
    half = spun.copy()
    half[:, 3:7] = rotation.from_axis_angle(rotation.AXES["z"], 0.4 * angle)  # 64° at the end
    assert "at 1.00 s" in judge(trace, replace(standing, qpos=half)).reason
    away = standing.qpos + np.eye(1, standing.qpos.shape[1]) * 1.5
    assert "lost its place: the pelvis was 1.50 m" in judge(trace, replace(standing, qpos=away)).reason


def test_a_search_that_ended_early_is_said_to() -> None:
    standing = posed(0.0)
    whole = tracing(standing, {"foot_left": 1.0})
    steps = 60
    short = replace(
        whole,
        time=whole.time[: steps + 1],
        qpos=whole.qpos[: steps + 1],
        qvel=whole.qvel[: steps + 1],
        contacts=tracing(standing, {"foot_left": 1.0}, 0.0, 0.5).contacts,
    )
    verdict = judge(short, standing)
    assert verdict.status == "stopped"
    assert "ended at 0.50 s of 1.00 s" in verdict.reason


@pytest.fixture(scope="module")
def roll() -> Motion:
    return resample(bench_reference(bench_motion("roll_sample_planted"), load_body("human50")), 120.0)


def test_who_goes_down_with_the_ground_did_not_fall(roll: Motion) -> None:
    """The same states are a fall beside the level clip and none beside the clip in its world."""
    model = compile_model(roll.body, load_world("drop_100cm"))
    reference = staged(roll, model)
    flat = compile_model(roll.body, World())  # whatever it does there: only times are taken from it
    start = start_state(flat, roll.qpos[0], np.zeros(roll.qpos.shape[1] - 1))
    trace = replace(simulate(flat, Ragdoll(), start, steps=roll.frames - 1), model=model)
    assert trace.status == "ok"
    none = {name: getattr(trace.contacts, name)[:0] for name in Contacts.__slots__}
    trace = replace(trace, qpos=reference.qpos, contacts=Contacts(**none))
    assert find_fall(trace, reference) is None
    lifted = roll.qpos + np.eye(1, roll.qpos.shape[1], 2)  # on the platform's level, 1 m up
    tumble = find_fall(trace, replace(roll, qpos=lifted))
    assert tumble is not None
    assert "below the reference" in tumble.reason
    early = np.concatenate([reference.qpos[10:], np.repeat(reference.qpos[-1:], 10, axis=0)])  # 0.08 s ahead
    assert find_fall(replace(trace, qpos=early), reference) is None
    sunk = reference.qpos - 0.4 * np.eye(1, roll.qpos.shape[1], 2)
    assert find_fall(replace(trace, qpos=sunk), reference) is not None


def test_a_foot_on_the_floor_beside_a_beam_has_stepped_off() -> None:
    on_floor = posed(0.0)
    raised = replace(on_floor, qpos=on_floor.qpos + np.eye(on_floor.qpos.shape[1])[2] * 0.1)
    trace = tracing(on_floor, {"foot_left": 1.0})
    assert not stepped_off(trace, on_floor)
    assert stepped_off(trace, raised).startswith("stepped off: the foot_left bore weight 0.1")
    glance = tracing(on_floor, {"foot_left": 1.0}, end=0.05)
    assert not stepped_off(glance, raised)
