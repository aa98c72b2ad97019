"""What a search depends on: by its plan a search on disk is told from others, and a finished take is known again."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

from reenact.estimate.processor import DIGITS, named
from reenact.formats.take import Take

PROCESSOR: Final = "processor"  # what a plan calls that, see `processor.py`
PLAN_HASH: Final = "plan_hash"  # the metric of a take that a search has finished
HASH: Final = 16  # digits of a plan's hash that a take keeps


def plan_hash(plan: dict[str, Any]) -> str:
    """Hash of all that a search was asked to do; where it ran is no part of that."""
    asked = {name: value for name, value in plan.items() if name != PROCESSOR}
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def made_by(take: Take, plan: dict[str, Any], method: str) -> bool:
    """Whether a take is what a search of this plan and method would find again."""
    return take.info.method == method and take.info.metrics.get(PLAN_HASH) == plan_hash(plan)[:HASH]


def hindrance(there: dict[str, Any], here: dict[str, Any]) -> str:
    """Why a search that was begun with one plan cannot be gone on with by another, in words; empty where it can."""
    keys = {*there, *here} - {PROCESSOR}
    if differ := sorted(key for key in keys if there.get(key) != here.get(key)):
        shown = ", ".join(f"{k} {there.get(k)!s:.40} (now {here.get(k)!s:.40})" for k in differ[:3])
        return f"this search was begun with other settings: {shown}; resume with the same"
    old, new = (plan.get(PROCESSOR, {}) for plan in (there, here))
    if old.get(DIGITS) == new.get(DIGITS):
        return ""
    return (
        f"this search was begun on another kind of processor ({named(old)}; here is {named(new)}), which "
        "computes other last digits: resume it there, or begin anew without --resume"
    )
