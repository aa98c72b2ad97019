"""`reenact bench video` as a user meets it: run, kept, skipped; with stand-ins for what takes minutes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from made_motion import made_motion
from reenact.body.adult import adult
from reenact.body.mjcf import bare_model
from reenact.estimate.video.evidence import Evidence
from reenact.estimate.video.motion_of import motion_of
from reenact.estimate.video.track import Track
from reenact.formats.video import open_video
from reenact.motion.contact import Contact
from reenact.motion.motion import Motion
from reenact.observe.mask import mask_of
from reenact.observe.projection import projection_of
from reenact.observe.silhouettes import Silhouettes
from reenact.view.bench_video import figure7
from reenact.view.bench_video.lines import list_lines
from reenact.view.bench_video.pipeline import Look, pose_of_clicks, sighted
from reenact.view.offscreen import RenderError, backend
from reenact.view.synthetic import shoot
from reenact.view.synthetic.shoot import read_filmed
from run_command import run

SIZE = (192, 108)
LIFTED = 0.02  # [m] by which the stand-in's track is off


def _bowing(*_: object, **__: object) -> Motion:
    body, frames = adult(), 61
    qpos = np.tile(bare_model(body).qpos0, (frames, 1))
    qpos[:, 7 + body.axis_index("shoulder_left_flexion")] = np.linspace(0.0, 0.5, frames)
    feet = tuple(Contact(segment=f"foot_{side}", start=0.0, end=0.5) for side in ("left", "right"))
    return made_motion("bow", body, qpos, feet)


def _seen(looks: list[Look], body: Any, firsts: Any, models: Any, keep: Path, **_: Any) -> tuple[Evidence, float]:
    """The truth, a little off to the side, as if it had been tracked."""
    filmed, look = read_filmed(keep), looks[0]
    drawn = projection_of(body, look.camera, SIZE).silhouettes(filmed.qpos)
    masks = Silhouettes(
        name=look.name, video_size=SIZE, time=filmed.time, masks=tuple(mask_of(each) for each in drawn),
        quality=np.ones(len(drawn)), doubts=((),) * len(drawn),
    )  # fmt: skip
    sightings, rate = sighted(looks, [masks])
    which = np.abs(filmed.time[:, None] - sightings[0].times).argmin(axis=0)
    poses = filmed.qpos[which]
    poses[:, 1] += LIFTED
    track = Track(body=body, rate=rate, poses=poses, mismatch=np.zeros(len(poses)), cost=0.0, swaps=0)
    seen = Evidence(
        videos=(open_video(look.video),), silhouettes=(masks,), sightings=sightings, track=track,
        motion=motion_of(track, "bow", sightings[0].times), model="walk",
    )  # fmt: skip
    return seen, 1.0


def _cheapest(piece: Any, settings: Any, folder: Path, *, judged: Any, progress: Any = None) -> Any:
    from reenact.estimate.bench.run import Done
    from reenact.estimate.states.bench.search import figures_of, take_of
    from reenact.estimate.states.incremental import Stage, first_machine

    best = Stage(machine=first_machine(piece.subject.task, settings, piece.last), last=piece.last, cost=1.0, joints=1.0)
    take = take_of(piece, settings, best)
    return Done(take=take, success=True, figures={**figures_of(piece, take), "incremental_cm": judged(take)})


@pytest.fixture
def stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("av")
    try:
        backend()
    except RenderError as error:
        pytest.skip(str(error))
    monkeypatch.setattr(shoot, "SIZE", SIZE)
    monkeypatch.setattr(shoot, "EMPTY", 0.05)
    monkeypatch.setattr(shoot, "CLICKED", 0.3)
    monkeypatch.setattr(figure7, "bench_reference", _bowing)
    monkeypatch.setattr(figure7, "evidence_of", _seen)
    monkeypatch.setattr(figure7, "searched", _cheapest)


@pytest.mark.usefixtures("stand_ins")
def test_a_run_is_measured_against_the_truth_and_kept(
    spaced: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keep, page = spaced / "kept", spaced / "page.md"
    work = ("bench", "video", "--quick", "--keep", keep, "--json", spaced / "figures.json", "--markdown", page)
    assert run(*work) == 0
    capsys.readouterr()
    rows = {row["name"]: row for row in json.loads((spaced / "figures.json").read_text())["rows"]}
    assert rows["video.walk.track_cm"]["value"] == pytest.approx(100 * LIFTED, abs=0.3)
    assert rows["video.walk.refined_cm"]["value"] == rows["video.walk.incremental_cm"]["value"]
    assert 1.0 < rows["video.walk.refined_cm"]["value"] < 5.0
    assert rows["video.walk.aligned_cm"]["value"] < rows["video.walk.refined_cm"]["value"]
    assert rows["video.walk.refined_cm"]["peer"] == "[V12] Figure 7: 4.2"
    assert rows["video.walk.audit"]["value"] is True
    assert "6.7, 4.2, 4.2" in page.read_text()
    folder = keep / "quick" / "walk" / "seed-0"
    assert (folder / "observed").is_dir()
    monkeypatch.setattr(figure7, "searched", None)  # is not called again
    assert run(*work) == 0


def test_lines_on_real_video_are_skipped_where_it_is_not(spaced: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("bench", "video", "--part", "real", "--part", "open", "--json", spaced / "figures.json") == 0
    rows = json.loads((spaced / "figures.json").read_text())["rows"]
    assert {row["value"] for row in rows} == {"skipped"}
    assert all("--videos says where it is" in row["unit"] for row in rows)
    capsys.readouterr()


def test_worlds_start_from_takes_of_their_motions() -> None:
    lines = {line.key: line for line in list_lines()}
    assert len(lines) == len(list_lines())
    worlds = [line for line in lines.values() if line.part == "worlds"]
    sources = {line.name: line.needs.name for line in worlds if line.needs is not None}
    assert sources["jump_ski_slope"] == sources["jump_trampoline"] == "jump"
    assert sources["twist_jump_hand_weight"] == "twist_jump"
    assert sources["woman_slope_up_3deg"] == sources["woman_pushed_left"] == "woman_practised"


@pytest.mark.usefixtures("stand_ins")
def test_the_first_pose_is_found_from_clicks(tmp_path: Path) -> None:
    motion = _bowing()
    filmed = shoot.film(motion, tmp_path, seed=1)
    pose = pose_of_clicks(filmed.clicks("side").frames[0].points, motion.body, filmed.cameras[0])
    assert np.linalg.norm(pose[:3] - filmed.qpos[0, :3]) < 0.25
    assert abs(float(pose[3:7] @ filmed.qpos[0, 3:7])) > 0.95
