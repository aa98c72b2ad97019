"""A machine held against masks: what it costs, and that polishing makes it more like what was seen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bending_motion import bending

from reenact.control.machine.machine import Machine
from reenact.errors import InputError
from reenact.estimate.exact_json import dumps
from reenact.estimate.states.checkpoint import Checkpoint
from reenact.estimate.states.incremental import first_machine
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task, task_of
from reenact.estimate.states.window import snapshots_of
from reenact.estimate.video.seen_polish import PolishSettings, looks_of, polish, polish_plan, polishing
from reenact.estimate.video.seen_window import Weights, seen_window
from reenact.estimate.video.sighting import Sighting
from reenact.observe.projection import mismatches, projection_of
from reenact.observe.projection_table import pack
from reenact.view.bench_silhouette import random_camera
from reenact.world.world import World

RATE = 50.0  # of the video, which does not divide the simulation's
FEW = PolishSettings(sweeps=2, rounds=2, population=6)
MORE = PolishSettings(rounds=30, population=16, spread=0.3, weights=Weights(depth=0.0, track=0.0))


@pytest.fixture(scope="module")
def task() -> Task:
    return task_of(bending(0.3), World(), threads=1)


@pytest.fixture(scope="module")
def sighting(task: Task) -> Sighting:
    camera = random_camera(np.random.default_rng(3))
    times = np.arange(int(0.3 * RATE) + 1) / RATE
    steps = np.round(times / task.model.timestep).astype(int)
    masks = pack(projection_of(task.model.body, camera).silhouettes(task.reference.qpos[steps]))
    return Sighting(
        video=Path("bend.mp4"), name="bend", camera=camera, times=times + 1.0, masks=masks, size=(160, 90),
        quality=np.ones(len(times)),
    )  # fmt: skip


@pytest.fixture(scope="module")
def machine(task: Task) -> Machine:
    """As it would be guessed, but with an arm raised the wrong way."""
    found = first_machine(task, Settings(), task.reference.frames - 1)
    pose = found.states[0].pose.copy()
    pose[found.axes.index("shoulder_left_flexion")] -= 1.2
    return replace(found, states=(replace(found.states[0], pose=pose),))


def test_the_cost_is_that_of_the_run(task: Task, sighting: Sighting, machine: Machine) -> None:
    last = task.reference.frames - 1
    looks, weights = looks_of(task, [sighting], 1.0), Weights(silhouette=30.0, depth=0.0, track=0.0)
    whole = seen_window(task, looks, weights, last)
    tried = whole.try_out(machine, machine.rows().reshape(1, -1))
    from reenact.physics.rollout import rollout_batch
    from reenact.physics.state import State

    start = replace(State.from_row(task.start, task.model), memory=None)
    run = rollout_batch(task.model, machine.compile(task.model), start, last + 1, every=1)
    assert run.qpos is not None
    steps = sighting.times * 120.0 - 120.0
    on = np.flatnonzero(np.abs(steps - np.round(steps)) < 1e-6)
    terms = mismatches(looks[0].projection.overlaps(run.qpos[0, np.round(steps[on]).astype(int)], sighting.masks[on]))
    assert tried.cost[0] == pytest.approx(30.0 * terms.mean(), rel=0.3)  # the other frames are between these
    with_track = seen_window(task, looks, replace(weights, track=1.0), last)
    markers = with_track.try_out(machine, machine.rows().reshape(1, -1)).cost[0] - tried.cost[0]
    assert markers > 0.0


def test_windows_agree_on_the_cost(task: Task, sighting: Sighting, machine: Machine) -> None:
    """A run that is taken up at the second state costs what the whole costs, and its residuals are the last ones."""
    first = replace(machine.states[0], seconds=0.1, then="2")
    two = replace(machine, states=(first, replace(machine.states[0], name="2")))
    whole = seen_window(task, looks_of(task, [sighting], 1.0), Weights(), task.reference.frames - 1)
    shots, rows = snapshots_of(whole, two), two.rows().reshape(1, -1)
    one, other = (shots.window(state).try_out(two, rows) for state in (0, 1))
    assert shots.window(1).begin > 0
    assert other.cost[0] == pytest.approx(one.cost[0], rel=1e-12)
    assert 0 < other.offsets.shape[1] < one.offsets.shape[1]
    assert np.array_equal(other.offsets[0], one.offsets[0, -other.offsets.shape[1] :])


def test_polishing_brings_the_arm_where_it_was_seen(task: Task, sighting: Sighting, machine: Machine) -> None:
    looks = looks_of(task, [sighting], 1.0)
    whole = seen_window(task, looks, MORE.weights, task.reference.frames - 1)
    better = polish(task, machine, [sighting], MORE, start=1.0)
    before, after = (whole.try_out(each, each.rows().reshape(1, -1)) for each in (machine, better))
    assert after.cost[0] < 0.85 * before.cost[0]
    assert after.joints[0] < before.joints[0]


def test_a_stopped_polish_goes_on_to_the_same_bits(
    task: Task, sighting: Sighting, machine: Machine, tmp_path: Path
) -> None:
    looks = looks_of(task, [sighting], 1.0)
    plan = polish_plan(task, machine, [sighting], FEW, 1.0)
    told: list[float] = []
    whole = polish(task, machine, [sighting], FEW, lambda share, what: told.append(share), start=1.0)
    assert told[0] == 0.0
    assert told[-1] == 1.0
    kept = Checkpoint(tmp_path, plan)
    first = next(iter(polishing(task, machine, looks, FEW)))
    kept.save(first, kept.spent)
    two = replace(task, threads=2)
    again = polish(two, machine, [sighting], FEW, start=1.0, checkpoint=Checkpoint(tmp_path, plan), resume=True)
    assert dumps(again) == dumps(whole)
    other = Checkpoint(tmp_path, polish_plan(task, machine, [sighting], replace(FEW, seed=1), 1.0))
    with pytest.raises(InputError, match="seed"):
        polish(task, machine, [sighting], replace(FEW, seed=1), start=1.0, checkpoint=other, resume=True)


def test_settings_that_cannot_work_are_refused() -> None:
    with pytest.raises(InputError, match="of 0 rounds"):
        PolishSettings(rounds=0)
    with pytest.raises(InputError, match="spread"):
        PolishSettings(spread=0.0)
