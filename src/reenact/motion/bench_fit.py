"""How well and how fast bodies are fitted to the recorded clips that the data's README names by motion."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import numpy as np

from reenact.errors import InputError
from reenact.measure import Progress, Row
from reenact.motion.clip import MarkerClip, SkeletonClip, Table
from reenact.motion.fit import fit
from reenact.motion.fit_report import FitReport

CLIPS: Final[dict[str, tuple[str, ...]]] = {  # CMU numbers by motion
    "walk": ("02_01", "07_01", "08_01", "16_15", "35_17"),
    "brisk_walk": ("07_12",),
    "run": ("02_03", "09_01", "16_45"),
    "jump": ("16_01", "13_39"),
    "twist_jump": ("75_09",),
    "aerial_twist": ("85_01",),
    "spin_kick": ("88_06",),
    "cartwheel": ("49_06",),
    "back_handspring": ("88_08",),
    "handspring": ("90_11",),
    "forward_roll": ("90_33",),
    "backward_roll": ("90_01",),
    "dive_roll": ("127_23",),
    "get_up": ("140_08", "140_01"),
    "sitting": ("13_04", "14_30", "82_05", "114_05"),
    "lying": ("111_21",),
}
GREATEST_ERROR: Final = 1.5  # [cm], the goal of the median over clips
LEAST_SPEED: Final = 5.0  # times real time, the goal

Reader = Callable[[Path], SkeletonClip | MarkerClip | Table]


def bench_fit(data: Path, read: Reader, *, progress: Progress | None = None) -> Iterator[Row]:
    """Fit the adult to each clip under `data`/cmu_bvh and yield the figures; errors are of joint centres, unlifted.

    Speed is the clips' duration ÷ processor time of all threads, from the clip in memory to the finished motion;
    reading the file and the first call, which compiles, are left out.
    """
    paths = [data / "cmu_bvh" / f"{clip}.bvh" for clips in CLIPS.values() for clip in clips]
    paths = [path for path in paths if path.is_file()]
    if not paths:
        raise InputError("none of the benchmark's clips is here; expected files such as cmu_bvh/02_01.bvh", path=data)
    fit(_skeleton(read, paths[0]))
    reports, seconds, spent = [], 0.0, 0.0
    for done, path in enumerate(paths):
        if progress is not None:
            progress(done / len(paths), path.stem)
        clip = _skeleton(read, path)
        begun = time.process_time()
        motion = fit(clip)
        spent += time.process_time() - begun
        seconds += motion.frames / motion.rate
        reports.append(motion.report)
        yield Row(name=f"fit.{path.stem}.error_cm", value=motion.report.error_cm, unit="cm")
    yield from _summary(reports, seconds / spent)


def _summary(reports: list[FitReport], speed: float) -> Iterator[Row]:
    median = float(np.median([r.error_cm for r in reports]))
    violations = sum(r.limit_violations for r in reports)
    left = max(r.penetration_after_mm for r in reports)
    yield Row(
        name="fit.median_error_cm", value=median, unit="cm", goal=f"≤ {GREATEST_ERROR}", holds=median <= GREATEST_ERROR
    )
    yield Row(name="fit.limit_violations", value=float(violations), unit="", goal="0", holds=violations == 0)
    yield Row(name="fit.penetration_left_mm", value=left, unit="mm", goal="≤ 1", holds=left <= 1.0)
    before = float(np.median([r.penetration_before_mm for r in reports]))
    yield Row(name="fit.median_penetration_before_mm", value=before, unit="mm")
    yield Row(
        name="fit.realtime_factor",
        value=speed,
        unit="× real time",
        goal=f"≥ {LEAST_SPEED:g}",
        holds=speed >= LEAST_SPEED,
        peer="mink 1.3 on the same targets, see docs/notes/fit.md",
    )


def _skeleton(read: Reader, path: Path) -> SkeletonClip:
    clip = read(path)
    if not isinstance(clip, SkeletonClip):
        raise InputError("expected a skeleton in motion", path=path)
    return clip
