"""The bundled clips: listed, found, small, readable, and what they claim to be."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.errors import InputError
from reenact.formats.read import read_clip
from reenact.formats.samples import FOLDER, find_clip, list_samples
from reenact.geometry.rotation import conjugate, multiply, to_rotvec
from reenact.motion.clip import SkeletonClip

RECORDED = ("walk", "run", "jump", "roll", "cartwheel", "spinkick", "getup_faceup", "crawl", "dance")
WRITTEN = ("sideways_roll", "kip_up")
NAMES = RECORDED + WRITTEN
ROBOT = "laikago_walk"  # joint angles, no skeleton


def test_list():
    samples = list_samples()
    assert tuple(sample.name for sample in samples) == (*NAMES, ROBOT)
    for sample in samples[:-1]:
        recorded = sample.name in RECORDED
        assert sample.shows
        assert ("DeepMimic" if recorded else "written by hand") in sample.source
        assert sample.licence == ("MIT" if recorded else "Apache-2.0")
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 1_000_000


@pytest.mark.parametrize("name", NAMES)
def test_each_reads_cleanly(name):
    clip = read_clip(find_clip(name))
    sample = next(sample for sample in list_samples() if sample.name == name)
    assert isinstance(clip, SkeletonClip)
    assert clip.duration == pytest.approx(sample.seconds, abs=0.002)
    assert clip.notes == ()
    assert (clip.source["units"], clip.source["up"]) == ("1.0", "y" if name in RECORDED else "z")
    position = clip.world()[0]
    assert -0.1 < position[..., 2].min() < 0.05
    assert np.linalg.norm(np.diff(position, axis=0), axis=-1).max() * clip.rate < 20  # m/s: no seam, no jump


@pytest.mark.parametrize(("name", "speed", "cycles"), [("walk", 0.98, 3), ("run", 3.56, 4)])
def test_joined_cycles_go_on(name, speed, cycles):
    clip = read_clip(find_clip(name))
    travelled = clip.translation[-1, 0] - clip.translation[0, 0]
    assert travelled[0] / clip.duration == pytest.approx(speed, abs=0.02)
    frames = (clip.frames - 1) // cycles
    later, latest = clip.rotation[frames : frames + 5], clip.rotation[2 * frames : 2 * frames + 5]
    np.testing.assert_allclose(later, latest, atol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_no_frame_jumps(name):
    turns = read_clip(find_clip(name)).rotation
    steps = np.linalg.norm(to_rotvec(multiply(conjugate(turns[:-1]), turns[1:])), axis=-1).max(axis=1)
    assert steps.max() < np.radians(30)
    around = np.maximum(np.r_[steps[1:], steps[-2]], np.r_[steps[1], steps[:-1]])
    assert (steps < 2.0 * around + np.radians(3)).all()


def test_find_clip(tmp_path, monkeypatch):
    file = tmp_path / "some.bvh"
    file.write_text("x")
    assert find_clip(file) == file
    assert find_clip("walk").name == "walk.bvh"
    with pytest.raises(InputError, match=r"did you mean 'cartwheel'.*walk, run, jump"):
        find_clip("cartwhel")
    with pytest.raises(InputError, match="is a folder"):
        find_clip(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "walk").write_text("mine")
    assert find_clip("walk").read_text() == "mine"
