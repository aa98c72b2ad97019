"""`reenact bench sampling` as a user meets it: run, stopped, gone on with, drawn, refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reenact.estimate.sampling.bench.table import BEGIN, END
from reenact.estimate.sampling.evaluate import Request
from reenact.estimate.sampling.settings import EFFORTS
from reenact.estimate.sampling.threads import Threads
from reenact.geometry.rotation import Array
from reenact.view import offscreen
from reenact.view.offscreen import RenderError
from run_command import run

WORK = ("bench", "sampling", "--part", "animal")


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EFFORTS, "normal", (24, 4))


def test_stopped_and_gone_on_with(
    spaced: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real, keep = Threads.evaluate, spaced / "kept"

    def stopping(self: Threads, request: Request) -> Array:
        if (keep / "animal" / "trot" / "seed-0" / "record.json").exists():
            raise KeyboardInterrupt
        return real(self, request)

    work = (*WORK, "--seeds", "2", "--keep", keep, "--json", spaced / "figures.json", "--markdown", spaced / "page.md")
    with monkeypatch.context() as patched:
        patched.setattr(Threads, "evaluate", stopping)
        assert run(*work) == 130
    said = capsys.readouterr()
    assert "stopped after 1 of 2 runs; the same command goes on" in said.err
    assert "of 1 (" in said.out
    assert not (spaced / "figures.json").exists()
    assert not (spaced / "page.md").exists()
    first = (keep / "animal" / "trot" / "seed-0" / "take.json").stat().st_mtime_ns
    assert run(*work) == 0
    assert (keep / "animal" / "trot" / "seed-0" / "take.json").stat().st_mtime_ns == first
    written = json.loads((spaced / "figures.json").read_text())
    assert written["bench"] == "sampling"
    rows = {row["name"]: row for row in written["rows"]}
    assert set(rows) == {f"sampling.laikago.trot.{what}" for what in ("success", "s_per_s", "error_cm", "audit")}
    assert rows["sampling.laikago.trot.success"]["unit"].startswith("of 2, 95 % interval")
    assert rows["sampling.laikago.trot.audit"]["value"] is True
    assert "| trot | 1.2 |" in (spaced / "page.md").read_text()


def test_without_recordings_the_unseen_are_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures = tmp_path / "figures.json"
    assert run("bench", "sampling", "--part", "unseen", "--data", tmp_path, "--json", figures) == 0
    assert "Recordings the search was not made with" in capsys.readouterr().out
    rows = json.loads(figures.read_text())["rows"]
    assert {row["value"] for row in rows} == {"skipped"}
    assert rows[0]["name"] == "sampling.unseen.walk.success"
    assert "16_15.bvh" in rows[0]["unit"]


def test_strips_stand_in_the_page(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="pictures need the extra 'video'")
    try:
        offscreen.backend()
    except RenderError as error:
        pytest.skip(str(error))
    (tmp_path / "docs").mkdir()
    page = tmp_path / "docs" / "page.md"
    page.write_text(f"# Mine\n\n{BEGIN}\n{END}\n\nEnd.\n")
    assert run(*WORK, "--seeds", "1", "--markdown", page, "--strips", tmp_path / "docs" / "images") == 0
    with image.open(tmp_path / "docs" / "images" / "animal_trot.png") as strip:
        assert strip.size == (1280, 220)
    text = page.read_text()
    assert "![trot](images/animal_trot.png)" in text
    assert text.startswith("# Mine\n")
    assert text.endswith("\nEnd.\n")
