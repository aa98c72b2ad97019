"""Pose models on disk: read back bit for bit, wrong edits named; the bundled ones are what they claim."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from reenact.body.load import load_body
from reenact.errors import InputError
from reenact.formats.bench_motions import list_bench_motions
from reenact.formats.samples import list_samples
from reenact.formats.take import Source, sha256_of
from reenact.motion.motion import Motion
from reenact.priors.file import dump_model, parse_model
from reenact.priors.identity import identity
from reenact.priors.load import bundled_models, load_model, model_for, save_model
from reenact.priors.model import PoseModel
from reenact.priors.reconstruction import reconstruction
from reenact.priors.train import train

STATES = ("07_12", "16_01", "75_09", "88_06", "49_06", "88_08")  # what [V12] Figure 6 is shown on


@pytest.fixture(scope="module")
def text(walk: Motion) -> str:
    return dump_model(train([walk], "walk", sources=[Source(name='odd "name".bvh', sha256="12ab")]))


def assert_same(a: PoseModel, b: PoseModel) -> None:
    for field in fields(PoseModel):
        one, other = getattr(a, field.name), getattr(b, field.name)
        if isinstance(one, np.ndarray):
            np.testing.assert_array_equal(one, other)
        elif field.name != "hinges":
            assert one == other
    assert a.hinges.names == b.hinges.names
    np.testing.assert_array_equal(a.hinges.directions, b.hinges.directions)
    np.testing.assert_array_equal(a.hinges.limits, b.hinges.limits)


def test_files_give_the_same_bits(walk: Motion, spaced: Path) -> None:
    for model in (train([walk], "walk"), identity(load_body("robot35"))):
        path = spaced / "new" / "model.toml"
        save_model(path, model)
        assert_same(load_model(path), model)
        assert dump_model(load_model(path)) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("version = 1", "version = 2", "version 2, expected 1"),
        ('"reenact-pose-model"', '"other"', "is no pose model: format is 'other'"),
        ("mirrored = true", "mirrored = 3", "Expected bool, got int - at \\$.mirrored"),
        ('encoding = "sine_cosine"', 'encoding = "sine"', "encoding"),
        ("root_up_x = { offset = ", "root_up_q = { offset = ", "feature 'root_up_x' is missing"),
        ("root_up_x = { offset = ", "root_up_x = { offset = nan, old = ", "unknown field old"),
        ("sigma = [", "sigma = [1.0, ", "'root_up_x' has 3 numbers in its basis, expected 4"),
        ("knee_left_flexion = {", "knee_lefty_flexion = {", "feature 'knee_lefty_flexion_sin' is missing"),
        (
            "[feature]",
            "[feature]\nhorn_sin = { offset = 0.0, weight = 1.0, basis = [0.0, 0.0, 0.0] }",
            "'horn_sin' belongs",
        ),
    ],
)
def test_wrong_edits_are_named(text: str, old: str, new: str, words: str) -> None:
    assert old in text
    edited = text.replace(old, new, 1)
    with pytest.raises(InputError, match=words) as caught:
        parse_model(edited, "my.toml")
    assert str(caught.value).startswith("my.toml: ")


def test_numbers_that_are_not_finite_are_named(text: str) -> None:
    edited = re.sub(r"(root_up_x = \{ offset = )[-0-9.e]+", r"\1nan", text)
    with pytest.raises(InputError, match="offset holds numbers that are not finite"):
        parse_model(edited)


def test_text_that_is_no_toml_is_refused_with_its_line() -> None:
    with pytest.raises(InputError, match=r"my\.toml:2: is not TOML"):
        parse_model("a = 1\nb = = 2\n", "my.toml")


def test_names_are_found_and_guessed(spaced: Path) -> None:
    with pytest.raises(InputError, match=r"did you mean 'spin_kick'\? there are: cartwheel, .*identity"):
        load_model("spin kick")
    binary = spaced / "model.toml"
    binary.write_bytes(b"PK\x03\x04zip")
    with pytest.raises(InputError, match="is a zip archive, expected a pose model"):
        load_model(binary)
    assert model_for("identity", load_body("human50")).name == "identity"
    with pytest.raises(InputError, match="body 'human50' has no"):
        model_for("walk", load_body("human50"))


def test_the_bundled_models_are_those_of_the_paper() -> None:
    assert bundled_models() == ("cartwheel", "handspring", "jump", "spin_kick", "walk")
    for name in bundled_models():
        model = model_for(name, load_body("adult"))
        assert (model.name, model.body, model.mirrored) == (name, "adult", True)
        assert 0.95 <= model.variance < 0.97
        assert 8 <= model.size <= 24  # of 36: 34 angles and a tilt


@pytest.mark.parametrize("name", bundled_models())
def test_bundled_models_saw_nothing_that_is_tested_on(name: str) -> None:
    model = load_model(name)
    for sample in list_samples():
        model.require_unseen(Source(name=sample.path.name, sha256=sha256_of(sample.path)))
    for stem in (*(Path(row.source).stem for row in list_bench_motions() if not row.bundled), *STATES):
        model.require_unseen(Source(name=f"{stem}.bvh", sha256=""))


def test_bundled_models_say_the_samples(walk: Motion, cartwheel: Motion) -> None:
    assert reconstruction(load_model("walk"), walk).joint_cm < 4.5
    assert reconstruction(load_model("cartwheel"), cartwheel).joint_cm < 10.0
    assert reconstruction(load_model("walk"), cartwheel).joint_cm > 15.0  # a walker's poses are no cartwheel
