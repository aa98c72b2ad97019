"""The track of a bench's video: from several beginnings where it is doubtful, and kept on the way."""

from __future__ import annotations

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
from reenact.priors.load import model_for
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
