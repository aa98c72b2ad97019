"""A machine that is to stand at its end: a state to stand in, and balance on both feet on the way there.

[V12] Eq. 11 asks that the last pose be kept for ΔT. What keeps a body up is not that its pose was once followed to the
end but feedback: a state that never ends is added (`rest.py`), in which ankles and hips hold the body over its feet
(`control/machine/standing.py`); up to the recording's end nothing changes by it. The same feedback in the states before
it, wherever both feet bear, keeps a body up that takes off or lands otherwise than recorded. Its nominal values are
those of the recording, so that a body that follows it is left alone, about; the states' other numbers are fitted again
with it, and it is kept where that costs no more than a new structure may.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.control.machine.machine import TIME, Balance, Machine, MachineState
from reenact.control.pushing.one_push import one_push
from reenact.estimate.states.incremental import Stage
from reenact.estimate.states.refine import Performance, perform
from reenact.estimate.states.rest import Rest, over_feet, rest_of
from reenact.estimate.states.task import Task
from reenact.physics.prepare import Wrenches
from reenact.physics.rollout import rollout_batch
from reenact.physics.state import row_width
from reenact.world.plane import plane_height

NAME: Final = "stand"
GAIN: Final = 0.2  # α of all groups in it: as stiff as the prior allows
SECONDS: Final = 0.5  # it never ends
ANKLE: Final = (6.0, 1.2)  # [rad/m], [rad·s/m]
LEAN: Final = (1.0, 0.3)
LEAST: Final = 6  # steps on both feet that a state must have to be given feedback


# Pushes on the torso that machines are compared by: from each of so many sides, at each of these shares of the
# recording, with so much of the body's weight, for so long. They change its speed by 0.2 m/s; feet hold about 0.4.
SIDES, MOMENTS, FORCE, PUSHED = 4, (0.1, 0.4, 0.7, 1.0), 0.1, 0.2  # […, share of the weight, s]
AFTER: Final = 2.0  # [s] after the recording's end that it must be up
UP: Final = 0.7  # of the root's height at the end; and the cosine of its tilt


def ways_to_stand(task: Task, best: Stage) -> tuple[Machine, tuple[Stage, ...]]:
    """A machine with a state to stand in; and with balance on the way too: from the start, or after the flight.

    As it is, and without others, where the recording does not end at rest.
    """
    rest = rest_of(task)
    if rest is None:
        return best.machine, ()
    seen = perform(task, best.machine, best.last)
    machine = standing(task, best.machine, seen, rest, best.last)
    others = []
    for first in sorted({0, after_flight(task, seen)}):
        balanced = braced(task, machine, seen, best.last, first)
        if any(a.balance != b.balance for a, b in zip(balanced.states, machine.states, strict=True)):
            others.append(replace(best, machine=balanced, last=int(seen.entered[first])))
    return machine, tuple(others)


def standing(task: Task, machine: Machine, seen: Performance, rest: Rest, last: int) -> Machine:
    """The machine with a state more, which takes over at frame `last` and never ends."""
    root, pose = task.from_heading(rest.qpos[3:7]), rest.qpos[7:].copy()
    if task.poses is not None:
        root, pose = task.poses.brought(root, pose)
    state = MachineState(
        name=NAME,
        seconds=SECONDS,
        pose=pose,
        root=root,
        gains=np.full(len(machine.groups), GAIN),
        balance=Balance(ankle=ANKLE, lean=LEAN, nominal_place=rest.place),
    )
    before = machine.states[-1]
    seconds = max(task.model.timestep * (last - int(seen.entered[-1])), task.model.timestep)
    before = replace(before, until=TIME, then=NAME, seconds=seconds)
    return replace(machine, states=(*machine.states[:-1], before, state))


def braced(task: Task, machine: Machine, seen: Performance, last: int, first: int) -> Machine:
    """A standing machine with feedback in its states from number `first` on, as far as they stand on both feet."""
    both = _both_feet(task, seen)
    ends = [*(int(step) for step in seen.entered[1:]), last]
    states = list(machine.states)
    for i, (begin, end) in enumerate(zip(seen.entered.tolist(), ends, strict=True)):
        frames = begin + np.flatnonzero(both[begin:end])
        if i >= first and len(frames) >= LEAST:
            states[i] = replace(states[i], balance=_nominal(task, frames, begin, states[i].seconds))
    return replace(machine, states=tuple(states))


def after_flight(task: Task, seen: Performance) -> int:
    """The state in which both feet come to bear for the last time; 0 where they never do after the start."""
    both = _both_feet(task, seen)
    landed = np.flatnonzero(both[1:] & ~both[:-1])
    if len(landed) == 0:
        return 0
    return int(np.searchsorted(seen.entered, int(landed[-1]) + 1, side="right")) - 1


def _both_feet(task: Task, seen: Performance) -> NDArray[np.bool_]:
    left, right = (seen.bearing[:, leg.part] for leg in task.limbs.legs)
    return np.asarray(left & right)


def _nominal(task: Task, frames: NDArray[np.int64], begin: int, seconds: float) -> Balance:
    """Feedback around the recording's COM over the feet in some of its frames; the state begins at frame `begin`."""
    rate, poses = task.reference.rate, task.reference.qpos
    places = np.array([over_feet(task, poses[frame])[0] for frame in frames])
    velocity = (places[-1] - places[0]) * rate / (frames[-1] - frames[0])
    since = float(np.mean(frames - begin)) / rate - 0.5 * seconds
    place = places.mean(axis=0) - since * velocity
    return Balance(
        ankle=ANKLE,
        lean=LEAN,
        nominal_place=(float(place[0]), float(place[1])),
        nominal_velocity=(float(velocity[0]), float(velocity[1])),
    )


def withstood(task: Task, stage: Stage) -> float:
    """Share of pushes from all sides, at all times of the recording, after which a machine is up in the end."""
    model, program = task.model, stage.machine.compile(task.model)
    start = np.zeros(row_width(model, program.memory))
    start[: row_width(model)] = task.start[: row_width(model)]
    pushes = _pushes(task, stage.last)
    steps = stage.last + round(AFTER / model.timestep)
    result = rollout_batch(
        model,
        program,
        start[None],
        steps,
        params=np.tile(program.params, (len(pushes), 1)),
        start_of=np.zeros(len(pushes), np.int64),
        external=pushes,
        external_of=np.arange(len(pushes)),
        threads=task.threads,
    )
    root = np.nan_to_num(result.final[:, 1:8])
    upright = 1.0 - 2.0 * (root[:, 4] ** 2 + root[:, 5] ** 2)
    ground, last = model.world.ground, task.reference.qpos[-1]
    high = root[:, 2] - plane_height(ground, root[:, 0], root[:, 1])
    return float(np.mean((high > UP * (last[2] - plane_height(ground, last[0], last[1]))) & (upright > UP)))


def _pushes(task: Task, last: int) -> list[Wrenches]:
    force = FORCE * task.model.mass * float(np.linalg.norm(task.model.mj.opt.gravity))
    angles = [2.0 * np.pi * side / SIDES for side in range(SIDES)]
    return [
        one_push(task.model, force, angle, PUSHED, begin=round(share * last)) for share in MOMENTS for angle in angles
    ]
