"""A share of the fuzzing, the same every time; the full run is recorded in docs/notes/fuzzing.md."""

from __future__ import annotations

import pytest
from fuzz_formats import damaged, fuzz, try_file
from fuzz_seeds import seeds

import reenact.formats.bvh


@pytest.mark.parametrize("name", list(seeds()))
def test_damaged_files_are_read_or_refused(name):
    tally = fuzz(name, files=150, seed=20)
    assert tally.crashes == []
    assert tally.files == tally.accepted + tally.rejected == 150
    assert tally.accepted > 0
    assert tally.rejected > 0
    assert tally.slowest < 5
    assert tally.memory < 200


def test_the_same_seed_gives_the_same_damage():
    assert damaged("bvh", 3, 1) == damaged("bvh", 3, 1)
    assert damaged("bvh", 3, 1) != damaged("bvh", 3, 2)


def test_a_crash_would_be_seen(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise KeyError("joint")

    monkeypatch.setattr(reenact.formats.bvh, "parse_hierarchy", fail)
    outcomes = [try_file(tmp_path, "bvh", index, 1)[0] for index in range(5)]
    assert any("KeyError" in outcome for outcome in outcomes)
