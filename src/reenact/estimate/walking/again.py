"""A machine that was found in one world, fitted again in another, such as one in which it carries a load.

The same search goes on from the machine (`walking/search.py`), in the other world: window by window, then as a whole,
its structure refined. A body that is to stand at the recording's end practises that there (`states/stay.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from reenact.control.machine.machine import Machine
from reenact.errors import InputError
from reenact.estimate.hardening.after import then_hardened
from reenact.estimate.states.hold import NAME
from reenact.estimate.states.search import Progress, as_text, weighed
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.stay import SECONDS, practised, to_stand
from reenact.estimate.states.task import Task
from reenact.estimate.walking.search import search
from reenact.estimate.walking.work import DONE
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.world.external import heading_of

SETTINGS: Final = Settings(rounds=3, whole_rounds=4)  # what is near needs less than what is looked for
STAY: Final = "stay"  # the phase of practising to stand
FITTED: Final = 0.6  # share of the work after which that begins, about
_SEED: Final = 14  # in the seeds of random numbers


def search_again(task: Task, settings: Settings, machine: Machine, start: Progress | None = None) -> Iterator[Progress]:
    """Search on from a machine to the end, one event after each part of the work; each is all that is needed.

    Where asked, what ends standing is practised under disturbances in the end, there (`hardening/`).
    """
    fitted = partial(_fitted, machine=machine)
    if not settings.pushes:
        return fitted(task, settings, start)
    return then_hardened(task, settings, start, chain=fitted)


def _fitted(task: Task, settings: Settings, start: Progress | None, *, machine: Machine) -> Iterator[Progress]:
    now, settings = start, replace(settings, pushes=0)
    if now is None or now.phase not in (STAY, DONE):
        begun = _begun(task, settings, machine) if now is None else now
        for now in search(task, settings, begun):
            if now.phase != DONE:
                yield replace(now, fraction=FITTED * now.fraction)
        assert now is not None
        assert now.best is not None
        if not to_stand(task, now.best):
            yield now
            return
        now = replace(now, phase=STAY, number=0, fraction=FITTED)
        yield now
    while now.phase != DONE:
        assert now.best is not None
        rng = np.random.default_rng([settings.seed, _SEED, now.number])
        best, done = practised(task, settings, now.best, now.number, rng), now.number + 1
        if done < len(SECONDS):
            fraction = FITTED + (1.0 - FITTED) * done / len(SECONDS)
            now = replace(now, number=done, best=best, fraction=fraction)
        else:
            now = replace(now, phase=DONE, number=done, best=as_text(task, settings, best), fraction=1.0)
        yield now


def as_chain(machine: Machine) -> Machine:
    """The chain of a machine without a state to stand in, and without ways there; a cycle is refused."""
    states = machine.states[:-1] if machine.states[-1].name == NAME else machine.states
    order = {state.name: i for i, state in enumerate(states)}
    for i, state in enumerate(states):
        if state.then is not None and state.then != NAME and order[state.then] <= i:
            raise InputError(
                "its state machine goes round: `reenact capture --robust` practises a gait for other ground, and "
                "`reenact replay --world` puts it there"
            )
    bare = [
        replace(s, then=None if s.then == NAME else s.then, early=None, early_after=0.0, early_due=None) for s in states
    ]
    return replace(machine, states=tuple(bare))


def leaning(machine: Machine, task: Task, before: Array) -> Machine:
    """A machine with its poses turned as the recording is, on a slope that carries the body down, or back again.

    before: the turn (4,) of the world in which it was found. Places over the feet go along, of what is as high as hips.
    """
    glide, level = task.reference.glide, task.heading_turn
    now = rotation.IDENTITY if glide is None else glide.turn
    old, new = (rotation.multiply(rotation.multiply(level, turn), rotation.conjugate(level)) for turn in (before, now))
    turn = rotation.multiply(new, rotation.conjugate(old))
    if np.linalg.norm(rotation.to_rotvec(turn)) < 1e-9:
        return machine
    hips = np.array([0.0, 0.0, float(task.model.mj.qpos0[2])])
    shift = rotation.rotate(new, hips) - rotation.rotate(old, hips)
    states = []
    for state in machine.states:
        balance, root = state.balance, rotation.multiply(turn, state.root)
        if balance.ankle != (0.0, 0.0):
            heading = heading_of(root)  # of the feet, about
            x, y, _ = rotation.rotate(rotation.from_axis_angle(rotation.AXES["z"], -heading), shift)
            ahead, left = balance.nominal_place
            balance = replace(balance, nominal_place=(ahead + float(x), left + float(y)))
        states.append(replace(state, root=root, balance=balance))
    return replace(machine, states=tuple(states))


def _begun(task: Task, settings: Settings, machine: Machine) -> Progress:
    """The first event: the machine as it does in this world."""
    best = weighed(task, settings, machine, task.reference.frames - 1)
    return Progress(phase="again", number=0, best=best, fraction=0.0)
