"""What is said of extras that are missing: one command for each, and extras that there are."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from reenact.errors import MissingExtraError, install

ROOT = Path(__file__).parents[3]
SOURCE = sorted((ROOT / "src").rglob("*.py"))


def test_the_command_names_the_extra_and_survives_every_shell() -> None:
    assert install("view") == "pip install 'reenact[view]'"
    error = MissingExtraError("view", "the page")
    assert str(error) == "the page needs the extra 'view': pip install 'reenact[view]'"
    assert error.extra == "view"


def test_nobody_spells_the_command_out() -> None:
    own = [path for path in SOURCE if "pip install 'reenact[" in path.read_text(encoding="utf-8")]
    assert [path.name for path in own] == ["errors.py"]


@pytest.mark.parametrize("call", ["MissingExtraError", "install", "_extra"])
def test_every_extra_that_is_named_exists(call: str) -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    known = set(pyproject["project"]["optional-dependencies"])
    asked = {
        extra
        for path in SOURCE
        for extra in re.findall(rf"\b{call}\(\s*['\"](\w+)['\"]", path.read_text(encoding="utf-8"))
    }
    assert asked, f"nobody calls {call} with a name"
    assert asked <= known
