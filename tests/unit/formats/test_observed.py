"""What a take from video was made from: kept whole, checked, and gone with the take it belonged to."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from test_take import make_take

from reenact.errors import InputError
from reenact.formats.observed import Observed, ObservedView, read_observed, view_name, write_observed
from reenact.formats.take import read_take, write_take


def make_view(name: str = "cam01", **more: object) -> ObservedView:
    view = ObservedView(
        name=name,
        video=f"/films/{name}.mp4",
        sha256="a" * 64,
        size=(640, 360),
        rate=29.97,
        start=2.5,
        camera=f'[{name}]\nname = "é"\n',
        masks=name.encode() + b"\0\1",
    )
    return replace(view, **more)  # type: ignore[arg-type]


def make_observed(*names: str) -> Observed:
    rng = np.random.default_rng(0)
    return Observed(
        views=tuple(make_view(name) for name in names or ("cam01",)),
        time=np.arange(4) / 30,
        poses=rng.normal(size=(4, 9)),
        mismatch=rng.uniform(size=4),
    )


def assert_same_seen(first: Observed, second: Observed | None) -> None:
    assert second is not None
    for one, other in zip(first.views, second.views, strict=True):
        for name in ObservedView.__dataclass_fields__:
            assert getattr(one, name) == getattr(other, name), name
    for name in ("time", "poses", "mismatch"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))


def test_round_trip_is_exact_with_the_take_or_after_it(spaced: Path) -> None:
    seen = make_observed("cam01", "cam 03")
    write_take(spaced / "a", make_take(), observed=seen)
    write_take(spaced / "b", make_take())
    assert read_observed(spaced / "b") is None
    write_observed(spaced / "b", seen)
    for name in "ab":
        assert_same_seen(seen, read_observed(spaced / name))
        read_take(spaced / name)
    written = {path.name: path.read_bytes() for path in (spaced / "a" / "observed").iterdir()}
    assert written == {path.name: path.read_bytes() for path in (spaced / "b" / "observed").iterdir()}
    assert set(written) == {
        "observed.json", "track.npz", "camera-cam01.toml", "masks-cam01.npz", "camera-cam 03.toml", "masks-cam 03.npz",
    }  # fmt: skip


def test_a_new_take_in_the_same_folder_does_not_inherit_what_the_old_one_saw(spaced: Path) -> None:
    write_take(spaced / "take", make_take(1), observed=make_observed())
    (spaced / "take" / "mine.txt").write_text("mine")
    write_take(spaced / "take", make_take(2))
    assert read_observed(spaced / "take") is None
    assert not (spaced / "take" / "observed").exists()
    assert (spaced / "take" / "mine.txt").read_text() == "mine"
    assert sorted(path.name for path in spaced.iterdir()) == ["take"]


def test_views_that_are_gone_leave_no_files(spaced: Path) -> None:
    write_take(spaced / "take", make_take(), observed=make_observed("cam01", "cam02"))
    (spaced / "take" / "observed" / "note.txt").write_text("mine")
    write_observed(spaced / "take", make_observed("cam02"))
    names = sorted(path.name for path in (spaced / "take" / "observed").iterdir())
    assert names == ["camera-cam02.toml", "masks-cam02.npz", "note.txt", "observed.json", "track.npz"]


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("observed.json", None, "observed.json: missing"),
        ("observed.json", b"{", "observed.json: not a JSON object"),
        ("observed.json", b'{"format": "other", "version": 1}', "format is 'other', expected 'reenact-observed'"),
        (
            "observed.json",
            b'{"format": "reenact-observed", "version": 9}',
            "version 9 is newer than this reenact reads",
        ),
        ("observed.json", b'{"format": "reenact-observed", "version": 1}', "missing required field `views`"),
        ("masks-cam01.npz", None, "masks-cam01.npz: missing from"),
        ("masks-cam01.npz", b"x", "masks-cam01.npz: differs from the hash in observed.json"),
        ("track.npz", b"x", "track.npz: differs from the hash in observed.json"),
    ],
)
def test_broken_files_are_named(spaced: Path, file: str, content: bytes | None, said: str) -> None:
    write_take(spaced / "take", make_take(), observed=make_observed())
    path = spaced / "take" / "observed" / file
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_observed(spaced / "take")
    assert said in str(caught.value)
    assert str(spaced / "take" / "observed") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_outside_of_the_folder_is_not_read(spaced: Path) -> None:
    write_take(spaced / "take", make_take(), observed=make_observed())
    head = spaced / "take" / "observed" / "observed.json"
    said = json.loads(head.read_text())
    said["views"][0]["masks"] = "../take.json"
    said["files"]["../take.json"] = "0" * 64
    head.write_text(json.dumps(said))
    with pytest.raises(InputError, match="outside of its folder"):
        read_observed(spaced / "take")


def test_what_does_not_belong_together_is_refused() -> None:
    seen = make_observed()
    with pytest.raises(InputError, match="different names"):
        replace(seen, views=(make_view("a"), make_view("A")))
    with pytest.raises(InputError, match="no view"):
        replace(seen, views=())
    with pytest.raises(InputError, match=r"mismatch \(3,\), expected"):
        replace(seen, mismatch=np.zeros(3))
    with pytest.raises(InputError, match="times must rise"):
        replace(seen, time=np.zeros(4))
    for name in ("", "a/b", "../a", "a\n", ".", "a" * 101):
        with pytest.raises(InputError, match="a view's name"):
            make_view(name)
    with pytest.raises(InputError, match="rate > 0"):
        make_view(rate=0.0)


def test_names_of_views_are_made_from_those_of_videos() -> None:
    assert view_name("Gang der Frau é") == "Gang der Frau é"
    assert view_name("../a:b?") == "_a_b_"
    assert view_name("cam", {"cam", "CAM_2"}) == "cam_3"
    assert view_name("...") == "view"
    for odd in ("../a:b?", "x" * 300, " . "):
        make_view(view_name(odd))
