"""`reenact capture VIDEO` on a small drawn video: the take, stopped and resumed, and what is refused."""

from __future__ import annotations

import io
import json
import shutil
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clicked_walk import BODY, walking
from drawn_walk import FRAMES, NAME, SIZE, camera, first_poses, second_camera, silhouettes, write_walk
from reenact.body.body import Body
from reenact.cli import by_states, by_video_network, by_video_track, live_report, terminal
from reenact.cli.by_video_camera import body_of, tells_height
from reenact.cli.main import main
from reenact.cli.watching import Watching
from reenact.errors import InputError
from reenact.estimate.states import capture as search_module
from reenact.estimate.states import launch
from reenact.estimate.states.settings import Settings as Search
from reenact.estimate.video import several_beginnings, subject
from reenact.estimate.video.follow import Followed
from reenact.estimate.video.settings import Settings
from reenact.estimate.video.sighting import choose_frames, sighting_of
from reenact.estimate.video.stature import Stature
from reenact.estimate.video.track import Track
from reenact.estimate.video.track_file import load_track
from reenact.formats.observed import read_observed
from reenact.formats.take import read_take
from reenact.formats.video import open_video
from reenact.formats.video_guess import begins_like_video, is_video
from reenact.observe.camera_file import write_cameras
from reenact.observe.first_poses import save_first_poses
from reenact.observe.mask import empty_mask
from reenact.observe.silhouettes_npz import save_silhouettes
from reenact.observe.take_views import take_views
from reenact.physics.audit import audit_take
from reenact.priors.load import model_for
from small_track import small_track
from synthetic_video import panned, wall, write_video

pytest.importorskip("av", reason="PyAV, of the extra video, is not installed")
PAGES = Path(__file__).parents[3] / "docs"
TINY = Search(growth=24, rounds=1, whole_rounds=1, samples=6, reopened=(1,), beam=1, walk=False)


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["capture", *(str(a) for a in arguments)])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def _made_small(patch: pytest.MonkeyPatch) -> None:
    """A tiny contest and a tiny search, and no word of progress however slow the machine is."""
    patch.setattr(by_states, "settings_of", lambda seed, *_: replace(TINY, seed=seed))
    small_track(patch)
    patch.setattr(by_video_network, "network_lacks", lambda: "the extra")  # as where it is not installed
    patch.setattr(launch, "ROUNDS", 1)
    patch.setattr(subject, "MOST_ROUNDS", 1)
    patch.setattr(live_report, "PATIENCE", 600.0)
    patch.setattr(terminal, "QUIET_INTERVAL", 600.0)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    _made_small(monkeypatch)


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_walk(tmp_path_factory.mktemp("my video"))


@pytest.fixture(scope="module")
def masks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("masks")
    save_silhouettes(folder / "masks.npz", silhouettes())
    return folder


@pytest.fixture(scope="module")
def both(video: Path, masks: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with two takes of the video, and what was said."""
    folder, said = tmp_path_factory.mktemp("my takes"), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(said):
        _made_small(patch)
        work = ["--masks", masks, "--activity", "walk", "--variations", 2]
        assert run(video, "-o", folder / "take", *work) == 0
    return folder, said.getvalue()


def test_a_video_becomes_a_take(both: tuple[Path, str], video: Path) -> None:
    whole = both[0] / "take-1"
    take = read_take(whole)
    assert take.info.input.name == NAME
    assert take.seconds == pytest.approx((FRAMES - 1) / 30.0, abs=0.01)
    assert audit_take(whole).honest
    metrics = take.info.metrics
    assert 0.0 < metrics["track_mismatch"] < 0.3
    assert metrics["track_mismatch"] < metrics["silhouette_mismatch"] < 2.0
    assert metrics["track_core_s"] > 0.0, "of the track alone: the masks were made before"
    explained = "".join((PAGES / page).read_text() for page in ("takes.md", "capture.md"))
    assert [name for name in metrics if f"| {name}" not in explained] == []
    observed = read_observed(whole)
    assert observed is not None
    (view,) = take_views(observed, whole)
    assert view.video == video.resolve()
    assert view.camera.focal == pytest.approx(camera().focal)
    assert observed.poses.shape == (FRAMES, 7 + len(BODY.axes))
    assert np.abs(observed.poses[:, 0] - [walking(t)[0] for t in observed.time]).max() < 0.1, "across the picture"


def test_masks_are_cut_out_and_kept_while_the_search_is_stopped(
    video: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    work = [video, "-o", tmp_path / "take", "--plate", video.parent / "plate.png", "--activity", "walk"]

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("reenact.estimate.video.several_beginnings.follow", interrupted)
        assert run(*work) == 130
    said = capsys.readouterr()
    assert "masks and tracks found so far are kept in" in said.err
    assert "First pose, calibrated at 0.00 s: silhouettes differ by" in said.out
    assert "every frame, 30 Hz" in said.out
    assert "Camera 'walk' of" in said.out
    partial = tmp_path / "take.partial"
    assert (partial / "first_pose.png").is_file()
    with monkeypatch.context() as patched:
        patched.setattr(search_module, "search", interrupted)
        patched.setattr("reenact.observe.watch.silhouettes_of", interrupted)
        assert run(*work) == 130
    said = capsys.readouterr()
    assert "Masks of an earlier run are used" in said.out
    assert "Track, poses like 'walk'" in said.out
    assert (partial / "track.png").is_file()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["take.partial"]
    spent = json.loads((partial / "watched.json").read_text())
    costs = {what: float(spent[f"core seconds of {what}"]) for what in ("masks walk", "track 0")}
    with monkeypatch.context() as patched:
        patched.setattr("reenact.estimate.video.several_beginnings.follow", interrupted)
        assert run(*work, "--resume") == 0
    said = capsys.readouterr().out
    assert "The track of an earlier run is used" in said
    assert "Silhouettes of the simulated body differ from the masks by" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["take"]
    metrics = read_take(tmp_path / "take").info.metrics
    assert metrics["track_mismatch"] < 0.4
    assert metrics["track_core_s"] == pytest.approx(sum(costs.values())), "of the runs that did the work"


def test_a_doubtful_track_has_several_beginnings_each_kept(
    video: Path, masks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    work = [video, "-o", tmp_path / "take", "--masks", masks, "--activity", "walk"]
    followed, begun = several_beginnings.follow, list[np.ndarray]()

    def counted(body: Body, seen: Any, rate: float, firsts: Any, models: Any, **how: Any) -> Followed:
        begun.append(firsts[0])
        if len(begun) == 2:
            raise KeyboardInterrupt
        return followed(body, seen, rate, firsts, models, **how)

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(several_beginnings, "BEGINNINGS", 2)
    monkeypatch.setattr(several_beginnings, "doubts", lambda *_: ("the body turns quickly",))
    monkeypatch.setattr(several_beginnings, "follow", counted)
    monkeypatch.setattr(search_module, "search", interrupted)
    partial = tmp_path / "take.partial"
    assert run(*work) == 130
    assert "masks and tracks found so far are kept in" in capsys.readouterr().err
    assert (partial / "track-0-0.npz").is_file()
    assert run(*work) == 130
    assert len(begun) == 3, "the first is not followed again"
    assert np.array_equal(begun[1], begun[2])
    assert not np.array_equal(begun[0], begun[1])
    said = capsys.readouterr().out
    prices = load_track(partial / "track-0.npz").prices
    costs = ", ".join(f"{price:.0f}" for price in prices)
    least = 1 + int(np.argmin(prices))
    line = f"because the body turns quickly: the tracks cost {costs}; number {least}, the cheapest, is used."
    assert f"Followed from 2 beginnings, {line}" in said
    assert run(*work) == 130
    assert len(begun) == 3
    assert line in capsys.readouterr().out, "said of a track that was kept, too"
    assert run(*work, "--budget", "30") == 130
    assert len(begun) == 3, "one beginning of a small budget, which is known"
    assert "beginnings" not in capsys.readouterr().out


def test_variations_tell_where_they_disagree(both: tuple[Path, str]) -> None:
    folder, said = both
    assert "2 takes disagree by" in said
    assert "along the line of sight" in said
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["take-1", "take-2", "take-disagreement.json"], "what was kept on the way is gone"
    written = json.loads((folder / "take-disagreement.json").read_text())
    assert len(written["spread_cm"]) == len(written["time_s"])
    assert written["mean_cm"] > 0.0
    first, second = (np.load(folder / f"take-{i}" / "observed" / "track.npz")["poses"] for i in (1, 2))
    assert not np.array_equal(first, second), "another seed begins elsewhere"


def test_two_views_are_followed_together(
    video: Path, masks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    side = shutil.copy(video, tmp_path / "side.mp4")
    save_silhouettes(tmp_path / "side.npz", silhouettes(name="side.mp4", seen_by=second_camera()))
    write_cameras(tmp_path / "both.toml", [second_camera(), camera()])
    save_first_poses(tmp_path / "both.poses.npz", first_poses([0.0]))

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(search_module, "search", interrupted)
    views = ["--video", video, "--video", side, "--masks", masks, "--masks", tmp_path / "side.npz"]
    work = [*views, "--camera", tmp_path / "both.toml", "--activity", "walk", "-o", tmp_path / "take"]
    assert run(*work) == 130
    said = capsys.readouterr().out
    assert "frames of 2 views: at 30 Hz" in said
    assert "Camera 'side'" in said
    kept = load_track(tmp_path / "take.partial" / "track-0.npz").track
    off = kept.poses[:, :2] - np.stack([walking(t)[:2] for t in np.arange(FRAMES) / 30.0])
    assert np.abs(off).max() < 0.1, "depth, too"


def test_what_is_a_video_is_told_by_name_and_by_content(video: Path, tmp_path: Path) -> None:
    assert is_video("nowhere.MOV")
    assert not is_video("walk")
    assert not is_video("walk.bvh")
    shutil.copy(video, tmp_path / "film")
    assert is_video(tmp_path / "film")
    (tmp_path / "text").write_text("HIERARCHY")
    assert not is_video(tmp_path / "text")
    assert begins_like_video(b"\x1aE\xdf\xa3" + bytes(12))
    assert not begins_like_video(b"")


def _line(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one line of a refused command."""
    code = run(*arguments)
    said = capsys.readouterr()
    lines = said.err.splitlines()
    assert code == 2, said.err
    assert len(lines) == 1, said.err
    return lines[0]


@pytest.fixture
def refused(video: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of mistakes; nothing may be cut out or searched for."""

    def never(*_: object, **__: object) -> None:
        raise AssertionError("the work has begun")

    monkeypatch.setattr("reenact.observe.watch.silhouettes_of", never)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_mistakes_are_told_before_the_masks_are_cut_out(
    video: Path, refused: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wide = replace(camera(), size=(400, 180))
    write_cameras(refused / "wide.toml", [wide])
    (refused / "clip.bvh").write_text("HIERARCHY")
    lone = shutil.copy(video, refused / "lone.mp4")
    seen = video.parent / "cam.toml"
    for arguments, words in (
        ((), "nothing to capture from"),
        ((refused / "no.mp4",), "no.mp4: there is no such file"),
        ((lone,), "no camera is known for it: click the joints once, `reenact calibrate"),
        ((video, "--camera", refused / "no.toml"), "no.toml: there is no such file"),
        ((video, "--camera", refused / "wide.toml"), "is for pictures of 400 × 180 pixels"),
        ((video, "--height", "17"), "17"),
        ((video, "--activity", "wlak"), "did you mean 'walk'?"),
        ((video, "--person", "here"), "--person here: expected x,y or x,y,seconds"),
        ((video, "--person", "0.5,0.5,3", "--to", "0.4"), "--person is at 3 s, which is not within --from 0 --to 0.4"),
        ((video, "--video", lone), "give all videos with --video, or CLIP alone"),
        (("walk", "--video", lone), "walk is a recording"),
        (("walk", "--camera", seen), "--camera is of videos, and 'walk' is not one"),
        (("--video", video, "--video", lone), "2 videos need --camera FILE"),
        (("--video", video, "--video", lone, "--camera", seen, "--person", "0.5,0.5"), "--person is given 1 times"),
        ((video, "--rate", "60"), "--rate is of recordings"),
        ((video, "--plate", "none.png"), "none.png: there is no such file"),
        ((video, "--ground", "3"), "under the ground"),
        ((video, "--body", "adult", "--height", "1.7"), "--body has its own size"),
        ((video, "--masks", refused, "--by", "network"), "--masks are cut out already"),
        ((video, "--seed", "-1"), "seed is -1"),
    ):
        assert words in _line(capsys, *arguments, "-o", refused / "take"), arguments
    assert not (refused / "take.partial").exists()
    assert not (refused / "take").exists()


def test_masks_that_are_of_no_use(video: Path, refused: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = silhouettes()
    blank = (empty_mask((SIZE[1], SIZE[0])),) * FRAMES
    for name, bad, words in (
        ("cut", replace(good, quality=0.4 + 0.0 * good.quality, doubts=(("cut",),) * FRAMES), "reaches the border"),
        ("moved", replace(good, quality=0.1 + 0.0 * good.quality, doubts=(("camera",),) * FRAMES), "camera has moved"),
        ("nobody", replace(good, masks=blank, quality=0.0 * good.quality, doubts=(("absent",),) * FRAMES), "not seen"),
        ("other", replace(good, name="other.mp4"), "holds masks of other.mp4, not of walk.mp4"),
        ("stale", replace(good, content="0" * 32), "holds masks of another file named walk.mp4 than this one"),
        ("small", replace(good, video_size=(160, 90)), "holds masks of a video of 160 × 90 pixels"),
    ):
        save_silhouettes(refused / f"{name}.npz", bad)
        assert words in _line(capsys, video, "--masks", refused / f"{name}.npz", "-o", refused / "take"), name
    save_silhouettes(refused / "good.npz", good)
    masks = ("--masks", refused / "good.npz", "-o", refused / "take")
    assert "too short" in _line(capsys, video, *masks, "--to", "0.2")
    assert "none of what --from and --to ask for" in _line(capsys, video, *masks, "--from", "3")
    with pytest.raises(InputError):
        read_take(refused / "take")


def test_a_first_pose_that_is_elsewhere(
    video: Path, masks: Path, refused: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_cameras(refused / "cam.toml", [camera()])
    away = first_poses([0.0])
    qpos = away.qpos.copy()
    qpos[:, 0] += 1.5
    save_first_poses(refused / "cam.poses.npz", replace(away, qpos=qpos))
    line = _line(capsys, video, "--masks", masks, "--camera", refused / "cam.toml", "-o", refused / "take")
    assert "the first pose is not where the person is seen" in line


def test_a_video_with_nobody_in_it_and_one_whose_camera_moves(
    video: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(0)
    empty = [
        np.clip(wall(3, *SIZE) + rng.normal(0, 2, (SIZE[1], SIZE[0], 3)), 0, 255).astype(np.uint8) for _ in range(16)
    ]
    still = write_video(tmp_path / "still.mp4", empty)
    moving = write_video(tmp_path / "moving.mp4", panned(16, 12, SIZE))
    seen = ("--camera", video.parent / "cam.toml", "-o", tmp_path / "take")
    assert "nobody moves in it" in _line(capsys, still, *seen)
    assert "camera" in _line(capsys, moving, *seen)
    assert "nobody is at --person 0.05,0.1" in _line(
        capsys, video, *seen, "--plate", video.parent / "plate.png", "--person", "0.05,0.1"
    )
    assert not (tmp_path / "take.partial").exists()


def test_masks_made_before_are_no_use_where_the_camera_moves(
    video: Path, refused: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moving = write_video(refused / NAME, panned(FRAMES, 12, SIZE))
    save_silhouettes(refused / "masks.npz", silhouettes())
    given = ("--masks", refused / "masks.npz", "--camera", video.parent / "cam.toml", "-o", refused / "take")
    assert "walk.mp4: the camera moves:" in _line(capsys, moving, *given)
    assert not (refused / "take.partial").exists()


def test_a_height_that_nobody_gave_is_told_by_the_ground(
    video: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    watching, found = Watching(), silhouettes()
    assert tells_height(watching, None, None)
    assert not tells_height(watching, None, first_poses([0.0])), "where the camera was solved from the person"
    assert not tells_height(replace(watching, height=1.7), None, None)
    assert not tells_height(watching, "adult", None)
    assert "tells it later" in body_of(watching, None, None)[1][0]
    choice = choose_frames([found.time], found.time[0], found.time[-1])
    seen = sighting_of(found, choice.frames[0], choice.moments, camera(), video, "walk")
    poses = np.stack([walking(t) for t in seen.times])
    track = Track(body=BODY, rate=30.0, poses=poses, mismatch=np.ones(len(poses)), cost=0.0, swaps=0)
    told = Stature(height=1.62, doubt=0.03, track=track)
    monkeypatch.setattr("reenact.estimate.video.stature.stature_of", lambda *_, **__: told)
    scene = by_video_track.Scene(
        body=BODY, video=open_video(video), sightings=(seen,), rate=30.0, poses=None, sided=False, activity="walk",
        settings=Settings(), beginnings=1, unsized=True,
    )  # fmt: skip
    model = model_for("walk", BODY)
    assert by_video_track._as_tall(scene, track, model).mismatch.max() < 0.2, "that of the body as tall"
    assert "Person: 1.62 m tall, told to about 3 cm" in capsys.readouterr().out
    blurred = replace(scene, sightings=(replace(seen, fine=None),))
    assert by_video_track._as_tall(blurred, track, model) is track
