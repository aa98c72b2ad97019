"""The page on worlds: every example parses, every key is described with its true default."""

from __future__ import annotations

import re
import tomllib
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from reenact.world.parts import Ground
from reenact.world.toml import KINDS, SPELT, parse_world

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "worlds.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```toml\n(.*?)```", PAGE, flags=re.DOTALL)
SHARED = {"name", "at", "friction", "softness", "damping_ratio"}  # described once for all parts


def section(kind: str) -> str:
    """The text under a kind's heading."""
    title = "## The ground" if kind == "ground" else f"### {kind}"
    found = re.search(rf"^{title}\n(.*?)(?=^##)", PAGE + "\n##", flags=re.DOTALL | re.MULTILINE)
    assert found, f"no section on {kind}"
    return found[1]


def rows(kind: str) -> dict[str, str]:
    """Default as written, by key."""
    return dict(re.findall(r"^\| `(\w+)` \|[^|]*\|([^|]*)\|", section(kind), flags=re.MULTILINE))


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_example_parses(text: str) -> None:
    parse_world(text, "docs/worlds.md")


@pytest.mark.parametrize("kind", ["ground", *KINDS])
def test_every_kind_has_an_example(kind: str) -> None:
    assert any(kind in tomllib.loads(text) for text in EXAMPLES)


@pytest.mark.parametrize("kind", ["ground", *KINDS])
def test_every_key_is_described_with_its_default(kind: str) -> None:
    described = rows(kind)
    for field in fields(Ground if kind == "ground" else KINDS[kind]):
        key = SPELT.get(field.name, field.name)
        if key not in described:
            assert key in SHARED, f"{kind}: '{key}' is not described"
            continue
        written = described.pop(key).strip().strip("`")
        if field.default is MISSING:
            assert written.startswith("needed")
        elif isinstance(field.default, float | int | tuple):
            value = tomllib.loads(f"x = {written}")["x"]
            assert (tuple(value) if isinstance(value, list) else value) == field.default
        elif isinstance(field.default, str):
            assert written.strip('"') == field.default
    assert set(described) <= {"file"}, "keys that do not exist"
