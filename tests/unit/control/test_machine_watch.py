"""What the watch keeps while a motion runs, against the same sums made afterwards from its record."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from hand_made_machine import machine, model_of, posed, start_of, state
from reenact.control.machine import layout as at
from reenact.control.machine import watch
from reenact.control.machine.limbs import limbs_of
from reenact.control.machine.machine import Machine
from reenact.control.machine.run import run_machine
from reenact.geometry.rotation import Array
from reenact.physics.controller import Program
from reenact.physics.model import Model
from reenact.physics.simulate import simulate
from reenact.physics.trace import Trace

STEPS, FRAMES, LAST, FIRST, EVERY, WEIGHT = 40, 30, 34, 2, 3, 0.2
A, B = 12, 9  # steps of the two states
LIMIT = 0.5  # [m²]


@dataclass(frozen=True)
class Watched:
    """A machine that is weighed while it runs."""

    machine: Machine
    block: Array
    kept: int = 0

    def compile(self, model: Model) -> Program:
        return Program(
            function=run_machine,
            table=self.machine.table(limbs_of(model.body), self.block),
            params=self.machine.rows().ravel(),
            memory=at.memory_size(len(self.machine.states)) + self.kept,
        )

    def to_json(self) -> dict[str, Any]:
        return {}


@dataclass(frozen=True)
class Held:
    """What a run is held against, and the run itself as the engine sees it."""

    local: Array  # (S, 3, 3) markers in their segments
    markers: Array  # (F, S, 3, 3)
    origins: Array  # (F, S, 3)
    speed: Array  # (F, 2)
    own_markers: Array  # (N+1, S, 3, 3)
    own_origins: Array  # (N+1, S, 3)
    own_speed: Array  # (N+1, 2)

    def block(self, clock: int, begins: tuple[int, int], *, every: int = EVERY, last: int = LAST) -> Array:
        head = np.zeros(watch.BEGINS)
        head[watch.CLOCK], head[watch.FRAMES], head[watch.LAST], head[watch.LIMIT] = clock, FRAMES, last, LIMIT
        head[watch.FROM], head[watch.EVERY], head[watch.OFFSETS] = FIRST, every, at.memory_size(2)
        head[watch.SPEED_WEIGHT] = WEIGHT
        count = len(self.markers)
        frames = [self.markers.reshape(count, -1), self.origins.reshape(count, -1), self.speed]
        return np.concatenate([head, begins, self.local.ravel(), np.concatenate(frames, axis=1).ravel()])

    def offsets(self, frame: Array, *, moved: bool) -> tuple[Array, Array, Array]:
        """Offsets of markers, origins and velocity at every step; frame: of each step."""
        markers, origins = self.own_markers - self.markers[frame], self.own_origins - self.origins[frame]
        if moved:
            ground = origins[:, 0] * [1.0, 1.0, 0.0]
            markers, origins = markers - ground[:, None, None], origins - ground[:, None]
        return markers, origins, self.own_speed - self.speed[frame]


def cycling(model: Model) -> Machine:
    both = ("a", "b", A, 0.1), ("b", "a", B, -0.1)
    states = [state(model, x, then=y, seconds=n / 120, pose={"lumbar_flexion": v}) for x, y, n, v in both]
    return machine(model, *states)


@pytest.fixture(scope="module")
def trace() -> Trace:
    model = model_of()
    return simulate(model, cycling(model), start_of(model), steps=STEPS)


@pytest.fixture(scope="module")
def held(trace: Trace) -> Held:
    model, rng = trace.model, np.random.default_rng(0)
    segments = len(model.segment_body)
    local = rng.normal(scale=0.1, size=(segments, 3, 3))
    views = [posed(model, qpos) for qpos in trace.qpos]
    origins = np.array([view.xpos[model.segment_body] for view in views])
    turns = np.array([view.xmat[model.segment_body].reshape(-1, 3, 3) for view in views])
    markers = origins[:, :, None] + np.einsum("ksij,smj->ksmi", turns, local)
    return Held(
        local=local,
        markers=markers[:FRAMES] + rng.normal(scale=0.05, size=(FRAMES, segments, 3, 3)),
        origins=origins[:FRAMES] + rng.normal(scale=0.05, size=(FRAMES, segments, 3)),
        speed=rng.normal(size=(FRAMES, 2)),
        own_markers=markers,
        own_origins=origins,
        own_speed=trace.momentum[:, :2] / model.mass,
    )


def kept_of(model: Model) -> int:
    return ((LAST - FIRST) // EVERY + 1) * (9 * len(model.segment_body) + 2)


@pytest.mark.parametrize("clock", [watch.TIME, watch.PHASE])
def test_scores_are_those_of_the_record(trace: Trace, held: Held, clock: int) -> None:
    model, step = trace.model, np.arange(STEPS + 1)
    begins = (3, 14)
    frame = step if clock == watch.TIME else np.where(step % (A + B) < A, 3, 14 - A) + step % (A + B)
    frame = np.minimum(frame, FRAMES - 1)
    seen = simulate(
        model, Watched(cycling(model), held.block(clock, begins), kept_of(model)), start_of(model), steps=STEPS
    )
    np.testing.assert_array_equal(seen.qpos, trace.qpos)  # being watched changes nothing
    markers, origins, speed = held.offsets(frame, moved=clock == watch.PHASE)
    squared = np.mean(np.sum(markers**2, axis=-1), axis=(1, 2))
    swift = squared + WEIGHT**2 * np.sum(speed**2, axis=1) / (3 * len(model.segment_body))  # it counts as a marker does
    joints = np.linalg.norm(origins, axis=-1).mean(axis=1)
    memory = seen.final.memory
    assert memory is not None
    score = memory[at.SCORE : at.SCORE + at.SCORES]
    np.testing.assert_allclose(score[watch.SQUARED], swift[1 : LAST + 1].sum(), rtol=1e-9)
    np.testing.assert_allclose(score[watch.JOINTS], joints[1 : LAST + 1].sum(), rtol=1e-9)
    assert score[watch.COUNTED] == LAST
    kept = memory[at.memory_size(2) :].reshape(-1, kept_of(model) // ((LAST - FIRST) // EVERY + 1))
    rows = step[FIRST : LAST + 1 : EVERY]
    assert len(kept) == len(rows)
    np.testing.assert_allclose(kept[:, :-2], markers[rows].reshape(len(rows), -1), atol=1e-9)
    np.testing.assert_allclose(kept[:, -2:], WEIGHT * speed[rows], atol=1e-9)


def test_nothing_is_kept_where_it_is_not_asked_for(trace: Trace, held: Held) -> None:
    made = Watched(cycling(trace.model), held.block(watch.TIME, (0, 0), every=0), 100)
    final = simulate(trace.model, made, start_of(trace.model), steps=STEPS).final
    assert final.memory is not None
    np.testing.assert_array_equal(final.memory[-100:], 0.0)


@pytest.mark.parametrize(("lost", "last"), [(1, LAST), (7, LAST), (FRAMES - 1, LAST), (FRAMES - 1, 20)])
def test_a_run_is_given_up_where_it_leaves_the_reference(trace: Trace, held: Held, lost: int, last: int) -> None:
    """Before its last frame or beyond."""
    model, markers = trace.model, held.markers.copy()
    markers[lost] += 10.0
    block = replace(held, markers=markers).block(watch.TIME, (0, 0), last=last)
    seen = simulate(model, Watched(cycling(model), block, kept_of(model)), start_of(model), steps=STEPS)
    assert seen.status == "fell"
    assert seen.reason.startswith("its controller gave up")
    assert seen.steps == lost
    np.testing.assert_array_equal(seen.qpos, trace.qpos[: lost + 1])
    assert seen.final.memory is not None
    score = seen.final.memory[at.SCORE : at.SCORE + at.SCORES]
    assert score[watch.COUNTED] == min(lost - 1, last)
    markers, _, speed = held.offsets(np.minimum(np.arange(STEPS + 1), FRAMES - 1), moved=False)
    squared = np.mean(np.sum(markers**2, axis=-1), axis=(1, 2))
    swift = squared + WEIGHT**2 * np.sum(speed**2, axis=1) / (3 * len(model.segment_body))
    np.testing.assert_allclose(score[watch.SQUARED], swift[1 : min(lost, last + 1)].sum(), rtol=1e-9, atol=1e-12)
