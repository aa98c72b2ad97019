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

STEPS = 30  # the leg that takes the reaction flies off after that
SPINS = slice(3, 6)


def handing() -> Machine:
    """A march without reflexes, so that the orientation asked of the root is the state's own."""
    made = marching(model_of(), root_by="swing thigh")
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


def driven(trace: Trace, k: int, wish: Array, limit: float = 1e4) -> tuple[Array, Array]:
    """Torques (nv,) of all motors, the root's included, and the root's spin after the step, by the engine alone."""
    model = trace.model
    twin = copy.deepcopy(model.mj)
    twin.dof_frictionloss[SPINS] = limit
    twin.dof_solimp[SPINS], twin.dof_solref[SPINS] = twin.dof_solimp[6], twin.dof_solref[6]
    data = mujoco.MjData(twin)
    data.qpos[:], data.qvel[:], data.qacc_warmstart[:] = trace.qpos[k], trace.qvel[k], trace.warmstart[k]
    mujoco.mj_step1(twin, data)
    assert trace.targets is not None
    wanted = np.zeros(twin.nv)
    wanted[SPINS] = data.body(model.body.segment_names[0]).xmat.reshape(3, 3).T @ wish
    angle, gain = trace.targets[k, ANGLE], trace.targets[k, GAIN]
    wanted[model.hinge_dof] = gain * ALPHA_RATE * (angle - data.qpos[model.hinge_qpos])
    rows = slice(data.ne, data.ne + data.nf)
    dofs = data.efc_id[rows].copy()
    data.efc_aref[rows] = (wanted[dofs] - data.qvel[dofs]) / model.timestep
    mujoco.mj_step2(twin, data)
    torque = np.zeros(twin.nv)
    torque[dofs] = data.efc_force[rows]
    return torque, data.qvel[SPINS].copy()


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
        torque, spin = driven(trace, k, wish)
        view = posed(model, trace.qpos[k])
        root = view.body("pelvis").xmat.reshape(3, 3)
        free = driven(trace, k, wish, limit=1e-3)[1]
        off, off_free = (np.linalg.norm(root @ x - wish) for x in (spin, free))
        assert off < 0.15 * off_free  # Eq. 4 holds there, as far as motors are stiff
        handed = root @ torque[SPINS]
        hip = model.body.axis_index(f"hip_{other}_flexion")
        for i in range(hip, hip + 3):
            dof, axis = model.hinge_dof[i], view.joint(model.body.axes[i].name).xaxis
            torque[dof] = np.clip(torque[dof] - handed @ axis, -model.torque_limit[i], model.torque_limit[i])
        torque[:6] = 0.0
        np.testing.assert_allclose(trace.joint_torque[k], torque, atol=1e-6 * np.abs(torque).max())
        assert np.linalg.norm(handed) > 1.0
    assert bore >= 3


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
