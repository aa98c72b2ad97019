"""Cues: what a walking body feels of its swinging leg, trunk and hips, and what the answers of its joints add."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hand_made_machine import WEIGHT, Felt, com_of, machine, marching_on, model_of, random_pose, start_of, state, step
from reenact.body.mirror import mirror_angles, mirror_pose
from reenact.control.machine import layout as at
from reenact.control.machine.cues import CUES, SI
from reenact.control.machine.events import LEFT_STANDS, RIGHT_STANDS
from reenact.control.machine.machine import Balance, Machine
from reenact.control.machine.mirror import mirrored_rows
from reenact.control.machine.text import as_written, description_of, machine_from
from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.physics import sense as part
from reenact.physics.model import Model
from reenact.physics.simulate import simulate

STANDS = {"left": LEFT_STANDS, "right": RIGHT_STANDS}
OTHER = {"left": "right", "right": "left"}


def answering(model: Model, answers: Array, usual: tuple[float, ...] = (0.0,) * len(CUES), **more: Any) -> Machine:
    """A machine of one state with these answers (7, A)."""
    only = state(model, pose={"knee_left_flexion": 0.2}, balance=Balance(usual=usual), answers=answers, then="a")
    return machine(model, only, **{"law": "deviation", "share": 0.0, **more})


def standing(model: Model, made: Machine, qpos: Array, qvel: Array, side: str) -> Felt:
    memory = {at.STANCE: STANDS[side]}
    return step(model, made, qpos=qpos, qvel=qvel, loads={f"foot_{side}": WEIGHT}, memory=memory)


def cues(model: Model, felt: Felt, qpos: Array, side: str) -> Array:
    """The cues (7,) by their definition; the state asks for the heading 0."""
    swing, over = OTHER[side], 1.0 if side == "left" else -1.0
    foot = felt.at(part.positions(felt.sense) + 3 * model.body.segment_names.index(f"foot_{swing}"), 2) - com_of(felt)
    heading = felt.sense[part.HEADING]
    ahead, left = np.array([np.cos(heading), np.sin(heading)]), np.array([-np.sin(heading), np.cos(heading)])
    twists = [qpos[7 + model.body.axis_index(f"hip_{one}_twist")] for one in (side, swing)]
    bent = qpos[7 + model.body.axis_index(f"knee_{swing}_flexion")]
    return np.array(
        [over * foot @ left, foot @ ahead, -over * felt.at(part.SPIN, 2) @ ahead, over * heading, *twists, bent]
    )


@pytest.mark.parametrize("side", ["left", "right"])
def test_joints_answer_to_each_cue_beside_what_it_is_as_a_rule(side: str) -> None:
    model, rng = model_of(), np.random.default_rng(3)
    usual = tuple(float(x) for x in 0.1 * rng.normal(size=len(CUES)))
    for _ in range(4):
        qpos, qvel = random_pose(model, rng, tilt=0.1), 0.5 * rng.normal(size=model.mj.nv)
        still = standing(model, answering(model, np.zeros((len(CUES), model.hinges))), qpos, qvel, side)
        felt = cues(model, still, qpos, side)
        for number in range(len(CUES)):
            answers = np.zeros((len(CUES), model.hinges))
            answers[number] = rng.normal(size=model.hinges)
            for own in ((0.0,) * len(CUES), usual):
                changed = standing(model, answering(model, answers, own), qpos, qvel, side)
                more = (felt[number] - own[number]) * answers[number]
                np.testing.assert_allclose(changed.angle - still.angle, more, atol=1e-9)


def test_a_mirrored_state_answers_as_a_mirror_shows() -> None:
    model, rng = model_of(), np.random.default_rng(5)
    made = answering(model, rng.normal(size=(len(CUES), model.hinges)), tuple(0.1 * rng.normal(size=len(CUES))))
    other = made.with_rows(mirrored_rows(made.rows(), model.body, len(made.groups)))
    qpos, qvel = random_pose(model, rng, tilt=0.1), np.zeros(model.mj.nv)
    qpos[3:7] = [1.0, 0.0, 0.0, 0.0]
    qvel[:2], qvel[3:6] = (0.7, -0.4), (0.5, 0.3, -0.2)
    felt = standing(model, made, qpos, qvel, "left")
    mirrored = qvel.copy()
    mirrored[[1, 3, 5]] *= -1.0
    seen = standing(model, other, mirror_pose(model.body, qpos), mirrored, "right")
    np.testing.assert_allclose(seen.angle, mirror_angles(model.body, felt.angle), atol=1e-9)


def test_who_flies_or_goes_by_the_papers_law_feels_nothing() -> None:
    model, rng = model_of(), np.random.default_rng(4)
    qpos, qvel = random_pose(model, rng, tilt=0.1), np.zeros(model.mj.nv)
    made = answering(model, rng.normal(size=(len(CUES), model.hinges)))
    flying = step(model, made, qpos=qpos, qvel=qvel, memory={at.STANCE: LEFT_STANDS})
    np.testing.assert_array_equal(flying.angle, made.states[0].pose)
    with pytest.raises(InputError, match="answers to cues, which are for the law 'deviation'"):
        answering(model, np.zeros((len(CUES), model.hinges)), law="paper")


def test_without_answers_a_march_has_the_same_bits() -> None:
    model = model_of()
    march = marching_on(model)
    none = np.zeros((len(CUES), model.hinges))
    usual = Balance(**{**vars_of(march.states[0].balance), "usual": (0.3,) * len(CUES)})
    zeros = replace(march, states=tuple(replace(s, answers=none) for s in march.states))
    known = replace(march, states=(replace(march.states[0], balance=usual), *march.states[1:]))
    bent = replace(march, states=tuple(replace(s, answers=none + 0.1) for s in march.states))
    runs = [simulate(model, made, start_of(model), steps=120).qpos for made in (march, zeros, known, bent)]
    assert runs[0].tobytes() == runs[1].tobytes() == runs[2].tobytes()
    assert np.abs(runs[0] - runs[3]).max() > 1e-3


def vars_of(balance: Balance) -> dict[str, Any]:
    return {name: getattr(balance, name) for name in balance.__dataclass_fields__}


def test_answers_are_checked() -> None:
    model = model_of()
    none = np.zeros((len(CUES), model.hinges))
    with pytest.raises(InputError, match="answers need 7 × "):
        answering(model, none[:2])
    none[2, model.body.axis_index("knee_left_flexion")] = np.inf
    with pytest.raises(InputError, match="answer of 'knee_left_flexion' to root_rolling_over_deg_s is inf°"):
        answering(model, none)


@pytest.mark.parametrize("seed", range(3))
def test_answers_are_written_by_cue_and_joint_in_its_units(seed: int) -> None:
    model, rng = model_of(), np.random.default_rng(seed)
    answers = rng.normal(size=(len(CUES), model.hinges)) * (rng.random((len(CUES), model.hinges)) < 0.3)
    answers[1] = 0.0
    made = answering(model, answers, tuple(0.3 * rng.normal(size=len(CUES))))
    once = as_written(made)
    np.testing.assert_allclose(once.rows(), made.rows(), atol=1e-6)
    np.testing.assert_array_equal(as_written(once).rows(), once.rows())
    text = description_of(made)["states"][0]
    assert list(text["answers_deg"]) == [CUES[0], *CUES[2:]]
    for cue in (0, 2, 6):
        axis = next(iter(text["answers_deg"][CUES[cue]]))
        unit = 1.0 if CUES[cue].endswith("_m") else np.deg2rad(1.0)
        assert SI[cue] == pytest.approx(unit)
        by_si = answers[cue, made.axes.index(axis)]
        assert text["answers_deg"][CUES[cue]][axis] == pytest.approx(np.rad2deg(by_si * unit), abs=1e-5)
        assert text["usual_cues"][CUES[cue]] == pytest.approx(made.states[0].balance.usual[cue] / unit, abs=1e-5)


@pytest.mark.parametrize(
    ("field", "wrong", "says"),
    [
        ("answers_deg", {"cold": {"knee_left_flexion": 1.0}}, "answers_deg knows no 'cold'; there are: swinging_foot"),
        ("answers_deg", {CUES[0]: {"knee": 1.0}}, f"answers_deg, '{CUES[0]}' knows no 'knee'; there are: "),
        ("answers_deg", {CUES[3]: {"knee_left_flexion": "much"}}, f"the answer of 'knee_left_flexion' to {CUES[3]} is"),
        ("answers_deg", {CUES[4]: {"toe_left_flexion": 1e9}}, f"answer of 'toe_left_flexion' to {CUES[4]} is 10000000"),
        ("usual_cues", {"cold": 1.0}, "usual_cues knows no 'cold'; there are: swinging_foot_over_m"),
        ("usual_cues", {CUES[0]: "far"}, f"usual_cues of '{CUES[0]}' is 'far', expected a number"),
    ],
)
def test_a_wrong_answer_or_cue_gets_a_line(field: str, wrong: dict[str, Any], says: str) -> None:
    model = model_of()
    text = description_of(answering(model, np.ones((len(CUES), model.hinges))))
    text["states"][0][field] = wrong
    with pytest.raises(InputError, match=re.escape(says)):
        machine_from(text)
