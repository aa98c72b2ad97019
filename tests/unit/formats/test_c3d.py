"""Reading C3D: all processor types and storages, judged by ezc3d, and broken files."""

from __future__ import annotations

import struct

import ezc3d
import numpy as np
import pytest
from fuzz_seeds import c3d_bytes, marker_clip

from reenact.errors import InputError
from reenact.formats.c3d import read_c3d


@pytest.mark.parametrize("processor", [84, 85, 86])
@pytest.mark.parametrize(("scale", "digits"), [(-1.0, 1e-6), (0.1, 0.6e-4)])
@pytest.mark.parametrize("analog", [0, 5])
def test_every_storage(written, processor, scale, digits, analog):
    truth = marker_clip()
    clip = read_c3d(written("a.c3d", c3d_bytes(processor=processor, scale=scale, analog=analog)))
    assert clip.names == truth.names
    assert clip.rate == truth.rate
    assert clip.source["up"] == "z"
    assert clip.source["units_why"] == "by the file: mm"
    np.testing.assert_array_equal(np.isnan(clip.position), np.isnan(truth.position))
    np.testing.assert_allclose(clip.position, truth.position, atol=digits)


@pytest.mark.parametrize(("points", "frames"), [(1, 1), (8, 30), (300, 50)])
def test_agrees_with_ezc3d(tmp_path, points, frames):
    rng = np.random.default_rng(7)
    content = ezc3d.c3d()
    content["parameters"]["POINT"]["RATE"]["value"] = [119.88]
    content["parameters"]["POINT"]["UNITS"]["value"] = ("m",)
    content["parameters"]["POINT"]["LABELS"]["value"] = tuple(f"marker {i}" for i in range(points))
    values = np.ones((4, points, frames))
    values[:3] = rng.normal(size=(3, points, frames))
    if frames > 5:
        values[:3, 0, 2:5] = np.nan
    content["data"]["points"] = values
    path = tmp_path / "judge.c3d"
    content.write(str(path))
    judged = ezc3d.c3d(str(path))["data"]["points"][:3].transpose(2, 1, 0)
    clip = read_c3d(path, up="z")
    assert clip.names == tuple(f"marker {i}" for i in range(points))
    assert clip.rate == pytest.approx(119.88, abs=1e-5)
    np.testing.assert_array_equal(clip.position, judged)


def test_ezc3d_reads_our_seed(written):
    path = written("a.c3d", c3d_bytes())
    judged = ezc3d.c3d(str(path))["data"]["points"][:3].transpose(2, 1, 0) / 1000
    np.testing.assert_allclose(read_c3d(path).position, judged, atol=1e-12)


def patched(at, value):
    data = bytearray(c3d_bytes())
    data[at : at + len(value)] = value
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"\x02", "not a C3D file"),
        (c3d_bytes()[:600], "not a C3D file"),
        (patched(1, b"\x51"), "not a C3D file"),
        (patched(0, b"\xff"), "block 255, which is not in the file"),
        (patched(0, b"\x00"), "block 0"),
        (patched(515, b"\x01"), "processor type 1"),
        (patched(2, b"\0\0"), "no points"),
        (patched(2, b"\xff\xff"), "but holds 0"),
        (patched(16, b"\xff\x7f"), "should begin at byte"),
        (c3d_bytes()[:-1000], "cut off"),
        (patched(1536, struct.pack("<f", 3e38)), "beyond"),
    ],
)
def test_broken_files(written, data, words):
    with pytest.raises(InputError) as caught:
        read_c3d(written("a.c3d", data))
    assert words in str(caught.value)
    assert "a.c3d" in str(caught.value)


def test_absurd_frame_claims_do_not_allocate(written):
    data = bytearray(c3d_bytes())
    data[8:10] = b"\xff\xff"  # last frame 65535
    at = bytes(data).index(b"FRAMES") + len(b"FRAMES") + 4
    data[at : at + 2] = b"\xfe\xff"
    with pytest.raises(InputError, match="claims 6553"):
        read_c3d(written("a.c3d", bytes(data)))
