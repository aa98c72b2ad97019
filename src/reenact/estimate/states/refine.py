"""Structure from a chain, Algorithm 4 of [V12]: transitions on contact, and cycles.

T⊥ replaces a transition on time by one on contact where a part comes to bear within 0.2 s of it and no other does. T∞
closes the chain where later states are like earlier ones. Either is kept if, improved again as a whole, it costs at
most 15 % more.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reenact.control.machine import layout as at
from reenact.control.machine.limbs import unsided
from reenact.control.machine.machine import TIME, Machine
from reenact.estimate.states.task import Task
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.physics.sense import FIXED
from reenact.physics.simulate import simulate
from reenact.physics.state import State

FLICKER = 0.05  # [s] for which a part must be off the ground, or on it, to count
NEAR = 0.2  # [s] from a transition to the contact that may take its place
CYCLES_TRIED = 2
TOLERANCE = 0.15  # δ: by how much dearer a more robust or smaller structure may be
ALIKE = 0.35  # [rad] root mean square difference of poses below which two states may be the same
SHORTEST_CYCLE = 2  # states


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Performance:
    """What a machine did: when it entered its states, and which parts bore a load."""

    entered: NDArray[np.int64]  # (M,) step; of a cycle the last time
    bearing: NDArray[np.bool_]  # (N, P) of each step


def perform(task: Task, machine: Machine, steps: int, *, flicker: float = FLICKER) -> Performance:
    """Run a machine from the start; flicker [s]: what bears, or does not, for a shorter time is not counted."""
    start = State.from_row(task.start, task.model)
    clean = replace(start, memory=None)
    trace = simulate(task.model, machine, clean, steps=steps, record_senses=True)
    assert trace.senses is not None
    assert trace.final.memory is not None
    count = len(task.model.segment_body)
    loads = trace.senses[:, FIXED : FIXED + count] > 0.0
    bearing = np.stack(
        [loads[:, np.array(task.limbs.part_of) == part].any(axis=1) for part in range(len(task.limbs.parts))], axis=1
    )
    entry = trace.final.memory[at.ENTRY : at.ENTRY + len(machine.states)]
    return Performance(entered=entry.astype(np.int64), bearing=settled(bearing, round(flicker / task.model.timestep)))


def settled(bearing: NDArray[np.bool_], least: int) -> NDArray[np.bool_]:
    """What bears (N, P) without flicker: gaps under `least` steps closed, also at the start, then touches cut."""
    out = bearing.copy()
    for own in out.T:
        for value in (False, True):
            edges = np.flatnonzero(np.diff(own)) + 1
            for first, last in itertools.pairwise([0, *edges.tolist(), len(own)]):
                brief = last - first < least and last < len(own) and (first > 0 or not value)
                if bool(own[first]) == value and brief:
                    own[first:last] = not value
    return out


def on_contact(machine: Machine, seen: Performance, task: Task) -> Machine | None:
    """T⊥: transitions on time that coincide with a contact happen on it; None where none does.

    Each contact serves the transition nearest to it.
    """
    reach = round(NEAR / task.model.timestep)
    nearest: dict[tuple[int, int], tuple[int, int]] = {}  # part and step of a contact: distance and state
    for i, state in enumerate(machine.states):
        if state.then is None or state.until != TIME:
            continue
        at_step = int(seen.entered[machine.index(state.then)])
        contact = contact_near(seen.bearing, at_step, reach)
        if contact is None or task.limbs.parts[contact[0]].split()[-1] not in ("foot", "hand"):
            continue
        nearest[contact] = min(nearest.get(contact, (reach + 1, i)), (abs(contact[1] - at_step), i))
    states = list(machine.states)
    for (part, _), (_, i) in nearest.items():
        states[i] = replace(states[i], until=task.limbs.parts[part])
    return replace(machine, states=tuple(states)) if nearest else None


def contact_near(bearing: NDArray[np.bool_], step: int, reach: int) -> tuple[int, int] | None:
    """The part that comes to bear within `reach` of a step, and when, where that is the only contact made there.

    [V12] §5.1.3 asks for one change of contact in the window. Deviation: only contacts that are made are counted. In a
    walk one foot leaves the ground when the other has come down, so that no strike would stand alone; their own walk
    has three transitions on contact.
    """
    first, last = max(step - reach, 1), min(step + reach, len(bearing) - 1)
    if last <= first:
        return None
    made = bearing[first : last + 1] & ~bearing[first - 1 : last]
    if made.sum() != 1:
        return None
    when, part = np.argwhere(made)[0]
    return int(part), first + int(when)


def cycles(machine: Machine) -> list[Machine]:
    """T∞: machines in which the chain goes back to an earlier state instead of on to a later one like it, best first.

    The transition into both must be of one kind, the later states are dropped.
    """
    found: list[tuple[float, Machine]] = []
    count = len(machine.states)
    for later in range(SHORTEST_CYCLE, count):
        for earlier in range(later - SHORTEST_CYCLE + 1):
            entry = machine.states[earlier - 1].until if earlier else None
            if entry is not None and entry != machine.states[later - 1].until:
                continue
            off = difference(machine, earlier, later)
            if off > ALIKE:
                continue
            states = list(machine.states[:later])
            states[-1] = replace(states[-1], then=states[earlier].name)
            found.append((off, replace(machine, states=tuple(states))))
    return [closed for _, closed in sorted(found, key=lambda pair: pair[0])]


def difference(machine: Machine, a: int, b: int) -> float:
    """Root mean square difference [rad] of two states' target poses, the root's tilt among them, where gains agree.

    Joints count by how fast they are driven: a target that is hardly approached says little.
    """
    one, two = machine.states[a], machine.states[b]
    angles = one.pose - two.pose
    turn = rotation.to_rotvec(rotation.multiply(rotation.conjugate(one.root), two.root))
    pace = np.sqrt(np.maximum(one.gains, 1e-3) * np.maximum(two.gains, 1e-3))
    weight: Array = np.concatenate([_per_axis(machine, pace), np.repeat(pace[0], 3)])
    off = np.concatenate([angles, turn])
    return float(np.sqrt(np.sum(weight * off**2) / np.sum(weight)))


def _per_axis(machine: Machine, values: Array) -> Array:
    names = [unsided(axis) for axis in machine.axes]
    return values[[next((i for i, g in enumerate(machine.groups) if name.startswith(g)), 0) for name in names]]
