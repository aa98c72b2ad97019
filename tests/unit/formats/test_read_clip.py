"""Which reader a file gets, and files that are no motion at all."""

from __future__ import annotations

import os
import zipfile

import pytest
from fuzz_seeds import seeds

from reenact.errors import InputError
from reenact.formats.read import SUFFIXES, format_of, read_clip
from reenact.motion.clip import MarkerClip, SkeletonClip, Table

KINDS = {
    "bvh": SkeletonClip,
    "amc": SkeletonClip,
    "deepmimic": SkeletonClip,
    "c3d": MarkerClip,
    "trc": MarkerClip,
    "kinect": MarkerClip,
    "mot": Table,
    "csv": Table,
}


@pytest.mark.parametrize("name", list(seeds()))
def test_seeds_read_by_suffix_and_by_content(written, name):
    for files in seeds()[name]:
        for suffix, data in files.items():
            written(f"seed{suffix}", data)
        suffix, data = next(iter(files.items()))
        by_suffix = read_clip(written(f"seed{suffix}", data))
        assert isinstance(by_suffix, KINDS[name])
        assert isinstance(read_clip(written(f"seed{suffix.upper()}", data)), KINDS[name])
        by_content = read_clip(written("seed.dat", data))
        assert isinstance(by_content, KINDS[name])
        assert by_content.frames == by_suffix.frames


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("content", ["empty", "zip", "noise", "nuls", "folder", "missing", "text", "utf16 noise"])
def test_what_is_no_motion_is_refused_in_one_line(tmp_path, suffix, content):
    path = tmp_path / f"clip{suffix}"
    if content == "empty":
        path.touch()
    elif content == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("clip.bvh", "HIERARCHY")
    elif content == "noise":
        path.write_bytes(bytes(range(256)) * 40)
    elif content == "nuls":
        path.write_bytes(bytes(5000))
    elif content == "folder":
        path.mkdir()
    elif content == "text":
        path.write_text("Dear reader,\nthis is no motion.\n" * 50)
    elif content == "utf16 noise":
        path.write_bytes(b"\xff\xfe" + os.urandom(1001))
    with pytest.raises(InputError) as caught:
        read_clip(path)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(str(path))


def test_advice_for_files_beside_a_motion(written):
    with pytest.raises(InputError, match=r"give the \.amc file"):
        read_clip(written("02.asf", ":version 1.10"))
    with pytest.raises(InputError, match="OpenSim model"):
        read_clip(written("model.osim", "<xml/>"))
    with pytest.raises(InputError, match=r"known suffixes are: \.bvh, \.amc"):
        read_clip(written("notes.md", "# Notes"))


def test_special_files_do_not_hang(tmp_path):
    os.mkfifo(tmp_path / "pipe.bvh")
    with pytest.raises(InputError, match="not a regular file"):
        read_clip(tmp_path / "pipe.bvh")


def test_unreadable_names():
    with pytest.raises(InputError, match=r"cannot be read|no such file"):
        read_clip("a\0b.bvh")
    with pytest.raises(InputError, match=r"cannot be read|no such file"):
        read_clip("x" * 5000 + ".bvh")


def test_overrides_are_checked(written):
    path = written("seed.bvh", seeds()["bvh"][0][".bvh"])
    for units in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(InputError, match="length unit"):
            read_clip(path, units=units)
    with pytest.raises(InputError, match="up axis 'up'"):
        read_clip(path, up="up")
    assert read_clip(path, units=0.5).source["units"] == "0.5"


def test_format_of(written):
    assert format_of(written("a.sto", "x")) == "sto"
    assert format_of(written("a.csv", seeds()["kinect"][0][".csv"])) == "kinect"
    assert format_of(written("a.txt", b" \n{")) == "json"
