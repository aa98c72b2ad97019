"""Masks of a video brought to the grid: area, edges, distortion."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.observe.camera import CameraError
from reenact.observe.camera_guess import Known
from reenact.observe.mask import mask_of
from reenact.observe.projection_masks import mask_grid, packed_masks
from reenact.observe.projection_table import unpack

SIZE = (640, 360)


def camera(*lens: float):  # type: ignore[no-untyped-def]
    return Known(distortion=np.array(lens)).camera(np.array([np.log(500.0), 0.0, 0.0, 1.0]), SIZE)


def test_a_cell_is_on_where_half_of_it_is() -> None:
    grid = mask_grid(camera())
    assert grid.size == (160, 90)
    mask = np.zeros(SIZE[::-1], bool)
    mask[40:80, 100:203] = True  # ends 3 of 4 pixels into a cell
    mask[200:204, 300:301] = True  # a quarter of a cell
    reduced = grid.reduced(mask)
    expected = np.zeros((90, 160), bool)
    expected[10:20, 25:51] = True
    assert (reduced == expected).all()
    assert not grid.outside().any()


def test_a_distorted_picture_of_a_disc_becomes_the_disc() -> None:
    bent = camera(-0.25, 0.08, 0.002, -0.001)
    u, v = np.meshgrid(np.arange(SIZE[0]) + 0.5, np.arange(SIZE[1]) + 0.5)
    rays = bent.rays(np.stack([u, v], axis=-1))
    seen = rays @ bent.turn.T
    flat = seen[..., :2] / seen[..., 2:]
    middle, radius = np.array([0.45, -0.2]), 0.12
    mask = np.linalg.norm(flat - middle, axis=-1) < radius
    grid = mask_grid(bent)
    straight = bent.without_lens().resized(160, 90)
    cells = np.stack(np.meshgrid(np.arange(160) + 0.5, np.arange(90) + 0.5), axis=-1)
    disc = np.linalg.norm((cells - straight.centre) / straight.focal - middle, axis=-1) < radius
    reduced = grid.reduced(mask)
    union = np.count_nonzero(reduced | disc)
    assert np.count_nonzero(reduced & disc) / union > 0.985
    left_in = mask_grid(bent.without_lens()).reduced(mask)  # not undistorted: clearly another place
    assert np.count_nonzero(left_in & disc) / np.count_nonzero(left_in | disc) < 0.9


def test_cells_the_video_does_not_show_are_outside() -> None:
    grid = mask_grid(camera(0.3, 0.0, 0.0, 0.0))
    assert grid.outside()[0, 0]
    assert not grid.outside()[45, 80]
    assert not grid.reduced(np.ones(SIZE[::-1], bool))[0, 0]


def test_a_mask_of_another_size() -> None:
    with pytest.raises(CameraError, match="a mask of 10 × 20 pixels, expected the camera's 640 × 360"):
        mask_grid(camera()).reduced(np.zeros((20, 10), bool))


def test_masks_of_a_shrunken_video() -> None:
    bits = np.zeros((180, 320), bool)
    bits[20:40, 50:100] = True
    words = packed_masks([mask_of(bits), mask_of(~bits)], camera())
    grids = unpack(words, 160)
    assert grids.shape == (2, 90, 160)
    assert (grids[0] == bits.reshape(90, 2, 160, 2).all(axis=(1, 3))).all()
    assert (grids[1] == ~grids[0]).all()
    with pytest.raises(CameraError, match="the video has 100 × 100"):
        packed_masks([mask_of(np.ones((100, 100), bool))], camera())


def test_masks_a_little_smaller_than_the_video_are_shrunken_not_cut() -> None:
    wide = camera(-0.25, 0.06, 0.0, 0.0).resized(1280, 720)  # as large as encoders fill pictures up to
    bits = np.zeros((714, 1270), bool)
    bits[100:600, 900:1100] = True
    words = packed_masks([mask_of(bits)], wide)
    np.testing.assert_array_equal(words[0], mask_grid(wide.resized(1270, 714)).packed(bits))
    assert (words[0] != mask_grid(wide.cropped(0.0, 0.0, 1270, 714)).packed(bits)).any()
