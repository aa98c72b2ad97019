"""What the page of `reenact calibrate` is answered, without a browser."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from clicked_walk import SIZE, clicked_video, clicked_walk
from reenact.formats.video import open_video
from reenact.observe.clicks import ClickedVideo, dump_clicks
from reenact.view.calibrate_server import calibration_page

pytest.importorskip("av", reason="PyAV, of the extra video, is not installed")


def test_a_frame_outside_of_the_part_that_counts_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("it is solved")

    monkeypatch.setattr("reenact.observe.calibrate.solve_camera", never)
    video = open_video(clicked_video(tmp_path))
    start = ClickedVideo(video="walk.mp4", size=SIZE, frames=())
    with calibration_page(video, start, (), "cam.toml", lambda _: [], 0, (0.0, 0.3)) as address:
        message = dump_clicks(clicked_walk()).encode()
        asked = Request(f"{address}solve", message, {"Content-Type": "application/json"})
        with pytest.raises(HTTPError) as refused:
            urlopen(asked, timeout=20)
        answer = json.loads(refused.value.read())
        refused.value.close()
    assert answer["error"] == "the frame at 0.4 s is not within --from 0 --to 0.3: take its clicks out"
