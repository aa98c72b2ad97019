"""The last improvement of a machine that was found from a video's track: against the masks themselves.

A search that follows the track learns its mistakes. Here the same numbers are moved by what the masks show of the
simulated body, [V12] Eq. 9, by the objective of `seen_window.py`. Two states after each other are opened at a time,
from the last ones back to the first and forth again, and searched by covariance matrix adaptation: what comes before
is not run again, so that late states, on which errors add up, cost next to nothing. What was tried beside it, Newton
steps along blurred differences among it, stands in `docs/notes/seen.md`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

import numpy as np

from reenact.body.toml import dump_body
from reenact.control.machine.machine import Machine
from reenact.control.machine.text import as_written
from reenact.control.make_take import versions
from reenact.errors import InputError
from reenact.estimate.exact_json import dumps
from reenact.estimate.plan import PROCESSOR
from reenact.estimate.processor import processor
from reenact.estimate.spent import Clock, Spent
from reenact.estimate.states.checkpoint import Checkpoint
from reenact.estimate.states.evolve import evolve
from reenact.estimate.states.incremental import Stage
from reenact.estimate.states.search import Progress
from reenact.estimate.states.space import space_of
from reenact.estimate.states.task import Task
from reenact.estimate.states.weights import PRIOR
from reenact.estimate.states.window import Tried, snapshots_of
from reenact.estimate.video.seen_window import SeenWindow, Weights, seen_window
from reenact.estimate.video.sighting import Sighting
from reenact.geometry.one_thread import one_thread
from reenact.geometry.rotation import Array
from reenact.measure import Progress as Tell
from reenact.observe.machine_seen_table import Look
from reenact.observe.projection import projection_of
from reenact.observe.silhouettes import TRUSTED
from reenact.world.toml import dump_world

PHASE: Final = "seen"
DONE: Final = "done"
SAYING: Final = "holding the machine against the masks"
_SEED: Final = 20  # in the seeds of random numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class PolishSettings:
    """How a machine is held against masks."""

    seed: int = 0
    sweeps: int = 1  # back and forth over the states
    rounds: int = 12  # of each block of states
    population: int = 24
    spread: float = 0.1  # of the first samples, less in proportion where more follows than the states' own frames
    past: float = 0.5  # [s] past the end that count, where the recording ends at rest
    hopeless: float = 3.0  # times the mismatch of the machine: a candidate beyond is given up
    weights: Weights = field(default_factory=Weights)

    def __post_init__(self) -> None:
        """Refuse what cannot work."""
        if self.sweeps < 1 or self.rounds < 1 or self.population < 4:
            work = f"{self.sweeps} sweeps of {self.rounds} rounds of {self.population} candidates"
            raise InputError(f"a polish of {work}, expected at least 1 of 1 of 4")
        for name in ("spread", "hopeless"):
            if not getattr(self, name) > 0.0:
                raise InputError(f"setting '{name}' of the polish is {getattr(self, name)!r}, expected more than 0")


def looks_of(task: Task, sightings: Sequence[Sighting], start: float = 0.0) -> tuple[Look, ...]:
    """What cameras saw, in the simulation's time, which begins at `start` [s] of the videos.

    Masks that are not trusted say nothing.
    """
    return tuple(
        Look(
            projection=projection_of(task.model.body, each.camera, each.size),
            masks=each.masks,
            times=each.times - start,
            quality=np.where(each.quality >= TRUSTED, each.quality, 0.0),
        )
        for each in sightings
    )


def polishing(
    task: Task, machine: Machine, looks: tuple[Look, ...], settings: PolishSettings, start: Progress | None = None
) -> Iterator[Progress]:
    """Polish to the end, one event after each block of states; each depends on the last one and the seed alone."""
    last = task.reference.frames - 1
    past = round(settings.past / task.model.timestep) if task.reference.ends_at_rest else 0
    whole = seen_window(task, looks, settings.weights, last, past=past)
    now = start or Progress(phase=PHASE, number=0, best=_weighed(whole, machine), fraction=0.0)
    blocks = settings.sweeps * blocks_of(len(machine.states))
    while now.phase != DONE:
        assert now.best is not None
        rng = np.random.default_rng([settings.seed, _SEED, now.number])
        better = _searched(task, whole, now.best.machine, blocks[now.number], settings, rng)
        number = now.number + 1
        done = number == len(blocks)
        now = Progress(
            phase=DONE if done else PHASE,
            number=number,
            best=_weighed(whole, as_written(better) if done else better),
            fraction=number / len(blocks),
        )
        yield now


def blocks_of(count: int) -> tuple[tuple[int, ...], ...]:
    """Pairs of so many states that are opened together: from the last pair back to the first, and forth again."""
    if count == 1:
        return ((0,),)
    pairs = [(i, i + 1) for i in range(count - 1)]
    return (*reversed(pairs), *pairs[1:])


def _searched(
    task: Task,
    whole: SeenWindow,
    machine: Machine,
    states: tuple[int, ...],
    settings: PolishSettings,
    rng: np.random.Generator,
) -> Machine:
    """The machine with the numbers of some states improved; itself where nothing better is found."""
    rows = machine.rows().reshape(1, -1)
    mismatch = float(whole.mismatch(machine, whole.try_out(machine, rows).final)[0])
    window = snapshots_of(replace(whole, cap=settings.hopeless * mismatch), machine).window(states[0])
    space = space_of(machine, task.limbs, task.model.body, states, poses=task.poses)

    def trial(vectors: Array) -> tuple[Array, Tried]:
        params, charge = space.params(vectors)
        tried = window.try_out(machine, params)
        return tried.cost + PRIOR * charge, tried

    own = sum(machine.states[i].seconds for i in states) / whole.model.timestep
    spread = settings.spread * min(1.0, own / max(whole.last - window.begin, 1))
    found = evolve(trial, space.size, rng, rounds=settings.rounds, population=settings.population, spread=spread)
    params, _ = space.params(found.vector[None])
    return machine.with_rows(params[0].reshape(len(machine.states), -1)) if found.vector.any() else machine


def _weighed(whole: SeenWindow, machine: Machine) -> Stage:
    """A machine with what it costs, priors aside."""
    tried = whole.try_out(machine, machine.rows().reshape(1, -1))
    return Stage(machine=machine, last=whole.last, cost=float(tried.cost[0]), joints=float(tried.joints[0]))


def polish(
    task: Task,
    machine: Machine,
    sightings: Sequence[Sighting],
    settings: PolishSettings | None = None,
    progress: Tell | None = None,
    *,
    start: float = 0.0,
    checkpoint: Checkpoint | None = None,
    resume: bool = False,
) -> Machine:
    """A machine improved against masks; itself, as text says it, where nothing better is found.

    sightings: in the task's world; their times are the videos', in which the simulation begins at `start` [s].
    checkpoint: follows the work (its plan: `polish_plan`); with `resume` it goes on from there, to the same bits.
    """
    settings, tell = settings or PolishSettings(), progress or (lambda fraction, what: None)
    looks = looks_of(task, sightings, start)
    before = checkpoint.load() if resume and checkpoint is not None else None
    clock = Clock(Spent() if checkpoint is None else checkpoint.spent)
    tell(0.0 if before is None else before.fraction, SAYING)
    now = before
    with one_thread():
        for now in polishing(task, machine, looks, settings, before):
            if checkpoint is not None:
                checkpoint.follow(now, clock.spent())
            tell(now.fraction, SAYING)
    assert now is not None
    assert now.best is not None
    if checkpoint is not None:
        checkpoint.save(now, clock.spent())
    return now.best.machine


def polish_plan(
    task: Task, machine: Machine, sightings: Sequence[Sighting], settings: PolishSettings, start: float = 0.0
) -> dict[str, Any]:
    """What a polish depends on, for a checkpoint."""
    model = task.model
    texts = {"body": dump_body(model.body), "world": dump_world(model.world), "machine": dumps(machine)}
    hashes = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}
    seen = hashlib.sha256()
    for each in sightings:
        for part in (each.masks, each.times, each.quality, each.camera.position, each.camera.orientation):
            seen.update(np.ascontiguousarray(part).tobytes())
        seen.update(np.concatenate([each.camera.focal, each.camera.centre]).tobytes())
    hashes["masks"] = seen.hexdigest()
    hashes["motion"] = hashlib.sha256(task.reference.qpos.tobytes()).hexdigest()
    plan = {**asdict(settings), **hashes, "start": start, "torque_scale": model.torque_scale, "versions": versions()}
    return {**plan, "method": PHASE, PROCESSOR: processor()}
