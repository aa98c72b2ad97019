"""What the package offers: quick to import, documented name by name."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import reenact


def test_the_documented_names_are_the_public_ones(repo: Path) -> None:
    text = (repo / "docs" / "python.md").read_text()
    documented = set(re.findall(r"^\| `reenact\.(\w+)", text, flags=re.MULTILINE))
    assert documented == set(reenact.__all__)


def test_every_public_name_is_there_and_typed(repo: Path) -> None:
    tree = ast.parse((repo / "src" / "reenact" / "__init__.py").read_text())
    checking = next(node for node in tree.body if isinstance(node, ast.If))
    typed = {
        alias.name: node.module for node in checking.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert typed == reenact._HOME
    for name in reenact.__all__:
        assert getattr(reenact, name) is not None
    assert set(reenact.__all__) <= set(dir(reenact))


def test_the_package_imports_nothing_heavy() -> None:
    code = (
        "import reenact, sys; print(sorted({'numpy', 'mujoco', 'numba', 'scipy', 'rich', 'tyro'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(reenact, "fitt")
