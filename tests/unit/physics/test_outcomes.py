"""Falls, divergence and engine errors are results; none is returned as motion and none takes the process down."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np
import pytest
from waving_adult import Wave, adult_model, standing

from reenact.errors import InputError
from reenact.physics.controller import Program
from reenact.physics.guard import EngineError
from reenact.physics.model import Model
from reenact.physics.outcome import Fall
from reenact.physics.rollout import rollout_batch
from reenact.physics.simulate import simulate


def cramped(memory: str) -> Model:
    """A model whose engine memory is too small for its contacts."""
    model = adult_model()
    xml = model.xml.replace("<worldbody>", f'<size memory="{memory}"/><worldbody>', 1)
    return replace(model, mj=mujoco.MjModel.from_xml_string(xml), xml=xml, spare=[])


def enough_in_the_air_only() -> Model:
    """A model whose memory holds a flight and overflows on the ground."""
    for kilobytes in range(40, 160, 4):
        model = cramped(f"{kilobytes}K")
        try:
            simulate(model, Wave(), standing(model, lift=2.0), steps=10)
        except EngineError:
            continue
        try:
            simulate(model, Wave(), standing(model), steps=10)
        except EngineError:
            return model
    raise AssertionError("no size of memory tells flight from standing")


def test_a_diverged_candidate_is_flagged_and_holds_no_motion() -> None:
    model = adult_model()
    good, bad, worse = (standing(model).row(model, 2) for _ in range(3))
    bad[1 + model.mj.nq + 10] = 1e9
    worse[1 + 2] = 1e11
    result = rollout_batch(model, Wave().compile(model), np.stack([good, bad, worse]), 20, every=5, velocities=True)
    assert [result.status(i) for i in range(3)] == ["ok", "diverged", "diverged"]
    assert np.isfinite(result.final[0]).all()
    assert np.isnan(result.final[1:]).all()
    assert result.qpos is not None
    assert result.qvel is not None
    assert np.isnan(result.qpos[1:]).all()
    assert np.isnan(result.qvel[1:]).all()
    assert result.reason(0) == ""
    assert "finite" in result.reason(2) or "faster" in result.reason(2)
    alone = rollout_batch(model, Wave().compile(model), good[None], 20)
    np.testing.assert_array_equal(alone.final[0], result.final[0])


def test_a_diverged_simulation_ends_at_its_last_good_state() -> None:
    model = adult_model()
    start = standing(model)
    qvel = start.qvel.copy()
    qvel[12] = 5e3
    trace = simulate(model, Wave(), replace(start, qvel=qvel), steps=20)
    assert trace.status == "diverged"
    assert trace.reason
    assert trace.steps < 20
    assert np.isfinite(trace.qpos).all()
    assert len(trace.joint_torque) == trace.steps


def test_a_fall_ends_a_run_and_says_what_touched() -> None:
    model = adult_model("none")
    low = simulate(model, Wave(), standing(model), steps=240, fall=Fall(height=0.5))
    assert low.status == "fell"
    assert low.qpos[-1, 2] < 0.5 <= low.qpos[-2, 2]
    touched = simulate(model, Wave(), standing(model), steps=240, fall=Fall(segments=("pelvis", "thorax", "head")))
    assert touched.status == "fell"
    assert any(name in touched.reason for name in ("pelvis", "thorax", "head"))
    later = simulate(model, Wave(), standing(model), steps=240, fall=Fall(height=0.5, after=low.steps + 9))
    assert later.status == "fell"
    assert later.steps == low.steps + 10, "at the first step that counts"
    with pytest.raises(InputError, match="no segment 'tail'"):
        simulate(model, Wave(), standing(model), steps=2, fall=Fall(segments=("tail",)))


def test_a_fatal_engine_error_raises_with_the_engines_words() -> None:
    with pytest.raises(EngineError, match=r"stack overflow.*memory"):
        simulate(cramped("14K"), Wave(), standing(adult_model()), steps=5)


def test_too_many_contacts_for_the_memory_is_no_motion() -> None:
    model = cramped("20K")
    trace = simulate(model, Wave(), standing(model), steps=5)
    assert trace.status == "diverged"
    assert "memory" in trace.reason


def test_an_engine_error_in_a_batch_spares_the_other_candidates() -> None:
    model = enough_in_the_air_only()
    ground, air = standing(model).row(model, 2), standing(model, lift=2.0).row(model, 2)
    rows = np.stack([air, ground, air, ground, air])
    for threads in (1, 3):
        result = rollout_batch(model, Wave().compile(model), rows, 10, threads=threads)
        assert [result.status(i) for i in range(5)] == ["ok", "diverged", "ok", "diverged", "ok"]
        assert "memory" in result.reason(1)
        np.testing.assert_array_equal(result.final[4], result.final[0])


def test_the_process_lives_on_after_engine_errors_on_threads(tmp_path: Path) -> None:
    script = Path(__file__).parent
    code = f"""
import sys; sys.path.insert(0, {str(script)!r})
from test_outcomes import *
model = cramped("14K")
rows = np.stack([standing(model).row(model, 2)] * 8)
result = rollout_batch(model, Wave().compile(model), rows, 5, threads=4)
assert [result.status(i) for i in range(8)] == ["diverged"] * 8
try:
    mujoco.mj_step(model.mj, mujoco.MjData(model.mj))
except mujoco.FatalError:
    print("the bindings' own errors still work")
print(result.reason(0))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "still work" in done.stdout
    assert "the engine gave up" in done.stdout
    assert not (tmp_path / "MUJOCO_LOG.TXT").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"params": np.full((2, 1), np.nan)}, "not finite"),
        ({"params": np.zeros((2, 3))}, r"needs \(n, 1\)"),
        ({"start_of": np.array([0, 5])}, "start_of"),
        ({"params": np.zeros((3, 1)), "start_of": np.array([0, 0])}, "disagree"),
        ({"threads": 0}, "threads"),
    ],
)
def test_bad_batches_are_refused_before_the_engine_sees_them(change: dict[str, object], message: str) -> None:
    model = adult_model()
    with pytest.raises(InputError, match=message):
        rollout_batch(model, Wave().compile(model), standing(model), 3, **change)  # type: ignore[arg-type]


def test_bad_states_and_programs_are_refused() -> None:
    model = adult_model()
    with pytest.raises(InputError, match=r"qpos has shape \(3,\)"):
        simulate(model, Wave(), replace(standing(model), qpos=np.zeros(3)), steps=1)
    with pytest.raises(InputError, match="not finite"):
        simulate(model, Wave(), replace(standing(model), qvel=np.full(model.mj.nv, np.inf)), steps=1)
    with pytest.raises(InputError, match="table holds a value that is not finite, at 1"):
        Program(function=Wave().compile(model).function, table=np.array([0.0, np.nan]))
    with pytest.raises(InputError, match="either steps or seconds"):
        simulate(model, Wave(), standing(model))
