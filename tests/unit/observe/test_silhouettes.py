"""From a video to masks: against exact truth, and what is said where masks cannot be trusted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reenact.errors import InputError
from reenact.observe.person import Hint
from reenact.observe.silhouettes import Silhouettes
from reenact.observe.silhouettes_npz import load_silhouettes, save_silhouettes
from reenact.observe.watch import Asked, silhouettes_of
from synthetic_video import HEIGHT, WIDTH, figure, iou, walk, wall, write_video

pytest.importorskip("av", reason="PyAV, of the extra video, is not installed")


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[np.ndarray], Silhouettes]:
    """Somebody walks through; with the truth and what was found."""
    images, truth = walk()
    path = write_video(tmp_path_factory.mktemp("video") / "walk.mp4", images)
    return path, truth, silhouettes_of(path)


def test_masks_are_the_truth(walked: tuple[Path, list[np.ndarray], Silhouettes]) -> None:
    _, truth, found = walked
    scores = [iou(mask.full(), true) for mask, true in zip(found.masks, truth, strict=True)]
    assert np.mean(scores) > 0.93  # a figure of 60 px: half a pixel along the outline costs 0.08
    assert min(scores) > 0.85
    assert found.quality.mean() > 0.9
    assert found.trusted() == (0, len(truth) - 1)
    assert not found.remarks
    np.testing.assert_allclose(found.time, np.arange(len(truth)) / 30, atol=1e-3)


def test_the_gap_between_the_legs_stays_open(walked: tuple[Path, list[np.ndarray], Silhouettes]) -> None:
    _, truth, found = walked
    areas = np.array([mask.area for mask in found.masks]) / [np.count_nonzero(true) for true in truth]
    assert np.all((areas > 0.85) & (areas < 1.15))


def test_small_grids_keep_the_area(walked: tuple[Path, list[np.ndarray], Silhouettes]) -> None:
    found = walked[2]
    small = found.coverage(48)
    assert small.shape == (found.frames, 27, 48)
    share = (WIDTH / 48) * (HEIGHT / 27)
    np.testing.assert_allclose(small.sum(axis=(1, 2)) * share, [mask.area for mask in found.masks], rtol=1e-5)


def test_kept_and_read_again(walked: tuple[Path, list[np.ndarray], Silhouettes], tmp_path: Path) -> None:
    found = walked[2]
    save_silhouettes(tmp_path / "masks.npz", found)
    again = load_silhouettes(tmp_path)
    np.testing.assert_array_equal(again.time, found.time)
    np.testing.assert_array_equal(again.quality, found.quality)
    assert (again.name, again.video_size, again.doubts, again.remarks) == (
        found.name,
        found.video_size,
        found.doubts,
        found.remarks,
    )
    for a, b in zip(again.masks, found.masks, strict=True):
        np.testing.assert_array_equal(a.full(), b.full())
    with np.load(tmp_path / "masks.npz", allow_pickle=False) as plain:
        np.testing.assert_allclose(plain["coverage"] / 255, found.coverage(), atol=0.5 / 255 + 1e-6)
    content = (tmp_path / "masks.npz").read_bytes()
    (tmp_path / "masks.npz").write_bytes(content[: len(content) // 2])
    with pytest.raises(InputError, match="not silhouettes"):
        load_silhouettes(tmp_path)


def test_changing_light_is_evened_out(tmp_path: Path) -> None:
    images, truth = walk(light=lambda i: 1.0 + 0.3 * np.sin(i / 6))
    found = silhouettes_of(write_video(tmp_path / "light.mp4", images))
    assert np.mean([iou(mask.full(), true) for mask, true in zip(found.masks, truth, strict=True)]) > 0.88


def test_a_given_plate_and_a_person_who_stays(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    empty, images, truth = wall(), [], []
    for i in range(30):
        colours, covered = figure((90, 66), 0.5 * i)
        images.append(np.clip(np.where(covered[..., None], colours, empty) + rng.normal(0, 2, empty.shape), 0, 255))
        truth.append(covered)
    video = write_video(tmp_path / "stays.mp4", [image.astype(np.uint8) for image in images])
    plate = write_video(tmp_path / "empty.mp4", [empty] * 3)
    found = silhouettes_of(video, Asked(plate=plate))
    assert np.mean([iou(mask.full(), true) for mask, true in zip(found.masks, truth, strict=True)]) > 0.9
    other = write_video(tmp_path / "other.mp4", [empty[:, :108]] * 3)
    with pytest.raises(InputError, match="not the video's shape"):
        silhouettes_of(video, Asked(plate=other))
    moved = write_video(tmp_path / "moved.mp4", [np.roll(empty, 9, axis=1)] * 3)
    with pytest.raises(InputError, match="the plate is shifted against the video"):
        silhouettes_of(video, Asked(plate=moved))


def test_without_a_plate_a_person_who_stays_is_warned_of(tmp_path: Path) -> None:
    images = []
    for i in range(40):
        colours, covered = figure((90 + 8 * np.sin(0.3 * i), 66), 0.2 * i)
        images.append(np.where(covered[..., None], colours, wall()).astype(np.uint8))
    found = silhouettes_of(write_video(tmp_path / "stays.mp4", images))
    assert any("--plate" in remark for remark in found.remarks)
    assert found.quality.mean() < 0.8


def two_people(tmp_path: Path) -> tuple[Path, list[np.ndarray], list[np.ndarray]]:
    images, large, small = [], [], []
    for i in range(40):
        first, one = figure((30 + 3.4 * i, 68), 0.5 * i, 62.0)
        second, two = figure((160 - 3.3 * i, 28), 0.4 * i, 36.0)
        image = np.where(two[..., None], second, wall())
        images.append(np.where(one[..., None], first, image).astype(np.uint8))
        large.append(one)
        small.append(two & ~one)
    return write_video(tmp_path / "two.mp4", images), large, small


def test_the_largest_who_moves_or_the_one_meant(tmp_path: Path) -> None:
    path, large, small = two_people(tmp_path)
    found = silhouettes_of(path)
    assert np.mean([iou(m.full(), t) for m, t in zip(found.masks, large, strict=True)]) > 0.8
    meant = silhouettes_of(path, Asked(hint=Hint(x=160 / WIDTH, y=24 / HEIGHT, time=0.0)))
    apart = [i for i in range(40) if not 8 < i < 32]
    assert np.mean([iou(meant.masks[i].full(), small[i]) for i in apart]) > 0.75
    with pytest.raises(InputError, match=r"two\.mp4: nobody is at --person 0\.95,0\.95 at 0 s; what stands out: 0\."):
        silhouettes_of(path, Asked(hint=Hint(x=0.95, y=0.95, time=0.0)))


def test_two_who_cross_do_not_become_one(tmp_path: Path) -> None:
    images, near, far = [], [], []
    for i in range(48):
        first, one = figure((25 + 3.0 * i, 66), 0.5 * i)
        second, two = figure((167 - 3.0 * i, 62), 0.4 * i)
        image = np.where(two[..., None], second, wall())
        images.append(np.where(one[..., None], first, image).astype(np.uint8))
        near.append(one)
        far.append(two)
    path = write_video(tmp_path / "cross.mp4", images)
    for x, truth, other in ((25, near, far), (167, far, near)):
        found = silhouettes_of(path, Asked(hint=Hint(x=x / WIDTH, y=60 / HEIGHT, time=0.0)))
        apart = [i for i in range(48) if not 14 < i < 34]
        assert np.mean([iou(found.masks[i].full(), truth[i]) for i in apart]) > 0.75
        assert max(iou(found.masks[i].full(), other[i]) for i in apart) < 0.2


def test_nobody(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    images = [np.clip(wall() + rng.normal(0, 3, wall().shape), 0, 255).astype(np.uint8) for _ in range(20)]
    with pytest.raises(InputError, match=r"empty\.mp4: nobody moves in it"):
        silhouettes_of(write_video(tmp_path / "empty.mp4", images))


def test_a_moving_camera_is_said_at_once(tmp_path: Path) -> None:
    scene = np.kron(wall(3, 200, 80), np.ones((2, 2, 1))).astype(np.uint8)
    images = [scene[20 : 20 + HEIGHT, 3 * i : 3 * i + WIDTH] for i in range(30)]
    with pytest.raises(InputError, match="the camera moves"):
        silhouettes_of(write_video(tmp_path / "pan.mp4", images))


def test_a_plain_wall_is_no_moving_camera(tmp_path: Path) -> None:
    plain = np.full((HEIGHT, WIDTH, 3), (170, 180, 160), np.uint8)
    images, truth = walk(empty=plain, noise=5.0)
    found = silhouettes_of(write_video(tmp_path / "plain.mp4", images))
    assert np.mean([iou(mask.full(), true) for mask, true in zip(found.masks, truth, strict=True)]) > 0.9
    assert not any("camera" in doubts for doubts in found.doubts)


def test_a_camera_that_flies_is_said(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    images = [wall(int(seed)) for seed in rng.integers(0, 9999, 16)]
    with pytest.raises(InputError, match="the camera moves"):
        silhouettes_of(write_video(tmp_path / "cuts.mp4", images))


def test_cut_off_by_the_border(tmp_path: Path) -> None:
    images = []
    for i in range(40):
        colours, covered = figure((30 + 3.4 * i, 92), 0.5 * i)
        images.append(np.where(covered[..., None], colours, wall()).astype(np.uint8))
    found = silhouettes_of(write_video(tmp_path / "feet.mp4", images))
    assert all("cut" in doubts for doubts in found.doubts)
    assert any("reaches the border" in remark for remark in found.remarks)
    assert found.trusted() is None


def test_too_few_frames(tmp_path: Path) -> None:
    images, _ = walk(4)
    with pytest.raises(InputError, match="4 frames are too few"):
        silhouettes_of(write_video(tmp_path / "short.mp4", images))


def test_a_range_learns_from_outside_it(walked: tuple[Path, list[np.ndarray], Silhouettes]) -> None:
    path, truth, _ = walked
    found = silhouettes_of(path, Asked(begin=0.5, end=0.7))
    assert found.frames == 7
    assert found.time[0] == pytest.approx(0.5, abs=1e-3)
    assert np.mean([iou(m.full(), t) for m, t in zip(found.masks, truth[15:22], strict=True)]) > 0.9


def test_progress_rises_to_the_end(walked: tuple[Path, list[np.ndarray], Silhouettes]) -> None:
    told: list[float] = []
    shown: list[float] = []
    silhouettes_of(
        walked[0],
        watch=lambda frame, mask: shown.append(frame.time),
        progress=lambda fraction, _: told.append(fraction),
    )
    assert told == sorted(told)
    assert told[-1] > 0.97
    assert len(shown) == 40
