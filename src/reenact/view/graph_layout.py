"""Where the nodes and arrows of a state machine's graph go.

States stand in the order in which they are run through, in rows that read like text. The arrow that closes a cycle runs
below its row, ways that are taken early run above theirs; states that only those lead to, or nothing, come last.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from reenact.control.machine.machine import Machine
from reenact.control.machine.notation import Structure

MOST: Final = 7  # states in a row
NODE: Final = (112.0, 156.0)  # width and height of a node, in the picture's units
GAP: Final = 68.0  # between nodes of a row
GUTTER: Final = 74.0  # between rows
BACK: Final = 24.0  # how far below a row the arrow of a cycle runs
TURN: Final = 50.0  # how far below a row the arrow to the next row runs
LANE: Final = 20.0  # from one of the ways above a row to the next
LEFT: Final = 62.0  # room left of a row
RIGHT: Final = 34.0
TOP: Final = 8.0

Point = tuple[float, float]
Kind = Literal["on", "round", "back", "self", "over"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """An arrow from one state to another."""

    here: int
    there: int
    kind: Kind  # on along the row, round to the next row, back to close a cycle, or over the heads of others
    early: bool = False
    points: tuple[Point, ...] = ()

    @property
    def label(self) -> Point:
        """Middle of its longest level piece."""
        level = [(a, b) for a, b in pairwise(self.points) if a[1] == b[1]]
        (xa, y), (xb, _) = max(level, key=lambda piece: abs(piece[1][0] - piece[0][0]))
        return 0.5 * (xa + xb), y


class Layout:
    """Upper left corners of the nodes, and the ways between them."""

    def __init__(self, machine: Machine, structure: Structure) -> None:
        self.structure = structure
        self.placed: dict[int, tuple[int, int]] = {}  # column and row of each state
        rows = self._place(structure.order, 0, even=True)
        rows = self._place(structure.aside, rows)
        self._rows = self._place(structure.unreached, rows)
        over = sorted(_over(machine, structure), key=lambda way: self._reach(way))
        self._lanes: list[list[Way]] = [
            [way for way in over if row in (self.placed[way.here][1], self.placed[way.there][1])]
            for row in range(self._rows)
        ]
        self._far = [way for way in over if self.placed[way.here][1] != self.placed[way.there][1]]
        widest = 1 + max(column for column, _ in self.placed.values())
        self.width = LEFT + widest * NODE[0] + (widest - 1) * GAP + RIGHT + LANE * len(self._far)
        low = BACK + 12.0 if structure.back is not None and rows == self._rows and not structure.aside else 0.0
        self.height = self.top(self._rows - 1) + NODE[1] + 10.0 + low
        self.ways = [*self._along(), *(self._lifted(way) for way in over)]

    def _place(self, states: tuple[int, ...], first: int, *, even: bool = False) -> int:
        """Put states into rows from row `first` on; returns the row after them."""
        rows = math.ceil(len(states) / MOST)
        columns = math.ceil(len(states) / rows) if even and rows else MOST
        for i, state in enumerate(states):
            self.placed[state] = (i % columns, first + i // columns)
        return first + rows

    def _reach(self, way: Way) -> tuple[int, int]:
        """How far a way goes: the longer, the higher it runs."""
        (a, r), (b, s) = self.placed[way.here], self.placed[way.there]
        return abs(s - r), abs(b - a)

    def top(self, row: int) -> float:
        """Upper edge of a row's nodes."""
        lanes = sum(len(self._lanes[r]) for r in range(row + 1))
        return TOP + row * (NODE[1] + GUTTER) + LANE * lanes

    def corner(self, state: int) -> Point:
        """Upper left corner of a node."""
        column, row = self.placed[state]
        return LEFT + column * (NODE[0] + GAP), self.top(row)

    def side(self, state: int, x: float, y: float) -> Point:
        """A point of a node, by its share of width and height."""
        left, top = self.corner(state)
        return left + x * NODE[0], top + y * NODE[1]

    def _along(self) -> Iterator[Way]:
        """The ways of a machine none of whose states ends early."""
        order, back = self.structure.order, self.structure.back
        for here, there in pairwise(order):
            begin, end = self.side(here, 1.0, 0.5), self.side(there, 0.0, 0.5)
            if begin[1] == end[1]:
                yield Way(here=here, there=there, kind="on", points=(begin, end))
                continue
            right, left, level = begin[0] + 18.0, end[0] - 24.0, self.side(here, 0.0, 1.0)[1] + TURN
            points = (begin, (right, begin[1]), (right, level), (left, level), (left, end[1]), end)
            yield Way(here=here, there=there, kind="round", points=points)
        if back is not None:
            yield self._closing(order[-1], back)

    def _closing(self, here: int, there: int) -> Way:
        """Back to an earlier state, below the row and, where that is in a row above, up the left margin."""
        apart = 0.18 if here == there else 0.0
        begin, end = self.side(here, 0.5 + apart, 1.0), self.side(there, 0.5 - apart, 1.0)
        low, high, outer = begin[1] + BACK, end[1] + BACK, LEFT - 52.0
        if low == high:
            points: tuple[Point, ...] = (begin, (begin[0], low), (end[0], low), end)
        else:
            points = (begin, (begin[0], low), (outer, low), (outer, high), (end[0], high), end)
        return Way(here=here, there=there, kind="self" if here == there else "back", points=points)

    def _lifted(self, way: Way) -> Way:
        """Over the heads of the states between; to another row by the right margin."""
        begin, end = self.side(way.here, 0.66, 0.0), self.side(way.there, 0.34, 0.0)
        up, down = self._lane(way, way.here), self._lane(way, way.there)
        if way not in self._far:
            points: tuple[Point, ...] = (begin, (begin[0], up), (end[0], up), end)
        else:
            outer = self.width - 8.0 - LANE * self._far.index(way)
            points = (begin, (begin[0], up), (outer, up), (outer, down), (end[0], down), end)
        return Way(here=way.here, there=way.there, kind="over", early=way.early, points=points)

    def _lane(self, way: Way, state: int) -> float:
        row = self.placed[state][1]
        return self.top(row) - 14.0 - LANE * self._lanes[row].index(way)


def _over(machine: Machine, structure: Structure) -> Iterator[Way]:
    """Ways that are not those of the order: early ones, and on from states that lie aside."""
    for here, there in structure.early:
        if here not in structure.unreached:
            yield Way(here=here, there=there, kind="over", early=True)
    for here in structure.aside:
        then = machine.states[here].then
        if then is not None:
            yield Way(here=here, there=machine.index(then), kind="over")
