"""What the documentation tells a user to type or to write is understood."""

from __future__ import annotations

import functools
import inspect
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reenact.body.load import load_body
from reenact.cli import main as command_line
from reenact.cli.edit import edit
from reenact.formats.keyframes_toml import parse_keyframes
from reenact.motion.keyframes import pose_keyframes
from reenact.world.load import load_world

REPO = Path(__file__).resolve().parents[3]
PAGES = (REPO / "README.md", *sorted((REPO / "docs").glob("**/*.md")))


def typed(page: Path) -> list[str]:
    """Commands in a page: indented lines, and code in tables; without comments and what stands for anything."""
    text = re.sub(r"\\\n\s*", "", page.read_text())  # a line that goes on in the next one
    lines = re.findall(r"^    (reenact .*)$", text, flags=re.MULTILINE)
    lines += re.findall(r"\| `(reenact [a-z][^`]* -o [^`]*)`", text)
    lines += re.findall(r"then `(reenact [^`]*)`", text)
    return [line for line in lines if "…" not in line and "..." not in line and "|" not in line and "[" not in line]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_are_understood(
    page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = command_line._command

    def idle(name: str) -> Callable[..., Any]:
        """A command with the same options that does nothing."""
        return functools.wraps(real(name))(lambda *_, **__: 0)

    monkeypatch.setattr(command_line, "_command", idle)
    for line in typed(page):
        arguments = shlex.split(line, comments=True)[1:]
        with pytest.raises(SystemExit) as ended:
            command_line.main(arguments)
        assert ended.value.code == 0, f"{page.name}: {line}\n{capsys.readouterr().err}"


def test_every_edit_is_explained(repo: Path) -> None:
    text = (repo / "docs" / "edit.md").read_text()
    own = [
        name for name in inspect.signature(edit).parameters if name not in ("motion", "output", "reading", "fitting")
    ]
    for name in [*own, "from", "to", "body", "size", "mapping", "units", "up"]:
        assert f"`--{name.replace('_', '-')}" in text


def test_written_motions_in_the_documentation_work(repo: Path) -> None:
    blocks = re.findall(r"```toml\n(.*?)```", (repo / "docs" / "keyframes.md").read_text(), flags=re.DOTALL)
    keyframes, body = parse_keyframes(blocks[0] + blocks[1].replace("1.5", "0.9").replace("1.85", "1.1"))
    assert keyframes.flights[0].end == 1.1
    keyframes, body = parse_keyframes(blocks[0])
    assert pose_keyframes(keyframes, load_body(body)).duration == 2.0


def test_worlds_named_in_commands_exist() -> None:
    named = {world for page in PAGES for line in typed(page) for world in re.findall(r"--world (\w+)(?= |$)", line)}
    assert {"pebbles", "ice", "beam", "ramp", "crash_pad"} <= named
    for world in named:
        load_world(world)
