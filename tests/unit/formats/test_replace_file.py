"""One file put in place in one step."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reenact.formats.replace_file import replace_file


def test_writes_text_and_bytes_and_makes_folders(spaced: Path) -> None:
    replace_file(spaced / "a" / "b.txt", "é\n")
    assert (spaced / "a" / "b.txt").read_bytes() == b"\xc3\xa9\n"
    replace_file(spaced / "a" / "b.txt", b"\x00")
    assert (spaced / "a" / "b.txt").read_bytes() == b"\x00"
    assert [p.name for p in (spaced / "a").iterdir()] == ["b.txt"]


def test_an_error_leaves_the_old_file(spaced: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace_file(spaced / "a.txt", "old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        replace_file(spaced / "a.txt", "new")
    assert [(p.name, p.read_text()) for p in spaced.iterdir()] == [("a.txt", "old")]
