"""What a walk's cues are as a rule, so that its joints answer to what is not as usual alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reenact.control.machine import layout as at
from reenact.estimate.walking.walk import Walk
from reenact.geometry.rotation import Array
from reenact.physics.rollout import rollout_batch
from reenact.physics.state import row_width

CYCLES = 2  # that are looked at


def with_usual_cues(walk: Walk, start: Array) -> Walk:
    """The walk with the means of each state's cues, of the two mirrored steps together; as it is where it has them.

    start: state row (X,) from which on it is looked at.
    """
    rows = walk.machine.rows()
    cycle, usual = rows[walk.first :], slice(at.USUAL, at.USUAL + at.CUES)
    if cycle[:, usual].any() or cycle[:, at.answers_at(len(walk.machine.groups), len(walk.machine.axes)) :].any():
        return walk
    model, memory = walk.task.model, row_width(walk.task.model)
    program, row = walk.machine.compile(model), start[None]
    half = len(cycle) // 2
    sums, counts = np.zeros((half, at.CUES)), np.zeros(half)
    cues = slice(memory + at.FEEL + at.FALLS, memory + at.FELT)
    for _ in range(CYCLES * walk.cycle):
        result = rollout_batch(model, program, row, 1, fall=walk.fall, threads=1)
        if not result.ok[0]:
            return walk
        row = result.final
        state = (int(row[0, memory + at.STATE]) - walk.first) % half
        if row[0, cues].any():
            sums[state] += row[0, cues]
            counts[state] += 1.0
    means = sums / np.maximum(counts, 1.0)[:, None]
    cycle[:, usual] = np.concatenate([means, means])
    return replace(walk, machine=walk.machine.with_rows(rows))
