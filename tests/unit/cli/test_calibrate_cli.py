"""`reenact calibrate --clicks` and `--by network` as a user runs them."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import numpy as np
import pytest

from clicked_walk import SIZE, clicked_video, clicked_walk
from reenact.cli import main as cli
from reenact.cli.calibrate import _with
from reenact.formats.video_content import origin_of
from reenact.observe import camera_solve
from reenact.observe.camera_file import origin_of_cameras, read_camera
from reenact.observe.clicks import ClickedVideo, KnownCamera, dump_clicks, read_clicks
from reenact.observe.first_poses import load_first_poses
from reenact.observe.lens import Lens
from reenact.observe.network import calibrate as network_calibrate
from reenact.observe.network import look
from seen_walker import SIZE as WALKED
from seen_walker import seen_walker
from synthetic_video import panned, write_video

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


def test_what_is_written_knows_its_video_and_no_other_of_its_name(
    video: Path, clicks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cam = tmp_path / "cam.toml"
    assert run(capsys, video, "--clicks", clicks, "-o", cam)[0] == 0
    origin = origin_of(video)
    assert origin_of_cameras(cam) == origin
    assert read_clicks(tmp_path / "cam.clicks.json").origin == origin
    assert load_first_poses(tmp_path / "cam.poses.npz").origin == origin
    opened: list[ClickedVideo] = []

    @contextmanager
    def page(video: object, start: ClickedVideo, *_: object) -> Iterator[str]:
        opened.append(start)
        yield "nowhere"
        raise KeyboardInterrupt

    monkeypatch.setattr("reenact.view.calibrate_server.calibration_page", page)
    monkeypatch.setattr(threading.Event, "wait", lambda *_: True)
    renamed = shutil.copy(video, tmp_path / "renamed.mp4")
    run(capsys, renamed, "-o", cam)
    assert opened[0].video == "renamed.mp4", "its clicks are gone on with under its new name"
    assert len(opened[0].frames) == 1
    later = write_video(tmp_path / "walk.mp4", [np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)] * 12, rate=10)
    code, _, err = run(capsys, later, "-o", cam)
    assert code == 2
    assert "cam.clicks.json: is of another file named walk.mp4 than this one: write elsewhere with -o" in err
    code, out, _ = run(capsys, later, "--clicks", tmp_path / "cam.clicks.json")
    assert code == 0
    assert "the joints were clicked in another file named walk.mp4: is it the same film?" in " ".join(out.split())


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


def test_a_focal_length_goes_before_that_of_a_lens_in_the_clicks() -> None:
    lens = Lens(focal_px=1200.0, centre_px=(960.0, 540.0), distortion=(-0.1, 0.0))
    clicked = msgspec.structs.replace(clicked_walk(frames=1), known=KnownCamera(lens=lens))
    told = _with(clicked, {}, {"focal_px": 1700.0, "lens": None}).known
    assert told.focal == 1700.0
    assert told.lens is not None
    assert told.lens.distortion == lens.distortion, "the rest of the lens stays"


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
        ((video, "--lens", tmp_path / "no.yml"), "there is no such file"),
        ((video, "--from", "0.2", "--clicks", clicks), "the frame at 0 s is not within --from 0.2: take its clicks"),
        ((video, "--from", "7", "--clicks", clicks), "--from 7 is not within the video's 0 to 1.000 s"),
        ((video, "--lens", tmp_path / "lens.yml", "--focal", "900"), "--lens tells the focal length"),
    ):
        code, _, err = run(capsys, *arguments)
        assert code == 2, arguments
        assert cause in err
        assert err.count("\n") == 1


@pytest.mark.parametrize("by", ["the page", "clicks", "the network"])
def test_a_camera_that_moves_is_refused_at_once(
    by: str, clicks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("the work has begun")

    monkeypatch.setattr(look, "keypoints_of", never)
    monkeypatch.setattr("reenact.view.calibrate_server.calibration_page", never)
    monkeypatch.setattr("reenact.observe.calibrate.solve_camera", never)
    how = {"the page": (), "clicks": ("--clicks", clicks), "the network": ("--by", "network")}[by]
    moving = write_video(tmp_path / "walk.mp4", panned(16, 8), rate=10)
    code, _, err = run(capsys, moving, *how, "-o", tmp_path / "cam.toml")
    assert code == 2
    assert "the camera moves" in err
    assert "a range --from … --to … in which it does" in err
    assert err.count("\n") == 1


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty scene for as long as somebody is said to walk through it."""
    images = [np.full((WALKED[1], WALKED[0], 3), 120, np.uint8)] * 16
    return write_video(tmp_path_factory.mktemp("walked") / "walk.mp4", images, rate=10)


def test_the_network_gives_camera_poses_and_a_picture(
    walked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    walker = seen_walker(seconds=1.4)
    monkeypatch.setattr(look, "keypoints_of", lambda *_, **__: walker.keypoints)
    monkeypatch.setattr(network_calibrate, "MOST", 9)
    cam = tmp_path / "cam.toml"
    given = ("--by", "network", "--height", f"{walker.body.stature:.3f}", "--camera-height", "1.3", "-o", cam)
    code, out, _ = run(capsys, walked, *given)
    assert code == 0
    assert "the focal length rests on a guess" in out
    assert "ankle_left" in out
    camera = read_camera(cam, "walk").for_video(*WALKED)
    assert camera.tilt == pytest.approx(0.08, abs=0.06)
    assert camera.height == pytest.approx(1.3, abs=0.02)
    assert len(load_first_poses(tmp_path / "cam.poses.npz").time) > 8
    assert "that the network saw in" in cam.read_text()
    assert (tmp_path / "cam.png").read_bytes().startswith(b"\x89PNG")
    clicked = read_clicks(tmp_path / "cam.clicks.json")
    assert all(frame.spread_px is not None for frame in clicked.frames)
    assert clicked.origin == origin_of(walked)


def test_mistakes_with_the_network_are_one_line(
    video: Path, clicks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REENACT_CACHE_DIR", str(tmp_path / "empty"))
    (tmp_path / "cam.clicks.json").write_text(clicks.read_text())
    for arguments, cause in (
        (("--by", "network", "-o", tmp_path / "new.toml"), "or leave out --by network and click the joints on a page"),
        (("--by", "network", "-o", tmp_path / "cam.toml"), "holds joints clicked by hand"),
        (("--by", "network", "--clicks", clicks), "leave out --clicks"),
        (("--person", "0.2,0.3"), "--person is for --by network"),
    ):
        code, _, err = run(capsys, video, *arguments)
        assert code == 2, arguments
        assert cause in err
        assert err.count("\n") == 1
    assert not (tmp_path / "new.toml").exists()
