"""The take folder: whole at any moment, checked when read, never in the way of a user's own files."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reenact.errors import InputError
from reenact.formats import replace_folder
from reenact.formats.take import HASHED, Source, Take, TakeInfo, is_take, read_take, write_take


def make_take(number: int = 0, steps: int = 5) -> Take:
    rng = np.random.default_rng(number)
    info = TakeInfo(
        input=Source(name="walk", sha256="0" * 64),
        method="track",
        seed=number,
        body="adult",
        world="flat",
        versions={"reenact": "0.1.0"},
        wall_seconds=1.0,
        core_seconds=1.5,
        status="fell",
        reason="thorax touched the ground at 1.20 s",
        metrics={"joint_error_cm": 2.5, "frames": 3, "note": None},
        pushes=[{"segment": "thorax", "force_N": [10.0, 0.0, 0.0]}],
    )
    return Take(
        info=info,
        controller={"kind": "track", "number": number, "nested": {"alpha": [0.1, 0.2]}},
        model_xml=f"<mujoco><!-- {number} é --></mujoco>",
        motion={
            "time": np.arange(steps + 1) / 120,
            "qpos": rng.normal(size=(steps + 1, 7)),
            "qvel": rng.normal(size=(steps + 1, 6)),
            "torque": rng.normal(size=(steps, 6)),
        },
        reference={
            "time": np.arange(3) / 30,
            "joints": rng.normal(size=(3, 2, 3)),
            "joint_names": np.array(["pelvis", "foot_left"]),
        },
        motion_bvh=f"HIERARCHY {number}\n",
        body_toml="name = 'adult'\n",
        world_toml="name = 'flat'\n",
    )


def assert_same(first: Take, second: Take) -> None:
    assert first.info == second.info
    assert first.controller == second.controller
    for name in ("model_xml", "motion_bvh", "body_toml", "world_toml"):
        assert getattr(first, name) == getattr(second, name)
    for kind in ("motion", "reference"):
        one, other = getattr(first, kind), getattr(second, kind)
        assert set(one) == set(other)
        for name in one:
            assert one[name].dtype == other[name].dtype
            np.testing.assert_array_equal(one[name], other[name])


def test_round_trip_is_exact(spaced: Path) -> None:
    write_take(spaced / "take", make_take(3), report_html="<html>")
    assert_same(read_take(spaced / "take"), make_take(3))
    assert (spaced / "take" / "report.html").read_text() == "<html>"


def test_same_take_gives_the_same_bytes(spaced: Path) -> None:
    write_take(spaced / "a", make_take(1))
    write_take(spaced / "b", make_take(1))
    for name in ("take.json", *HASHED):
        assert (spaced / "a" / name).read_bytes() == (spaced / "b" / name).read_bytes()


def test_replacing_keeps_the_users_files_and_leaves_nothing_behind(spaced: Path) -> None:
    folder = spaced / "take"
    write_take(folder, make_take(1), report_html="old page")
    (folder / "notes.txt").write_text("mine")
    (folder / "movies").mkdir()
    (folder / "movies" / "walk.mp4").write_bytes(b"film")
    write_take(folder, make_take(2))
    assert read_take(folder).info.seed == 2
    assert (folder / "notes.txt").read_text() == "mine"
    assert (folder / "movies" / "walk.mp4").read_bytes() == b"film"
    assert not (folder / "report.html").exists()
    assert [p.name for p in spaced.iterdir()] == ["take"]


def test_without_exchange_the_folder_is_still_replaced(spaced: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replace_folder, "exchange", lambda first, second: False)
    folder = spaced / "take"
    write_take(folder, make_take(1))
    (folder / "notes.txt").write_text("mine")
    write_take(folder, make_take(2))
    assert read_take(folder).info.seed == 2
    assert (folder / "notes.txt").read_text() == "mine"
    assert [p.name for p in spaced.iterdir()] == ["take"]


def test_a_take_moved_aside_by_a_killed_writer_is_found_again(spaced: Path) -> None:
    write_take(spaced / "take", make_take(7))
    (spaced / "take").rename(spaced / ".take.reenact-old-00")
    assert read_take(spaced / "take").info.seed == 7
    assert [p.name for p in spaced.iterdir()] == ["take"]


def test_leftovers_are_swept_and_foreign_siblings_stay(spaced: Path) -> None:
    leftover = spaced / ".take.reenact-new-00"
    leftover.mkdir()
    (leftover / "model.xml").write_text("half")
    (spaced / ".take.other").mkdir()
    write_take(spaced / "take", make_take(1))
    assert sorted(p.name for p in spaced.iterdir()) == [".take.other", "take"]


def test_an_error_while_writing_leaves_the_old_take(spaced: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_take(spaced / "take", make_take(1))

    def full(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(replace_folder, "_write_synced", full)
    with pytest.raises(OSError, match="No space"):
        write_take(spaced / "take", make_take(2))
    assert read_take(spaced / "take").info.seed == 1
    assert [p.name for p in spaced.iterdir()] == ["take"]


WRITER = """
import sys
from itertools import count
sys.path.insert(0, {tests!r})
from test_take import make_take
from reenact.formats import replace_folder
from reenact.formats.take import write_take
if {plain!r}:
    replace_folder.exchange = lambda first, second: False
print("ready", flush=True)
for number in count({start!r}):
    write_take({folder!r}, make_take(number, steps=300))
"""


@pytest.mark.parametrize("plain", [False, True], ids=["exchange", "two renames"])
def test_killed_at_any_moment_the_take_is_whole(spaced: Path, plain: bool) -> None:
    folder = spaced / "take"
    write_take(folder, make_take(0, steps=300))
    (folder / "notes.txt").write_text("mine")
    rng = random.Random(0)
    last = 0
    for _ in range(15):
        code = WRITER.format(tests=str(Path(__file__).parent), folder=str(folder), plain=plain, start=last + 1)
        writer = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"ready\n"
        time.sleep(rng.uniform(0.0, 0.12))
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        take = read_take(folder)
        assert take.info.seed >= last
        assert_same(take, make_take(take.info.seed, steps=300))
        last = take.info.seed
    write_take(folder, make_take(last, steps=300))
    assert (folder / "notes.txt").read_text() == "mine"
    assert [p.name for p in spaced.iterdir()] == ["take"]
    assert last > 0, "no writer ever got a take finished: the test proves nothing"


def test_readers_see_whole_takes_while_a_writer_writes(spaced: Path) -> None:
    folder = spaced / "take"
    write_take(folder, make_take(0))
    code = WRITER.format(tests=str(Path(__file__).parent), folder=str(folder), plain=False, start=1)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"ready\n"
        seen, begun = set(), time.monotonic()
        try:
            for number in itertools.count():
                seen.add(read_take(folder).info.seed)
                if (number >= 150 and len(seen) > 1) or time.monotonic() - begun > 60.0:
                    break
        finally:
            writer.kill()  # or it would be waited for without end
    assert len(seen) > 1


@pytest.mark.parametrize("name", HASHED)
def test_a_changed_or_missing_file_is_named(spaced: Path, name: str) -> None:
    write_take(spaced / "take", make_take())
    path = spaced / "take" / name
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(InputError, match=f"{name}: differs from the hash"):
        read_take(spaced / "take")
    path.unlink()
    with pytest.raises(InputError, match=f"{name}: missing"):
        read_take(spaced / "take")


def test_a_newer_version_asks_for_an_update(spaced: Path) -> None:
    write_take(spaced / "take", make_take())
    path = spaced / "take" / "take.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "version": 2}))
    with pytest.raises(InputError, match=r"take\.json: version 2 is newer .* update reenact"):
        read_take(spaced / "take")


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        ("", "not a JSON object"),
        ("[1]", "not a JSON object"),
        ('{"format": "zip"}', "format is 'zip', expected 'reenact-take'"),
        ('{"format": "reenact-take", "version": "1"}', "version is '1'"),
        ('{"format": "reenact-take", "version": 1}', "missing required field"),
    ],
)
def test_a_broken_head_is_one_line(spaced: Path, content: str, cause: str) -> None:
    write_take(spaced / "take", make_take())
    (spaced / "take" / "take.json").write_text(content)
    with pytest.raises(InputError, match=cause) as caught:
        read_take(spaced / "take")
    assert "\n" not in str(caught.value)


def test_what_is_not_a_take(spaced: Path) -> None:
    with pytest.raises(InputError, match="no such take"):
        read_take(spaced / "nowhere")
    with pytest.raises(InputError, match="not a take"):
        read_take(spaced)
    (spaced / "file").write_text("x")
    with pytest.raises(InputError, match="not a take"):
        read_take(spaced / "file")
    assert not is_take(spaced)


def test_a_users_folder_is_never_overwritten(spaced: Path) -> None:
    (spaced / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="left alone"):
        write_take(spaced, make_take())
    (spaced / "file").write_text("x")
    with pytest.raises(InputError, match="is a file"):
        write_take(spaced / "file", make_take())
    (spaced / "real").mkdir()
    (spaced / "link").symlink_to(spaced / "real")
    with pytest.raises(InputError, match="symbolic link"):
        write_take(spaced / "link", make_take())
    assert (spaced / "thesis.tex").read_text() == "years of work"


def test_an_empty_folder_may_be_filled(spaced: Path) -> None:
    write_take(spaced, make_take(4))
    assert read_take(spaced).info.seed == 4


def test_a_take_validates_itself() -> None:
    take = make_take()
    with pytest.raises(InputError, match=r"motion\.npz: lacks qvel"):
        replace(take, motion={k: v for k, v in take.motion.items() if k != "qvel"})
    with pytest.raises(InputError, match="neither 'torque' nor 'ctrl'"):
        replace(take, motion={k: v for k, v in take.motion.items() if k != "torque"})
    with pytest.raises(InputError, match=r"'torque' has shape \(4, 6\), expected \(5, n\)"):
        replace(take, motion={**take.motion, "torque": take.motion["torque"][1:]})
    with pytest.raises(InputError, match="Python objects"):
        replace(take, motion={**take.motion, "extra": np.array([{}])})
    with pytest.raises(InputError, match="'joints' has shape"):
        replace(take, reference={**take.reference, "joints": np.zeros((3, 1, 3))})


def test_a_pickle_in_an_archive_is_refused(spaced: Path) -> None:
    import hashlib

    write_take(spaced / "take", make_take())
    path = spaced / "take" / "motion.npz"
    np.savez(path, time=np.array([{}], dtype=object))
    head = json.loads((spaced / "take" / "take.json").read_text())
    head["files"]["motion.npz"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (spaced / "take" / "take.json").write_text(json.dumps(head))
    with pytest.raises(InputError, match=r"motion\.npz: not a readable npz archive"):
        read_take(spaced / "take")
