"""The pose network's tensors, made by hand: anchors, boxes, points, heat maps, turned regions and masks."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.errors import InputError
from reenact.observe.network.detection import ANCHORS, VALUES, anchors, decoded, merged, overlaps, people_in
from reenact.observe.network.landmarks import HEAT, INPUT, NAMES, landmarks_of, refined
from reenact.observe.network.region import MARGIN, Region, around, cropped, mask_in_picture, whole


def test_anchors_fill_the_picture_row_by_row() -> None:
    found = anchors()
    assert found.shape == (2254, 2)
    assert found[0] == pytest.approx(found[1])  # two anchors a cell in the fine layer
    assert found[2] == pytest.approx((1.5 / 28, 0.5 / 28))  # x first
    assert found[28 * 28 * 2] == pytest.approx((0.5 / 14, 0.5 / 14))
    assert found[-6:] == pytest.approx(np.full((6, 2), 6.5 / 7))
    assert found.mean(axis=0) == pytest.approx((0.5, 0.5))


def answers_at(
    index: int, score: float, face: tuple[float, ...], points: list[tuple[float, float]]
) -> tuple[np.ndarray, np.ndarray]:
    """Tensors in which one anchor alone answers, with places as shares of the picture."""
    answers = np.zeros((ANCHORS, VALUES), np.float32)
    logits = np.full(ANCHORS, -50.0, np.float32)
    here = anchors()[index]
    answers[index, :2] = 224 * (np.array(face[:2]) - here)
    answers[index, 2:4] = 224 * np.array(face[2:])
    answers[index, 4:] = 224 * (np.array(points) - here).ravel()
    logits[index] = np.log(score / (1 - score))
    return answers, logits


def test_a_box_is_decoded_around_its_anchor() -> None:
    points = [(0.4, 0.6), (0.4, 0.2), (0.41, 0.4), (0.4, 0.1)]
    boxes, found, score = decoded(*answers_at(777, 0.8, (0.4, 0.25, 0.1, 0.2), points))
    assert score == pytest.approx([0.8])
    assert boxes[0] == pytest.approx((0.35, 0.15, 0.45, 0.35), abs=1e-6)
    assert found[0] == pytest.approx(np.array(points), abs=1e-6)


def test_tensors_of_another_network_are_refused() -> None:
    with pytest.raises(InputError, match=r"\(896, 12\).*expected \(2254, 12\)"):
        decoded(np.zeros((896, 12), np.float32), np.zeros(896, np.float32))


def test_answers_that_overlap_are_one_person_by_score() -> None:
    boxes = np.array([[0.0, 0.0, 0.2, 0.2], [0.01, 0.0, 0.21, 0.2], [0.6, 0.6, 0.8, 0.8]])
    points = np.stack([np.full((4, 2), value) for value in (0.1, 0.4, 0.7)])
    first, second = merged(boxes, points, np.array([0.9, 0.3, 0.5]))
    assert first[0] == pytest.approx(np.full((4, 2), (0.9 * 0.1 + 0.3 * 0.4) / 1.2))
    assert (first[1], second[1]) == (0.9, 0.5)
    assert second[0] == pytest.approx(np.full((4, 2), 0.7))
    assert overlaps(boxes[0], boxes) == pytest.approx([1.0, 0.19 / 0.21, 0.0])


def test_a_person_in_a_wide_picture_is_found_where_they_are() -> None:
    seen = whole(1920, 1080)
    points = [(0.25, 0.5), (0.25, 0.4), (0.25, 0.45), (0.25, 0.4)]
    (person,) = people_in(*answers_at(3, 0.7, (0.25, 0.4, 0.05, 0.05), points), seen)
    assert (person.region.x, person.region.y) == pytest.approx((480, 540), abs=1e-3)  # black bars above and below
    assert person.region.side == pytest.approx(2 * 192 * MARGIN, abs=1e-3)
    assert person.region.angle == pytest.approx(0.0, abs=1e-6)
    assert people_in(*answers_at(3, 0.1, (0.25, 0.4, 0.05, 0.05), points), seen) == []


def test_whoever_lies_stands_upright_in_the_region() -> None:
    region = around(np.array([300.0, 200.0]), np.array([400.0, 200.0]))  # head to the right
    assert region.angle == pytest.approx(np.pi / 2)
    assert region.to_shares(np.array([400.0, 200.0])) == pytest.approx((0.5, 0.5 - 0.5 / MARGIN))


@pytest.mark.parametrize("angle", [0.0, 0.7, -2.5])
def test_points_go_to_the_region_and_back(angle: float) -> None:
    region = Region(x=120.0, y=80.0, side=90.0, angle=angle)
    points = np.random.default_rng(1).uniform(0, 200, (20, 2))
    assert region.to_picture(region.to_shares(points)) == pytest.approx(points)


@pytest.mark.parametrize(("side", "angle"), [(120.0, 0.0), (120.0, 0.6), (420.0, -1.2)])
def test_a_crop_shows_what_lies_there(side: float, angle: float) -> None:
    rows, columns = np.mgrid[:500, :600]
    image = np.stack([columns * 0.4, rows * 0.5, np.full(rows.shape, 40.0)], axis=-1).astype(np.uint8)
    region = Region(x=290.0, y=260.0, side=side, angle=angle)
    shown = cropped(image, region, 64)
    at = np.array([[10, 20], [50, 5], [31, 60]])  # column, row
    there = region.to_picture((at + 0.5) / 64)
    colours = shown[at[:, 1], at[:, 0]] * 255
    assert colours[:, 0] == pytest.approx((there[:, 0] - 0.5) * 0.4, abs=1.1)
    assert colours[:, 1] == pytest.approx((there[:, 1] - 0.5) * 0.5, abs=1.1)
    assert colours[:, 2] == pytest.approx(40.0, abs=1e-3)


def test_beyond_the_border_is_black_or_the_border() -> None:
    image = np.full((100, 200, 3), 200, np.uint8)
    assert cropped(image, whole(200, 100), 50, beyond="constant")[0] == pytest.approx(0.0)
    assert cropped(image, whole(200, 100), 50)[0] == pytest.approx(200 / 255)
    assert cropped(image, Region(x=900.0, y=-900.0, side=50.0), 8) == pytest.approx(200 / 255)


@pytest.mark.parametrize("angle", [0.0, 0.5])
def test_a_mask_comes_back_to_its_place(angle: float) -> None:
    region = Region(x=150.0, y=120.0, side=160.0, angle=angle)
    rows, columns = np.mgrid[:240, :320]
    disc = np.hypot(columns + 0.5 - 170.0, rows + 0.5 - 110.0) < 30.0
    shown = cropped(np.repeat(disc[..., None] * np.uint8(255), 3, axis=-1), region, INPUT)[..., 0]
    found = mask_in_picture(shown, region, disc.shape)
    assert found.shape == disc.shape
    both = np.count_nonzero(found.full() & disc)
    assert both / np.count_nonzero(found.full() | disc) > 0.985
    assert mask_in_picture(shown, Region(x=-500.0, y=0.0, side=160.0), disc.shape).empty


def test_clear_heat_moves_a_landmark_and_faint_heat_does_not() -> None:
    heat = np.full((HEAT, HEAT, 39), -50.0, np.float32)
    shares = np.full((39, 2), 30.2 / HEAT)
    heat[29, 32, 0] = 4.0  # row, column
    heat[29, 32, 1] = -1.0
    heat[29, 40, 2] = 4.0  # beyond the window
    moved = refined(shares, heat)
    assert moved[0] == pytest.approx((32 / HEAT, 29 / HEAT))
    assert moved[1:] == pytest.approx(shares[1:])
    shares[3] = 1.4, -0.2
    assert refined(shares, heat)[3] == pytest.approx((1.4, -0.2))


def test_landmarks_are_turned_back_into_the_picture() -> None:
    region = Region(x=400.0, y=300.0, side=512.0, angle=np.pi / 2)
    flat = np.zeros((39, 5), np.float32)
    flat[:, :2] = 128.0
    flat[0] = 128.0, 64.0, 0.0, 2.0, -2.0  # the nose, above the middle of the region
    flat[34, :2] = 128.0, 28.0
    space = np.zeros((39, 3), np.float32)
    space[0] = 0.0, -0.6, 0.1  # up in the region
    mask = np.full((1, INPUT, INPUT, 1), -3.0, np.float32)
    tensors = [flat.reshape(1, 195), np.array([[0.9]], np.float32), mask]
    tensors += [np.full((1, HEAT, HEAT, 39), -50.0, np.float32), space.reshape(1, 117)]
    found = landmarks_of(tensors, region)
    assert len(NAMES) == len(found.points) == 33
    assert found.points[0] == pytest.approx((528.0, 300.0))  # to the right in the picture
    assert found.world[0] == pytest.approx((0.6, 0.0, 0.1), abs=1e-6)
    assert found.visibility[0] == pytest.approx(1 / (1 + np.exp(-2.0)))
    assert found.presence[0] == pytest.approx(1 / (1 + np.exp(2.0)))
    assert found.score == pytest.approx(0.9)
    assert found.chance.max() < 0.1
    assert found.ahead is not None
    assert (found.ahead.x, found.ahead.y, found.ahead.angle) == pytest.approx((400.0, 300.0, np.pi / 2))
    assert found.ahead.side == pytest.approx(2 * 200.0 * MARGIN)
