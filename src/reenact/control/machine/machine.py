"""A finite-state controller with balance feedback, [V12] §4: a few states, each with a pose to approach and an end.

It is data: what `controller.json` says, in radians and metres. `text.py` writes and reads it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from reenact.body.body import Body
from reenact.control.machine import layout as at
from reenact.control.machine.cues import CUES, SI
from reenact.control.machine.falling import WAYS
from reenact.control.machine.limbs import Limbs, limbs_of
from reenact.control.machine.run import run_machine
from reenact.errors import InputError
from reenact.geometry.rotation import IDENTITY, Array
from reenact.physics.controller import Program
from reenact.physics.model import Model

TIME = "time"
Law = Literal["paper", "deviation"]
RootBy = Literal["standing hip", "swing thigh"]
SHARE = 0.3  # of the standing hip's velocity that holds the root
DWELL = 0.6  # of a state's seconds before a contact may end it
PATIENCE = 1.0  # [s] after which a state goes on without its contact
MOST = 2.0 * np.pi + 1e-6  # [rad] of a joint
MOST_REACTION = 20.0 * np.pi + 1e-6  # [rad/m]
ANY = 1e3  # in a state's row, where d towards the standing leg's side has no limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """Feedback of a state: ϑ of [V12] §4.1.1, and two reflexes beyond it."""

    place: float = 0.0  # ϑ₁ of COM − support
    velocity: float = 0.0  # ϑ₂ [s] of their difference in velocity
    blend: float = 0.0  # ϑ₃ of the swing thigh's direction
    nominal_place: tuple[float, float] = (0.0, 0.0)  # COM − standing foot as recorded: ahead, left of the start [m]
    nominal_velocity: tuple[float, float] = (0.0, 0.0)  # of the COM as recorded [m/s]
    ankle: tuple[float, float] = (0.0, 0.0)  # turn of the standing ankle per place [rad/m] and velocity [rad·s/m]
    lean: tuple[float, float] = (0.0, 0.0)  # lean of the root per place and velocity, the same units
    aside: tuple[float, float] = (0.0, 0.0)  # ϑ₁ and ϑ₂ to the side of the heading, where the law tells them apart
    lean_aside: tuple[float, float] | None = None  # lean to the side of the heading; None: as ahead
    inward: float | None = None  # greatest d towards the side of the standing leg, so that legs do not cross; None: any
    sole: float = 0.0  # share of the swinging foot's roll that keeps its sole level, wherever the leg is put
    hurry: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)  # [1/m] faster time per metre of falling, by WAYS
    usual: tuple[float, ...] = (0.0,) * at.CUES  # what the cues are as a rule [m, rad, rad/s], by `cues.CUES`

    def numbers(self) -> list[float]:
        """In the order of a state's row."""
        own = [self.place, self.velocity, self.blend]
        pairs = [*self.nominal_place, *self.nominal_velocity, *self.ankle, *self.lean, *self.aside]
        lean_aside = self.lean if self.lean_aside is None else self.lean_aside
        inward = ANY if self.inward is None else self.inward
        return [*own, *pairs, *lean_aside, inward, self.sole, *self.hurry, *self.usual]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MachineState:
    """An atomic controller: a pose approached at some pace, until time is up or a part touches the ground."""

    name: str
    seconds: float  # how long it lasts; where a contact ends it, how long it lasted when it was found
    until: str = TIME  # or the part of the body whose contact ends it, such as "left foot"
    then: str | None = None  # the state that follows; None: stay for ever
    early: tuple[str, str] | None = None  # a part whose contact ends it before that, and the state that follows then
    early_after: float = 0.0  # [s] in the state before which that contact does not count
    early_due: tuple[float, float] | None = None  # [s] from, to: when it is as it should be, and does not count either
    pose: Array  # (A,) angles [rad]
    root: Array = field(default_factory=lambda: IDENTITY.copy())  # (4,) orientation, from the heading at the start
    gains: Array  # (G,) α of the root and of the joint groups: fraction of the difference removed per 1/120 s
    balance: Balance = field(default_factory=Balance)
    reactions: Array | None = None  # (4, A) change of the pose per metre of falling [rad/m], by `WAYS`; None: none
    answers: Array | None = None  # (7, A) change of the pose per unit of a cue [rad/m, 1, s], by `CUES`; None: none

    def row(self) -> Array:
        """Its numbers as the compiled function reads them."""
        reactions = np.zeros(at.FALLS * len(self.pose)) if self.reactions is None else self.reactions.ravel()
        answers = np.zeros(at.CUES * len(self.pose)) if self.answers is None else self.answers.ravel()
        own = [self.seconds, *self.balance.numbers()]
        return np.concatenate([own, self.gains, self.root, self.pose, reactions, answers])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Machine:
    """States and how they follow each other; the first one begins."""

    axes: tuple[str, ...]  # (A,) names of the hinges
    groups: tuple[str, ...]  # (G,) "root", then joints without their side
    states: tuple[MachineState, ...]
    law: Law = "deviation"
    root_by: RootBy = "standing hip"  # or "swing thigh": Algorithm 1 of [V12]
    share: float = SHARE  # of what is asked of the root that the standing hip or the swing thigh is to do
    level: bool = False  # the heading is left free: the root is only held upright
    dwell: float = DWELL
    patience: float = PATIENCE  # [s]
    timestep: float = 1.0 / 120.0  # [s] that it was found with

    def __post_init__(self) -> None:
        """Refuse what cannot run; the cause names the state."""
        if not self.states:
            raise InputError("a state machine needs at least one state")
        names = [state.name for state in self.states]
        for name in names:
            if names.count(name) > 1:
                raise InputError(f"two states are named '{name}'")
        for state in self.states:
            self._check_state(state, names)
        if not 0.0 <= self.share <= 1.0:
            raise InputError(f"root_share is {self.share!r}, expected 0 … 1")
        if not 0.0 <= self.dwell <= 1.0 or not 0.0 < self.patience <= 60.0:
            raise InputError(
                f"contact_dwell {self.dwell!r} must lie in 0 … 1 and contact_patience_s {self.patience!r} in 0 … 60"
            )

    def _check_state(self, state: MachineState, names: list[str]) -> None:
        where = f"state '{state.name}'"
        if state.then is not None and state.then not in names:
            raise InputError(f"{where} goes on to '{state.then}', which is no state; there are: {', '.join(names)}")
        if state.early is not None and state.early[1] not in names:
            raise InputError(
                f"{where} goes early to '{state.early[1]}', which is no state; there are: {', '.join(names)}"
            )
        due = (0.0, 0.0) if state.early_due is None else state.early_due
        if not (0.0 <= state.early_after <= 60.0 and 0.0 <= due[0] <= due[1] <= 60.0):
            raise InputError(
                f"{where}: its early contact counts after {state.early_after!r} s and is due from {due[0]!r} to "
                f"{due[1]!r} s, expected times of 0 … 60 s, in order"
            )
        if not 0.0 < state.seconds <= 60.0:
            raise InputError(f"{where} lasts {state.seconds!r} s, expected more than 0 and at most 60")
        for name, values, size in (
            ("pose", state.pose, len(self.axes)),
            ("gains", state.gains, len(self.groups)),
            ("root", state.root, 4),
        ):
            if values.shape != (size,):
                raise InputError(f"{where}: {name} needs {size} numbers, got {values.shape}")
            if not np.isfinite(values).all():
                first = int(np.flatnonzero(~np.isfinite(values))[0])
                what = {"pose": self.axes, "gains": self.groups}.get(name, ("w", "x", "y", "z"))[first]
                raise InputError(f"{where}: {name} of '{what}' is {float(values[first])!r}, expected a finite number")
        for axis, angle in zip(self.axes, state.pose, strict=True):
            if abs(angle) > MOST:
                raise InputError(f"{where}: pose of '{axis}' is {np.rad2deg(angle):.0f}°, expected −360 … 360")
        for group, gain in zip(self.groups, state.gains, strict=True):
            if not 0.0 <= gain <= 1.0:
                raise InputError(f"{where}: the gain of '{group}' is {float(gain)!r}, expected 0 … 1")
        if state.reactions is not None:
            self._check_reactions(state.reactions, where)
        if state.answers is not None:
            self._check_answers(state.answers, where)
        if abs(float(np.linalg.norm(state.root)) - 1.0) > 1e-6:
            raise InputError(f"{where}: the root's orientation is no unit quaternion")
        if not np.isfinite(state.balance.numbers()).all():
            raise InputError(f"{where}: its feedback holds a value that is not finite")
        if not 0.0 <= state.balance.sole <= 1.0:
            raise InputError(f"{where}: sole is {state.balance.sole!r}, expected 0 … 1")
        if (state.balance.inward or 0.0) < 0.0:
            raise InputError(f"{where}: inward is {state.balance.inward!r}, expected at least 0")

    def _check_reactions(self, reactions: Array, where: str) -> None:
        if self.law == "paper":
            raise InputError(f"{where} has reactions, which answer to deviations: they need the law 'deviation'")
        if reactions.shape != (len(WAYS), len(self.axes)):
            raise InputError(f"{where}: reactions need {len(WAYS)} × {len(self.axes)} numbers, got {reactions.shape}")
        for way, axis in np.argwhere(~(np.abs(reactions) <= MOST_REACTION))[:1]:
            raise InputError(
                f"{where}: the reaction of '{self.axes[axis]}' to falling {WAYS[way]} is "
                f"{np.rad2deg(reactions[way, axis]):.0f}°/m, expected −3600 … 3600"
            )

    def _check_answers(self, answers: Array, where: str) -> None:
        if self.law == "paper":
            raise InputError(f"{where} has answers to cues, which are for the law 'deviation'")
        if answers.shape != (len(CUES), len(self.axes)):
            raise InputError(f"{where}: answers need {len(CUES)} × {len(self.axes)} numbers, got {answers.shape}")
        for cue, axis in np.argwhere(~(np.abs(answers) <= MOST_REACTION))[:1]:
            got, most = (np.rad2deg(x) * SI[cue] for x in (answers[cue, axis], MOST_REACTION))
            raise InputError(
                f"{where}: the answer of '{self.axes[axis]}' to {CUES[cue]} is {got:.0f}°, "
                f"expected {-most:.0f} … {most:.0f}"
            )

    def index(self, name: str) -> int:
        """Number of a state."""
        return [state.name for state in self.states].index(name)

    def compile(self, model: Model) -> Program:
        """The program for this model, which must be of the body that the machine is for."""
        limbs = self.check_body(model)
        return Program(
            function=run_machine,
            table=self.table(limbs),
            params=self.rows().ravel(),
            memory=at.memory_size(len(self.states)),
            drives_root=self.root_by == "swing thigh",
        )

    def check_body(self, model: Model) -> Limbs:
        """The limbs of a model's body, where the machine fits it."""
        if model.actuation != "motor":
            raise InputError(f"a state machine drives motors, the model's actuation is '{model.actuation}'")
        return self.check_limbs(model.body)

    def ordered(self, body: Body) -> Machine:
        """The machine with its angles and gains in the order of a body's; as it is where they are of another body."""
        axes, groups = tuple(axis.name for axis in body.axes), limbs_of(body).groups
        if (axes, groups) == (self.axes, self.groups):
            return self
        if set(axes) != set(self.axes) or set(groups) != set(self.groups):
            return self
        of_axes, of_groups = [self.axes.index(a) for a in axes], [self.groups.index(g) for g in groups]
        states = tuple(
            replace(
                s,
                pose=s.pose[of_axes],
                gains=s.gains[of_groups],
                reactions=None if s.reactions is None else s.reactions[:, of_axes],
                answers=None if s.answers is None else s.answers[:, of_axes],
            )
            for s in self.states
        )
        return replace(self, axes=axes, groups=groups, states=states)

    def check_limbs(self, body: Body) -> Limbs:
        """The limbs of a body that the machine fits."""
        names = tuple(axis.name for axis in body.axes)
        if names != self.axes:
            more, less = (sorted(set(a) - set(b)) for a, b in ((self.axes, names), (names, self.axes)))
            words = [f"it has {', '.join(more)}"] if more else []
            words += [f"it lacks {', '.join(less)}"] if less else []
            raise InputError(
                f"this state machine is for another body than '{body.name}': "
                f"{' and '.join(words) or 'its joints are in another order'}"
            )
        limbs = limbs_of(body)
        if limbs.groups != self.groups:
            raise InputError(f"its gains are for {', '.join(self.groups)}; the body has {', '.join(limbs.groups)}")
        for state in self.states:
            parts = [*((state.until,) if state.until != TIME else ()), *(state.early or ())[:1]]
            waits = [part for part in parts if part not in limbs.parts]
            if waits:
                raise InputError(
                    f"state '{state.name}' waits for '{waits[0]}' to touch, expected '{TIME}' or one of: "
                    f"{', '.join(limbs.parts)}"
                )
        return limbs

    def rows(self) -> Array:
        """The states' numbers, (M, W)."""
        return np.array([state.row() for state in self.states])

    def table(self, limbs: Limbs, watch: Array | None = None) -> Array:
        """What all candidates share; `watch`: what a motion is weighed against, see `watch.py`."""
        legs = [_leg_numbers(limbs, i) for i in range(len(limbs.legs))]
        blocks = [
            np.array([self._kind(state, limbs) for state in self.states], float),
            np.array([self.index(state.then) if state.then is not None else 0 for state in self.states], float),
            np.array([limbs.parts.index(s.early[0]) if s.early else at.NEVER for s in self.states], float),
            np.array([self.index(s.early[1]) if s.early else 0 for s in self.states], float),
            np.array([(s.early_after, *(s.early_due or (at.NEVER, at.NEVER))) for s in self.states], float).ravel(),
            np.array(limbs.group_of, float),
            np.array(limbs.part_of, float),
            np.concatenate(legs) if legs else np.zeros(0),
            np.zeros(0) if watch is None else watch,
        ]
        begins = at.HEAD + np.cumsum([0, *[len(block) for block in blocks[:-1]]])
        head = np.zeros(at.HEAD)
        head[at.STATES], head[at.GROUPS] = len(self.states), len(self.groups)
        head[at.ROW] = at.row_width(len(self.groups), len(self.axes))
        head[at.LEGS], head[at.PARTS] = len(limbs.legs), len(limbs.parts)
        head[at.LAW] = at.PAPER if self.law == "paper" else at.DEVIATION
        head[at.ROOT_BY] = at.SWING_THIGH if self.root_by == "swing thigh" else at.STANDING_HIP
        head[at.SHARE], head[at.LEVEL] = self.share, float(self.level)
        head[at.DWELL], head[at.PATIENCE] = self.dwell, self.patience
        head[at.KIND : at.WATCH + 1] = begins
        if watch is None:
            head[at.WATCH] = 0.0
        return np.concatenate([head, *blocks])

    def _kind(self, state: MachineState, limbs: Limbs) -> float:
        if state.then is None:
            return at.NEVER
        return at.ON_TIME if state.until == TIME else 1 + limbs.parts.index(state.until)

    def with_rows(self, rows: Array) -> Machine:
        """The same graph with other numbers (M, W)."""
        states = tuple(_state_with(state, row, len(self.groups)) for state, row in zip(self.states, rows, strict=True))
        return replace(self, states=states)

    def to_json(self) -> dict[str, Any]:
        """A description to read and edit."""
        from reenact.control.machine.text import description_of

        return description_of(self)

    @staticmethod
    def from_json(description: dict[str, Any]) -> Machine:
        """The machine behind a description."""
        from reenact.control.machine.text import machine_from

        return machine_from(description)


def _leg_numbers(limbs: Limbs, i: int) -> Array:
    leg = limbs.legs[i]
    (pitch, pitch_sign), (roll, roll_sign) = leg.ankle if leg.ankle is not None else ((-1, 0.0), (-1, 0.0))
    ankle = pitch, pitch_sign, roll, roll_sign
    return np.array([leg.foot, leg.hip, leg.part, *leg.axes.ravel(), *ankle, leg.twist, leg.knee], float)


def _four(row: Array) -> tuple[float, float, float, float]:
    a, b, c, d = (float(x) for x in row)
    return a, b, c, d


def _state_with(state: MachineState, row: Array, groups: int) -> MachineState:
    pairs = row[at.NOMINAL_PLACE : at.INWARD].reshape(-1, 2)
    place, velocity, ankle, lean, aside, lean_aside = [(float(x), float(y)) for x, y in pairs]
    root, axes = row[at.root_at(groups) : at.pose_at(groups)], len(state.pose)
    reactions = row[at.reactions_at(groups, axes) : at.answers_at(groups, axes)].reshape(len(WAYS), axes)
    answers = row[at.answers_at(groups, axes) :].reshape(len(CUES), axes)
    return replace(
        state,
        seconds=float(row[at.SECONDS]),
        balance=Balance(
            place=float(row[at.PLACE]),
            velocity=float(row[at.SPEED]),
            blend=float(row[at.BLEND]),
            nominal_place=place,
            nominal_velocity=velocity,
            ankle=ankle,
            lean=lean,
            aside=aside,
            lean_aside=None if lean_aside == lean else lean_aside,
            inward=None if row[at.INWARD] >= ANY else float(row[at.INWARD]),
            sole=float(row[at.SOLE]),
            hurry=_four(row[at.HURRY : at.HURRY + 4]),
            usual=tuple(float(x) for x in row[at.USUAL : at.USUAL + at.CUES]),
        ),
        gains=row[at.GAINS : at.root_at(groups)].copy(),
        root=root / np.linalg.norm(root),
        pose=row[at.pose_at(groups) : at.reactions_at(groups, axes)].copy(),
        reactions=reactions.copy() if reactions.any() else None,
        answers=answers.copy() if answers.any() else None,
    )
