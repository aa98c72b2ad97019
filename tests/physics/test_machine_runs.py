"""State machines in motion: compiled as in Python, cut and resumed, turned, mirrored, taken and audited."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hand_made_machine import machine, marching, marching_on, model_of, start_of, state
from reenact.body.mirror import mirror_pose, other_side
from reenact.control.machine import layout as at
from reenact.control.machine.machine import Law, Machine
from reenact.control.machine.mirror import mirrored_rows
from reenact.control.machine.text import as_written
from reenact.control.make_take import make_take, versions
from reenact.control.recipe import recipe_of, rerun, rerun_take
from reenact.formats.take import Source, TakeInfo, read_take, write_take
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.physics.audit import audit_recording
from reenact.physics.rollout import rollout_batch
from reenact.physics.simulate import simulate
from reenact.physics.state import State
from reenact.physics.trace import Trace

STEPS = 90
LAWS: tuple[Law, ...] = ("paper", "deviation")
TESTS = Path(__file__).resolve().parents[1]


def run(made: Machine, start: State, steps: int = STEPS) -> Trace:
    return simulate(model_of(), made, start, steps=steps)


@pytest.fixture(scope="module")
def march() -> Trace:
    """A march in which a foot has come down and ended a state."""
    trace = run(marching(model_of()), start_of(model_of()))
    assert trace.status == "ok"
    assert trace.final.memory is not None
    assert trace.final.memory[at.SWITCHES] >= 3
    return trace


_PLAINLY = f"""
import sys; sys.path.insert(0, {str(TESTS)!r})
import numpy as np
from hand_made_machine import marching, marching_on, model_of, start_of
from reenact.physics.plain import simulate_plainly
marches = {{law: marching(model_of(), law=law) for law in {LAWS!r}}} | {{"pushed": marching_on(model_of())}}
for name, made in marches.items():
    qpos, qvel = simulate_plainly(model_of(), made, start_of(model_of()), {STEPS})
    np.savez(sys.argv[1] + name + ".npz", qpos=qpos, qvel=qvel)
"""


def test_compiled_and_plain_python_give_the_same_bits(tmp_path: Path) -> None:
    """Python without any compiler, in a process of its own."""
    subprocess.run(
        [sys.executable, "-c", _PLAINLY, f"{tmp_path}{os.sep}"],
        check=True,
        timeout=300,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    marches = {law: marching(model_of(), law=law) for law in LAWS} | {"pushed": marching_on(model_of())}
    for name, made in marches.items():
        trace = run(made, start_of(model_of()))
        assert trace.final.memory is not None
        assert trace.final.memory[at.SWITCHES] >= 3, name
        plain = np.load(tmp_path / f"{name}.npz")
        np.testing.assert_array_equal(trace.qpos, plain["qpos"])
        np.testing.assert_array_equal(trace.qvel, plain["qvel"])


def test_a_run_cut_anywhere_and_resumed_gives_the_same_bits(march: Trace) -> None:
    model, made, start = model_of(), marching(model_of()), start_of(model_of())
    for cut in (1, 2, 3, 17, 18, 30, 47, 89):
        first = run(made, start, cut)
        second = run(made, first.final, STEPS - cut)
        np.testing.assert_array_equal(np.concatenate([first.qpos, second.qpos[1:]]), march.qpos, err_msg=str(cut))
        assert march.final.memory is not None
        np.testing.assert_array_equal(second.final.memory, march.final.memory)
    program = made.compile(model)
    half = rollout_batch(model, program, start, 40)
    whole = rollout_batch(model, program, half.final, STEPS - 40)
    np.testing.assert_array_equal(whole.final[0], march.final.row(model, program.memory))


def turned(qpos: Array, heading: float) -> Array:
    """States (N, nq) turned about the world's vertical axis."""
    turn = rotation.from_axis_angle(rotation.AXES["z"], heading)
    out = qpos.copy()
    out[:, :3], out[:, 3:7] = rotation.rotate(turn, qpos[:, :3]), rotation.multiply(turn, qpos[:, 3:7])
    return out


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("heading", [np.pi / 2, np.pi])
def test_a_machine_that_faces_elsewhere_does_the_same_motion_turned(law: Law, heading: float) -> None:
    """By quarter turns; by other angles the engine's friction pyramids lie otherwise."""
    made = marching(model_of(), law=law)
    ahead, aside = (run(made, start_of(model_of(), heading=x)) for x in (0.0, heading))
    expected = turned(ahead.qpos, heading)
    expected[:, 3:7] *= np.sign(np.sum(expected[:, 3:7] * aside.qpos[:, 3:7], axis=1, keepdims=True))
    np.testing.assert_allclose(aside.qpos, expected, atol=1e-4)
    assert np.abs(ahead.qpos[-1] - ahead.qpos[0]).max() > 0.1


def test_a_mirrored_machine_does_the_mirrored_motion(march: Trace) -> None:
    model, made, start = model_of(), marching(model_of()), start_of(model_of())
    rows = mirrored_rows(made.rows(), model.body, len(made.groups))
    swapped = tuple(replace(s, until=other_side(s.until.replace(" ", "_")).replace("_", " ")) for s in made.states)
    image = replace(made, states=swapped).with_rows(rows)
    assert [s.until for s in image.states] == ["time", "left foot", "time", "right foot"]
    qpos = mirror_pose(model.body, start.qpos)
    qvel = start.qvel.copy()
    # a mirrored pose reached in a small time gives the mirrored velocities
    qvel[6:] = (mirror_pose(model.body, np.concatenate([start.qpos[:7], start.qvel[6:]])))[7:]
    trace = run(image, State(qpos=qpos, qvel=qvel))
    np.testing.assert_allclose(trace.qpos, mirror_pose(model.body, march.qpos), atol=1e-4)


def tilted(share: float) -> float:
    """How far the root is off upright after a while, started bent forward over standing legs [rad]."""
    model = model_of()
    bent = {f"hip_{side}_flexion": 0.2 for side in ("left", "right")}
    made = machine(model, state(model, pose=bent, gain=0.1), share=share)
    qpos = model.mj.qpos0.copy()
    qpos[3:7] = rotation.from_euler("zyx", [0.0, 0.2, 0.0])
    qpos[model.hinge_qpos] = made.states[0].pose
    qpos[0] -= 0.06  # the trunk's weight back over the feet
    trace = run(made, State(qpos=qpos, qvel=np.zeros(model.mj.nv)), 24)
    return float(np.linalg.norm(rotation.to_rotvec(trace.qpos[-1, 3:7])))


def test_a_tilted_root_is_set_upright_by_the_standing_hip() -> None:
    assert tilted(0.5) < 0.8 * tilted(0.0)


def test_a_take_of_a_machine_is_made_again_bit_for_bit_and_passes_the_audit(tmp_path: Path) -> None:
    model, start = model_of(), start_of(model_of())
    made = as_written(marching(model))
    trace = run(made, start)
    recipe = recipe_of(made, model, start, STEPS)
    again = rerun(recipe, model.body, model.world)
    np.testing.assert_array_equal(again.qpos, trace.qpos)
    info = TakeInfo(
        input=Source(name="march", sha256="0" * 64), method="states", seed=0, body=model.body.name,
        world=model.world.name, versions=versions(), wall_seconds=0.0, core_seconds=0.0, status="ok", metrics={},
        pushes=[],
    )  # fmt: skip
    names = np.array(model.body.segment_names)
    joints = np.zeros((STEPS + 1, len(names), 3))
    aims = {"time": trace.time, "joints": joints, "joint_names": names, "qpos": trace.qpos}
    take = make_take(trace, info, recipe, aims, "march")
    verdict = audit_recording(take)
    assert verdict.honest, verdict.faults
    assert verdict.residual_root_force_max_N < 1e-3
    assert np.abs(trace.joint_torque[:, :6]).max() == 0.0
    write_take(tmp_path / "take", take)
    back = rerun_take(read_take(tmp_path / "take"))
    np.testing.assert_array_equal(back.qpos, trace.qpos)
    np.testing.assert_array_equal(back.qvel, trace.qvel)


def test_the_take_of_a_machine_on_finer_steps_is_made_again_on_them() -> None:
    from reenact.physics.model import compile_model

    fine = compile_model(model_of().body, model_of().world, timestep=1 / 240)
    made = as_written(marching(fine))
    recipe = recipe_of(made, fine, start_of(fine), 20)
    trace = simulate(fine, made, start_of(fine), steps=20)
    np.testing.assert_array_equal(rerun(recipe, fine.body, fine.world).qpos, trace.qpos)
