"""`reenact bench silhouette` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reenact.cli.main import main
from reenact.view import bench_silhouette
from reenact.view.offscreen import RenderError, backend


def test_the_table_and_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        backend()
    except RenderError as error:
        pytest.skip(str(error))
    monkeypatch.setattr(bench_silhouette, "QUICK_VIEWS", 3)
    with pytest.raises(SystemExit) as ended:
        main(["bench", "silhouette", "--quick", "--json", str(tmp_path / "s.json")])
    assert not ended.value.code
    rows = {row["name"]: row for row in json.loads((tmp_path / "s.json").read_text())["rows"]}
    assert rows["silhouette.iou"]["value"] > 0.99
    assert rows["silhouette.iou"]["holds"]
    assert rows["silhouette.frames_per_s"]["value"] > 20_000  # a busy machine's; the goal is the bench's to judge
    assert 0.3 < rows["silhouette.cost_ratio"]["value"] < 3.0  # beside other work; the goal is the bench's to judge
    assert rows["silhouette.share"]["value"] == pytest.approx(1 - 1 / rows["silhouette.cost_ratio"]["value"])
