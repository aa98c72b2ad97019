from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from example_machines import crouch_machine, machine_take
from reenact.body.toml import parse_body
from reenact.control.recipe import rerun_take
from reenact.control.replay import reference_motion
from reenact.estimate.states.new_worlds import flight_of, left_out, run_in_world, turn_of, worlds_of_section_6
from reenact.formats.bench_motions import bench_motion
from reenact.formats.take import Take
from reenact.geometry import rotation
from reenact.world.load import load_world
from reenact.world.things import Thing


@pytest.fixture(scope="module")
def crouched() -> Take:
    return machine_take(crouch_machine(), 0.6)


def test_the_worlds_are_those_of_the_paper() -> None:
    rows = {row.name: row for row in worlds_of_section_6() if not row.change}
    skis = rows["jump on skis"].world
    assert [ski.mass for ski in skis.attachments] == [3.5, 3.5]
    assert {skis.ground.friction, *(ski.friction for ski in skis.attachments)} == {
        load_world("flat").ground.friction / 2000
    }
    (weight,) = rows["twist jump with a weight"].world.attachments
    assert (weight.mass, weight.segment) == (13.0, "hand_right")
    assert len(rows["jump on a trampoline"].world.parts) == 1


def test_every_line_has_a_motion_and_a_world_of_its_own_name() -> None:
    rows = worlds_of_section_6()
    assert len({(row.name, row.world.name) for row in rows}) == len(rows)
    assert len({(row.name, row.change) for row in rows}) == len(rows)
    for row in rows:
        assert bench_motion(row.motion).name == row.motion


def test_things_are_launched_by_pushes_that_a_take_declares(crouched: Take) -> None:
    busy = load_world("commotion")
    assert all(isinstance(thing, Thing) for thing in busy.things)
    gone = run_in_world(crouched, busy, extra=1.0)
    assert {push["name"] for push in gone.take.info.pushes} == {thing.name for thing in busy.things}
    assert gone.take.info.world == "commotion"
    assert gone.take.seconds == pytest.approx(1.6, abs=0.01)
    assert gone.success is not bool(gone.reason)
    assert gone.struck_by
    assert set(gone.struck_by) <= {thing.name for thing in busy.things}


def test_who_stays_on_the_ground_has_not_jumped(crouched: Take) -> None:
    reference = reference_motion(crouched, parse_body(crouched.body_toml))
    qpos = reference.qpos.copy()
    qpos[:, 2] += np.where((reference.time > 0.1) & (reference.time < 0.5), 0.2, 0.0)
    jump = replace(reference, qpos=qpos)
    assert flight_of(reference) == 0.0
    assert flight_of(jump) == pytest.approx(0.4, abs=0.05)
    still = rerun_take(replace(crouched, controller={**crouched.controller, "steps": 12}))
    assert "hardly left the ground" in left_out(still, jump)
    assert left_out(still, reference) == ""


def test_turns_are_counted_beyond_half_a_turn() -> None:
    angles = np.linspace(0.0, np.deg2rad(540.0), 60)
    qpos = np.zeros((60, 7))
    qpos[:, 3:7] = rotation.from_axis_angle(rotation.AXES["z"], angles)
    assert turn_of(qpos) == pytest.approx(np.deg2rad(540.0))
