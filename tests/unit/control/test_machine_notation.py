"""The structure of a state machine in one line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from example_machines import crouch_machine, machine_of, walk_machine
from reenact.control.machine.notation import circled, notation, structure_of


def test_a_cycle_a_chain_and_a_cycle_after_a_prefix() -> None:
    assert notation(walk_machine()) == "⊕→①—T→②—R→③—T→④—L→①"
    assert notation(crouch_machine()) == "⊕→①—T→②—T→③"
    assert notation(machine_of(5, back=2)) == "⊕→①—T→②—R→③—T→④—L→⑤—T→②"
    assert notation(machine_of(1)) == "⊕→①"
    assert notation(machine_of(1, back=1)) == "⊕→①—T→①"


@pytest.mark.parametrize(
    ("machine", "kind"),
    [(walk_machine(), "cycle"), (crouch_machine(), "chain"), (machine_of(5, back=2), "cycle after a prefix")],
)
def test_the_graph_in_words(machine, kind: str) -> None:
    assert structure_of(machine).kind == kind


def test_numbers_are_places_in_the_file_also_where_states_are_run_in_another_order() -> None:
    first, second, third = crouch_machine().states
    machine = replace(crouch_machine(), states=(first, third, second))
    assert notation(machine) == "⊕→①—T→③—T→②"


def test_a_state_that_nothing_leads_to_is_told() -> None:
    first, second, third = crouch_machine().states
    machine = replace(crouch_machine(), states=(replace(first, then="land"), second, third))
    assert structure_of(machine).order == (0, 2)
    assert structure_of(machine).unreached == (1,)


def test_hands_and_other_parts() -> None:
    parts = ("left hand", "right hand", "head", "time")
    states = [replace(state, until=part) for state, part in zip(walk_machine().states, parts, strict=True)]
    assert notation(replace(walk_machine(), states=tuple(states))) == "⊕→①—LH→②—RH→③—head→④—T→①"


def test_circles_up_to_fifty() -> None:
    assert [circled(n) for n in (1, 20, 21, 35, 36, 50, 51)] == ["①", "⑳", "㉑", "㉟", "㊱", "㊿", "(51)"]


def test_ways_that_are_taken_early_stand_after_a_bar() -> None:
    first, second, third, fourth = walk_machine().states
    states = (replace(first, early=("right foot", "left swings")), second, third, fourth)
    machine = replace(walk_machine(), states=states)
    assert notation(machine) == "⊕→①—T→②—R→③—T→④—L→① | ①—R→③"
    assert structure_of(machine).early == ((0, 2),)
    assert structure_of(machine).aside == ()


def test_a_state_that_only_an_early_end_leads_to_lies_aside() -> None:
    first, second, third = crouch_machine().states
    states = (replace(first, then="land", early=("left hand", "push off")), second, third)
    machine = replace(crouch_machine(), states=states)
    assert structure_of(machine).aside == (1,)
    assert structure_of(machine).unreached == ()
    assert notation(machine) == "⊕→①—T→③ | ②—T→③, ①—LH→②"
