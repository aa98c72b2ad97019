"""Pushed walks: the greatest force from each side by [V12]'s test, and the shoves that people got."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from reenact.control.pushing.certificate import certificate_of
from reenact.control.pushing.directions import Direction, directions_of
from reenact.control.pushing.findings import Findings, push_test
from reenact.control.pushing.people import Bin, bins_of, shove_like
from reenact.control.pushing.protocol import Protocol, torso_of
from reenact.control.pushing.pushed_world import pushed_world
from reenact.control.pushing.record import record_of
from reenact.control.pushing.shove import AFTER, SETTLE, Recovery, as_push, pushed_runs, walking
from reenact.control.pushing.subject import Subject, as_heavy, subject_of
from reenact.errors import InputError
from reenact.estimate.bench.run import Done
from reenact.estimate.states.bench.walks import until_fall, with_pushes
from reenact.formats.pushed_trials import PushedTrial, read_pushed_trials
from reenact.formats.take import Take
from reenact.measure import Progress, wilson
from reenact.world.toml import parse_world

LOT: Final = 16  # shoves between two signs of progress


def side(name: str) -> Direction:
    """A direction by its word."""
    return next(direction for direction in directions_of(4) if direction.name == name)


def pushed(
    walker: Take, direction: str, torque: float, *, mass: float | None = None, name: str,
    protocol: Protocol | None = None, progress: Progress | None = None,
) -> Done:  # fmt: skip
    """The greatest force from one side; the take is the body under these pushes, at the first phase.

    mass: of the walker [kg], its own unless said. name: of its folder, for the command that makes the test again.
    """
    walker = walker if mass is None else as_heavy(walker, mass)
    subject = subject_of(walker, torque=torque)
    protocol = Protocol(segment=torso_of(subject.model.body)) if protocol is None else protocol
    known: Findings | None = None
    try:
        for known in push_test(subject, protocol, [side(direction)]):
            if progress is not None:
                progress(known.fraction, f"pushing from the {direction}: {known.limits[0].newtons:.0f} N")
    except InputError as error:  # it falls by itself
        alone = until_fall(_weakened(walker, torque), protocol.seconds)
        return Done(take=alone, success=False, reason=str(error), figures={"newtons": 0.0})
    assert known is not None
    limit = known.limits[0]
    low, high = limit.interval
    world = pushed_world(known, limit)
    weak = _weakened(walker, torque)
    take = until_fall(weak if world is None else with_pushes(weak, world), protocol.seconds)
    command = f"reenact push {name} --directions 4 --torque {torque:g}"  # with the other sides
    command += f"{'' if mass is None else f' --mass {mass:g}'} -o out/pushed"
    record = record_of(known, take=name, command=command, wall_seconds=0.0)
    figures = {
        "newtons": limit.newtons,
        "mass_kg": subject.mass,
        "least_phase_N": min(limit.by_phase),
        "middle_phase_N": float(np.median(limit.by_phase)),
        "most_phase_N": max(limit.by_phase),
        "drawn_passed": limit.drawn_passes,
        "drawn": len(limit.draws),
        "drawn_low": low,
        "drawn_high": high,
        "speed_m_s": known.base.speed,
    }
    files = {"push.json": json.dumps(record, indent=1, ensure_ascii=False) + "\n", "push.txt": certificate_of(record)}
    return Done(take=take, success=limit.newtons > 0.0, figures=figures, files=files)


def _weakened(walker: Take, torque: float) -> Take:
    """The walker with its torque limits times `torque`, and without pushes."""
    scale = float(walker.controller["torque_scale"]) * torque
    weak = replace(walker, controller={**walker.controller, "torque_scale": scale})
    return with_pushes(weak, replace(parse_world(walker.world_toml), pushes=()))


def shoved(walker: Take, table: Path, progress: Progress | None = None) -> Done:
    """The shoves of a table of people; the take is the walk under the median one."""
    trials = read_pushed_trials(table)
    subject = subject_of(walker)
    try:
        base = walking(subject)
    except InputError as error:
        return Done(take=until_fall(walker, SETTLE + AFTER), success=False, reason=str(error))
    shoves = [shove_like(trial, subject.mass) for trial in trials]
    found: list[Recovery] = []
    for first in range(0, len(shoves), LOT):
        found += pushed_runs(subject, shoves[first : first + LOT], base=base)
        if progress is not None:
            progress(len(found) / len(shoves), f"shoving: {len(found)} of {len(shoves)}")
    middle = shoves[int(np.argsort([shove.impulse for shove in shoves])[len(shoves) // 2])]
    push = as_push(base, middle, torso_of(subject.model.body), subject.model.timestep)
    world = replace(parse_world(walker.world_toml), name="shoved", about="the median shove", pushes=(push,))
    take = until_fall(with_pushes(walker, world), push.start + AFTER)
    return Done(
        take=take,
        success=all(recovery.upright for recovery in found),
        figures=_figures(subject, trials, found),
        files={"people.json": _record(subject, trials, found)},
    )


def _figures(subject: Subject, trials: tuple[PushedTrial, ...], found: list[Recovery]) -> dict[str, Any]:
    upright = sum(recovery.upright for recovery in found)
    low, high = wilson(upright, len(found))
    return {
        "trials": len(found),
        "upright": upright,
        "upright_low": low,
        "upright_high": high,
        "people_detour_cm": 100.0 * float(np.median([trial.detour for trial in trials])),
        "detour_cm": 100.0 * float(np.median([one.detour for one in found if one.upright])) if upright else None,
        "bins": [_bin(one) for one in bins_of(trials, found)],
    }


def _bin(one: Bin) -> dict[str, Any]:
    return {
        "low": round(one.low, 3),
        "high": round(one.high, 3),
        "people": len(one.trials),
        "people_cm": 100.0 * float(one.people[1]),
        "upright": one.upright,
        "walker_cm": 100.0 * float(one.walker[1]) if one.upright else None,
    }


def _record(subject: Subject, trials: tuple[PushedTrial, ...], found: list[Recovery]) -> str:
    pairs = [{"person": asdict(trial), "walker": asdict(one)} for trial, one in zip(trials, found, strict=True)]
    record = {"controller": subject.sha256, "mass_kg": subject.mass, "trials": pairs}
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"
