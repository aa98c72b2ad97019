"""Which video something was made from: told by its content, under whatever name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reenact.errors import InputError
from reenact.formats.video_content import BLOCK, BLOCKS, Origin, content_of, origin_of


def test_the_content_is_the_same_under_another_name_and_differs_where_bytes_do(tmp_path: Path) -> None:
    stored = np.random.default_rng(0).bytes(BLOCKS * BLOCK + 12345)
    (tmp_path / "a.mp4").write_bytes(stored)
    (tmp_path / "b.mp4").write_bytes(stored)
    found = content_of(tmp_path / "a.mp4")
    assert content_of(tmp_path / "b.mp4") == found
    for changed in (stored[:-1], stored[:-1] + bytes([stored[-1] ^ 1]), bytes([stored[0] ^ 1]) + stored[1:]):
        (tmp_path / "b.mp4").write_bytes(changed)
        assert content_of(tmp_path / "b.mp4") != found


def test_all_of_a_small_file_counts(tmp_path: Path) -> None:
    (tmp_path / "a.mp4").write_bytes(b"0123456789")
    (tmp_path / "b.mp4").write_bytes(b"0123x56789")
    assert content_of(tmp_path / "a.mp4") != content_of(tmp_path / "b.mp4")


def test_a_long_file_is_read_in_blocks_alone(tmp_path: Path) -> None:
    long = tmp_path / "long.mp4"
    with long.open("wb") as stream:
        stream.truncate(1 << 36)  # a hole; 64 GB could not be read in a test
    assert len(content_of(long)) == 32


def test_a_video_a_later_one_of_its_name_and_another(tmp_path: Path) -> None:
    walk, run = tmp_path / "walk.mp4", tmp_path / "run.mp4"
    walk.write_bytes(b"walk")
    run.write_bytes(b"run")
    origin = origin_of(walk)
    assert origin.relation(walk) == "this"
    assert origin.relation(run) == "other"
    assert origin.relation(walk.rename(tmp_path / "renamed.mp4")) == "this"
    walk.write_bytes(b"another walk")
    assert origin.relation(walk) == "stale"
    unknown = Origin(name="walk.mp4")
    assert unknown.relation(walk) == "this", "the name is all that is known"
    assert unknown.relation(run) == "other"
    with pytest.raises(InputError, match=r"gone\.mp4: cannot be read"):
        content_of(tmp_path / "gone.mp4")
