"""What it costs to hold a running state machine against masks: beside the same machine held against markers alone."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

import numpy as np

from reenact.body.body import Body
from reenact.control.machine import layout as at
from reenact.control.machine import watch
from reenact.control.machine.limbs import limbs_of
from reenact.control.machine.machine import Machine, MachineState
from reenact.control.machine.run import run_machine
from reenact.geometry.rotation import Array
from reenact.observe.machine_seen import run_seen
from reenact.observe.machine_seen_table import Look, memory_of, seen_block
from reenact.observe.projection import Projection
from reenact.observe.projection_table import pack
from reenact.physics.controller import Program
from reenact.physics.model import Model, compile_model
from reenact.physics.rollout import rollout_batch
from reenact.physics.state import State
from reenact.world.world import World

STEPS: Final = 240  # of a run
RATE: Final = 60.0  # frames per second of the masks, in a simulation of 120 Hz
CANDIDATES: Final = 8
NEVER_LOST: Final = 1e9  # [m²]


def cost_of_looking(body: Body, projections: Sequence[Projection], rounds: int, *, rate: float = RATE) -> float:
    """Processor time of a machine that is held against masks of some views ÷ of one held against markers alone.

    A body that bends its knees and lifts its arms, in two states; the least of so many rounds of each.
    """
    model = compile_model(body, World())
    times = np.arange(round(STEPS * model.timestep * rate)) / rate
    looks = []
    for projection in projections:
        standing = pack(projection.silhouettes(np.tile(model.mj.qpos0, (len(times), 1))))
        looks.append(Look(projection=projection, masks=standing, times=times, quality=np.ones(len(times))))
    machine = _bending(model)
    blind, seeing = (_program(machine, model, seen) for seen in ([], looks))
    start = State(qpos=model.mj.qpos0.copy(), qvel=np.zeros(model.mj.nv))
    best = [np.inf, np.inf]
    for _ in range(rounds):
        for i, program in enumerate((blind, seeing)):
            params = np.tile(program.params, (CANDIDATES, 1))
            begun = time.thread_time()
            rollout_batch(model, program, start, STEPS, params=params, threads=1)
            best[i] = min(best[i], time.thread_time() - begun)
    return float(best[1] / best[0])


def _bending(model: Model) -> Machine:
    """Two states in turn."""
    limbs, axes = limbs_of(model.body), tuple(axis.name for axis in model.body.axes)
    poses: Array = np.zeros((2, len(axes)))
    for i, name in enumerate(axes):
        poses[0, i] = 0.5 if name.startswith("shoulder") else 0.3 if name.startswith("knee") else 0.0
    states = tuple(
        MachineState(name=str(i), seconds=0.3, then=str(1 - i), pose=pose, gains=np.full(len(limbs.groups), 0.1))
        for i, pose in enumerate(poses)
    )
    return Machine(axes=axes, groups=limbs.groups, states=states)


def _program(machine: Machine, model: Model, looks: Sequence[Look]) -> Program:
    segments, count = len(model.segment_body), len(machine.states)
    watched = np.zeros(watch.BEGINS + count + 9 * segments + 12 * segments + 2)
    watched[[watch.FRAMES, watch.LAST, watch.LIMIT]] = 1, STEPS, NEVER_LOST
    table, params = machine.table(limbs_of(model.body), watched), machine.rows().ravel()
    own = at.memory_size(count)
    if not looks:
        return Program(function=run_machine, table=table, params=params, memory=own)
    table = np.concatenate([table, seen_block(looks, model.timestep, last=STEPS)])
    return Program(function=run_seen, table=table, params=params, memory=own + memory_of(segments))
