"""A fitted motion survives the disk bit for bit, and a broken file is named."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.errors import InputError
from reenact.formats.motion_npz import load_motion, save_motion
from reenact.motion.contact import Contact
from reenact.motion.fit_report import FitReport
from reenact.motion.motion import Motion


@pytest.fixture
def motion() -> Motion:
    body = adult("female", 1.6, 55.0)
    random = np.random.default_rng(3)
    qpos = random.normal(size=(20, 7 + len(body.axes)))
    qpos[:, 3:7] /= np.linalg.norm(qpos[:, 3:7], axis=1, keepdims=True)
    joints = random.normal(size=(20, 2, 3))
    joints[4, 1] = np.nan
    return Motion(
        name="try <this> ü", rate=120.0, body=body, qpos=qpos, joint_names=("pelvis", "head"), joints=joints,
        lift=random.uniform(size=20), contacts=(Contact(segment="foot_left", start=0.0, end=0.1),),
        report=FitReport(measured="joint centres", error_cm=1.0, median_error_cm=0.9, greatest_error_cm=3.0,
                         joint_error_cm={"head": 2.0}, notes=("one",)),
    )  # fmt: skip


def test_round_trip_is_exact(motion: Motion, tmp_path: Path) -> None:
    save_motion(tmp_path / "a b.npz", motion)
    again = load_motion(tmp_path / "a b.npz")
    for name in ("qpos", "joints", "lift"):
        np.testing.assert_array_equal(getattr(again, name), getattr(motion, name))
    assert (again.name, again.rate, again.joint_names) == (motion.name, motion.rate, motion.joint_names)
    assert again.contacts == motion.contacts
    assert again.report.notes == ("one",)
    assert dict(again.report.joint_error_cm) == {"head": 2.0}
    assert again.body.stature == motion.body.stature
    assert [s.mass for s in again.body.segments] == [s.mass for s in motion.body.segments]


def test_what_is_no_motion_is_named(motion: Motion, tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    with pytest.raises(InputError, match=r"m\.npz: not a fitted motion: there is no such file"):
        load_motion(path)
    path.write_bytes(b"HIERARCHY")
    with pytest.raises(InputError, match="not a fitted motion"):
        load_motion(path)
    np.savez(path, a=np.zeros(3))
    with pytest.raises(InputError, match="it lacks header, body, qpos, joints, lift; it holds a"):
        load_motion(path)
    save_motion(path, motion)
    for size in (10, 500, path.stat().st_size - 40):
        cut = tmp_path / "cut.npz"
        cut.write_bytes(path.read_bytes()[:size])
        with pytest.raises(InputError, match=r"cut\.npz"):
            load_motion(cut)


def test_a_newer_version_is_refused(motion: Motion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reenact.formats.motion_npz.VERSION", 9)
    save_motion(tmp_path / "m.npz", motion)
    monkeypatch.undo()
    with pytest.raises(InputError, match="got format 'reenact-motion' version 9, expected 'reenact-motion' up to 1"):
        load_motion(tmp_path / "m.npz")


def test_a_bomb_is_refused_before_it_unpacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reenact.formats.npz_file.GREATEST", 1000)
    with zipfile.ZipFile(tmp_path / "m.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("qpos.npy", b"0" * 100_000)
    with pytest.raises(InputError, match="it would unpack to more than"):
        load_motion(tmp_path / "m.npz")


def test_damaged_numbers_are_named(motion: Motion, tmp_path: Path) -> None:
    save_motion(tmp_path / "m.npz", motion)
    stored = dict(np.load(tmp_path / "m.npz"))
    stored["qpos"] = stored["qpos"][:, :-1]
    np.savez(tmp_path / "m.npz", **stored)
    with pytest.raises(InputError, match=r"m\.npz: a broken motion: .* must be \(T, 41\)"):
        load_motion(tmp_path / "m.npz")


def test_motions_refuse_what_no_motion_has(motion: Motion) -> None:
    with pytest.raises(InputError, match="not finite"):
        replace(motion, qpos=motion.qpos * np.nan)
    with pytest.raises(InputError, match="no segment tail"):
        replace(motion, joint_names=("pelvis", "tail"))
