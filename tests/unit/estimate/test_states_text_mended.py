"""A machine whose text does another motion than it is found anew around its text."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from reenact.estimate.states import search


def _mended(monkeypatch: pytest.MonkeyPatch, costs: list[float]) -> tuple[Any, int]:
    """What is kept of machines whose texts cost so much, one after the other, and how often one was looked for."""
    texts, looked = iter(costs), []
    monkeypatch.setattr(search, "as_written", lambda machine: machine)
    monkeypatch.setattr(search, "weighed", lambda *_: SimpleNamespace(machine=None, last=3, cost=next(texts)))
    monkeypatch.setattr(search, "_rounds", lambda *_: looked.append(1) or SimpleNamespace(machine=None))
    best: Any = SimpleNamespace(machine=None, last=3, cost=10.0)
    nothing: Any = None
    return search.as_text(nothing, nothing, best), len(looked)


def test_a_text_that_does_the_same_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, looked = _mended(monkeypatch, [11.0, 0.0])
    assert kept.cost == 11.0
    assert looked == 0


def test_a_text_that_does_not_is_found_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _mended(monkeypatch, [900.0, 11.0, 0.0])[0].cost == 11.0
    kept, looked = _mended(monkeypatch, [900.0, 950.0, 300.0, 700.0])
    assert kept.cost == 300.0, "the best of all that were found"
    assert looked == search.MENDED
