"""A state machine's structure in one line, in the notation of [V12] §4.2: ⊕→①—R→②—T→③—L→④—T→①.

⊕ is where the simulation starts, T a transition on time, L and R on contact of the left and right foot; other parts are
written out, hands as LH and RH. A state number that comes back closes the cycle. Ways that are taken early, which the
paper does not have, follow after a bar: ⊕→①—T→②—R→① | ①—R→②.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from reenact.control.machine.machine import TIME, Machine, MachineState

START = "⊕"
_SHORT = {"left foot": "L", "right foot": "R", "left hand": "LH", "right hand": "RH", TIME: "T"}
_CIRCLED = ((1, 20, 0x2460), (21, 35, 0x3251), (36, 50, 0x32B1))  # first and last number, and the sign of the first


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """The order in which states are run through where none ends early; states are numbered from 0."""

    order: tuple[int, ...]  # from the first on, each once
    back: int | None  # the state that the last of them goes back to; None: it stays for ever
    early: tuple[tuple[int, int], ...]  # ways from a state that ends early to the one that follows then
    aside: tuple[int, ...]  # states that only those lead to
    unreached: tuple[int, ...]  # states that nothing leads to

    @property
    def kind(self) -> Literal["chain", "cycle", "cycle after a prefix"]:
        """The graph in words."""
        if self.back is None:
            return "chain"
        return "cycle" if self.back == self.order[0] else "cycle after a prefix"


def structure_of(machine: Machine) -> Structure:
    """Follow the transitions from the first state."""
    order, back = _run_through(machine)
    early = tuple((i, machine.index(s.early[1])) for i, s in enumerate(machine.states) if s.early is not None)
    reached = set(order)
    while more := {i for i in range(len(machine.states)) if i not in reached and _led_to(machine, i, reached)}:
        reached |= more
    others = [i for i in range(len(machine.states)) if i not in order]
    return Structure(
        order=tuple(order),
        back=back,
        early=early,
        aside=tuple(i for i in others if i in reached),
        unreached=tuple(i for i in others if i not in reached),
    )


def _run_through(machine: Machine) -> tuple[list[int], int | None]:
    order = [0]
    while (then := machine.states[order[-1]].then) is not None:
        following = machine.index(then)
        if following in order:
            return order, following
        order.append(following)
    return order, None


def _led_to(machine: Machine, number: int, reached: set[int]) -> bool:
    name = machine.states[number].name
    ways = [(machine.states[i].then, machine.states[i].early) for i in reached]
    return any(then == name or (early is not None and early[1] == name) for then, early in ways)


def notation(machine: Machine) -> str:
    """The structure as one line; numbers are the states' places in the file."""
    found = structure_of(machine)
    line = f"{START}→{circled(found.order[0] + 1)}"
    for place, state in enumerate(found.order):
        last = place == len(found.order) - 1
        following = found.back if last else found.order[place + 1]
        if following is not None:
            line += f"—{condition(machine.states[state])}→{circled(following + 1)}"
    more = [_way(i, condition(machine.states[i]), then) for i in found.aside if (then := _then(machine, i)) is not None]
    more += [_way(here, sign(machine.states[here].early[0]), there) for here, there in found.early]  # type: ignore[index]
    return f"{line} | {', '.join(more)}" if more else line


def condition(state: MachineState) -> str:
    """What ends a state, as a sign: T, L, R, LH, RH or the part's name."""
    return sign(state.until)


def sign(part: str) -> str:
    """A part whose contact ends a state, or "time", as a sign."""
    return _SHORT.get(part, part)


def _then(machine: Machine, number: int) -> int | None:
    then = machine.states[number].then
    return None if then is None else machine.index(then)


def _way(here: int, sign: str, there: int) -> str:
    return f"{circled(here + 1)}—{sign}→{circled(there + 1)}"


def circled(number: int) -> str:
    """A number in a circle; in brackets where there is no such sign."""
    for first, last, sign in _CIRCLED:
        if first <= number <= last:
            return chr(sign + number - first)
    return f"({number})"
