"""Algorithm 1 of [V12] step by step: the root solved as if it were driven, its torque handed to the swing hip."""

from __future__ import annotations

import copy
from dataclasses import replace

import mujoco
import numpy as np
import pytest

from hand_made_machine import marching, model_of, posed, start_of
from reenact.control.machine import layout as at
from reenact.control.machine.events import LEFT_STANDS
from reenact.control.machine.machine import Balance, Machine
from reenact.control.machine.text import as_written
from reenact.control.recipe import recipe_of, rerun
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.physics.audit import audit_motion
from reenact.physics.controller import ALPHA_RATE, ANGLE, GAIN
from reenact.physics.rollout import rollout_batch
from reenact.physics.simulate import simulate
from reenact.physics.trace import Trace

STEPS = 30
SPINS = slice(3, 6)


def handing(share: float = 0.5) -> Machine:
    """A march without reflexes, so that the orientation asked of the root is the state's own."""
    made = marching(model_of(), bend=0.0, root_by="swing thigh", share=share)
    calm = tuple(replace(state, balance=Balance(place=0.5, blend=0.3)) for state in made.states)
    return as_written(replace(made, states=calm))


@pytest.fixture(scope="module")
def trace() -> Trace:
    return simulate(model_of(), handing(), start_of(model_of()), steps=STEPS, record_senses=True)


def memories(trace: Trace, steps: list[int]) -> dict[int, Array]:
    """The machine's memory after these steps."""
    out = {}
    for k in steps:
        final = simulate(trace.model, handing(), start_of(trace.model), steps=k + 1).final
        assert final.memory is not None
        out[k] = final.memory
    return out


def solved(
    trace: Trace, k: int, model: mujoco.MjModel, wish: Array, free: range = range(0), torque: Array | None = None
) -> tuple[Array, Array]:
    """Torques (nv,) of all motors in step k and the velocities (nv,) after it, by the engine alone.

    wish: angular velocity of the root [rad/s], where that has motors. free: dofs whose motors are replaced by `torque`.
    """
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.qacc_warmstart[:] = trace.qpos[k], trace.qvel[k], trace.warmstart[k]
    mujoco.mj_step1(model, data)
    assert trace.targets is not None
    wanted = np.zeros(model.nv)
    wanted[SPINS] = data.body(trace.model.body.segment_names[0]).xmat.reshape(3, 3).T @ wish
    angle, gain = trace.targets[k, ANGLE], trace.targets[k, GAIN]
    wanted[trace.model.hinge_dof] = gain * ALPHA_RATE * (angle - data.qpos[trace.model.hinge_qpos])
    rows = np.arange(data.ne, data.ne + data.nf)
    dofs = data.efc_id[rows].copy()
    data.efc_aref[rows] = (wanted[dofs] - data.qvel[dofs]) / trace.model.timestep
    data.efc_frictionloss[rows[np.isin(dofs, free)]] = 0.0
    if torque is not None:
        data.qfrc_applied[free] = torque[free]
    mujoco.mj_step2(model, data)
    out = data.qfrc_applied.copy()
    out[dofs] += data.efc_force[rows]
    return out, data.qvel.copy()


def twin_of(model: mujoco.MjModel, limit: float, stiffness: float | None = None) -> mujoco.MjModel:
    """The model with motors at the root, as stiff as those of the hinges unless told."""
    twin = copy.deepcopy(model)
    twin.dof_frictionloss[SPINS] = limit
    twin.dof_solimp[SPINS], twin.dof_solref[SPINS] = twin.dof_solimp[6], twin.dof_solref[6]
    if stiffness is not None:
        twin.dof_solimp[SPINS, :2] = stiffness
    return twin


def test_the_torques_are_those_of_the_algorithm(trace: Trace) -> None:
    model, steps = trace.model, list(range(1, 28, 2))
    found, bore = memories(trace, steps), 0
    for k in steps:
        memory = found[k]
        state = handing().states[int(memory[at.STATE])]
        parts = int(memory[at.TOUCHING])
        side, other = ("left", "right") if memory[at.STANCE] == LEFT_STANDS else ("right", "left")
        if not parts & 1 << {"left": 12, "right": 15}[side]:
            continue
        bore += 1
        turn = rotation.to_rotvec(rotation.multiply(state.root, rotation.conjugate(trace.qpos[k, 3:7])))
        wish = state.gains[0] * ALPHA_RATE * turn
        torque, _ = solved(trace, k, twin_of(model.mj, 1e4), wish)
        view = posed(model, trace.qpos[k])
        root = view.body("pelvis").xmat.reshape(3, 3)
        stiff, free = (solved(trace, k, twin_of(model.mj, *x), wish)[1] for x in ((1e4, 0.9999), (1e-3,)))
        off, off_free = (np.linalg.norm(root @ x[SPINS] - wish) for x in (stiff, free))
        assert off < 0.01 * off_free  # Eq. 4 holds there, but for the softness of motors
        handed = root @ torque[SPINS]
        hip = model.body.axis_index(f"hip_{other}_flexion")
        for i in range(hip, hip + 3):
            dof, axis, limit = model.hinge_dof[i], view.joint(model.body.axes[i].name).xaxis, model.torque_limit[i]
            torque[dof] = np.clip(torque[dof] - 0.5 * handed @ axis, -limit, limit)
        dofs = range(int(model.hinge_dof[hip]), int(model.hinge_dof[hip]) + 3)
        torque, velocity = solved(trace, k, model.mj, wish, dofs, torque)  # the others are motors as ever
        np.testing.assert_allclose(trace.joint_torque[k], torque, atol=1e-6 * np.abs(torque).max())
        np.testing.assert_allclose(trace.qvel[k + 1], velocity, atol=1e-6)
        assert np.linalg.norm(handed) > 1.0
    assert bore >= 3


def test_a_share_is_borne_where_all_of_it_is_not() -> None:
    model = model_of()
    calm, torn = (simulate(model, handing(share), start_of(model), steps=90) for share in (0.3, 1.0))
    speeds = [np.abs(trace.qvel[:, model.hinge_dof]).max() for trace in (calm, torn)]
    assert calm.status == "ok"
    assert speeds[0] < 0.5 * speeds[1]


def test_nothing_drives_the_root_in_the_step_that_is_simulated(trace: Trace) -> None:
    assert not trace.joint_torque[:, :6].any()
    limit = trace.model.torque_limit
    assert (np.abs(trace.joint_torque[:, trace.model.hinge_dof]) <= limit * (1.0 + 1e-9)).all()
    model = mujoco.MjModel.from_xml_string(trace.model.audit_xml())
    names = np.array(trace.model.body.segment_names)
    aims = {"time": trace.time, "joints": np.zeros((STEPS + 1, len(names), 3)), "joint_names": names}
    verdict = audit_motion(model, trace.arrays(), aims, declared=False)
    assert verdict.honest, verdict.faults


def test_it_is_made_again_resumed_and_shared_among_threads_with_the_same_bits(trace: Trace) -> None:
    model, start = trace.model, start_of(trace.model)
    again = rerun(recipe_of(handing(), model, start, STEPS), model.body, model.world)
    np.testing.assert_array_equal(again.qpos, trace.qpos)
    first = simulate(model, handing(), start, steps=13)
    second = simulate(model, handing(), first.final, steps=STEPS - 13)
    np.testing.assert_array_equal(second.qpos[-1], trace.qpos[-1])
    program = handing().compile(model)
    many = rollout_batch(model, program, start, STEPS, params=np.tile(program.params, (5, 1)), threads=2)
    for row in many.final:
        np.testing.assert_array_equal(row, trace.final.row(model, program.memory))
