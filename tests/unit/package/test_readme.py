"""What the README shows is what happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from reenact.cli.main import COMMANDS


def example(repo: Path) -> str:
    blocks: list[str] = re.findall(r"```python\n(.*?)```", (repo / "README.md").read_text(), flags=re.DOTALL)
    assert len(blocks) == 1
    return blocks[0]


def test_the_example_is_short_and_runs(repo: Path, spaced: Path) -> None:
    code = example(repo)
    assert len([line for line in code.splitlines() if line.strip()]) <= 10
    done = subprocess.run([sys.executable, "-c", code], cwd=spaced, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_pictures_and_links_exist(repo: Path) -> None:
    for page in (repo / "README.md", repo / "CONTRIBUTING.md", *(repo / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_commands_named_in_the_documentation_exist(repo: Path) -> None:
    for page in (repo / "README.md", repo / "CONTRIBUTING.md", *(repo / "docs").glob("*.md")):
        for name in re.findall(r"(?:^|`|    )reenact ([a-z]+)\b", page.read_text(), flags=re.MULTILINE):
            assert name in COMMANDS, f"{page.name}: reenact {name}"
