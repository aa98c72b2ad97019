"""Small synthetic videos with exact truth: a figure that walks before a textured wall."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Figure = tuple[Picture, NDArray[np.bool_]]
WIDTH, HEIGHT = 192, 108
SKIN, SHIRT, TROUSERS = (205, 160, 130), (60, 70, 170), (150, 40, 50)


def write_video(
    path: Path,
    images: Sequence[Picture],
    times: Sequence[float] | None = None,
    *,
    rate: int = 30,
    rotation: int | None = None,
) -> Path:
    """A movie of pictures at times [s], or evenly spaced."""
    av = pytest.importorskip("av", reason="PyAV, of the extra video, is not installed")
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=rate)
        stream.height, stream.width = images[0].shape[:2]
        stream.pix_fmt = "yuv420p"
        stream.options = {"crf": "14", "preset": "veryfast"}
        stream.time_base = stream.codec_context.time_base = Fraction(1, 9000)
        if rotation is not None:
            stream.set_display_rotation(rotation)
        for i, image in enumerate(images):
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(image), format="rgb24")
            frame.pts = round(9000 * (i / rate if times is None else times[i]))
            frame.time_base = Fraction(1, 9000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def wall(seed: int = 0, width: int = WIDTH, height: int = HEIGHT) -> Picture:
    """A wall with bricks, stains and stripes."""
    rng = np.random.default_rng(seed)
    coarse = rng.uniform(70, 190, (height // 9 + 2, width // 12 + 2, 1)) + rng.uniform(-15, 15, (1, 1, 3))
    image = np.kron(coarse, np.ones((9, 12, 1)))[:height, :width]
    image += rng.normal(0, 6, image.shape)
    image[::9] *= 0.7
    return np.asarray(np.clip(image, 0, 255), np.uint8)


def panned(frames: int, step: int, size: tuple[int, int] = (WIDTH, HEIGHT)) -> list[Picture]:
    """What a camera sees of a long wall that is turned by so many pixels a frame."""
    long = wall(3, size[0] + step * frames, size[1])
    return [np.ascontiguousarray(long[:, step * i : step * i + size[0]]) for i in range(frames)]


def figure(
    at: tuple[float, float], phase: float, size: float = 60.0, shape: tuple[int, int] = (HEIGHT, WIDTH)
) -> Figure:
    """A person of `size` pixels whose hips are at (x, y): colours (H, W, 3) and the pixels that it covers (H, W)."""
    y, x = np.mgrid[: shape[0], : shape[1]] + 0.5
    colours, covered = np.zeros((*shape, 3), np.uint8), np.zeros(shape, bool)

    def limb(a: tuple[float, float], b: tuple[float, float], radius: float, colour: tuple[int, int, int]) -> None:
        ax, ay, bx, by = (at[0] + size * a[0], at[1] + size * a[1], at[0] + size * b[0], at[1] + size * b[1])
        along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / max((bx - ax) ** 2 + (by - ay) ** 2, 1e-9)
        along = np.clip(along, 0, 1)
        inside = np.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay)) <= radius * size
        colours[inside], covered[inside] = colour, True

    swing = 0.22 * np.sin(phase)
    limb((0, 0), (-swing, 0.48), 0.06, TROUSERS)
    limb((0, -0.3), (swing * 0.9, 0.02), 0.035, SKIN)
    limb((0, -0.02), (0, -0.28), 0.1, SHIRT)
    limb((0, 0), (swing, 0.48), 0.06, TROUSERS)
    limb((0, -0.3), (-swing * 0.9, 0.02), 0.035, SKIN)
    limb((0, -0.44), (0, -0.45), 0.07, SKIN)
    return colours, covered


def walk(
    frames: int = 40, *, noise: float = 2.0, empty: Picture | None = None, light: Callable[[int], float] = lambda _: 1.0
) -> tuple[list[Picture], list[NDArray[np.bool_]]]:
    """Somebody walks from left to right; the pictures and what is truly covered in each."""
    rng = np.random.default_rng(7)
    empty = wall() if empty is None else empty
    images, truth = [], []
    for i in range(frames):
        share = i / (frames - 1)
        colours, covered = figure((30 + share * (WIDTH - 60), 66), 0.5 * i)
        image = np.where(covered[..., None], colours, empty) * light(i) + rng.normal(0, noise, empty.shape)
        images.append(np.asarray(np.clip(image, 0, 255), np.uint8))
        truth.append(covered)
    return images, truth


def iou(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> float:
    """Intersection over union."""
    return float(np.count_nonzero(first & second) / max(1, np.count_nonzero(first | second)))
