"""The course that a state machine took through a take: which state when, what it aimed at, what touched."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from reenact.control.machine.machine import Machine
from reenact.control.machine.performance import NAMES
from reenact.control.machine.text import KIND, machine_from
from reenact.errors import InputError
from reenact.physics.part_loads import TOUCHING, part_loads
from reenact.view.colours import side_of
from reenact.view.pieces import character_bodies
from reenact.view.poses import Poses, poses_at
from reenact.view.recording import Recording

Array = NDArray[np.float64]

OTHER: Final = "other parts"
ORDER: Final = ("left foot", "right foot", "left hand", "right hand", OTHER)
LEAST: Final = 1e-3  # a shorter balance vector is none [m]
SCALES: Final = (20.0, 10.0, 5.0, 2.0, 1.0)  # by which it may be drawn longer
LONGEST: Final = 0.6  # [m] that nearly all of its arrows stay below
RAISED: Final = 0.02  # [m] above the ground


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of time, in seconds since the take's first frame."""

    begin: float
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """A stretch of time in one state."""

    state: int
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """When a part touched something."""

    part: str  # of `ORDER`
    side: str  # "left", "right" or "centre"
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """A machine and what it did; at F displayed frames."""

    machine: Machine
    visits: tuple[Visit, ...]  # one after the other; none where the take does not record them
    lanes: tuple[Lane, ...]  # parts that touched
    target: Poses | None  # poses asked for, the root where it is
    balance: NDArray[np.float32] | None  # (F, 2) d on the ground [m], NaN where nothing is fed back

    def visit_at(self, time: float) -> Visit | None:
        """The visit that a time [s] since the first frame lies in."""
        begins = [visit.span.begin for visit in self.visits]
        return self.visits[max(0, int(np.searchsorted(begins, time + 1e-6)) - 1)] if begins else None

    def title_at(self, time: float) -> str:
        """The state at a time [s] since the first frame in words, e.g. "state 2 left swing"; empty where not known."""
        visit = self.visit_at(time)
        return "" if visit is None else f"state {state_title(visit.state, self.machine.states[visit.state].name)}"

    @property
    def balance_scale(self) -> float:
        """How many times longer than it is the balance vector is drawn, so that small deviations are seen too."""
        if self.balance is None or np.isnan(self.balance).all():
            return 1.0
        most = float(np.nanpercentile(np.linalg.norm(self.balance, axis=-1), 95.0))
        return next((scale for scale in SCALES if scale * most <= LONGEST), 1.0)

    def balance_arrow(self, frame: int, cop: NDArray[np.float32]) -> NDArray[np.float32]:
        """Start and end (1, 2, 3) [m] of a frame's balance vector from the centre of pressure (3,), or (0, 2, 3)."""
        if self.balance is None or np.isnan(self.balance[frame]).any() or np.isnan(cop).any():
            return np.zeros((0, 2, 3), np.float32)
        start = cop + np.array([0.0, 0.0, RAISED])
        end = start + self.balance_scale * np.array([*self.balance[frame], 0.0])
        return np.array([[start, end]], np.float32)


def state_title(number: int, name: str) -> str:
    """A state counted from 1 and by its name, which is not said twice where it is the number."""
    return f"{number + 1}" if name == str(number + 1) else f"{number + 1} {name}"


def course_of(recording: Recording, time: Array) -> Course | None:
    """The course of a take's machine at displayed times (F,); None where another kind of controller drove it."""
    if recording.controller.get("kind") != KIND:
        return None
    machine = machine_from(recording.controller)
    steps = len(recording.motion["time"]) - 1
    if steps < 1 or any(name not in recording.motion for name in NAMES):
        return Course(machine=machine, visits=(), lanes=_lanes(recording), target=None, balance=None)
    _check(recording, machine, steps)
    balance = np.asarray(recording.motion["balance"], float)
    balance[np.linalg.norm(balance, axis=-1) < LEAST] = np.nan
    shown = np.clip(np.searchsorted(recording.motion["time"], time + 1e-6) - 1, 0, steps - 1)
    return Course(
        machine=machine,
        visits=_visits(recording),
        lanes=_lanes(recording),
        target=poses_at(recording.model, aims_of(recording), np.asarray(recording.motion["time"][:-1], float), time),
        balance=None if np.isnan(balance).all() else balance[shown].astype(np.float32),
    )


def _check(recording: Recording, machine: Machine, steps: int) -> None:
    shapes = {"state": (steps,), "target": (steps, len(machine.axes)), "target_root": (steps, 4), "balance": (steps, 2)}
    for name, shape in shapes.items():
        got = recording.motion[name].shape
        if got != shape:
            raise InputError(f"motion.npz: '{name}' has shape {got}, expected {shape}", path=recording.name)
    state = recording.motion["state"]
    if int(state.min()) < 0 or int(state.max()) >= len(machine.states):
        raise InputError(f"motion.npz: 'state' names none of {len(machine.states)} states", path=recording.name)


def aims_of(recording: Recording) -> Array:
    """What was asked for at each step, as states (N, nq) of the model: the root is where it was."""
    motion = recording.motion
    qpos = np.array(motion["qpos"][:-1], float)
    qpos[:, 3:7] = motion["target_root"]
    qpos[:, 7 : 7 + motion["target"].shape[1]] = motion["target"]
    return qpos


def _visits(recording: Recording) -> tuple[Visit, ...]:
    state, clock = np.asarray(recording.motion["state"]), np.asarray(recording.motion["time"], float)
    begins = np.flatnonzero(np.diff(state, prepend=-1))
    ends = [*begins[1:], len(state)]
    return tuple(
        Visit(state=int(state[a]), span=Span(begin=float(clock[a] - clock[0]), end=float(clock[b] - clock[0])))
        for a, b in zip(begins, ends, strict=True)
    )


def _lanes(recording: Recording) -> tuple[Lane, ...]:
    """When the feet, the hands and anything else touched."""
    names = [recording.model.body(i).name for i in character_bodies(recording.model)]
    loads = part_loads(recording.motion, names)
    parts: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        parts.setdefault(_part(name), []).append(i)
    lanes = []
    for part, segments in sorted(parts.items(), key=lambda item: ORDER.index(item[0])):
        spans = _spans(loads.load[:, segments].max(axis=1) >= TOUCHING, loads.time)
        if spans:
            side = side_of(names[segments[0]]) if part != OTHER else "centre"
            lanes.append(Lane(part=part, side=side, spans=spans))
    return tuple(lanes)


def _part(segment: str) -> str:
    """What a segment counts as: toes belong to their foot."""
    kind = "foot" if re.search("foot|toe", segment) else "hand" if "hand" in segment else ""
    part = f"{side_of(segment)} {kind}"
    return part if part in ORDER else OTHER


def _spans(touching: NDArray[Any], clock: Array) -> tuple[Span, ...]:
    edges = np.flatnonzero(np.diff(touching.astype(int), prepend=0, append=0))
    at = clock - clock[0]
    return tuple(Span(begin=float(at[a]), end=float(at[b])) for a, b in zip(edges[::2], edges[1::2], strict=True))
