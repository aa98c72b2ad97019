"""The network looks where masks are: at the person they are of, however turned, and at nobody where they are empty."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from drawn_walk import FRAMES, SIZE, silhouettes, write_walk
from reenact.errors import InputError
from reenact.observe.mask import empty_mask, mask_of
from reenact.observe.network import along
from reenact.observe.network.landmarks import NAMES, Landmarks
from reenact.observe.network.region import MARGIN, Region

pytest.importorskip("av", reason="PyAV, of the extra video, is not installed")
COUNT = len(NAMES)


class _Fake:
    """Sees somebody wherever it looks, if upright or turned as told; leads astray by so many pixels."""

    def __init__(self) -> None:
        self.angle, self.astray = 0.0, 0.0
        self.looked: list[Region] = []

    def landmarks(self, image: np.ndarray, region: Region) -> Landmarks:
        self.looked.append(region)
        good = abs(region.angle - self.angle) < 0.1
        return Landmarks(
            points=np.tile([region.x, region.y], (COUNT, 1)),
            visibility=np.ones(COUNT),
            presence=np.ones(COUNT),
            world=np.zeros((COUNT, 3)),
            chance=np.zeros((256, 256), np.float32),
            score=0.9 if good else 0.1,
            ahead=Region(x=region.x + self.astray, y=region.y, side=region.side, angle=region.angle),
        )


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> _Fake:
    made = _Fake()
    monkeypatch.setattr(along, "Network", lambda: made)
    return made


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_walk(tmp_path_factory.mktemp("along"))


def test_it_looks_at_whom_the_masks_are_of(video: Path, fake: _Fake) -> None:
    masks = silhouettes()
    found = along.keypoints_along(video, masks, long_side=SIZE[0] // 2)
    assert found.frames == FRAMES
    assert found.seen.all()
    assert len(fake.looked) == FRAMES, "one look a frame is enough"
    centres = np.array([mask.centre for mask in masks.masks])
    assert np.abs(found.points[0, 0] - centres[0]).max() < 1.0, "in pixels of the video, whatever the size shown"
    assert found.time == pytest.approx(masks.time)


def test_a_look_that_leaves_the_mask_is_given_up(video: Path, fake: _Fake) -> None:
    masks = silhouettes()
    fake.astray = 200.0
    found = along.keypoints_along(video, masks, long_side=SIZE[0])
    centres = np.array([mask.centre for mask in masks.masks])
    assert found.points[:, 0] == pytest.approx(centres, abs=1.0)


def test_somebody_upside_down_is_seen(video: Path, fake: _Fake) -> None:
    fake.angle = np.pi
    assert along.keypoints_along(video, silhouettes(), long_side=SIZE[0]).seen.all()
    fake.angle = 1.0
    with pytest.raises(InputError, match="sees nobody where the masks are"):
        along.keypoints_along(video, silhouettes(), long_side=SIZE[0])


def test_nobody_is_seen_where_a_mask_is_empty(video: Path, fake: _Fake) -> None:
    masks = silhouettes()
    blank = empty_mask((SIZE[1], SIZE[0]))
    found = along.keypoints_along(
        video, replace(masks, masks=(*masks.masks[:5], blank, *masks.masks[6:])), long_side=SIZE[0]
    )
    assert np.flatnonzero(~found.seen).tolist() == [5]
    with pytest.raises(InputError, match="masks of a video of"):
        along.keypoints_along(video, replace(masks, video_size=(64, 36)), long_side=SIZE[0])


def test_the_region_holds_the_whole_mask() -> None:
    bits = np.zeros((100, 200), bool)
    bits[20:80, 90:110] = True
    region = along.region_of(mask_of(bits), 2.0)
    assert (region.x, region.y) == (200.0, 100.0)
    assert region.side / (2.0 * MARGIN) >= 2.0 * 30.0
    assert region.angle == 0.0
