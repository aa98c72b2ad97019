"""A gait of a recording as a cyclic machine: what leads into it, its states, and moments from which it is rehearsed."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace

import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.control.machine import layout as at
from reenact.control.machine.events import LEFT_STANDS, RIGHT_STANDS
from reenact.control.machine.machine import TIME, Machine, MachineState
from reenact.control.machine.performance import performance_of
from reenact.control.place import start_state
from reenact.control.pushing.subject import fall_of
from reenact.estimate.states.gait import Strike, is_gait, stride
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task
from reenact.estimate.walking.cycle import even, states_of_stride
from reenact.estimate.walking.rehearse import Rehearsal, Scene, moments
from reenact.estimate.walking.toes_up import with_toes_up
from reenact.geometry.rotation import Array
from reenact.physics.outcome import Fall
from reenact.physics.simulate import simulate
from reenact.physics.state import State
from reenact.world.external import heading_of

SHARE = 0.5  # of the standing hip's velocity that holds the root: with more or less of it a gait falls sooner
NEAR = 0.1  # [m] that the COM may be off where a chain leads into the cycle
FLOWN = 2.0  # what a share of the time in the air costs that the recording does not have, of a score or of staying up
HASTY = 3.0  # what steps cost that come faster or slower than recorded, per unit of their logarithm, as above
ALIKE, COUNTED = 0.1, 4.0  # of that logarithm, which counts for nothing; [s] in which steps are counted, about
HARDLY = 0.02  # share of the time in the air, beyond the recording's, that counts for nothing
LEAST_LEAD = 6  # frames before the first strike that need states of their own


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Walk:
    """A gait and the machine that is to do it; what belongs to the recording stays while the machine is improved."""

    task: Task
    machine: Machine
    first: int  # state with which the cycle begins; those before lead into it
    begins: tuple[int, ...]  # frame of the recording at which each state begins
    stride: tuple[Strike, Strike, Strike]
    entry: Strike  # with which the cycle is entered from time 0
    fall: Fall
    bare: bool = False  # begun as recorded when the first foot comes down: what leads into the cycle is left out

    @property
    def entered_after(self) -> int:
        """Frames from its start until it enters the cycle."""
        return 0 if self.bare else self.entry.frame

    @property
    def cycle(self) -> int:
        """Frames of a stride."""
        return self.stride[2].frame - self.stride[0].frame

    @property
    def way(self) -> float:
        """Where the recorded stride goes [rad], in the world."""
        com = self.task.reference.com
        x, y, _ = com[self.stride[2].frame] - com[self.stride[0].frame]
        return math.atan2(y, x)

    @property
    def turn(self) -> float:
        """Where it goes, to the left of the heading at the start [rad]."""
        return turn_of(self.task, self.way)

    def rehearsal(self, scenes: list[Scene], steps: int) -> Rehearsal:
        """Scenes to run the machine in."""
        return Rehearsal(
            model=self.task.model,
            limbs=self.task.limbs,
            reference=self.task.reference,
            begins=self.begins,
            steps=steps,
            scenes=tuple(scenes),
            fall=self.fall,
            threads=self.task.threads,
        )

    def flown(self, aloft: Array) -> Array:
        """What shares of the time in the air are beyond the recording's: a walk that is practised may come to run."""
        return np.maximum(0.0, aloft - self.task.aloft - HARDLY)

    def hasty(self, cadence: Array) -> Array:
        """How far steps a second are off the recording's: one that is practised may come to trip and not to stride."""
        recorded = 2.0 / (self.cycle * self.task.model.timestep)
        off = np.abs(np.log(np.maximum(cadence, 0.1 * recorded) / recorded))
        alike = max(ALIKE, math.log1p(1.0 / (recorded * COUNTED)))  # a step more or less is none
        return np.asarray(np.maximum(0.0, np.nan_to_num(off - alike)))

    def unlike(self, aloft: Array, cadence: Array) -> Array:
        """What it costs to be another gait than the recorded one: to fly, or to step at another pace."""
        return np.asarray(FLOWN * self.flown(aloft) + HASTY * self.hasty(cadence))

    def led_into_by(self, machine: Machine) -> Walk:
        """The walk with a machine of the same cycle, but other states before it, of which no frames are known."""
        first = len(machine.states) - len(self.machine.states) + self.first
        return replace(self, machine=machine, first=first, begins=(*(0,) * first, *self.begins[self.first :]))

    @property
    def start(self) -> Array:
        """State row (X,) at time 0."""
        if self.bare:
            return self.at_strike()
        start = State.from_row(self.task.start, self.task.model)
        return replace(start, memory=None).row(self.task.model, self.memory)

    @property
    def memory(self) -> int:
        """Numbers of the machine's memory."""
        return at.memory_size(len(self.machine.states))

    def at_strike(self, rng: np.random.Generator | None = None) -> Array:
        """State row (X,) as recorded when the first foot comes down, the machine entering the cycle.

        rng: disturb the velocities, as in `pushing/trial.py`.
        """
        task, frame = self.task, self.stride[0].frame
        qvel = task.reference.qvel[frame].copy()
        if rng is not None:
            qvel[:3] += ROOT_NOISE * rng.standard_normal(3)
            qvel[3:] += RATE_NOISE * rng.standard_normal(len(qvel) - 3)
        state = start_state(task.model, task.reference.qpos[frame], qvel)
        memory = np.zeros(self.memory)
        memory[at.STATE], memory[at.BEGUN], memory[at.CLOCK] = self.first, 2.0, -1.0
        memory[at.HEADING] = heading_of(task.reference.qpos[0, 3:7])
        leg = self.stride[0].leg
        memory[at.STANCE] = memory[at.LANDED] = (LEFT_STANDS, RIGHT_STANDS)[leg]
        memory[at.THIGHS : at.THIGHS + 6] = thigh_spins(task, state).ravel()
        return replace(state, memory=memory).row(task.model, self.memory)

    def arrivals(self) -> list[Array]:
        """State rows as the states before the cycle lead into it: one, or none where there are none or it falls."""
        if self.first == 0 or self.bare:
            return []
        steps = [self.entry.frame]
        return moments(self.machine, self.task.model, self.start, steps, fall=self.fall) or []


ROOT_NOISE, RATE_NOISE = 0.05, 0.2  # [m/s], [rad/s] of disturbed starts


def stride_of(task: Task) -> tuple[Strike, Strike, Strike] | None:
    """The first stride of a recording that may be repeated; None where it is no gait."""
    found = stride(task.strikes, task.reference.rate)
    if found is None or not task.limbs.legs or not is_gait(task.reference, found[0].frame, found[2].frame):
        return None
    return found


def enters_early(task: Task, settings: Settings) -> bool:
    """Whether a walk is entered at the first strike: one that was pushed, unless its chain was held against a video."""
    return settings.pushes > 0 and task.gait is None


def walks_of(task: Task, chain: Machine, *, early: bool = False) -> list[Walk]:
    """The first stride as a cycle, and a chain that leads into it: for each strike of the recording that it reaches.

    Those that it reaches near the recording come first, from the last on: entered there, the recording is followed as
    well as the chain does, and then gone on with. early: from the first on, so that as little as can be of the
    recording is left to the chain. None where there is no gait, or the chain falls before its first strike.
    """
    task = task.to_practise
    found = stride_of(task)
    if found is None:
        return []
    task = with_toes_up(task)
    states, begins = states_of_stride(task, found)
    com = task.reference.com
    x, y, _ = com[found[2].frame] - com[found[0].frame]
    alone = Machine(axes=chain.axes, groups=chain.groups, states=tuple(states), share=SHARE, timestep=chain.timestep)
    cycle = alone.with_rows(even(alone.rows(), task, turn_of(task, math.atan2(y, x))))
    fall = fall_of(task.model, State.from_row(task.start, task.model))
    entries, ran = _entries(task, chain, found, fall)
    walks = []
    for entry in sorted(entries, key=lambda strike: strike.frame) if early else entries:
        into = cycle.states[0 if entry.leg == found[0].leg else len(cycle.states) // 2].name
        lead, lead_begins = _lead(chain, ran[: entry.frame], into)
        walks.append(
            Walk(
                task=task,
                machine=replace(cycle, states=(*lead, *cycle.states)),
                first=len(lead),
                begins=(*lead_begins, *begins),
                stride=found,
                entry=entry,
                fall=fall,
            )
        )
    return walks


def _entries(
    task: Task, chain: Machine, found: tuple[Strike, Strike, Strike], fall: Fall
) -> tuple[list[Strike], NDArray[np.int32]]:
    """Strikes that a chain reaches, those near the recording first, from the last on; and its state at each step."""
    if task.strikes[-1].frame < LEAST_LEAD:
        return [found[0]], np.zeros(0, np.int32)
    start = replace(State.from_row(task.start, task.model), memory=None)
    steps = task.reference.frames - 1
    trace = simulate(task.model, chain, start, steps=steps, record_senses=True, fall=fall)
    ran = performance_of(chain, trace)["state"].astype(np.int32)
    reached = [strike for strike in task.strikes if found[0].frame <= strike.frame < len(ran)]
    off = np.linalg.norm(trace.com[: len(ran)] - task.reference.com[: len(ran)], axis=1)
    return sorted(reached, key=lambda strike: (off[strike.frame] >= NEAR, -strike.frame)), ran


def _lead(chain: Machine, ran: NDArray[np.int32], into: str) -> tuple[tuple[MachineState, ...], tuple[int, ...]]:
    """The states that a chain went through, one after the other, the last leading into the cycle; and their begins.

    One that a contact ends keeps its own seconds: before a share of them the contact does not count.
    """
    if len(ran) == 0:
        return (), ()
    begins = [0, *(int(k) + 1 for k in np.flatnonzero(np.diff(ran)))]
    if len(begins) > 1 and len(ran) - begins[-1] < LEAST_LEAD:
        begins.pop()
    states = []
    for i, (begin, end) in enumerate(itertools.pairwise([*begins, len(ran)])):
        own, last = chain.states[int(ran[begin])], i + 1 == len(begins)
        timed = last or own.until == TIME
        states.append(
            replace(
                own,
                name=f"start {i + 1}",
                seconds=float((end - begin) * chain.timestep) if timed else own.seconds,
                until=TIME if last else own.until,
                then=into if last else f"start {i + 2}",
                early=None,
            )
        )
    return tuple(states), tuple(begins)


def turn_of(task: Task, way: float) -> float:
    """A direction in the world, to the left of the heading at the start [rad]."""
    return math.remainder(way - heading_of(task.reference.qpos[0, 3:7]), 2.0 * math.pi)


def thigh_spins(task: Task, state: State) -> Array:
    """Angular velocities (2, 3) of the thighs in the world [rad/s]."""
    model = task.model
    data = mujoco.MjData(model.mj)
    data.qpos[:], data.qvel[:] = state.qpos, state.qvel
    mujoco.mj_forward(model.mj, data)
    spins = np.zeros((2, 6))
    for row, leg in zip(spins, task.limbs.legs, strict=True):
        body = int(model.segment_body[leg.thigh])
        mujoco.mj_objectVelocity(model.mj, data, mujoco.mjtObj.mjOBJ_XBODY, body, row, 0)
    return spins[:, :3]
