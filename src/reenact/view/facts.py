"""What is known about a take, as titled tables of short text for the report and the page."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

UNITS: Final = {
    "cm": "cm",
    "mm": "mm",
    "mm_s": "mm/s",
    "m": "m",
    "m_s": "m/s",
    "s": "s",
    "seconds": "s",
    "kg": "kg",
    "N": "N",
    "Nm": "N·m",
    "N_m": "N·m",
    "J": "J",
    "deg": "°",
    "Hz": "Hz",
    "weights": "body weights",
    "hz": "Hz",
}
LABELS: Final = {
    "wall_seconds": ("Wall time", "s"),
    "core_seconds": ("Core time", "s"),
    "sha256": ("SHA-256", ""),
    "newtons": ("Force", "N"),
    "seconds": ("Length", "s"),
    "mujoco": ("MuJoCo", ""),
    "numpy": ("NumPy", ""),
}
HIDDEN: Final = frozenset({"format", "version", "status", "reason", "files"})  # shown elsewhere or of no use
ITEM_UNITS: Final = {
    "start": "s",
    "duration": "s",
    "every": "s",
    "until": "s",
    "mass": "kg",
    "force": "N",
    "torque": "N·m",
}
TABLES: Final = ("audit", "input", "body", "world", "pushes", "versions")  # in this order, before others
STATUS_WORDS: Final = {
    "ok": "Did not fall",
    "fell": "Fell",
    "diverged": "Diverged",
    "stopped": "Stopped",
}  # of takes whose motion was not judged
Tone = Literal["good", "bad", "unsure"]
TONES: Final[Mapping[str, Tone]] = {"ok": "good", "fell": "bad", "diverged": "bad"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A label and its value."""

    label: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A titled table."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How a take ended."""

    tone: Tone
    word: str
    reason: str


def verdict_of(facts: Mapping[str, Any]) -> Verdict:
    """What take.json says in words: whether the motion was done where that was judged, else how the simulation ended.

    The status alone says too little of a judged take: a body that steps off its beam is simulated to the end, "ok".
    """
    status, reason = str(facts.get("status", "unknown")), str(facts.get("reason") or "")
    metrics = facts.get("metrics")
    success = metrics.get("success") if isinstance(metrics, Mapping) else None
    if isinstance(success, bool):
        done = success and status == "ok"
        return Verdict(tone="good" if done else "bad", word="Done" if done else "Not done", reason=reason)
    return Verdict(tone=TONES.get(status, "unsure"), word=STATUS_WORDS.get(status, status.capitalize()), reason=reason)


def sections_of(facts: Mapping[str, Any]) -> tuple[Section, ...]:
    """All of take.json: metrics, then how it was made, then every list and table in it under its own title."""
    told = {key: value for key, value in facts.items() if key not in HIDDEN and value not in (None, "", [], {})}
    tables = {key: value for key, value in told.items() if not isinstance(value, (str, int, float))}
    setup = {key: value for key, value in told.items() if key not in tables}
    sections = [Section(title="Metrics", rows=_rows(tables.pop("metrics")))] if "metrics" in tables else []
    if setup:
        sections.append(Section(title="How it was made", rows=_rows(setup)))
    order = sorted(tables, key=lambda key: TABLES.index(key) if key in TABLES else len(TABLES))
    sections += [Section(title=_sentence(key), rows=_rows(tables[key])) for key in order]
    return tuple(section for section in sections if section.rows)


def label_and_unit(key: str) -> tuple[str, str]:
    """ "joint_error_cm" as ("Joint error", "cm"); a key without a known unit keeps all its words."""
    if key in LABELS:
        return LABELS[key]
    for suffix in sorted(UNITS, key=len, reverse=True):
        if key.endswith("_" + suffix) and len(key) > len(suffix) + 1:
            return _sentence(key[: -len(suffix) - 1]), UNITS[suffix]
    return _sentence(key), ""


def value_text(value: Any) -> str:
    """A value in few characters: four significant digits, yes and no, lists with commas."""
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case int():
            return str(value)
        case float():
            return _number(value)
        case str():
            return _short_hash(value)
        case Mapping():
            return ", ".join(f"{_sentence(str(k)).lower()} {value_text(v)}" for k, v in value.items())
        case Sequence():
            return ", ".join(value_text(v) for v in value) or "none"
    return str(value)


def _rows(value: Any, prefix: str = "") -> tuple[Row, ...]:
    if isinstance(value, Mapping):
        rows: list[Row] = []
        for key, inner in value.items():
            if isinstance(inner, Mapping) and inner:
                rows += _rows(inner, f"{prefix}{_sentence(str(key))}: ")
                continue
            label, unit = label_and_unit(str(key))
            text = value_text(inner)
            rows.append(Row(label=prefix + label, value=f"{text} {unit}" if unit and inner is not None else text))
        return tuple(rows)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(Row(label=f"{prefix}{i + 1}.", value=_item(inner)) for i, inner in enumerate(value))
    return (Row(label=prefix or "Name", value=value_text(value)),)


def _item(value: Any) -> str:
    """One entry of a list, e.g. a push, with the units its keys imply."""
    if not isinstance(value, Mapping):
        return value_text(value)
    parts = []
    for key, inner in value.items():
        if inner is None or inner == "":
            continue
        label, unit = label_and_unit(str(key))
        unit = unit or ITEM_UNITS.get(str(key), "")
        parts.append(f"{label.lower()} {value_text(inner)}{' ' + unit if unit else ''}")
    return ", ".join(parts)


def _sentence(key: str) -> str:
    words = key.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _number(value: float) -> str:
    if not math.isfinite(value):
        return str(value)
    return f"{value:.4g}" if abs(value) < 1e5 else f"{value:.3e}"


def _short_hash(text: str) -> str:
    return f"{text[:12]}…" if re.fullmatch(r"[0-9a-f]{40,128}", text) else text
