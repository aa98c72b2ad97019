"""Rows that many tables of `reenact bench states` have."""

from __future__ import annotations

from collections.abc import Iterator

from reenact.estimate.states.bench.summary import Summary
from reenact.measure import Row


def refusals(summary: Summary, name: str) -> Iterator[Row]:
    """A row that says why a line was not run, where that is so."""
    if summary.refused is not None:
        word = "skipped" if summary.refused.skipped else "refused"
        yield Row(name=name, value=word, unit=summary.refused.reason, holds=None if summary.refused.skipped else False)


def audit_row(summary: Summary, name: str) -> Row:
    """Whether all takes of a line are honest."""
    unit = "; ".join(["all takes honest", *summary.faults])
    return Row(name=f"{name}.audit", value=summary.honest, unit=unit, goal="true", holds=summary.honest)
