"""Every recording in the shared data folder reads, in time, as a person of human size on the ground."""

from __future__ import annotations

import time
from functools import cache

import numpy as np
import pytest

from reenact.formats.bvh import read_bvh
from reenact.formats.bvh_write import write_bvh
from reenact.formats.read import read_clip
from reenact.geometry import rotation
from reenact.motion.calibration import calibration_frames
from reenact.motion.clip import MarkerClip, SkeletonClip, Table
from reenact.motion.inspect import inspect_clip

read = cache(read_clip)

PATTERNS = {
    "cmu_bvh/*.bvh": (80, SkeletonClip),
    "cmu_asfamc/*.amc": (3, SkeletonClip),
    "deepmimic/*.txt": (21, SkeletonClip),
    "mass/*.bvh": (7, SkeletonClip),
    "snu_push/*.bvh": (23, SkeletonClip),
    "snu_walk/**/*.bvh": (20, SkeletonClip),
    "grf/**/*.trc": (12, MarkerClip),
    "grf/**/*.mot": (20, Table),
    "pose2sim_demo_truth/*.trc": (1, MarkerClip),
    "pose2sim_demo_truth/*.mot": (1, Table),
    "kinect_v2_laban/*.csv": (6, MarkerClip),
}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_reads(shared_data, pattern):
    least, kind = PATTERNS[pattern]
    paths = sorted(shared_data.glob(pattern))
    assert len(paths) >= least
    for path in paths:
        clip = read(path)
        assert isinstance(clip, kind), path
        inspection = inspect_clip(clip)
        assert inspection.frames >= 20, path
        if inspection.stature is not None:
            assert 1.35 < inspection.stature < 1.95, path
        if kind is not Table:
            assert clip.source["up"] == "y", path


def test_units_of_the_collections(shared_data):
    for pattern, unit in (("cmu_bvh/*.bvh", 0.056444), ("mass/*.bvh", 0.01), ("snu_push/*.bvh", 0.01)):
        for path in shared_data.glob(pattern):
            assert float(read(path).source["units"]) == pytest.approx(unit, rel=1e-4), path
    for path in shared_data.glob("snu_walk/preprocessed/*.bvh"):
        assert float(read(path).source["units"]) == 1.0


def test_calibration_frames_of_the_cmu_clips(shared_data):
    counts = {path.stem: calibration_frames(read(path)) for path in shared_data.glob("cmu_bvh/*.bvh")}
    assert counts.pop("07_12") == 2  # a T-pose and a frame with its root at zero
    assert counts.pop("16_15") == 3  # the recording itself jumps after its second frame
    assert set(counts.values()) == {1}
    for folder in ("mass", "snu_push", "snu_walk"):
        for path in shared_data.glob(f"{folder}/**/*.bvh"):
            assert calibration_frames(read(path)) == 0, path


def test_biggest_bvh_reads_well_under_a_second(shared_data):
    path = max(shared_data.glob("cmu_bvh/*.bvh"), key=lambda p: p.stat().st_size)
    seconds = []
    for _ in range(3):  # processor time, the best of three: other work on the machine does not count
        start = time.process_time()
        read_bvh(path)
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.8


@pytest.mark.parametrize("name", ["cmu_bvh/88_06", "mass/backflip", "snu_walk/woddy2_walk_turn_180"])
def test_write_and_read_again(shared_data, tmp_path, name):
    clip = read_bvh(shared_data / f"{name}.bvh")
    write_bvh(tmp_path / "a.bvh", clip)
    back = read_bvh(tmp_path / "a.bvh")
    assert back.source["channels"] == clip.source["channels"]
    assert back.source["units"] == clip.source["units"]
    np.testing.assert_allclose(back.translation, clip.translation, atol=1e-6)
    turn = rotation.to_rotvec(rotation.multiply(rotation.conjugate(back.rotation), clip.rotation))
    assert np.linalg.norm(turn, axis=-1).max() < np.radians(2e-6)
