"""The page on bodies: its example is a body, every key is described, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from reenact.body.load import load_body
from reenact.body.schema import AxisFile, BodyFile, SegmentFile, ShapeFile
from reenact.body.toml import parse_body

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "bodies.md").read_text(encoding="utf-8")
TABLES = {"The file": BodyFile, "segment": SegmentFile, "axis": AxisFile, "shape": ShapeFile}


def test_the_example_is_a_body() -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE, flags=re.DOTALL)
    body = parse_body(text, "docs/bodies.md")
    assert body.segment_names == ("trunk", "arm_left", "arm_right")
    assert body.dofs == 8


@pytest.mark.parametrize("title", TABLES)
def test_every_key_is_described_and_needed_where_it_is(title: str) -> None:
    section = re.search(rf"^## {title}\n(.*?)(?=^##)", PAGE + "\n##", flags=re.DOTALL | re.MULTILINE)
    assert section is not None
    written = dict(re.findall(r"^\| `(\w+)` \|([^|]*)\|", section[1], flags=re.MULTILINE))
    known = {field.name: field.required for field in msgspec.structs.fields(TABLES[title])}
    assert written.keys() == known.keys()
    assert {key for key, word in written.items() if word.strip() == "yes"} == {k for k, r in known.items() if r}


@pytest.mark.parametrize("row", re.findall(r"^\| `(\w+)` \|[^|]*\| (\d+) \|", PAGE, flags=re.MULTILINE))
def test_degrees_of_freedom(row: tuple[str, str]) -> None:
    assert load_body(row[0]).dofs == int(row[1])
