"""The picture of the empty scene, its plate: learned from frames that people pass through, or given as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numba
import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.formats.video import Picture
from reenact.observe.background import Image32

MOST: Final = 40  # frames that are held at once, which bounds the memory
LIKE: Final = 12  # grey levels from the median within which a sample still shows the same thing
CERTAIN: Final = 0.7  # share of samples near the median from which on it is the scene's colour
TIGHT: Final = 7  # grey levels within which samples of a thing that does not move lie together


class Thinned:
    """Frames kept evenly from a stream of unknown length: never more than `MOST`, at the end more than half of it."""

    def __init__(self) -> None:
        self._kept: list[tuple[float, Picture]] = []
        self._step = 1
        self.seen = 0

    def add(self, time: float, image: Picture) -> None:
        """Show it the next frame."""
        if self.seen % self._step == 0:
            if len(self._kept) == MOST:
                self._kept = self._kept[::2]
                self._step *= 2
            if self.seen % self._step == 0:
                self._kept.append((time, image))
        self.seen += 1

    @property
    def times(self) -> list[float]:
        """When the kept frames were taken [s]."""
        return [time for time, _ in self._kept]

    @property
    def images(self) -> list[Picture]:
        """The kept frames."""
        return [image for _, image in self._kept]


def learned_plate(samples: NDArray[np.uint8]) -> tuple[Image32, Image32]:
    """The colour (H, W, 3) that each pixel shows most of the time, and the share of samples (H, W) that show it.

    `samples` is (n, H, W, 3). A channel's median says what is usual; the mean of the samples near it is the colour, so
    that whoever passes through leaves no trace. Where no colour holds most of the time, it is the one around which the
    samples lie closest together: the scene comes back the same, a person who sways there does not.
    """
    middle = np.empty(samples.shape[1:], np.uint8)
    _median(samples.reshape(len(samples), -1), middle.reshape(-1))
    colour = np.empty(middle.shape, np.float32)
    share = np.empty(middle.shape[:2], np.float32)
    _mean_near(samples, middle, LIKE, colour, share)
    doubtful = np.nonzero(share < CERTAIN)
    if len(doubtful[0]):
        picked = np.ascontiguousarray(samples[:, doubtful[0], doubtful[1]])
        better, support = np.empty(picked.shape[1:], np.float32), np.empty(picked.shape[1], np.float32)
        _densest(picked, TIGHT, better, support)
        colour[doubtful], share[doubtful] = better, support
    return colour, share


def read_plate(path: Path, size: tuple[int, int]) -> Image32:
    """A given plate, colour (H, W, 3) at `size` (width, height): a picture, or a video of the empty scene."""
    from reenact.formats.video import open_video, read_frames

    video = open_video(path)
    shape, wanted = video.width / video.height, size[0] / size[1]
    if abs(shape / wanted - 1.0) > 0.01:
        raise InputError(
            f"the plate is {video.width} × {video.height} pixels, which is not the video's shape; "
            f"expected e.g. {size[0]} × {size[1]}, filmed by the same camera from the same place",
            path=path,
        )
    thinned = Thinned()
    for frame in read_frames(video, long_side=max(size)):
        thinned.add(frame.time, frame.image)
    colour = learned_plate(np.stack(thinned.images))[0]
    if colour.shape[1::-1] == size:
        return colour
    from scipy.ndimage import zoom

    return np.asarray(zoom(colour, (size[1] / colour.shape[0], size[0] / colour.shape[1], 1), order=1), np.float32)


@numba.njit(cache=True, nogil=True)
def _median(samples: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
    """Lower median of each column of (n, k), found bit by bit: as many halvings as a byte has bits."""
    count, width = samples.shape
    need = (count + 1) // 2
    block = 4096
    below = np.empty(block, np.int16)
    trial = np.empty(block, np.uint8)
    for start in range(0, width, block):
        stop = min(start + block, width)
        part = out[start:stop]
        part[:] = 0
        for bit in range(7, -1, -1):
            step = np.uint8(1 << bit)
            for i in range(stop - start):
                trial[i] = part[i] | step
                below[i] = 0
            for k in range(count):
                row = samples[k, start:stop]
                for i in range(stop - start):
                    below[i] += row[i] < trial[i]
            for i in range(stop - start):
                if below[i] < need:  # fewer than half lie below: the median is not below
                    part[i] = trial[i]


@numba.njit(cache=True, nogil=True)
def _mean_near(
    samples: NDArray[np.uint8], middle: NDArray[np.uint8], like: int, colour: Image32, share: Image32
) -> None:
    count, height, width, _ = samples.shape
    for y in range(height):
        for x in range(width):
            near = 0
            s0 = s1 = s2 = np.int32(0)
            m0, m1, m2 = np.int32(middle[y, x, 0]), np.int32(middle[y, x, 1]), np.int32(middle[y, x, 2])
            for k in range(count):
                c0, c1, c2 = np.int32(samples[k, y, x, 0]), np.int32(samples[k, y, x, 1]), np.int32(samples[k, y, x, 2])
                if abs(c0 - m0) <= like and abs(c1 - m1) <= like and abs(c2 - m2) <= like:
                    near += 1
                    s0 += c0
                    s1 += c1
                    s2 += c2
            share[y, x] = near / count
            if near == 0:
                colour[y, x, 0], colour[y, x, 1], colour[y, x, 2] = m0, m1, m2
            else:
                colour[y, x, 0], colour[y, x, 1], colour[y, x, 2] = s0 / near, s1 / near, s2 / near


@numba.njit(cache=True, nogil=True, inline="always")
def _close(samples: NDArray[np.uint8], k: int, j: int, i: int, tight: int) -> bool:
    for c in range(3):  # noqa: SIM110  (compiled)
        if abs(np.int32(samples[k, i, c]) - np.int32(samples[j, i, c])) > tight:
            return False
    return True


@numba.njit(cache=True, nogil=True)
def _densest(samples: NDArray[np.uint8], tight: int, colour: Image32, share: Image32) -> None:
    """Mean of the largest group of samples (n, k, 3) that lie within `tight` of one of them, per column."""
    count, width, _ = samples.shape
    for i in range(width):
        most, best = 0, 0
        for k in range(count):
            near = 0
            for j in range(count):
                if _close(samples, k, j, i, tight):
                    near += 1
            if near > most:
                most, best = near, k
        share[i] = most / count
        for c in range(3):
            total = 0.0
            for j in range(count):
                if _close(samples, best, j, i, tight):
                    total += samples[j, i, c]
            colour[i, c] = total / most
