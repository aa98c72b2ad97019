"""A machine's program that weighs the motion while it is simulated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reenact.control.machine import layout as at
from reenact.control.machine.limbs import Limbs
from reenact.control.machine.machine import Machine
from reenact.control.machine.run import run_machine
from reenact.control.machine.watch import kept_numbers
from reenact.estimate.states.reference import Clock, Reference, watch_block
from reenact.geometry.rotation import Array
from reenact.physics.controller import Program
from reenact.physics.model import Model
from reenact.physics.state import row_width


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scored:
    """The program, and how its memory is divided: the machine's own, then the offsets it keeps."""

    program: Program
    own: int
    kept: int

    def start_row(self, start: Array, model: Model) -> Array:
        """A start row (X,) with a memory of any length, as a row for this program; what is not known is zero."""
        row = np.zeros(row_width(model, self.own + self.kept))
        known = min(len(start), row_width(model, self.own))
        row[:known] = start[:known]
        return row

    def memory(self, final: Array) -> tuple[Array, Array, Array]:
        """Of end rows (n, X): the machine's own memory, its scores, and the offsets."""
        own = final[:, final.shape[1] - self.own - self.kept : final.shape[1] - self.kept]
        return own, own[:, at.SCORE : at.SCORE + at.SCORES], final[:, final.shape[1] - self.kept :]


def scored(machine: Machine, model: Model, limbs: Limbs, reference: Reference, clock: Clock) -> Scored:
    """The program of a machine that is held against a reference."""
    own, kept = at.memory_size(len(machine.states)), kept_numbers(len(model.segment_body)) * clock.kept
    program = Program(
        function=run_machine,
        table=machine.table(limbs, watch_block(reference, clock, len(machine.states), own)),
        params=machine.rows().ravel(),
        memory=own + kept,
        drives_root=machine.root_by == "swing thigh",
    )
    return Scored(program=program, own=own, kept=kept)
