"""Feet on a line stand level: a sole that leans would stand on one edge of a beam."""

from __future__ import annotations

import numpy as np

from reenact.body.load import load_body
from reenact.formats.bench_motions import bench_motion, bench_reference
from reenact.motion.edit_line import onto_line
from reenact.motion.kinematics import forward
from reenact.motion.tree import tree_of


def test_soles_are_level_from_side_to_side_while_down() -> None:
    walk = bench_reference(bench_motion("walk"), load_body("human50"))
    edited = onto_line(walk)

    def leans(motion: object) -> float:
        tree = tree_of(walk.body)
        frame = forward(tree, motion.qpos)[1]  # type: ignore[attr-defined]
        worst = []
        for contact in edited.contacts:
            foot = walk.body.segment_names.index(contact.segment)
            down = (edited.time >= contact.start) & (edited.time <= contact.end)
            worst.append(np.percentile(np.abs(frame[down, foot, 2, 1]), 90))
        return float(np.rad2deg(np.median(worst)))

    assert leans(walk) > 2.0
    assert leans(edited) < 1.0
