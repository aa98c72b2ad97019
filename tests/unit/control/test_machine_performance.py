"""What a take keeps of a state machine's doings, held against the simulation itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from example_machines import machine_take, walk_machine
from reenact.control.machine import layout as at
from reenact.control.machine.balance import deviations, standing_leg
from reenact.control.machine.limbs import limbs_of
from reenact.control.machine.machine import Machine
from reenact.control.machine.performance import _rerun, performance_of
from reenact.control.machine.upright import wanted_root
from reenact.control.recipe import rerun_take
from reenact.control.replay import replay
from reenact.errors import InputError
from reenact.formats.take import Take, write_take
from reenact.physics import sense
from reenact.physics.audit import audit_take
from reenact.physics.controller import ANGLE


@pytest.fixture(scope="module")
def walk() -> Take:
    return machine_take(walk_machine(), 0.8, speed=0.8)


def plainly(machine: Machine, trace: Any) -> Iterator[tuple[int, Any, Any, Any]]:
    """Steps with a standing leg: deviations, the root asked for and the memory, by the functions of the feedback."""
    memory, _ = _rerun(machine, trace)
    table, params = machine.table(limbs_of(trace.model.body)), machine.rows().ravel()
    for k, felt in enumerate(trace.senses):
        now = memory[k + 1].copy()
        now[at.COP : at.COP_KNOWN + 1] = memory[k][at.COP : at.COP_KNOWN + 1]
        if now[at.TOUCHING] != memory[k][at.TOUCHING]:
            now[at.COP_KNOWN] = 0.0
        leg = standing_leg.py_func(table, now)
        row = int(now[at.STATE]) * int(table[at.ROW])
        if leg >= 0:
            place, velocity = deviations(felt, table, params, now, row, leg)
            yield k, (place, velocity), wanted_root(felt, table, params, now, row, place, velocity), now


def test_the_control_function_run_again_asks_for_what_it_asked_for(walk: Take) -> None:
    trace = rerun_take(walk)
    _, angles = _rerun(walk_machine(), trace)
    assert np.array_equal(angles, trace.targets[:, ANGLE])


def test_states_follow_each_other_as_the_graph_says(walk: Take) -> None:
    state = walk.motion["state"]
    assert len(state) == len(walk.motion["time"]) - 1
    changes = [(int(a), int(b)) for a, b in pairwise(state) if a != b]
    assert changes[0] == (0, 1)
    assert set(changes) <= {(0, 1), (1, 2), (2, 3), (3, 0)}
    assert np.flatnonzero(np.diff(state))[0] + 1 == round(0.22 * 120), "the first state ends on time"


@pytest.mark.parametrize("law", ["deviation", "paper"])
def test_balance_and_root_are_those_of_the_compiled_functions(walk: Take, law: Any) -> None:
    machine = replace(walk_machine(), law=law)
    trace = rerun_take(walk)
    found = performance_of(machine, trace)
    stood = 0
    for k, (place, velocity), root, now in plainly(machine, trace):
        own = machine.states[int(now[at.STATE])].balance
        d = own.place * np.array(place)[:2] + own.velocity * np.array(velocity)[:2]
        if law == "deviation":
            heading = trace.senses[k, sense.HEADING]
            left = np.array([-np.sin(heading), np.cos(heading)])
            aside = own.aside[0] * np.array(place)[:2] + own.aside[1] * np.array(velocity)[:2]
            d += ((aside - d) @ left) * left
        np.testing.assert_allclose(found["balance"][k], d, atol=1e-6)
        assert abs(float(np.dot(found["target_root"][k], root))) == pytest.approx(1.0, abs=1e-6)
        stood += 1
    assert stood > 20
    assert np.count_nonzero(found["balance"].any(axis=1)) == stood, "and zero where no leg stands"


def test_the_target_is_the_states_pose_but_for_the_swing_leg(walk: Take) -> None:
    machine, motion = walk_machine(), walk.motion
    own = np.array([state.pose for state in machine.states])[motion["state"]]
    differs = np.abs(motion["target"] - own).max(axis=0) > 1e-6
    names = {machine.axes[i] for i in np.flatnonzero(differs)}
    assert names, "the feedback moves the swing leg"
    assert all(name.startswith("hip_") for name in names)


def test_the_take_is_honest_and_its_replay_keeps_the_arrays(walk: Take, tmp_path: Path) -> None:
    write_take(tmp_path / "walk", walk)
    assert audit_take(tmp_path / "walk").honest
    again = replay(walk, seconds=0.4)
    assert np.array_equal(again.motion["state"], walk.motion["state"][: len(again.motion["state"])])
    assert len(again.motion["balance"]) == 48


def test_a_trace_without_senses_is_refused(walk: Take) -> None:
    with pytest.raises(InputError, match="senses"):
        performance_of(walk_machine(), replace(rerun_take(walk), senses=None))
