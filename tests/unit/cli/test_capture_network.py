"""`reenact capture VIDEO` where the pose network is installed: a camera where none is known, joints beside masks."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from clicked_walk import BODY, walking
from drawn_walk import FRAMES, NAME, SIZE, camera, silhouettes, times, write_walk
from reenact.cli import by_states, by_video, by_video_network, live_report, terminal
from reenact.cli.main import main
from reenact.estimate.states.settings import Settings as Search
from reenact.formats.take import read_take
from reenact.observe.camera_points import points_of
from reenact.observe.mask import empty_mask
from reenact.observe.network.keypoints import Keypoints
from reenact.observe.network.landmarks import NAMES
from reenact.observe.network.marks import INDEX, POINTS
from reenact.observe.silhouettes_npz import save_silhouettes
from small_track import small_track

pytest.importorskip("av", reason="PyAV, of the extra video, is not installed")
TINY = Search(growth=24, rounds=1, whole_rounds=1, samples=6, reopened=(1,), beam=1, walk=False)


def _keypoints(shift: float = 0.0) -> Keypoints:
    """The walk as a perfect network would see it, or so many pixels beside."""
    points, seen_by = points_of(BODY, POINTS), camera()
    at = np.stack([points.at(walking(t)) for t in times()])
    nearest = np.full(len(NAMES), POINTS.index("nose"))
    nearest[INDEX] = np.arange(len(INDEX))
    space = (at - at[:, [POINTS.index("hip_left"), POINTS.index("hip_right")]].mean(axis=1, keepdims=True)) @ (
        seen_by.turn.T
    )
    return Keypoints(
        name=NAME,
        video_size=SIZE,
        time=times(),
        points=seen_by.project(at)[:, nearest] + np.array([shift, 0.0]),
        visibility=np.ones((FRAMES, len(NAMES))),
        presence=np.ones((FRAMES, len(NAMES))),
        world=space[:, nearest],
        masks=(empty_mask((SIZE[1], SIZE[0])),) * FRAMES,
        score=np.ones(FRAMES),
    )


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A capture of a video without a camera, the network faked, and a tiny search; in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    made = write_walk(tmp_path)
    for name in ("cam.toml", "cam.poses.npz"):
        (tmp_path / name).unlink()
    save_silhouettes(tmp_path / "masks.npz", silhouettes())
    monkeypatch.setattr(by_video_network, "network_lacks", lambda: "")
    monkeypatch.setattr("reenact.observe.network.along.keypoints_along", lambda *_, **__: _keypoints())
    monkeypatch.setattr(by_states, "settings_of", lambda seed, *_: TINY)
    small_track(monkeypatch)
    monkeypatch.setattr(live_report, "PATIENCE", 600.0)
    monkeypatch.setattr(terminal, "QUIET_INTERVAL", 600.0)
    return [made, "--masks", "masks.npz", "--activity", "walk", "--height", "1.7", "--sex", "f", "-o", "take"]


def _run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["capture", *(str(a) for a in arguments)])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_without_a_camera_the_network_solves_one(
    asked: list[object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(*asked) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "No camera is known for" in said
    assert "solved from joints that the pose network sees, as by `reenact calibrate" in said
    assert f"by the pose network in {FRAMES} of {FRAMES} frames" in said
    assert "First pose, calibrated at" in said
    assert read_take(tmp_path / "take").info.metrics["track_mismatch"] < 0.3
    assert not (tmp_path / "take.partial").exists()

    def never(*_: object, **__: object) -> None:
        raise AssertionError("the video is watched again")

    monkeypatch.setattr("reenact.observe.silhouettes_npz.load_silhouettes", never)
    monkeypatch.setattr("reenact.observe.network.along.keypoints_along", never)
    assert _run(*asked, "--resume") == 0, "nothing is left to do"
    assert "is finished, and kept" in capsys.readouterr().out
    marked = json.loads((tmp_path / "take" / "asked.json").read_text())
    (tmp_path / "take" / "asked.json").write_text(json.dumps({**marked, "take": "of another take"}))
    assert _run(*asked, "--resume") != 0
    assert "watched again" in capsys.readouterr().err


def test_joints_of_somebody_else_are_left_out(
    asked: list[object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("reenact.observe.network.along.keypoints_along", lambda *_, **__: _keypoints(shift=90.0))
    monkeypatch.setattr(by_video, "tracks_of", _enough)
    folder = Path.cwd()
    write_walk(folder)
    assert _run(*asked) == 130
    said = " ".join(capsys.readouterr().out.split())
    assert "looked at somebody else than the masks are of" in said
    assert "the masks alone are followed" in said
    shutil.rmtree(folder / "take.partial", ignore_errors=True)


def test_joints_are_left_out_or_demanded(
    asked: list[object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(by_video, "tracks_of", _enough)
    write_walk(Path.cwd())
    shutil.copy("cam.toml", "walk.toml")
    assert _run(*asked, "--joints", "no") == 130
    said = " ".join(capsys.readouterr().out.split())
    assert "by the pose network in" not in said
    assert "Silhouettes alone are followed" in said
    assert "without --joints no" in said
    monkeypatch.setattr(by_video_network, "network_lacks", lambda: "pip install 'reenact[x]'")
    assert _run(*asked, "--camera", "walk.toml") == 130
    said = " ".join(capsys.readouterr().out.split())
    assert said.count("Silhouettes alone are followed") == 1
    assert "joints that the pose network sees do: pip install 'reenact[x]', then this command again." in said
    monkeypatch.setattr(by_video_network, "network_lacks", lambda: "`reenact network fetch`")
    assert _run(*asked, "--joints", "yes") == 2
    assert "--joints needs the pose network: `reenact network fetch`" in " ".join(capsys.readouterr().err.split())


def _enough(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_what_the_network_lacks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("REENACT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "pip install 'reenact[network]'" in by_video_network.network_lacks()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    assert by_video_network.network_lacks() == "`reenact network fetch`"


def test_a_person_of_no_size_is_refused_before_the_network_looks(
    asked: list[object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("the network looks")

    monkeypatch.setattr("reenact.observe.network.along.keypoints_along", never)
    wrong = [each if each != "1.7" else "17" for each in asked]
    assert _run(*wrong) == 2
    assert "17" in capsys.readouterr().err
