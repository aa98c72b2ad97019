"""A state machine as text: what is written is what runs, and a wrong edit gets one line that says where."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hand_made_machine import machine, marching, model_of, state
from reenact.control import recipe
from reenact.control.machine.falling import WAYS
from reenact.control.machine.machine import Balance, Machine
from reenact.control.machine.text import as_written, description_of, machine_from
from reenact.control.read import controller_from_json
from reenact.errors import InputError
from reenact.geometry import rotation

Text = dict[str, Any]


def same_bits(a: Machine, b: Machine) -> bool:
    """Whether two machines hold the same numbers and graph."""
    graph = [[(s.name, s.until, s.then, s.early, s.early_after, s.early_due) for s in m.states] for m in (a, b)]
    others = [(m.axes, m.groups, m.law, m.share, m.level, m.dwell, m.patience, m.timestep) for m in (a, b)]
    return graph[0] == graph[1] and others[0] == others[1] and a.rows().tobytes() == b.rows().tobytes()


def random_machine(seed: int, root: rotation.Array) -> Machine:
    model, rng = model_of(), np.random.default_rng(seed)
    states = []
    for name in ("one", "two"):
        balance = Balance(
            **{x: float(rng.normal()) for x in ("place", "velocity", "blend")},
            **{
                x: (float(rng.normal()), float(rng.normal()))
                for x in ("nominal_place", "nominal_velocity", "ankle", "lean", "aside")
            },
        )
        made = state(model, name, seconds=float(rng.uniform(0.02, 3.0)), balance=balance, root=root)
        gains, pose = rng.uniform(0.0, 1.0, len(made.gains)), rng.normal(size=len(made.pose))
        states.append(replace(made, gains=gains, pose=pose))
    one = replace(states[0], until="left foot", then="two", early=("right hand", "one"), early_due=(0.125, 0.5))
    return machine(model, one, states[1], law="paper", share=0.25, level=True, dwell=0.5, patience=2.0)


angles = st.floats(-np.pi, np.pi)
right = st.sampled_from([0.0, np.pi / 2, -np.pi / 2, np.pi, -np.pi, np.pi / 2 - 3e-8, -np.pi / 2 + 2e-8, 1e-7])


@settings(max_examples=60)
@given(st.integers(0, 9), angles | right, angles | right, angles | right)
def test_writing_once_settles_every_bit(seed: int, turn: float, lean: float, tilt: float) -> None:
    """Any orientation, those included in which turn and tilt cannot be told apart."""
    first = random_machine(seed, rotation.from_euler("zyx", [turn, lean, tilt]))
    written = as_written(first)
    assert same_bits(as_written(written), written)
    assert description_of(written) == description_of(first)
    for a, b in zip(written.states, first.states, strict=True):
        np.testing.assert_allclose(a.pose, b.pose, atol=2e-8)
        assert abs(a.root @ b.root) > 1.0 - 1e-11
        np.testing.assert_allclose(a.balance.numbers(), b.balance.numbers(), atol=1e-6)
        assert a.seconds == pytest.approx(b.seconds, abs=1e-6)


def test_the_text_survives_json_and_the_registry() -> None:
    made = as_written(marching(model_of(), law="paper", share=0.5, level=True))
    text = json.loads(json.dumps(made.to_json()))
    found = controller_from_json(text)
    assert isinstance(found, Machine)
    assert same_bits(found, made)
    assert list(text)[-1] == "states"
    former = {{"root_share": "standing_hip_share"}.get(name, name): value for name, value in text.items()}
    assert same_bits(machine_from(former), made)
    assert text["states"][0]["until"] == "time 0.15 s"
    assert text["states"][1]["until"] == "right foot contact"
    assert text["states"][0]["pose_deg"]["hip_right_flexion"] == pytest.approx(np.rad2deg(0.7), abs=1e-6)


def test_everything_beside_the_machine_in_controller_json_is_known_to_it() -> None:
    names = recipe._Setting.__struct_fields__
    text = marching(model_of()).to_json()
    machine_from({**text, **{name: "" for name in names if name not in text}})


def test_rows_make_the_machine_again() -> None:
    made = marching(model_of())
    np.testing.assert_allclose(made.with_rows(made.rows()).rows(), made.rows(), atol=1e-15)


def drop(text: Text, *keys: Any) -> None:
    for key in keys[:-1]:
        text = text[key]
    del text[keys[-1]]


def put(text: Text, *keys_and_value: Any) -> None:
    *keys, last, value = keys_and_value
    for key in keys:
        text = text[key]
    text[last] = value


def rename(text: Text, number: int, block: str, old: str, new: str) -> None:
    values = text["states"][number][block]
    text["states"][number][block] = {new if key == old else key: value for key, value in values.items()}


EDITS: list[tuple[Callable[[Text], None], str]] = [
    (lambda t: rename(t, 2, "pose_deg", "knee_left_flexion", "kneee"),
     "pose_deg: 'kneee' stands in state 'lift left' and not in state 'lift right'"),
    (lambda t: rename(t, 0, "pose_deg", "knee_left_flexion", "kneee"),
     "pose_deg: 'knee_left_flexion' stands in state 'drop right' and not in state 'lift right'"),
    (lambda t: drop(t, "states", 3, "pose_deg", "neck_twist"),
     "pose_deg: 'neck_twist' stands in state 'lift right' and not in state 'drop left'"),
    (lambda t: drop(t, "states", 0, "gain", "hip"),
     "gain: 'hip' stands in state 'drop right' and not in state 'lift right'"),
    (lambda t: put(t, "states", 1, "then", "lift lefft"),
     "state 'drop right' goes on to 'lift lefft', which is no state; there are: lift right, drop right, lift left, "
     "drop left"),
    (lambda t: put(t, "states", 0, "until", "tme 0.2 s"),
     "state 'lift right': until is 'tme 0.2 s', expected e.g. 'time 0.25 s' or 'left foot contact'"),
    (lambda t: put(t, "states", 0, "until", "time contact"), "until is 'time contact', expected e.g."),
    (lambda t: put(t, "states", 0, "until", "time nan s"), "until is 'time nan s', expected e.g."),
    (lambda t: put(t, "states", 0, "until", "time 1-2 s"), "until is 'time 1-2 s', expected e.g."),
    (lambda t: put(t, "states", 0, "until", "time 0 s"),
     "state 'lift right' lasts 0.0 s, expected more than 0 and at most 60"),
    (lambda t: put(t, "states", 0, "until", "time 61 s"), "lasts 61.0 s, expected more than 0 and at most 60"),
    (lambda t: drop(t, "states", 1, "expected_s"),
     "state 'drop right' ends on contact and needs 'expected_s', the seconds that it lasts as a rule"),
    (lambda t: put(t, "states", 1, "expected_s", float("nan")), "state 'drop right' lasts nan s"),
    (lambda t: put(t, "states", 1, "gain", "knee", 1.2),
     "state 'drop right': the gain of 'knee' is 1.2, expected 0 … 1"),
    (lambda t: put(t, "states", 1, "gain", "knee", -0.1), "the gain of 'knee' is -0.1"),
    (lambda t: put(t, "states", 1, "gain", "knee", float("nan")),
     "state 'drop right': gains of 'knee' is nan, expected a finite number"),
    (lambda t: put(t, "states", 2, "pose_deg", "neck_twist", float("inf")),
     "state 'lift left': pose of 'neck_twist' is inf, expected a finite number"),
    (lambda t: put(t, "states", 2, "pose_deg", "neck_twist", "much"),
     "state 'lift left': pose_deg of "),
    (lambda t: put(t, "states", 2, "root_deg", "lean_forward", float("nan")), "state 'lift left': root of"),
    (lambda t: rename(t, 2, "root_deg", "tilt_right", "tilt"),
     "state 'lift left': root_deg knows no 'tilt'; there are: turn_left, lean_forward, tilt_right"),
    (lambda t: drop(t, "states", 2, "root_deg", "tilt_right"), "state 'lift left': root_deg lacks 'tilt_right'"),
    (lambda t: rename(t, 2, "balance", "blend", "blnd"), "state 'lift left': balance knows no 'blnd'; there are: pl"),
    (lambda t: put(t, "states", 2, "balance", "blend", float("nan")), "state 'lift left': its feedback holds"),
    (lambda t: put(t, "states", 2, "balance", "sole", 1.2), "state 'lift left': sole is 1.2, expected 0 … 1"),
    (lambda t: put(t, "states", 2, "balance", "inward", -0.1), "state 'lift left': inward is -0.1, expected at least"),
    (lambda t: put(t, "states", 2, "balance", "hurry_per_m", "a"), "state 'lift left': balance of 'hurry_per_m' is"),
    (lambda t: put(t, "states", 2, "ankle_reflex", [1.0]), "state 'lift left' cannot be read: Expected `array` of"),
    (lambda t: put(t, "states", 2, "name", "lift right"), "two states are named 'lift right'"),
    (lambda t: put(t, "states", 2, "plse", 1), "state 'lift left' cannot be read: Object contains unknown field"),
    (lambda t: drop(t, "states", 2, "then"), "state 'lift left' cannot be read: Object missing required field `then`"),
    (lambda t: put(t, "states", 2, "lift"), "state 'number 3' cannot be read: Expected `object`, got `str`"),
    (lambda t: put(t, "states", 0, "early", {"left foot": "drop left"}), "state 'lift right': early is {"),
    (lambda t: put(t, "states", 0, "early", {"time contact": "drop left"}), "state 'lift right': early is {"),
    (lambda t: put(t, "states", 0, "early_due_s", [0.3, 0.1]), "is due from 0.3 to 0.1 s, expected times of 0 … 60 s"),
    (lambda t: put(t, "states", 0, "early", {"left foot contact": "drop lft"}),
     "state 'lift right' goes early to 'drop lft', which is no state"),
    (lambda t: put(t, "states", []), "a state machine needs a list 'states' with at least one state"),
    (lambda t: drop(t, "states"), "a state machine needs a list 'states' with at least one state"),
    (lambda t: put(t, "balance_lwa", "paper"), "a state machine knows no 'balance_lwa'; there are: kind, timestep"),
    (lambda t: put(t, "balance_law", "papr"), "balance_law is 'papr', expected one of: paper, deviation"),
    (lambda t: put(t, "root_share", 1.5), "root_share is 1.5, expected 0 … 1"),
    (lambda t: put(t, "contact_dwell", -1), "dwell -1.0 must lie in 0 … 1"),
    (lambda t: put(t, "contact_patience_s", 0), "contact_patience_s 0.0 in 0 … 60"),
]  # fmt: skip


@pytest.mark.parametrize(("edit", "message"), EDITS)
def test_a_wrong_edit_gets_one_precise_line(edit: Callable[[Text], None], message: str) -> None:
    text = copy.deepcopy(msgspec.to_builtins(marching(model_of()).to_json()))
    edit(text)
    with pytest.raises(InputError) as caught:
        controller_from_json(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_part_that_the_body_has_not_is_named_with_those_it_has() -> None:
    model, text = model_of(), marching(model_of()).to_json()
    for block in ({"until": "left fot contact"}, {"early": {"left fot contact": "lift left"}}):
        wrong = copy.deepcopy(text)
        wrong["states"][1] |= block
        with pytest.raises(InputError, match=r"state 'drop right' waits for 'left fot' to touch, .*left foot"):
            controller_from_json(wrong).compile(model)
    with pytest.raises(InputError, match="waits for 'time' to touch"):
        machine(model, state(model, early=("time", "a"))).compile(model)


def test_a_file_for_another_body_or_drive_is_refused() -> None:
    adult, other = model_of(), model_of("human50")
    with pytest.raises(InputError, match=r"for another body than 'human50': it has .*lumbar_flexion"):
        marching(adult).compile(other)
    text = marching(adult).to_json()
    for one in text["states"]:
        one["gain"] = {name: value for name, value in one["gain"].items() if name != "toe"}
    with pytest.raises(InputError, match=r"its gains are for root, .*; the body has root, .*toe"):
        machine_from(text).compile(adult)
    servo = replace(adult, actuation="servo", spare=[])
    with pytest.raises(InputError, match="drives motors, the model's actuation is 'servo'"):
        marching(adult).compile(servo)


def test_an_edited_file_runs_with_whole_numbers_and_without_what_is_optional() -> None:
    text = marching(model_of()).to_json()
    for one in text["states"]:
        for name in ("balance", "nominal_place_m", "nominal_velocity_m_s", "ankle_reflex", "lean_reflex"):
            one.pop(name)
        one["pose_deg"]["hip_left_flexion"] = 30
    text["states"][0]["until"] = "  time  2s "
    found = machine_from({"kind": "machine", "timestep": 1 / 120, "states": text["states"]})
    assert found.states[0].seconds == 2.0
    assert found.states[0].balance == Balance()
    assert found.states[0].pose[found.axes.index("hip_left_flexion")] == np.deg2rad(30.0)


def test_numbers_for_pushes_are_written_and_read_and_left_out_where_they_do_nothing() -> None:
    model = model_of()
    plain = machine(model, state(model)).to_json()["states"][0]
    assert "lean_reflex_aside" not in plain
    assert "balance" not in plain
    own = Balance(
        blend=1.0, lean=(0.1, 0.2), lean_aside=(0.3, 0.4), inward=0.0, sole=0.8, hurry=(0.5, -0.25, 0.125, 1.0)
    )
    found = machine_from(machine(model, state(model, balance=own)).to_json())
    assert found.states[0].balance == own
    assert found.with_rows(found.rows()).states[0].balance == own


def reacting(seed: int) -> Machine:
    """A machine in which some joints of some states react to some ways to fall."""
    model, rng = model_of(), np.random.default_rng(seed)
    reactions = rng.normal(size=(len(WAYS), model.hinges)) * (rng.random((len(WAYS), model.hinges)) < 0.3)
    reactions[1] = 0.0
    return machine(model, state(model, "one", reactions=reactions, then="two"), state(model, "two"))


@pytest.mark.parametrize("seed", range(5))
def test_reactions_are_written_by_way_and_joint(seed: int) -> None:
    made = reacting(seed)
    once = as_written(made)
    np.testing.assert_allclose(once.rows(), made.rows(), atol=1e-8)
    assert same_bits(as_written(once), once)
    one, two = description_of(made)["states"]
    assert list(one["reactions_deg_per_m"]) == [WAYS[0], WAYS[2], WAYS[3]]
    assert "reactions_deg_per_m" not in two
    assert once.states[1].reactions is None
    axis = next(iter(one["reactions_deg_per_m"]["ahead"]))
    written = one["reactions_deg_per_m"]["ahead"][axis]
    assert np.deg2rad(written) == pytest.approx(made.states[0].reactions[0, made.axes.index(axis)], abs=1e-7)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (
            {"sideways": {"knee_left_flexion": 1.0}},
            "knows no 'sideways'; there are: ahead, back, over the standing leg",
        ),
        ({"ahead": {"knee": 1.0}}, "reactions_deg_per_m, 'ahead' knows no 'knee'; there are: "),
        ({"ahead": {"knee_left_flexion": "much"}}, "the reaction of 'knee_left_flexion' to falling ahead is 'much'"),
        ({"back": {"toe_left_flexion": 1e9}}, "reaction of 'toe_left_flexion' to falling back is 1000000000°/m"),
        ({"ahead": 3.0}, "state 'one' cannot be read: Expected `object`, got `float`"),
    ],
)
def test_a_wrong_reaction_gets_a_line(wrong: Text, says: str) -> None:
    text = description_of(reacting(0))
    text["states"][0]["reactions_deg_per_m"] = wrong
    with pytest.raises(InputError, match=re.escape(says)):
        machine_from(text)
