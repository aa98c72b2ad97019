"""What is seen of a machine while it runs: every frame once, at its time; the machine itself is left alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.control.machine import layout as at
from reenact.control.machine import watch
from reenact.control.machine.limbs import limbs_of
from reenact.control.machine.machine import Machine, MachineState
from reenact.control.machine.run import run_machine
from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.observe import machine_seen_table as seen
from reenact.observe.machine_seen import run_seen
from reenact.observe.machine_seen_table import Look, memory_of, seen_block
from reenact.observe.projection import projection_of
from reenact.observe.projection_native import overlap_of
from reenact.observe.projection_table import pack
from reenact.physics import sense as part
from reenact.physics.controller import Program
from reenact.physics.model import Model, compile_model
from reenact.physics.rollout import rollout_batch
from reenact.physics.simulate import simulate
from reenact.physics.state import State, row_width
from reenact.view.bench_silhouette import random_camera
from reenact.world.world import World

STEPS = 24  # simulated; the video ends at LAST
LAST = 18
TIMES = (np.arange(6) / 50.0, 0.013 + np.arange(5) / 29.97)  # [s] neither divides 120 Hz


@pytest.fixture(scope="module")
def model() -> Model:
    return compile_model(adult(), World())


@pytest.fixture(scope="module")
def looks(model: Model) -> tuple[Look, ...]:
    rng = np.random.default_rng(4)
    found = []
    for times in TIMES:
        projection = projection_of(model.body, random_camera(rng))
        standing = projection.silhouettes(np.tile(model.mj.qpos0, (len(times), 1)))
        masks = pack(np.roll(standing, 2, axis=2))
        quality = rng.uniform(0.5, 1.0, len(times))
        quality[1] = 0.0  # says nothing
        found.append(Look(projection=projection, masks=masks, times=times, quality=quality))
    return tuple(found)


def machine_of(model: Model) -> Machine:
    """Two states that lift the arms and bend the knees."""
    limbs, axes = limbs_of(model.body), [axis.name for axis in model.body.axes]
    poses = np.zeros((2, len(axes)))
    poses[0, axes.index("shoulder_left_flexion")], poses[1, axes.index("knee_left_flexion")] = 2.0, 1.0
    gains = np.full(len(limbs.groups), 0.2)
    states = tuple(
        MachineState(name=str(i), seconds=0.05, then="1" if i == 0 else None, pose=poses[i], gains=gains)
        for i in range(2)
    )
    return Machine(axes=tuple(axes), groups=limbs.groups, states=states)


def program_of(model: Model, looks: tuple[Look, ...], *, cap: float = seen.NEVER, blind: bool = False) -> Program:
    machine, limbs = machine_of(model), limbs_of(model.body)
    segments, frames = len(model.segment_body), 1
    watched = np.zeros(watch.BEGINS + 2 + 9 * segments + (12 * segments + 2) * frames)
    watched[[watch.FRAMES, watch.LAST, watch.LIMIT]] = frames, LAST, 1e9  # one frame, never lost
    table = machine.table(limbs, watched)
    own = at.memory_size(2)
    if blind:
        return Program(function=run_machine, table=table, params=machine.rows().ravel(), memory=own)
    block = seen_block(looks, model.timestep, last=LAST, past=STEPS - LAST - 1, cap=cap)
    memory = own + memory_of(segments)
    return Program(
        function=run_seen, table=np.concatenate([table, block]), params=machine.rows().ravel(), memory=memory
    )


def start_of(model: Model) -> State:
    return State(qpos=model.mj.qpos0.copy(), qvel=np.zeros(model.mj.nv))


def candidates(program: Program, count: int) -> Array:
    rng = np.random.default_rng(1)
    params = np.tile(program.params, (count, 1))
    params[:, -20:] += rng.normal(0.0, 0.2, (count, 20))
    return params


def memory_in(rows: Array, model: Model) -> Array:
    return rows[:, row_width(model, at.memory_size(2)) :]


def test_every_frame_counts_once_at_its_own_time(model: Model, looks: tuple[Look, ...]) -> None:
    """The sums of the compiled loop are, to the last bit, those of its recorded senses taken apart in Python."""
    program = program_of(model, looks)
    trace = simulate(model, _Ready(program), start_of(model), steps=STEPS, record_senses=True)
    assert trace.senses is not None
    assert trace.final.memory is not None
    pose = part.positions.py_func(trace.senses[0])
    rows = trace.senses[:, pose : pose + 12 * len(model.segment_body)]
    total, past = sum(look.weights().sum() for look in looks), 0
    expected = np.zeros(4)
    events = []
    for number, look in enumerate(looks):
        exact = look.times * 120.0
        pace = float(np.median(np.diff(look.times / model.timestep)))
        events += [(x, number, i, look.weights()[i], False) for i, x in enumerate(exact) if x <= LAST]
        later = [LAST + pace * k for k in range(1, 9) if LAST + pace * k <= STEPS - 1]
        events += [(x, number, len(exact) - 1, 1.0, True) for x in later]
        past += len(later)
    for x, number, frame, weight, beyond in sorted(events, key=lambda e: (np.ceil(e[0] - 1e-6), e[1], e[0])):
        if weight == 0.0:
            continue
        step = int(np.ceil(x - 1e-6))
        share = step - x if abs(step - x) > 1e-6 else 0.0
        row = rows[step] if share == 0.0 else share * rows[step - 1] + (1.0 - share) * rows[step]
        y, r, b = _counts(looks[number], row, frame)
        share_of_all = weight / (past if beyond else total)
        at_place = 2 if beyond else 0
        expected[at_place] += share_of_all * (b / (b + y) + r / (r + y))
        expected[at_place + 1] += share_of_all
    got = trace.final.memory[at.memory_size(2) :][:4]
    assert np.allclose(got, expected, rtol=1e-12, atol=0.0)
    assert np.allclose(got[[1, 3]], 1.0)
    assert 0.0 < got[0] < 2.0
    assert got[0] != got[2]


def _counts(look: Look, row: Array, frame: int) -> tuple[int, int, int]:
    """Counts Y, R, B of segments (12·S,) against a frame."""
    table = look.projection.block(look.masks)
    segments = len(row) // 12
    y, r, b = overlap_of(row, 0, 3 * segments, table, 0, frame)
    return int(y), int(r), int(b)


class _Ready:
    """A controller that is a program already."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def compile(self, model: Model) -> Program:
        return self._program

    def to_json(self) -> dict[str, object]:
        return {}


def test_threads_and_a_halt_on_the_way_change_no_bit(model: Model, looks: tuple[Look, ...]) -> None:
    program = program_of(model, looks)
    params = candidates(program, 9)
    runs = [
        rollout_batch(model, program, start_of(model), STEPS, params=params, threads=threads).final
        for threads in (1, 2, 7)
    ]
    assert np.array_equal(runs[0], runs[1])
    assert np.array_equal(runs[0], runs[2])
    for halt in (5, 13):  # between two frames, and where a frame falls between this step and the one before
        there = rollout_batch(model, program, start_of(model), halt, params=params).final
        resumed = rollout_batch(model, program, there, STEPS - halt, params=params).final
        assert np.array_equal(resumed, runs[0])


def test_looking_does_not_touch_the_machine(model: Model, looks: tuple[Look, ...]) -> None:
    program, blind = program_of(model, looks), program_of(model, looks, blind=True)
    params = candidates(program, 3)
    own = row_width(model, at.memory_size(2))
    looked = rollout_batch(model, program, start_of(model), STEPS, params=params).final
    assert np.array_equal(looked[:, :own], rollout_batch(model, blind, start_of(model), STEPS, params=params).final)


def test_hopeless_runs_are_ended(model: Model, looks: tuple[Look, ...]) -> None:
    program = program_of(model, looks)
    whole = memory_in(rollout_batch(model, program, start_of(model), STEPS).final, model)[0]
    cap = 0.5 * whole[seen.SUM]
    result = rollout_batch(model, program_of(model, looks, cap=cap), start_of(model), STEPS)
    found = memory_in(result.final, model)[0]
    assert result.status(0) == "fell"
    assert found[seen.SUM] > cap
    assert 0.0 < found[seen.COUNTED] < 1.0
    assert result.steps[0] == found[seen.LOST] < LAST


def test_what_does_not_belong_together_is_refused(looks: tuple[Look, ...]) -> None:
    one = looks[0]
    with pytest.raises(InputError, match="6 masks, times"):
        replace(one, times=one.times[:3])
    with pytest.raises(InputError, match="do not rise"):
        replace(one, times=one.times[::-1].copy())
    with pytest.raises(InputError, match="0 or more"):
        replace(one, quality=-one.quality)
    with pytest.raises(InputError, match="no mask that tells anything"):
        seen_block([replace(one, quality=0.0 * one.quality)], 1 / 120, last=LAST)
