"""A push test as push.json holds it: figures, every trial, and all that is needed to run it again. See docs/push.md."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any, Final

from reenact.control.make_take import versions
from reenact.control.pushing.findings import Findings, Limit
from reenact.control.pushing.trial import Outcome, Trial

FORMAT: Final = "reenact-push"
VERSION: Final = 1


def record_of(findings: Findings, *, take: str, command: str, wall_seconds: float) -> dict[str, Any]:
    """The content of push.json; take: the folder's name; command: what makes it again."""
    subject, base, model = findings.subject, findings.base, findings.subject.model
    return {
        "format": FORMAT,
        "version": VERSION,
        "finished": findings.finished,
        "command": command,
        "take": take,
        "controller": {"kind": subject.kind, "seed": subject.seed, "sha256": subject.sha256},
        "body": {"name": model.body.name, "mass_kg": subject.mass, "stature_m": model.body.stature},
        "world": model.world.name,
        "torque": subject.torque,
        "fall": {"height_m": subject.fall.height, "segments": list(subject.fall.segments)},
        "protocol": asdict(findings.protocol),
        "unpushed": {
            "walks": base.walks,
            "speed_m_s": base.speed,
            "cycle_s": base.gait.cycle,
            "heading_deg": math.degrees(base.heading),
            "turned_deg": math.degrees(base.turned),
        },
        "directions": [_direction(findings, limit) for limit in findings.limits],
        "trials": findings.count,
        "wall_seconds": round(wall_seconds, 1),
        "versions": versions(),
    }


def _direction(findings: Findings, limit: Limit) -> dict[str, Any]:
    impulse, (low, high) = findings.impulse(limit), limit.interval
    return {
        "name": limit.direction.name,
        "from_deg": limit.direction.degrees,
        "newtons": limit.newtons,
        "impulse_Ns": impulse,
        "impulse_Ns_per_kg": impulse / findings.subject.mass,
        "by_phase_N": list(limit.by_phase),
        "paper_N": findings.paper(limit),
        "finished": limit.finished,
        "first_failure": None if limit.weakest is None else _trial(*limit.weakest),
        "drawn": {"passed": limit.drawn_passes, "run": len(limit.draws), "low": low, "high": high},
        "trials": [_trial(*pair) for pair in limit.trials],
        "draws": [_trial(*pair) for pair in limit.draws],
    }


def _trial(trial: Trial, outcome: Outcome) -> dict[str, Any]:
    entry: dict[str, Any] = {"newtons": trial.newtons, "delay_s": trial.delay}
    if trial.draw is not None:
        entry["draw"] = list(trial.draw)
    return {**entry, "passed": outcome.passed, "seconds": outcome.seconds, "reason": outcome.reason}
