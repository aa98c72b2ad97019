"""When a state ends, which contacts count and which leg stands, told step by step what the body bears."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from hand_made_machine import WEIGHT, bit, machine, model_of, start_of, state, step
from reenact.control.machine import layout as at
from reenact.control.machine.events import LEFT_STANDS, RIGHT_STANDS
from reenact.control.machine.machine import Machine
from reenact.geometry.rotation import Array
from reenact.physics.model import Model, compile_model
from reenact.physics.simulate import simulate
from reenact.world.world import World

LEFT, RIGHT = {"foot_left": WEIGHT}, {"foot_right": WEIGHT}
BOTH = {"foot_left": WEIGHT, "foot_right": WEIGHT}
Loads = Mapping[str, float]


def felt(model: Model, controller: Machine, loads: Sequence[Loads], *, first: int = 0) -> list[Array]:
    """The memory after each step, the body bearing these loads one after the other; the first step knows of none."""
    memory, out = np.zeros(at.memory_size(len(controller.states))), []
    for k, load in enumerate(loads):
        memory = step(model, controller, loads=load, memory=memory, number=first + k).memory
        out.append(memory)
    return out


def states(memories: Sequence[Array]) -> list[int]:
    return [int(memory[at.STATE]) for memory in memories]


def waiting(model: Model, seconds: float = 0.25, **settings: float) -> Machine:
    """A state that waits for the right foot, and one after it."""
    first = state(model, "swing", seconds=seconds, until="right foot", then="stand")
    return machine(model, first, state(model, "stand"), **settings)


@pytest.mark.parametrize(
    ("rate", "seconds", "steps"),
    [(120, 0.25, 30), (120, 0.1, 12), (120, 0.104, 12), (120, 0.105, 13), (480, 0.05, 24), (1000, 0.033, 33)],
)
def test_a_state_lasts_its_seconds(rate: int, seconds: float, steps: int) -> None:
    model = compile_model(model_of().body, World(), timestep=1.0 / rate)
    both = [state(model, a, seconds=seconds, then=b, pose={"neck_twist": x}) for a, b, x in ("ab0", "ba1")]
    trace = simulate(model, machine(model, *both), start_of(model), steps=3 * steps, record_senses=True)
    assert trace.targets is not None
    turn = trace.targets[:, 0, model.body.axis_index("neck_twist")]
    np.testing.assert_array_equal(turn, np.repeat([0.0, 1.0, 0.0], steps))
    assert trace.final.memory is not None
    assert trace.final.memory[at.SWITCHES] == 2
    assert list(trace.final.memory[at.ENTRY : at.ENTRY + 2]) == [2 * steps, steps]


def test_steps_are_counted_when_the_other_foot_comes_down() -> None:
    model = model_of()
    swing = 8  # steps, more than a foot needs to be off the ground
    loads = [BOTH, *[LEFT] * swing, BOTH, *[RIGHT] * swing, BOTH, BOTH, *[RIGHT] * swing, BOTH, *[LEFT] * swing, BOTH]
    memories = felt(model, waiting(model), [*loads, BOTH])
    assert memories[-1][at.LANDINGS] == 3, "right, left, left once more, right"


def test_a_machine_that_starts_late_counts_from_its_start() -> None:
    model = model_of()
    made = machine(model, state(model, "a", seconds=0.05, then="b"), state(model, "b"))
    assert states(felt(model, made, [{}] * 8, first=500)) == [0] * 6 + [1] * 2


def test_without_a_next_state_it_stays() -> None:
    model = model_of()
    alone = machine(model, state(model, "a", seconds=0.02))
    assert felt(model, alone, [{}] * 9)[-1][at.SWITCHES] == 0


def test_a_contact_ends_a_state_when_the_part_comes_down_after_its_dwell() -> None:
    model = model_of()
    flight = felt(model, waiting(model), [LEFT] * 20 + [BOTH] * 3)
    assert states(flight) == [0] * 20 + [1] * 3
    assert flight[-1][at.ENTRY + 1] == 20


def test_a_contact_that_was_there_all_the_time_does_not_count() -> None:
    """At the first step nothing is known, which does not mean that the foot was in the air."""
    model = model_of()
    stood = felt(model, waiting(model), [{}] + [BOTH] * 40)
    assert states(stood) == [0] * 41
    assert stood[-1][at.LIFTED] == sum(1 << i for i in range(16)) - bit(model, "left foot", "right foot")
    lifted = felt(model, waiting(model), [{}] + [BOTH] * 30 + [LEFT] + [BOTH] * 2)
    assert states(lifted) == [0] * 32 + [1] * 2


def test_what_was_lifted_in_an_earlier_state_does_not_count() -> None:
    model = model_of()
    first = state(model, "a", seconds=0.1, then="swing")
    made = replace(waiting(model), states=(first, *waiting(model).states))
    loads = [{}] + [LEFT] * 5 + [BOTH] * 40  # comes down within the first state
    assert states(felt(model, made, loads)) == [0] * 12 + [1] * 34


def test_a_scuff_before_the_dwell_is_over_does_not_count_but_a_foot_that_stays_down_does() -> None:
    model = model_of()
    scuff = [LEFT] * 5 + [BOTH] + [LEFT] * 20
    assert set(states(felt(model, waiting(model), scuff))) == {0}
    early = [LEFT] * 5 + [BOTH] * 20
    assert states(felt(model, waiting(model), early)).index(1) in (18, 19)  # 0.6 of 30 steps
    short = waiting(model, seconds=0.02, dwell=0.1)
    assert states(felt(model, short, early)).index(1) == 10  # never within 0.08 s


def test_patience_ends_a_state_whose_contact_never_comes() -> None:
    model = model_of()
    found = states(felt(model, waiting(model, patience=0.3), [LEFT] * 40))
    assert found.index(1) in (36, 37)


def test_only_the_part_that_it_waits_for_counts() -> None:
    model = model_of()
    other = [RIGHT] * 20 + [BOTH] * 3
    assert set(states(felt(model, waiting(model), other))) == {0}
    toes = [LEFT] * 20 + [LEFT | {"toes_right": 5.0}]
    assert states(felt(model, waiting(model), toes))[-1] == 1
    hand = machine(
        model, state(model, "a", seconds=0.1, until="left hand", then="b"), state(model, "b", until="right hand")
    )
    assert states(felt(model, hand, [BOTH] * 20 + [{"hand_left": 40.0}]))[-1] == 1


def test_a_foot_that_comes_down_early_leads_elsewhere() -> None:
    model = model_of()
    first = state(model, "a", seconds=0.3, then="b", early=("right foot", "c"))
    made = machine(model, first, state(model, "b"), state(model, "c"))
    assert states(felt(model, made, [LEFT] * 15 + [BOTH] * 2)) == [0] * 15 + [2] * 2
    assert states(felt(model, made, [LEFT] * 5 + [BOTH] * 6)) == [0] * 10 + [2]  # not within 0.08 s
    assert states(felt(model, made, [LEFT] * 38))[-2:] == [1, 1]
    for_ever = replace(made, states=(replace(first, then=None), *made.states[1:]))
    assert states(felt(model, for_ever, [LEFT] * 50 + [BOTH]))[-2:] == [0, 2]


def test_a_foot_that_comes_down_when_due_or_too_soon_to_count_has_to_leave_the_ground_again() -> None:
    model = model_of()
    first = state(model, "a", seconds=0.9, then="b", early=("right foot", "c"), early_after=0.2, early_due=(0.4, 0.5))
    made = machine(model, first, state(model, "b"), state(model, "c"))

    def comes_down(*steps: int) -> list[int]:
        """The state at each step; the right foot stands from each of these steps on for ten."""
        down = [any(step <= k < step + 10 for step in steps) for k in range(100)]
        return states(felt(model, made, [BOTH if each else LEFT for each in down]))

    assert comes_down(30).index(2) == 30
    assert comes_down(15)[-1] == 0
    assert comes_down(15, 40).index(2) == 40
    assert comes_down(54)[-1] == 0
    assert comes_down(54, 70).index(2) == 70


def test_changes_of_contact_are_counted_within_a_state_and_their_excess_for_ever() -> None:
    model = model_of()
    made = machine(model, state(model, "a", seconds=0.1, then="b"), state(model, "b"))
    loads: list[Loads] = [{}, BOTH, BOTH, LEFT, BOTH, BOTH, RIGHT] + [RIGHT] * 5 + [RIGHT, BOTH, BOTH, LEFT]
    memories = felt(model, made, loads)
    changes = [int(memory[at.CHANGES]) for memory in memories]
    #      start is no change; lift, down, lift: 3       new state: 0, then 2
    assert changes == [0, 0, 0, 1, 2, 2, 3, 3, 3, 3, 3, 3, 0, 1, 1, 2]
    excess = [int(memory[at.EXCESS]) for memory in memories]
    assert excess == [0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3]


def test_heel_to_toe_is_no_change_of_contact_and_two_parts_at_once_are_one() -> None:
    model = model_of()
    rolled: list[Loads] = [{}, LEFT, LEFT | {"toes_left": 9.0}, {"toes_left": 9.0}, {"hand_left": 9.0, "head": 9.0}]
    assert [int(m[at.CHANGES]) for m in felt(model, machine(model), rolled)] == [0, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("loads", "stands"),
    [
        ([{}, LEFT], LEFT_STANDS),
        ([{}, RIGHT], RIGHT_STANDS),
        ([{}], 0.0),
        ([{}, {"hand_left": 9.0}], 0.0),
        ([{}, {"foot_left": 300.0, "foot_right": 400.0}], RIGHT_STANDS),  # at the start, the one that bears more
        ([{}, {"foot_left": 300.0, "toes_left": 200.0, "foot_right": 400.0}], LEFT_STANDS),
        ([{}, {}, {}, {"foot_left": 300.0, "foot_right": 400.0}, BOTH], RIGHT_STANDS),  # none came down last
        ([{"foot_left": 300.0, "foot_right": 400.0}, BOTH], RIGHT_STANDS),  # as where loads are known from the first
        ([{}, *[LEFT] * 7, BOTH], RIGHT_STANDS),  # where both bear, the one that came down last
        ([{}, *[RIGHT] * 7, BOTH], LEFT_STANDS),
        ([{}, *[LEFT] * 7, {"foot_left": 900.0, "toes_right": 1.0}, BOTH], RIGHT_STANDS),  # however little it bears
        ([{}, *[LEFT] * 7, BOTH, BOTH, LEFT, BOTH], RIGHT_STANDS),  # a foot may bounce
        ([{}, *[LEFT] * 7, BOTH, RIGHT, BOTH], RIGHT_STANDS),  # what loses touch for a moment does not come down
        ([{}, *[LEFT] * 7, BOTH, *[RIGHT] * 5, BOTH], RIGHT_STANDS),
        ([{}, *[LEFT] * 7, BOTH, *[RIGHT] * 6, BOTH], LEFT_STANDS),  # 0.05 s are a swing
        ([{}, *[LEFT] * 7, {}, BOTH], RIGHT_STANDS),
        ([{}, LEFT, BOTH], RIGHT_STANDS),  # it was off the ground, who knows how long
        ([{}, BOTH, LEFT, BOTH], LEFT_STANDS),  # none has come down: the one that it was
        ([{}, RIGHT, {}], RIGHT_STANDS),
        ([{}, *[RIGHT] * 7, *[{}] * 7, BOTH], RIGHT_STANDS),  # both at once: the one that it was
        ([{}, *[LEFT] * 7, BOTH, *[{}] * 7, BOTH, LEFT, BOTH], LEFT_STANDS),
        ([{}, LEFT, BOTH, RIGHT], RIGHT_STANDS),
        ([{}, LEFT, BOTH, LEFT], LEFT_STANDS),  # who bears alone stands
        ([{}, LEFT, {}, RIGHT], RIGHT_STANDS),
    ],
)
def test_which_leg_stands(loads: Sequence[Loads], stands: float) -> None:
    model = model_of()
    assert felt(model, machine(model), loads)[-1][at.STANCE] == stands


def test_how_long_a_foot_swings_is_a_matter_of_time_not_of_steps() -> None:
    model = compile_model(model_of().body, World(), timestep=1.0 / 240)
    for steps, stands in ((11, RIGHT_STANDS), (12, LEFT_STANDS)):
        loads = [{}, *[LEFT] * 13, BOTH, *[RIGHT] * steps, BOTH]
        assert felt(model, machine(model), loads)[-1][at.STANCE] == stands


def test_what_touches_is_remembered_part_by_part() -> None:
    model = model_of()
    memory = felt(model, machine(model), [{}, {"toes_left": 1.0, "hand_right": 2.0}])[-1]
    assert memory[at.TOUCHING] == bit(model, "left foot", "right hand")
