"""Worlds as text: what is written is what is read, and mistakes are named with file, line and remedy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reenact.errors import WorldError
from reenact.world.load import bundled_worlds, load_world
from reenact.world.parts import HeightField, Stairs
from reenact.world.toml import dump_world, parse_world
from reenact.world.world import World


@pytest.mark.parametrize("name", bundled_worlds())
def test_bundled_worlds_read_teach_and_round_trip(name: str) -> None:
    world = load_world(name)
    assert world.name == name
    assert world.about
    assert parse_world(dump_world(world)) == world
    assert Path(world.source).read_text().startswith("# ")


def test_the_bundled_worlds_are_those_promised() -> None:
    promised = [
        "ball",
        "beam",
        "beam_5cm",
        "bumps",
        "commotion",
        "crash_pad",
        "drop",
        "drop_100cm",
        "drop_50cm",
        "flat",
        "hand_weight",
        "ice",
        "loaded",
        "pebbles",
        "pushes",
        "raise",
        "ramp",
        "ski_slope",
        "skis",
        "slope",
        "stairs",
        "trampoline",
    ]
    assert list(bundled_worlds()) == promised


def test_an_empty_file_is_flat_ground() -> None:
    assert parse_world("") == World()


def test_a_default_is_not_written() -> None:
    assert (
        dump_world(World(parts=(Stairs(name="up", count=7),)))
        == 'name = "flat"\n\n[[stairs]]\nname = "up"\ncount = 7\n'
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[ground]\nfriction = -1", ["w.toml:2: [ground]: friction = -1, expected 0 to 5"]),
        ("[ground]\n\nfrcition = 1", ["w.toml:3: [ground]: unknown key 'frcition'", "did you mean 'friction'?"]),
        ("[ground\n", ["w.toml:1: not TOML: Expected ']'"]),
        ("a = $", ["w.toml:1: not TOML: Invalid value in column 5"]),
        ('about = "x\n', ["w.toml", "not TOML"]),
        ("[[stair]]\nrise = 1", ["w.toml:1: unknown table or key 'stair'", "did you mean 'stairs'?", "trampoline"]),
        ("[stairs]\nrise = 0.1", ["w.toml:1: 'stairs' must be written as a table [[stairs]]"]),
        ("box = 3", ["w.toml:1: 'box' must be written as a table [[box]]"]),
        ("ground = 1", ["ground must be a table"]),
        ("name = 1", ["w.toml:1: name = 1, expected text"]),
        ("[[box]]\n[[box]]\nmass = -1", ["w.toml:3: [[box]] 2: mass = -1"]),
        ('[[stairs]]\nrise = "high"', ["w.toml:2: [[stairs]] 1: rise = 'high', expected float"]),
        ("[[stairs]]\ncount = 2.5", ["w.toml:2", "count = 2.5, expected int"]),
        ("[[stairs]]\nat = [1.0]", ["w.toml:2", "at = [1.0], expected array of length 2"]),
        ("[[stairs]]\nat = [1.0, true]", ["w.toml:2", "at = [1.0, True], expected float"]),
        ('[[push]]\nsegment = "pelvis"', ["w.toml:1: [[push]] 1: the key 'newtons' is missing"]),
        ("[[thrown]]\nto = [0, 0, 1]", ["w.toml:1: [[thrown]] 1: the key 'from' is missing"]),
        ("[[thrown]]\norigin = [0, 0, 1]", ["unknown key 'origin'", "from, to"]),
        ("[[thrown]]\nfrom = [0, 0]\nto = [0, 0, 1]", ["w.toml:2", "from = [0, 0], expected array of length 3"]),
        ('[[push]]\nsegment = "pelvis"\nnewtons = 1\nfrom = "behind"', ["w.toml:4", "from = 'behind'", "rear"]),
        ("[[box]]\nmass = nan", ["w.toml:2", "mass = nan"]),
        (f"[[box]]\nmass = 1{'0' * 400}", ["[[box]] 1", "mass"]),
        (f"[[stairs]]\ncount = 1{'0' * 400}", ["[[stairs]] 1"]),
        ("a = " + "[" * 5000, ["w.toml"]),
        ('[[mat]]\nname = "a"\n[[mat]]\nname = "a"', ["w.toml: [[mat]] name = 'a' is taken"]),
        ("[[heightfield]]\nfile = 3", ["w.toml:2", "file = 3, expected the name of a .npy file"]),
        ('[[heightfield]]\nfile = "none.npy"', ["w.toml:2", "'none.npy' cannot be read"]),
    ],
)
def test_a_mistake_is_named(text: str, words: list[str]) -> None:
    with pytest.raises(WorldError) as caught:
        parse_world(text, "w.toml")
    for word in words:
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)


def test_heights_from_a_file_beside_the_world(tmp_path: Path) -> None:
    heights = np.array([[0.0, 0.1, 0.2], [0.3, 0.4, 0.5]])
    np.save(tmp_path / "hill.npy", heights)
    (tmp_path / "hill.toml").write_text('name = "hill"\n[[heightfield]]\nfile = "hill.npy"\nsize = [2, 1]\n')
    world = load_world(tmp_path / "hill.toml")
    (part,) = world.parts
    assert isinstance(part, HeightField)
    np.testing.assert_array_equal(part.heights, heights)
    assert parse_world(dump_world(world)) == world, "the copy stands on its own"


@pytest.mark.parametrize("stored", [np.zeros(3), np.zeros((2, 2), complex), np.zeros((300, 300)), np.array([["a"]])])
def test_other_arrays_are_refused(tmp_path: Path, stored: np.ndarray) -> None:
    np.save(tmp_path / "bad.npy", stored)
    with pytest.raises(WorldError, match="expected a table of at most 40000 numbers"):
        parse_world('[[heightfield]]\nfile = "bad.npy"', tmp_path / "w.toml")


def test_pickled_arrays_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "bad.npy", np.array([{}], object), allow_pickle=True)
    with pytest.raises(WorldError, match="cannot be read as an array"):
        parse_world('[[heightfield]]\nfile = "bad.npy"', tmp_path / "w.toml")


def test_an_unknown_world_lists_what_exists() -> None:
    with pytest.raises(WorldError, match=r"no world 'icy'.*beam.*trampoline; did you mean 'ice'\?"):
        load_world("icy")


def test_files_that_are_not_text(tmp_path: Path) -> None:
    (tmp_path / "w.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(WorldError, match=r"w\.toml: not text in UTF-8"):
        load_world(tmp_path / "w.toml")
    with pytest.raises(WorldError, match="no world"):
        load_world(tmp_path)


def test_a_file_beats_a_bundled_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ice").write_text('name = "mine"\n')
    assert load_world("ice").name == "mine"
