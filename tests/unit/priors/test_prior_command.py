"""`reenact prior` as typed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from reenact.cli import main as cli
from reenact.priors.load import load_model

Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str]) -> Typed:
    def run(*arguments: str | Path) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            cli.main(["prior", *map(str, arguments)])
        said = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return left.value.code, said.out, said.err

    return run


def test_train_show_and_test(typed: Typed, spaced: Path) -> None:
    path = spaced / "stride.toml"
    code, out, _ = typed("train", "walk@0.5-2.0", "walk@2.5-3.0", "-o", path)
    assert code == 0
    assert "62 poses in 2 clips, mirrored" in out  # 46 and 16 frames
    model = load_model(path)
    assert (model.name, [clip.source.name for clip in model.clips]) == ("stride", ["walk.bvh", "walk.bvh"])
    code, out, _ = typed("show", path)
    assert code == 0
    assert "hip_left_flexion" in out
    assert out.count("trained on walk.bvh") == 2
    code, out, _ = typed("test", path, "run@0.0-1.0")
    assert code == 0
    assert "run@0.0-1.0" in out
    code, _, err = typed("test", path, "walk")
    assert code == 2
    assert "pose model 'stride' was trained on walk.bvh" in err


def test_the_list_names_the_bundled_models(typed: Typed) -> None:
    code, out, _ = typed()
    assert code == 0
    for name in ("walk", "jump", "spin_kick", "handspring", "cartwheel", "identity"):
        assert name in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("train", "walk", "-o", "walk.json"), "walk.json: a pose model is kept as .toml"),
        (("train", "-o", "walk.toml"), "no clips to learn from"),
        (("train", "walk@1.0-1.2", "-o", "few.toml"), "poses in all, expected at least 20"),
        (("train", "walk@3.0-9.0", "-o", "far.toml"), "--from 3 --to 9 is not within the clip's 0 to 3.800 s"),
        (("train", "walk@1.0.0-2", "-o", "odd.toml"), "'walk@1.0.0-2' does not name seconds"),
        (("show", "wlak"), "did you mean 'walk'?"),
        (("test", "walk"), "no clips to test on"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(typed: Typed, arguments: tuple[str, ...], words: str) -> None:
    code, _, err = typed(*arguments)
    assert code == 2
    assert words in err.splitlines()[-1]
