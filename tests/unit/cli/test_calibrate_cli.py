"""`reenact calibrate --clicks` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clicked_walk import SIZE, clicked_video, clicked_walk
from reenact.cli import main as cli
from reenact.observe import camera_solve
from reenact.observe.camera_file import read_camera
from reenact.observe.clicks import dump_clicks, read_clicks
from reenact.observe.first_poses import load_first_poses

pytest.importorskip("av", reason="PyAV, of the extra video, is not installed")


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return clicked_video(tmp_path_factory.mktemp("my video"))


@pytest.fixture
def clicks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(camera_solve, "HEADINGS", 1)  # she faces that way
    path = tmp_path / "before.json"
    path.write_text(dump_clicks(clicked_walk(frames=1)))
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        cli.main(["calibrate", *map(str, arguments)])
    printed = capsys.readouterr()
    return int(left.value.code or 0), printed.out, printed.err


def test_clicks_give_a_table_and_files(
    video: Path, clicks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, video, "--clicks", clicks, "-o", tmp_path / "my cam.toml", "--height", "1.66")
    assert code == 0
    assert "focal length" in out
    assert "toe_tip_right" in out
    assert "warning" not in out
    camera = read_camera(tmp_path / "my cam.toml", "walk").for_video(*SIZE)
    assert camera.tilt == pytest.approx(0.08, abs=0.03)
    assert read_clicks(tmp_path / "my cam.clicks.json").person.height == 1.66
    assert load_first_poses(tmp_path / "my cam.poses.npz").body.stature == pytest.approx(1.66)


def test_without_output_nothing_is_written(
    video: Path, clicks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(capsys, video, "--clicks", clicks, "--json")
    assert code == 0
    found = json.loads(out)
    assert found["saved"] == []
    assert found["rms_px"] < 4.0
    assert len(found["frames"][0]["errors"]) == 15
    assert [path.name for path in tmp_path.iterdir()] == [clicks.name]


def test_mistakes_are_one_line(video: Path, clicks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cam.clicks.json").write_text(clicks.read_text().replace("walk.mp4", "run.mp4"))
    for arguments, cause in (
        ((video, "--clicks", tmp_path / "no.json"), "no such file"),
        ((video, "--clicks", clicks, "--at", "0.1"), "--at chooses frames for the page"),
        ((video, "--clicks", clicks, "--height", "17"), "17"),
        ((video, "--clicks", clicks, "--tilt", "100"), "tilt"),
        ((video, "-o", tmp_path / "cam.json"), "ends in .toml"),
        ((video, "--at", "9", "-o", tmp_path / "new.toml"), "has no frame at 9 s"),
        ((video, "--json"), "--json needs --clicks"),
        ((video, "-o", tmp_path / "cam.toml"), "holds clicks in run.mp4"),
        ((tmp_path / "no.mp4",), "there is no such file"),
    ):
        code, _, err = run(capsys, *arguments)
        assert code == 2, arguments
        assert cause in err
        assert err.count("\n") == 1
