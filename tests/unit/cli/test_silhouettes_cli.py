"""`reenact silhouettes` as a user runs it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from reenact.cli import main as cli
from reenact.formats.video import open_video, read_frames
from reenact.observe.silhouettes_npz import load_silhouettes
from synthetic_video import HEIGHT, WIDTH, walk, write_video

pytest.importorskip("av", reason="PyAV, of the extra video, is not installed")


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    images, _ = walk(20)
    times = [0.04 * i + (0.01 if i % 2 else 0.0) for i in range(20)]
    return write_video(tmp_path_factory.mktemp("my video") / "walk.mp4", images, times)


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        cli.main(["silhouettes", *map(str, arguments)])
    printed = capsys.readouterr()
    return int(left.value.code or 0), printed.out, printed.err


def test_masks_movie_and_summary(video: Path, spaced: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = spaced / "masks"
    folder.mkdir()
    (folder / "mine.txt").write_text("stays")
    code, out, _ = run(capsys, video, "-o", folder)
    assert code == 0
    assert "seen in 20 of 20 frames" in out
    assert "trusted from 0.00 to 0.77 s" in out
    found = load_silhouettes(folder)
    assert found.frames == 20
    assert found.size == (WIDTH, HEIGHT)
    movie = open_video(folder / "overlay.mp4")
    assert [round(f.time, 3) for f in read_frames(movie)] == [round(float(t), 3) for t in found.time]
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["format"] == "reenact-silhouettes-summary"
    assert len(summary["quality"]) == summary["frames"] == 20
    with (folder / "frames.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [int(row["area_px"]) for row in rows] == [mask.area for mask in found.masks]
    assert (folder / "mine.txt").read_text() == "stays"


def test_json_is_all_that_is_printed(video: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, video, "-o", tmp_path / "m", "--from", "0.1", "--to", "0.5", "--json", "--size", "96")
    assert code == 0
    summary = json.loads(out)
    assert summary["mask_size"] == [96, 54]
    assert summary["video_size"] == [WIDTH, HEIGHT]
    assert 0.1 <= summary["from_s"] < summary["to_s"] <= 0.5


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--person", "somewhere"], "--person somewhere: expected x,y or x,y,seconds"),
        (["--person", "1.4,0.5"], "expected x and y between 0 and 1"),
        (["--person", "0.99,0.02"], "nobody is at --person 0.99,0.02; what stands out: 0."),
        (["--from", "7"], "--from 7 is not within the video's 0 to"),
        (["--plate", "none.png"], "none.png: there is no such file"),
        (["--size", "3"], "too small"),
    ],
)
def test_mistakes_are_one_line(
    video: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], words: str
) -> None:
    code, out, err = run(capsys, video, "-o", tmp_path / "masks", *options)
    assert (code, out) == (2, "")
    last = err.splitlines()[-1]  # lines before it tell the progress where a machine is slow
    assert last.startswith("reenact: ")
    assert words in last
    assert not (tmp_path / "masks").exists()


def test_stopped_leaves_nothing(
    video: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("reenact.view.overlay.drawn_over", interrupted)
    code, _, err = run(capsys, video, "-o", tmp_path / "masks")
    assert code == 130
    assert "stopped" in err
    assert list(tmp_path.iterdir()) == []
