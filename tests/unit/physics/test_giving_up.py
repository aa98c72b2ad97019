"""A controller may give up: its run ends there as a fall, and what it remembers is kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from waving_adult import adult_model, standing

from reenact.physics import sense as part
from reenact.physics.controller import ANGLE, GAIN, Program, control
from reenact.physics.model import Model, compile_model
from reenact.physics.plain import simulate_plainly
from reenact.physics.rollout import rollout_batch
from reenact.physics.simulate import simulate
from reenact.physics.state import State
from reenact.world.world import World

STATURE = 0.2394  # [m] of a pelvis alone


@control
def _give_up(sense: Any, table: Any, params: Any, memory: Any, target: Any) -> None:
    """Bend a little until a step, then give up."""
    hinges = int(sense[part.HINGES])
    for i in range(hinges):
        target[ANGLE * hinges + i] = 0.05
        target[GAIN * hinges + i] = 0.1
    memory[0] += 1.0
    if sense[part.STEP] >= params[0]:
        target[0] = np.nan


@dataclass(frozen=True)
class Quitter:
    """The controller above."""

    step: float = 1e9

    def compile(self, model: Model) -> Program:
        return Program(function=_give_up, params=np.array([self.step]), memory=1)

    def to_json(self) -> dict[str, Any]:
        return {"kind": "quitter"}


@pytest.mark.parametrize("actuation", ["motor", "servo"])
@pytest.mark.parametrize("step", [0, 1, 9])
def test_a_run_ends_where_its_controller_gives_up(actuation: str, step: int) -> None:
    model = adult_model(actuation)
    whole = simulate(model, Quitter(), standing(model), steps=12)
    trace = simulate(model, Quitter(float(step)), standing(model), steps=12)
    assert (trace.status, trace.steps) == ("fell", step)
    assert trace.reason == f"its controller gave up at {step * model.timestep:.3f} s"
    np.testing.assert_array_equal(trace.qpos, whole.qpos[: step + 1])
    np.testing.assert_array_equal(trace.joint_torque, whole.joint_torque[:step])
    assert trace.final.memory is not None
    assert trace.final.memory[0] == step + 1
    np.testing.assert_array_equal(trace.final.qpos, whole.qpos[step])
    qpos, qvel = simulate_plainly(model, Quitter(float(step)), standing(model), 12)
    np.testing.assert_array_equal(qpos, trace.qpos)
    np.testing.assert_array_equal(qvel, trace.qvel)


def test_others_of_a_batch_go_on_and_nothing_is_left_behind() -> None:
    model = adult_model()
    params = np.array([[1e9], [3.0], [0.0], [1e9], [7.0]])
    for threads in (1, 2):
        result = rollout_batch(
            model, Quitter().compile(model), standing(model), 10, params=params, threads=threads, every=1
        )
        assert [result.status(i) for i in range(5)] == ["ok", "fell", "fell", "ok", "fell"]
        assert result.steps.tolist() == [10, 3, 0, 10, 7]
        assert result.reason(1) == "its controller gave up"
        assert np.isfinite(result.final).all()
        np.testing.assert_array_equal(result.final[0], result.final[3])
        assert result.qpos is not None
        np.testing.assert_array_equal(result.qpos[1, :4], result.qpos[0, :4])
        assert np.isnan(result.qpos[1, 4:]).all()
        assert State.from_row(result.final[1], model).time == pytest.approx(3 * model.timestep)


def test_a_body_without_hinges_never_gives_up_by_chance() -> None:
    """Its target has no angle whose value could tell."""
    whole = adult_model().body
    trunk = replace(whole, segments=whole.segments[:1], stature=STATURE, mirror=(), landmarks={}, end_effectors=())
    model = compile_model(trunk, World(), actuation="none")
    assert model.hinges == 0
    trace = simulate(model, Quitter(), State(qpos=model.mj.qpos0, qvel=np.zeros(6)), steps=3)
    assert trace.status == "ok"
