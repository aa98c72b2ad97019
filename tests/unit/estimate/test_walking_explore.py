"""What a walk does otherwise, what numbers that stands for, and which way what came of it leads."""

from __future__ import annotations

import numpy as np
import pytest
from recorded_walk import recorded_walk

from reenact.control.machine import layout as at
from reenact.estimate.walking.explore import ALL, FALLS, KEEPS, Explorer
from reenact.estimate.walking.space import AGAINST_PUSHES, MOST_CHANGE, gait_space
from reenact.estimate.walking.walk import Walk


@pytest.fixture(scope="module")
def walk() -> Walk:
    return recorded_walk()


@pytest.fixture(scope="module")
def explorer(walk: Walk) -> Explorer:
    space = gait_space(
        walk.machine,
        walk.task.limbs,
        walk.task.model.body,
        first=walk.first,
        feedback=AGAINST_PUSHES,
        reactions=True,
        answers=True,
    )
    return Explorer(space)


def test_what_is_done_otherwise_changes_slowly_and_stays_as_likely(explorer: Explorer) -> None:
    rng = np.random.default_rng(0)
    before = explorer.begun(400, rng)
    after = explorer.goes_on(before, rng)
    assert before.shape == (400, FALLS, explorer.size)
    assert after.std() == pytest.approx(1.0, abs=0.01)
    assert np.mean(before * after) == pytest.approx(KEEPS, abs=0.01)


def test_numbers_do_what_they_are_credited_with(walk: Walk, explorer: Explorer) -> None:
    """A joint's noise is its pose's, and per metre of falling its reaction's, in all states of a step alike."""
    space, rng = explorer.space, np.random.default_rng(1)
    noise = explorer.begun(3, rng)
    params, _ = space.params(explorer.vectors(np.zeros(space.size), noise))
    rows = params.reshape(3, len(walk.machine.states), -1)[:, walk.first : walk.first + space.half]
    own = walk.machine.rows()[walk.first : walk.first + space.half]
    groups, axes = len(walk.machine.groups), len(walk.machine.axes)
    hinge = space.axes[-2]
    pose, reaction = at.pose_at(groups) + hinge, at.reactions_at(groups, axes) + 2 * axes + hinge
    felt = np.zeros((3, ALL - 1))
    felt[:, 2] = 0.3  # over the standing leg
    other, spread = explorer.done(noise, felt)
    i = explorer.size - 2
    change = (rows - own)[:, :, pose] + 0.3 * (rows - own)[:, :, reaction]
    np.testing.assert_allclose(change, np.repeat(other[:, i, None] * space.scale[i], space.half, axis=1), atol=1e-12)
    still, least = explorer.done(noise, np.zeros((3, ALL - 1)))
    assert np.all(spread[:, i] > least[:, i])
    np.testing.assert_allclose(least, np.broadcast_to(least[0], least.shape))
    assert still.shape == (3, explorer.size)


def test_a_state_that_lasts_less_while_it_falls_has_haste(walk: Walk, explorer: Explorer) -> None:
    space = explorer.space
    slope = np.zeros((space.half, ALL, explorer.size))
    slope[0, 1 + 3, 0] = -0.2  # per metre of falling to the swinging leg the first state ends sooner
    machine = space.machine_at(explorer.step(slope))
    hurry = [state.balance.hurry for state in machine.states[walk.first : walk.first + space.half]]
    seconds = [state.seconds for state in walk.machine.states[walk.first : walk.first + space.half]]
    assert hurry[0][3] == pytest.approx(0.2 * space.scale[0] / seconds[0])
    assert all(value == 0.0 for own in hurry for value in own if value != hurry[0][3])


def test_the_direction_is_where_it_went_better(explorer: Explorer) -> None:
    """Rewards that are made of what was done, by state and by what was felt, are found out."""
    rng, half = np.random.default_rng(2), explorer.space.half
    count = 40_000
    felt = np.abs(rng.normal(size=(count, ALL - 1))) * 0.2
    entered = np.zeros((count, half, ALL))
    entered[np.arange(count), rng.integers(half, size=count)] = np.concatenate([np.ones((count, 1)), felt], axis=1)
    noise = explorer.begun(count, rng)
    other, spread = explorer.done(noise, felt)
    joint = explorer.size - 3
    good = 3.0 * entered[:, 1, 0] * other[:, joint] - 8.0 * entered[:, 0, 1 + FALLS] * other[:, joint - 1]
    good += 2.0 * entered[:, 0, 0] * other[:, 2]  # a gain, which answers to nothing felt
    slope = explorer.slope(entered, other, spread, good + 0.1 * rng.normal(size=count))
    assert np.all(slope[:, 1:, 2] == 0.0)
    moved = np.einsum("nsf,sfa->na", entered, slope)  # where it is most likely found out, it goes farthest
    for thing, told in ((joint, 3.0 * entered[:, 1, 0]), (joint - 1, -8.0 * entered[:, 0, 1 + FALLS])):
        assert np.corrcoef(moved[:, thing], told * spread[:, thing] ** 2)[0, 1] > 0.8
    assert slope[0, 0, 2] > 5.0 * np.abs(slope[1:, 0, 2]).max()
    assert explorer.length(2.0 * slope, entered, spread) == pytest.approx(4.0 * explorer.length(slope, entered, spread))


def test_no_step_goes_beyond_what_a_machine_may_have(walk: Walk, explorer: Explorer) -> None:
    space = explorer.space
    machine = space.machine_at(np.full(space.size, 1e3))
    for state in machine.states[walk.first : walk.first + space.half]:
        assert state.reactions is not None
        assert state.answers is not None
        assert np.abs(state.reactions).max() == np.abs(state.answers).max() == MOST_CHANGE
