"""What the page shows of a take's video: small pictures and masks, the body in them, and how well they agree."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from filmed_take import SECONDS, SIZE, START, TIMES, write_filmed_take

pytest.importorskip("av", reason="videos need the extra 'video'")

from reenact.errors import InputError
from reenact.formats.observed import Observed
from reenact.formats.take import Take
from reenact.view import seen as seen_module
from reenact.view import small_pictures
from reenact.view.recording import recording_of
from reenact.view.report import report_html
from reenact.view.scene import Scene, scene_of
from reenact.view.seen import AGREEMENT
from reenact.view.seen_frame import BODY_ALONE, BOTH, MASK_ALONE, MODES, seen_frame
from reenact.view.small_pictures import decoded, decoded_mask, shown_size

INSIDE = TIMES[(TIMES >= START) & (TIMES <= START + SECONDS)] - START


@pytest.fixture(scope="module")
def filmed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Take, Observed]:
    folder = tmp_path_factory.mktemp("seen")
    return folder, *write_filmed_take(folder / "take", folder, ("cam01", "cam_03"))


@pytest.fixture(scope="module")
def scene(filmed: tuple[Path, Take, Observed]) -> Scene:
    return scene_of(filmed[0] / "take")


def test_pictures_masks_and_body_stand_at_the_video_s_times(scene: Scene) -> None:
    assert scene.seen is not None
    assert [view.name for view in scene.seen.views] == ["cam01", "cam_03"]
    for view in scene.seen.views:
        assert len(view.time) == len(view.pictures) == len(view.masks) == len(view.shapes) == len(view.mismatch)
        assert set(np.round(view.time, 6)) <= set(np.round(INSIDE, 6))
        assert len(view.time) <= 1 + small_pictures.MOST_RATE * SECONDS
        assert decoded(view.pictures[0]).shape == (SIZE[1], SIZE[0], 3)
        picture, mask = decoded(view.pictures[-1]).astype(int), decoded_mask(view.masks[-1])
        assert picture[mask].mean() > picture[~mask].mean() + 60  # the person is bright on a darker ground


def test_the_body_that_was_filmed_agrees_with_its_masks(scene: Scene) -> None:
    """Masks come from rays, the body is drawn by our own projection: only the grid's edges differ."""
    assert scene.seen is not None
    assert scene.seen.mismatch.max() < 0.12
    for view in scene.seen.views:
        assert np.nanmax(view.mismatch) < 0.12
        shown = seen_frame(view, 0, "mismatch").astype(int)
        near = {c: (np.abs(shown - np.array(c)).sum(axis=-1) < 120).sum() for c in (BOTH, MASK_ALONE, BODY_ALONE)}
        assert near[BOTH] > 12 * (near[MASK_ALONE] + near[BODY_ALONE])


def test_every_way_to_look_at_a_frame_differs(scene: Scene) -> None:
    assert scene.seen is not None
    frames = [seen_frame(scene.seen.views[0], 2, mode) for mode in MODES]
    assert all(frame.shape == (SIZE[1], SIZE[0], 3) for frame in frames)
    for i, one in enumerate(frames):
        assert all(np.abs(one.astype(int) - other).sum() > 1e4 for other in frames[i + 1 :])


def test_agreement_over_time_is_the_first_curve(scene: Scene) -> None:
    group = scene.curves.groups[0]
    assert group.name == AGREEMENT
    take, track = group.plots[0].curves
    assert (take.label, track.label) == ("take", "track")
    assert np.nanmax(take.values) < 0.12
    np.testing.assert_allclose(track.values[np.isfinite(track.values)], 0.2)
    assert np.isfinite(take.values).mean() > 0.9


def test_a_wrong_pose_disagrees(filmed: tuple[Path, Take, Observed]) -> None:
    _, take, observed = filmed
    aside = np.array(take.motion["qpos"])
    aside[:, 0] += 0.3
    moved = scene_of(recording_of(replace(take, motion={**take.motion, "qpos": aside}), "moved", observed))
    assert moved.seen is not None
    assert moved.seen.mismatch.min() > 0.5


def test_a_take_in_memory_makes_the_same_page_as_its_folder(filmed: tuple[Path, Take, Observed]) -> None:
    folder, take, observed = filmed
    assert report_html(take, name="take", observed=observed) == report_html(folder / "take")


def test_the_page_holds_the_video_and_asks_nobody(filmed: tuple[Path, Take, Observed]) -> None:
    page = report_html(filmed[0] / "take")
    data = json.loads(re.search(r'id="take">(.*?)</script>', page, re.S)[1])  # type: ignore[index]
    assert [view["name"] for view in data["video"]] == ["cam01", "cam_03"]
    assert all(len(view["pictures"]) == len(view["masks"]) > 3 for view in data["video"])
    assert "http" not in re.sub(r"http://www.w3.org|http-equiv", "", page)
    assert str(filmed[0]) not in page  # where the video lay is nobody's business
    assert len(page.encode()) < 3e6


def test_a_missing_video_leaves_masks_body_and_a_remark(tmp_path: Path) -> None:
    films = tmp_path / "films"
    films.mkdir()
    write_filmed_take(tmp_path / "take", films)
    shutil.move(films / "cam01.mp4", tmp_path / "elsewhere.mp4")
    scene = scene_of(tmp_path / "take")
    assert scene.seen is not None
    (view,) = scene.seen.views
    assert view.pictures == ()
    assert "cam01.mp4: not found" in view.remark
    assert len(view.masks) == len(view.shapes) > 3
    assert seen_frame(view, 0, "body").shape == (SIZE[1], SIZE[0], 3)
    assert "cam01.mp4: not found" in report_html(tmp_path / "take")
    again = scene_of(tmp_path / "take", videos=[tmp_path / "elsewhere.mp4"])
    assert again.seen is not None
    assert again.seen.views[0].pictures
    (tmp_path / "other.mp4").write_bytes(b"x")
    with pytest.raises(InputError, match="not a video that this take was made from"):
        scene_of(tmp_path / "take", videos=[tmp_path / "elsewhere.mp4", tmp_path / "other.mp4"])


def test_a_page_stays_small(filmed: tuple[Path, Take, Observed], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = filmed[0] / "take"
    whole = scene_of(folder).seen
    assert whole is not None
    size = sum(len(each) for view in whole.views for each in (*view.pictures, *view.masks))
    monkeypatch.setattr(seen_module, "MOST_BYTES", size // 2)
    fewer = scene_of(folder).seen
    assert fewer is not None
    assert sum(len(each) for view in fewer.views for each in (*view.pictures, *view.masks)) <= 0.65 * size
    assert len(fewer.views[0].time) < len(whole.views[0].time)


@pytest.mark.parametrize(
    ("width", "height", "shown"), [(1920, 1080, (480, 270)), (1080, 1920, (270, 480)), (200, 100, (200, 100))]
)
def test_pictures_are_at_most_480_wide_or_high(width: int, height: int, shown: tuple[int, int]) -> None:
    assert shown_size(width, height) == shown


def test_the_browser_page_shows_it_too(filmed: tuple[Path, Take, Observed]) -> None:
    pytest.importorskip("viser", reason="the browser page needs the extra 'view'")
    from reenact.view.serve import page_of

    with page_of([filmed[0] / "take"], port=0) as (page, _):
        film = page._film
        assert film is not None
        first = np.asarray(film._image.image)
        page._seek(0.45)
        later = np.asarray(film._image.image)
        film.next_mode()
        masked = np.asarray(film._image.image)
        assert first.shape == later.shape == masked.shape == (SIZE[1], SIZE[0], 3)
        assert not np.array_equal(first, later)
        assert not np.array_equal(later, masked)
        assert "mismatch 0.0" in film._said.content
