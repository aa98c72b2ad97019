"""What touches, which leg stands, and when a state ends: compiled."""

from __future__ import annotations

from typing import Any

from numba import njit

from reenact.control.machine import layout as at
from reenact.physics import sense as part

SHORTEST = 0.08  # [s] before a contact may end a state
SWING = 0.05  # [s] that a foot is off the ground before it can come down
LEFT_STANDS, RIGHT_STANDS = 1.0, 2.0


@njit
def feel_contacts(sense: Any, table: Any, memory: Any) -> None:
    """Take note of the parts that bear a load, of changes since the last step, and of the leg that stands.

    Loads are those of the previous step, so at the first one nothing is known. The standing leg is the one that bears
    alone; where both do, the one whose foot came down last. A foot comes down when it bears after a swing: one that
    loses touch for a moment, as a standing one does now and then, does not. Where both came down at once, or none yet,
    and where none bears, the standing leg stays the one that it was; at the start it is the one that bears more.
    """
    loads, parts = part.loads(sense), int(table[at.PART_OF])
    touching = 0
    for i in range(int(sense[part.SEGMENTS])):
        if sense[loads + i] > 0.0:
            touching |= 1 << int(table[parts + i])
    if memory[at.BEGUN] > 1.0 and touching != int(memory[at.TOUCHING]):
        memory[at.CHANGES] += 1.0
        if memory[at.CHANGES] > 1.0:
            memory[at.EXCESS] += 1.0
    memory[at.TOUCHING] = float(touching)
    if memory[at.BEGUN] > 0.0:
        memory[at.LIFTED] = float(int(memory[at.LIFTED]) | ~touching & (1 << int(table[at.PARTS])) - 1)
    if table[at.LEGS] > 0.0:
        _stand(sense, table, memory, touching)


@njit
def _stand(sense: Any, table: Any, memory: Any, touching: Any) -> None:
    legs = int(table[at.LEG])
    left, right = _bears(table, touching, legs), _bears(table, touching, legs + at.LEG_WIDTH)
    left_down = _comes_down(sense, memory, left, at.AWAY)
    right_down = _comes_down(sense, memory, right, at.AWAY + 1)
    if left_down and right_down:
        memory[at.LANDED] = 0.0
    elif left_down or right_down:
        landed = LEFT_STANDS if left_down else RIGHT_STANDS
        if memory[at.LANDED] != landed:
            memory[at.LANDINGS] += 1.0
        memory[at.LANDED] = landed
    if left != right:
        memory[at.STANCE] = LEFT_STANDS if left else RIGHT_STANDS
    elif left and memory[at.LANDED] != 0.0:
        memory[at.STANCE] = memory[at.LANDED]
    elif left and memory[at.STANCE] == 0.0:
        heavier = _load(sense, table, legs) >= _load(sense, table, legs + at.LEG_WIDTH)
        memory[at.STANCE] = LEFT_STANDS if heavier else RIGHT_STANDS


@njit
def _bears(table: Any, touching: Any, leg: Any) -> Any:
    return touching >> int(table[leg + at.LEG_PART]) & 1 == 1


@njit
def _comes_down(sense: Any, memory: Any, bears: Any, away: Any) -> Any:
    """Whether a foot bears after a swing; memory[away] counts the steps that it is off the ground.

    A foot that does not bear at the start may have swung long before.
    """
    least = SWING / sense[part.TIMESTEP] - 0.5
    if not bears:
        memory[away] += 1.0 if memory[at.BEGUN] > 0.0 else least
        return False
    swung = memory[away] >= least
    memory[away] = 0.0
    return swung


@njit
def _load(sense: Any, table: Any, leg: Any) -> Any:
    loads, parts, total = part.loads(sense), int(table[at.PART_OF]), 0.0
    for i in range(int(sense[part.SEGMENTS])):
        if table[parts + i] == table[leg + at.LEG_PART]:
            total += sense[loads + i]
    return total


@njit
def change_state(sense: Any, table: Any, params: Any, memory: Any) -> None:
    """Go to the next state where the present one has ended, [V12] §4.1.3.

    On time: after its seconds. On contact: when the part bears a load after it was off the ground in this state, not
    before a share of the state's seconds is over, and at the latest after the machine's patience. A scuff does not
    count, and neither does a contact that was there all the time. A state may also end early, by a foot that comes down
    at another time than it should, as it does after a push.
    """
    state = int(memory[at.STATE])
    kind = int(table[int(table[at.KIND]) + state])
    early = int(table[int(table[at.EARLY]) + state])
    if kind == at.NEVER and early == at.NEVER:
        return
    step, timestep = sense[part.STEP], sense[part.TIMESTEP]
    memory[at.CLOCK] += 1.0 + memory[at.HASTE]
    passed = memory[at.CLOCK]
    due = params[state * int(table[at.ROW]) + at.SECONDS] / timestep
    down = int(memory[at.TOUCHING]) & int(memory[at.LIFTED])
    over, follows = False, at.NEXT
    if kind == at.ON_TIME:
        over = passed >= due - 0.5
    elif kind != at.NEVER:
        waited = passed >= max(SHORTEST / timestep, table[at.DWELL] * due)
        over = (down >> (kind - 1) & 1 == 1 and waited) or passed >= table[at.PATIENCE] / timestep
    if not over and early != at.NEVER:
        over, follows = _comes_otherwise(table, memory, state, early, passed * timestep), at.EARLY_NEXT
    if over:
        state = int(table[int(table[follows]) + state])
        memory[at.STATE] = float(state)
        memory[at.ENTERED] = step
        memory[at.CLOCK] = 0.0
        memory[at.ENTRY + state] = step
        memory[at.CHANGES] = 0.0
        memory[at.SWITCHES] += 1.0
        memory[at.LIFTED] = float(~int(memory[at.TOUCHING]) & (1 << int(table[at.PARTS])) - 1)


@njit
def _comes_otherwise(table: Any, memory: Any, state: Any, early: Any, seconds: Any) -> Any:
    """Whether a part has come down that ends the state early, so many seconds after it began.

    One that comes down before it counts, or when it is due, has to leave the ground again first.
    """
    bit = 1 << early
    if int(memory[at.TOUCHING]) & int(memory[at.LIFTED]) & bit == 0:
        return False
    when = int(table[at.EARLY_WHEN]) + 3 * state
    due = table[when + 1] <= seconds <= table[when + 2]
    if seconds < table[when] or due:
        memory[at.LIFTED] = float(int(memory[at.LIFTED]) & ~bit)
        return False
    return seconds >= SHORTEST
