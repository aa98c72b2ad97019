"""The track of a bench's video: from several beginnings where it is doubtful, and kept on the way."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clicked_walk import BODY, walking
from drawn_walk import camera, silhouettes
from reenact.estimate.video import several_beginnings
from reenact.estimate.video.follow import Followed, Tried
from reenact.estimate.video.track import Track
from reenact.estimate.video.track_file import KeptTrack
from reenact.estimate.video.variants import AS_IS
from reenact.geometry.rotation import Array
from reenact.observe.silhouettes import Silhouettes
from reenact.priors.load import model_for
from reenact.view.bench_video import pipeline
from reenact.view.bench_video.pipeline import Look, _followed, sighted


def test_what_was_stopped_goes_on_after_the_last_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = [Look(video=tmp_path / "walk.mp4", camera=camera())]
    sightings, rate = sighted(looks, [silhouettes()])
    costs, begun = [30.0, np.inf, 10.0, 20.0], list[Array]()

    def contest(body: Any, seen: Any, rate: float, firsts: Sequence[Array], models: Any, **_: Any) -> Followed:
        begun.append(firsts[0])
        cost = costs.pop(0)
        if not np.isfinite(cost):
            raise KeyboardInterrupt
        poses = np.stack([walking(each) for each in sightings[0].times])
        track = Track(body=body, rate=rate, poses=poses, mismatch=np.full(len(poses), 0.1), cost=cost, swaps=0)
        tried = Tried(model="walk", first=0, variant=AS_IS, frames=len(poses), cost=cost)
        return Followed(best=track, model=models[0], tried=(tried,))

    def found() -> KeptTrack:
        models = [model_for("walk", BODY)]
        return _followed(BODY, sightings, rate, [walking(0.0)], None, models, (AS_IS,), tmp_path, 0, None)[0]

    monkeypatch.setattr(several_beginnings, "follow", contest)
    monkeypatch.setattr(several_beginnings, "doubts", lambda *_: ("the body turns quickly",))
    with pytest.raises(KeyboardInterrupt):
        found()
    kept = found()
    assert len(begun) == 4
    assert np.array_equal(begun[0], walking(0.0))
    assert np.array_equal(begun[1], begun[2]), "where it was stopped"
    assert np.diff(kept.prices) == pytest.approx([-20.0, 10.0])
    assert kept.track.cost == 10.0
    assert np.array_equal(kept.first, begun[2])
    assert found().prices == kept.prices
    assert len(begun) == 4, "nothing is found again"


def test_what_masks_joints_and_track_took_is_kept_beside_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    video = tmp_path / "walk.mp4"
    video.write_bytes(b"a video")
    look = Look(video=video, camera=camera())

    def cut(*_: Any, **__: Any) -> Silhouettes:
        end = time.process_time() + 0.15
        while time.process_time() < end:
            pass
        return silhouettes()

    monkeypatch.setattr(pipeline, "silhouettes_of", cut)
    first = pipeline.masks_of(look, tmp_path)[1]
    assert first.core_seconds >= 0.15
    monkeypatch.setattr(pipeline, "silhouettes_of", None)
    kept = pipeline.masks_of(look, tmp_path)[1]
    assert kept.core_seconds == pytest.approx(first.core_seconds, abs=0.06)
    assert kept.wall_seconds == pytest.approx(first.wall_seconds, abs=0.06)
    mark = tmp_path / "walk-masks.of"
    mark.write_text("\n".join(mark.read_text().splitlines()[:2]) + "\n")
    monkeypatch.setattr(pipeline, "silhouettes_of", cut)
    assert pipeline.masks_of(look, tmp_path)[1].core_seconds >= 0.15, "a mark from before does not tell: cut again"
