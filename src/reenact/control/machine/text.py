"""A state machine as text that people read and edit: named states, poses in degrees by joint, transitions in words."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from typing import Any, get_args

import msgspec
import numpy as np

from reenact.control.machine.cues import CUES, SI
from reenact.control.machine.falling import WAYS
from reenact.control.machine.machine import DWELL, PATIENCE, SHARE, TIME, Balance, Law, Machine, MachineState, RootBy
from reenact.errors import InputError
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.world.values import suggestion

KIND = "machine"
DIGITS = 6  # of degrees, seconds and gains; what is simulated is what the text says
_HURRY = ("hurry_per_m", "hurry_back_per_m", "hurry_over_per_m", "hurry_to_per_m")  # by `WAYS`
_BALANCE = ("place", "velocity_s", "blend", "place_aside", "velocity_aside_s", "inward", "sole", *_HURRY)
_TURNS = ("turn_left", "lean_forward", "tilt_right")  # about z, then y, then x of the root
_CHANGES = {
    "reactions_deg_per_m": "the reaction of '{}' to falling {}",
    "answers_deg": "the answer of '{}' to {}",
}
_LOCKED = 89.9999  # [°] of lean; beyond, turn and tilt are one and the same
_FORMER = {"standing_hip_share": "root_share"}  # names of fields in takes of before, and now
_OF_RECIPE = ("actuation", "torque_scale", "steps", "start_qpos", "start_qvel")  # beside the machine in controller.json


class _State(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    name: str
    until: str
    then: str | None
    pose_deg: dict[str, float]
    root_deg: dict[str, float]
    gain: dict[str, float]
    early: dict[str, str] = {}
    early_after_s: float = 0.0
    early_due_s: tuple[float, float] | None = None
    balance: dict[str, float] = {}
    expected_s: float | None = None
    nominal_place_m: tuple[float, float] = (0.0, 0.0)
    nominal_velocity_m_s: tuple[float, float] = (0.0, 0.0)
    ankle_reflex: tuple[float, float] = (0.0, 0.0)
    lean_reflex: tuple[float, float] = (0.0, 0.0)
    lean_reflex_aside: tuple[float, float] | None = None
    reactions_deg_per_m: dict[str, dict[str, float]] = {}
    usual_cues: dict[str, float] = {}
    answers_deg: dict[str, dict[str, float]] = {}


class _Text(msgspec.Struct):
    kind: str
    timestep: float
    states: list[_State]
    balance_law: Law = "deviation"
    root_by: RootBy = "standing hip"
    root_share: float = SHARE
    free_heading: bool = False
    contact_dwell: float = DWELL
    contact_patience_s: float = PATIENCE


def description_of(machine: Machine) -> dict[str, Any]:
    """The machine as a JSON object."""
    text = _Text(
        kind=KIND,
        timestep=machine.timestep,
        balance_law=machine.law,
        root_by=machine.root_by,
        root_share=machine.share,
        free_heading=machine.level,
        contact_dwell=machine.dwell,
        contact_patience_s=machine.patience,
        states=[_written(machine, state) for state in machine.states],
    )
    out: dict[str, Any] = msgspec.to_builtins(text)
    out["states"] = out.pop("states")  # last
    return out


def machine_from(description: dict[str, Any]) -> Machine:
    """The machine that a JSON object describes."""
    description = {_FORMER.get(name, name): value for name, value in description.items()}
    if not isinstance(description.get("states"), list) or not description["states"]:
        raise InputError("a state machine needs a list 'states' with at least one state")
    for number, state in enumerate(description["states"]):
        _check_numbers(state, number)
        try:
            msgspec.convert(state, _State)
        except msgspec.ValidationError as error:
            name = state.get("name", f"number {number + 1}") if isinstance(state, dict) else f"number {number + 1}"
            raise InputError(f"state '{name}' cannot be read: {error}") from None
    fields = _Text.__struct_fields__
    if strange := [name for name in description if name not in (*fields, *_OF_RECIPE)]:
        names = (*fields, *_OF_RECIPE)
        raise InputError(
            f"a state machine knows no '{strange[0]}'; there are: {', '.join(names)}{suggestion(strange[0], names)}"
        )
    for name, known in (("balance_law", get_args(Law)), ("root_by", get_args(RootBy))):
        if name in description and description[name] not in known:
            raise InputError(f"{name} is {description[name]!r}, expected one of: {', '.join(known)}")
    try:
        text = msgspec.convert(description, _Text)
    except msgspec.ValidationError as error:
        raise InputError(f"a state machine cannot be read: {error}") from None
    axes, groups = _shared_names(text.states, "pose_deg"), _shared_names(text.states, "gain")
    return Machine(
        axes=axes,
        groups=groups,
        states=tuple(_read(state, axes, groups) for state in text.states),
        law=text.balance_law,
        root_by=text.root_by,
        share=text.root_share,
        level=text.free_heading,
        dwell=text.contact_dwell,
        patience=text.contact_patience_s,
        timestep=text.timestep,
    )


def _check_numbers(state: object, number: int) -> None:
    """Name the joint, group or number that is none."""
    if not isinstance(state, dict):
        return
    for field in ("pose_deg", "root_deg", "gain", "balance", "usual_cues"):
        values = state.get(field)
        for name, value in values.items() if isinstance(values, dict) else ():
            if isinstance(value, bool) or not isinstance(value, int | float):
                whose = state.get("name", f"number {number + 1}")
                raise InputError(f"state '{whose}': {field} of '{name}' is {value!r}, expected a number")
    for field, words in _CHANGES.items():
        every = state.get(field)
        for felt, own in every.items() if isinstance(every, dict) else ():
            for name, value in own.items() if isinstance(own, dict) else ():
                if isinstance(value, bool) or not isinstance(value, int | float):
                    whose = state.get("name", f"number {number + 1}")
                    raise InputError(f"state '{whose}': {words.format(name, felt)} is {value!r}, expected a number")


def as_written(machine: Machine) -> Machine:
    """The machine after writing and reading: what its text makes."""
    return machine_from(description_of(machine))


def _written(machine: Machine, state: MachineState) -> _State:
    own = state.balance
    values = (own.place, own.velocity, own.blend, *own.aside, own.inward, own.sole, *own.hurry)
    numbers = {name: x for name, x in zip(_BALANCE, values, strict=True) if x is not None}
    on_time = state.until == TIME
    return _State(
        name=state.name,
        until=f"time {_round(state.seconds)!r} s" if on_time else f"{state.until} contact",
        expected_s=None if on_time else _round(state.seconds),
        then=state.then,
        early={f"{state.early[0]} contact": state.early[1]} if state.early else {},
        early_after_s=_round(state.early_after),
        early_due_s=None if state.early_due is None else _pair(state.early_due),
        root_deg=dict(zip(_TURNS, _turns(state.root), strict=True)),
        pose_deg={name: _degrees(x) for name, x in zip(machine.axes, state.pose, strict=True)},
        gain={name: _round(x) for name, x in zip(machine.groups, state.gains, strict=True)},
        balance={name: _round(x) for name, x in numbers.items() if x or name == "inward"},
        nominal_place_m=_pair(own.nominal_place),
        nominal_velocity_m_s=_pair(own.nominal_velocity),
        ankle_reflex=_pair(own.ankle),
        lean_reflex=_pair(own.lean),
        lean_reflex_aside=None if own.lean_aside is None else _pair(own.lean_aside),
        reactions_deg_per_m=_by_joint(machine.axes, WAYS, state.reactions),
        usual_cues={name: value for name, x in zip(CUES, own.usual / SI, strict=True) if (value := _round(x))},
        answers_deg=_by_joint(machine.axes, CUES, None if state.answers is None else state.answers * SI[:, None]),
    )


def _read(text: _State, axes: tuple[str, ...], groups: tuple[str, ...]) -> MachineState:
    where = f"state '{text.name}'"
    until, seconds = _end_of(text, where)
    _same_names(text.root_deg, _TURNS, f"{where}: root_deg")
    turns = [np.deg2rad(text.root_deg[name]) for name in _TURNS]
    _same_names(text.balance, _BALANCE, f"{where}: balance", all_of_them=False)
    _same_names(text.usual_cues, CUES, f"{where}: usual_cues", all_of_them=False)
    answers = _read_by_joint(text.answers_deg, axes, CUES, f"{where}: answers_deg")
    return MachineState(
        name=text.name,
        until=until,
        seconds=seconds,
        then=text.then,
        early=_early_of(text, where),
        early_after=text.early_after_s,
        early_due=text.early_due_s,
        pose=np.deg2rad([text.pose_deg[name] for name in axes]),
        root=rotation.from_euler("zyx", turns),
        gains=np.array([text.gain[name] for name in groups], float),
        balance=Balance(
            place=text.balance.get("place", 0.0),
            velocity=text.balance.get("velocity_s", 0.0),
            blend=text.balance.get("blend", 0.0),
            nominal_place=text.nominal_place_m,
            nominal_velocity=text.nominal_velocity_m_s,
            ankle=text.ankle_reflex,
            lean=text.lean_reflex,
            lean_aside=text.lean_reflex_aside,
            inward=text.balance.get("inward"),
            sole=text.balance.get("sole", 0.0),
            hurry=_hurry_of(text.balance),
            aside=(text.balance.get("place_aside", 0.0), text.balance.get("velocity_aside_s", 0.0)),
            usual=tuple(text.usual_cues.get(name, 0.0) * float(unit) for name, unit in zip(CUES, SI, strict=True)),
        ),
        reactions=_read_by_joint(text.reactions_deg_per_m, axes, WAYS, f"{where}: reactions_deg_per_m"),
        answers=None if answers is None else answers / SI[:, None],
    )


def _hurry_of(balance: dict[str, float]) -> tuple[float, float, float, float]:
    ahead, back, over, to = (balance.get(name, 0.0) for name in _HURRY)
    return ahead, back, over, to


def _by_joint(axes: tuple[str, ...], felt: tuple[str, ...], changes: Array | None) -> dict[str, dict[str, float]]:
    """Changes (F, A) of the pose by what is felt and joint [°], without those that are none."""
    if changes is None:
        return {}
    every = {
        one: {axis: degrees for axis, x in zip(axes, row, strict=True) if (degrees := _degrees(x))}
        for one, row in zip(felt, changes, strict=True)
    }
    return {one: own for one, own in every.items() if own}


def _read_by_joint(
    text: dict[str, dict[str, float]], axes: tuple[str, ...], felt: tuple[str, ...], where: str
) -> Array | None:
    _same_names(text, felt, where, all_of_them=False)
    for one, own in text.items():
        _same_names(own, axes, f"{where}, '{one}'", all_of_them=False)
    found = np.deg2rad([[text.get(one, {}).get(axis, 0.0) for axis in axes] for one in felt])
    return found if found.any() else None


def _end_of(text: _State, where: str) -> tuple[str, float]:
    """What ends a state, and its seconds, from words such as "time 0.25 s" or "left foot contact"."""
    if match := re.fullmatch(r"time\s+([-+\d.eE]+)\s*s", text.until.strip()):
        try:
            return TIME, float(match[1])
        except ValueError:
            pass
    elif (match := re.fullmatch(r"(.+?)\s+contact", text.until.strip())) and match[1] != TIME:
        if text.expected_s is None:
            raise InputError(f"{where} ends on contact and needs 'expected_s', the seconds that it lasts as a rule")
        return match[1], text.expected_s
    raise InputError(f"{where}: until is '{text.until}', expected e.g. 'time 0.25 s' or 'left foot contact'")


def _early_of(text: _State, where: str) -> tuple[str, str] | None:
    """A part and a state from words such as {"left foot contact": "3"}."""
    if not text.early:
        return None
    words, then = next(iter(text.early.items()))
    match = re.fullmatch(r"(.+?)\s+contact", words.strip())
    if len(text.early) > 1 or match is None or match[1] == TIME:
        raise InputError(f"{where}: early is {text.early}, expected e.g. {{'left foot contact': 'a state'}}")
    return match[1], then


def _shared_names(states: list[_State], what: str) -> tuple[str, ...]:
    """The names that all states have in `pose_deg` or `gain`, in the order of the first."""
    first, *others = ((state.name, tuple(getattr(state, what))) for state in states)
    for name, names in others:
        here, there = set(names) - set(first[1]), set(first[1]) - set(names)
        if here or there:
            one, other = (name, first[0]) if here else (first[0], name)
            lone = next(x for x in (*names, *first[1]) if x in (here or there))
            raise InputError(f"{what}: '{lone}' stands in state '{one}' and not in state '{other}'")
    return first[1]


def _same_names(values: Collection[str], names: tuple[str, ...], where: str, *, all_of_them: bool = True) -> None:
    strange = [name for name in values if name not in names]
    if strange:
        raise InputError(f"{where} knows no '{strange[0]}'; there are: {', '.join(names)}")
    missing = [name for name in names if name not in values]
    if missing and all_of_them:
        raise InputError(f"{where} lacks '{missing[0]}'")


def _turns(root: Array) -> tuple[float, float, float]:
    """Turn, lean and tilt of an orientation [°], such that reading them and writing again gives the same numbers."""
    turn, lean, tilt = (_degrees(x) for x in rotation.to_euler("zyx", root))
    if abs(lean) > _LOCKED:
        lean = math.copysign(90.0, lean)
        turn, tilt = 0.0, math.remainder(tilt - turn if lean > 0.0 else tilt + turn, 360.0)
    return _half_open(turn), lean, _half_open(_round(tilt))


def _half_open(degrees: float) -> float:
    return 180.0 if degrees == -180.0 else degrees


def _degrees(value: float) -> float:
    return _round(float(np.rad2deg(value)))


def _round(value: float) -> float:
    return round(float(value), DIGITS) + 0.0  # no −0.0


def _pair(values: tuple[float, float]) -> tuple[float, float]:
    return _round(values[0]), _round(values[1])
