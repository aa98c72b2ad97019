"""What a user gets wrong: exit code 2, one line that names the thing, no traceback."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest

CASES = {
    "no such file": (("info", "nowhere.bvh"), "nowhere.bvh: no such file"),
    "a folder": (("info", "folder"), "folder: is a folder"),
    "a zip": (("info", "zipped.bvh"), "a zip archive"),
    "an unknown kind": (("info", "notes.docx"), "no known kind of motion"),
    "a mistyped sample": (("fit", "wlak"), "did you mean 'walk'"),
    "an unknown body": (("fit", "walk", "--body", "adlut"), "adult"),
    "a broken body": (("body", "broken_body.toml"), "broken_body.toml"),
    "an unknown world": (("simulate", "walk", "--world", "icy", "-o", "t"), "did you mean 'ice'"),
    "a wrong world key": (("simulate", "walk", "--world", "wrong.toml", "-o", "t"), "wrong.toml:3"),
    "no take": (("audit", "no take"), "no take: no such take"),
    "not a take": (("audit", "folder"), "folder: not a take"),
    "view of nothing": (("view", "no take"), "no take: no such take"),
    "render of nothing": (("render", "no take", "-o", "a.png"), "no take: no such take"),
    "export of nothing": (("export", "no take", "--to", "bvh"), "no take: no such take"),
    "a cut outside": (("fit", "walk", "--from", "90"), "--from 90"),
    "a cut backwards": (("fit", "walk", "--from", "2", "--to", "1"), "--from 2 --to 1"),
    "no time": (("simulate", "walk", "--seconds", "0", "-o", "t"), "0 s"),
    "a folder in use": (("simulate", "walk", "-o", "folder"), "folder: holds other files"),
    "a fit not kept as npz": (("fit", "walk", "-o", "walk.bvh"), "walk.bvh: a fitted motion is kept as .npz"),
    "a broken npz": (("simulate", "broken.npz", "-o", "t"), "broken.npz"),
    "a missing npz": (("simulate", "missing.npz", "-o", "t"), "missing.npz"),
    "no mapping": (("fit", "walk", "--mapping", "none.toml"), "none.toml"),
    "size of another body": (("body", "robot35", "--height", "1.5"), "'adult', not to 'robot35'"),
    "no data": (("bench", "fit", "--data", "nowhere"), "nowhere: no recorded motion here"),
}


@pytest.fixture
def mistakes(spaced: Path) -> Path:
    """A folder with files that are wrong in their own ways."""
    (spaced / "folder").mkdir()
    (spaced / "folder" / "thesis.tex").write_text("years of work")
    with zipfile.ZipFile(spaced / "zipped.bvh", "w") as archive:
        archive.writestr("walk.bvh", "HIERARCHY")
    (spaced / "notes.docx").write_text("x")
    (spaced / "wrong.toml").write_text('name = "wrong"\n[ground]\nfrictoin = 1.0\n')
    (spaced / "broken_body.toml").write_text("name = 'half'\n")
    (spaced / "broken.npz").write_bytes(b"PK\x03\x04 not an archive")
    return spaced


@pytest.mark.parametrize("case", CASES)
def test_a_mistake_is_one_line(case: str, mistakes: Path, reenact: Any) -> None:
    arguments, words = CASES[case]
    before = sorted(p.relative_to(mistakes) for p in mistakes.rglob("*"))
    done = reenact(*arguments, cwd=mistakes)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("reenact: ")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert words in done.stderr
    assert done.stdout == ""
    assert sorted(p.relative_to(mistakes) for p in mistakes.rglob("*")) == before


@pytest.mark.parametrize(
    "arguments", [("simulate", "walk"), ("export", "x", "--to", "fbx"), ("fit",), ("audit", "--j")]
)
def test_a_wrong_option_is_explained(arguments: tuple[str, ...], reenact: Any) -> None:
    done = reenact(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "--help" in done.stderr + done.stdout
