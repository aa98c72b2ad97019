"""Where the network's weights come from: two files inside the mediapipe wheel, checked and kept in the user's cache.

The weights are no part of this package. They are fetched on demand with pip, from whichever package index the user's
pip is set to, out of a wheel that is read as a zip file and never installed, so that its own requirements (an older
NumPy) do not matter. MediaPipe is under the Apache licence 2.0.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reenact.errors import InputError, ReenactError
from reenact.formats.replace_file import replace_file

PACKAGE: Final = "mediapipe"
VERSION: Final = "0.10.21"
PATIENCE: Final = 600.0  # [s] that a download may take
_PIP: Final = (
    *("-m", "pip", "download", f"{PACKAGE}=={VERSION}", "--no-deps", "--only-binary=:all:"),
    *("--python-version", "3.11", "--platform", "manylinux_2_28_x86_64", "--disable-pip-version-check", "--quiet"),
)  # one platform's wheel for all: only its data files are read


class WeightsError(ReenactError):
    """The network's weights are absent, or cannot be fetched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """One file of weights."""

    inside: str  # path within the wheel
    sha256: str

    @property
    def name(self) -> str:
        """The file's name, in the cache too."""
        return self.inside.rsplit("/", 1)[-1]


DETECTION: Final = Weights(
    inside="mediapipe/modules/pose_detection/pose_detection.tflite",
    sha256="9ba9dd3d42efaaba86b4ff0122b06f29c4122e756b329d89dca1e297fd8f866c",
)
LANDMARK: Final = Weights(
    inside="mediapipe/modules/pose_landmark/pose_landmark_full.tflite",
    sha256="e9a5c5cb17f736fafd4c2ec1da3b3d331d6edbe8a0d32395855aeb2cdfd64b9f",
)
ALL: Final = (DETECTION, LANDMARK)


def weights_folder() -> Path:
    """The folder of the weights: under REENACT_CACHE_DIR, or the user's cache."""
    chosen = os.environ.get("REENACT_CACHE_DIR")
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return (Path(chosen) if chosen else Path(home) / "reenact") / f"network-{PACKAGE}{VERSION}"


def missing() -> list[Weights]:
    """Files of weights that are absent from the cache or not what they should be."""
    return [each for each in ALL if not _sound(each)]


def path_of(weights: Weights) -> Path:
    """Where a file of weights lies; an error says how to fetch it."""
    if not _sound(weights):
        path = weights_folder() / weights.name
        state = "differs from what is expected" if path.exists() else "is not there"
        raise WeightsError(f"{path}: the network's weights: the file {state}; `reenact network fetch` fetches it")
    return weights_folder() / weights.name


def fetch(wheel: Path | str | None = None) -> list[Path]:
    """Put the weights into the cache, from a wheel at hand or one that pip downloads; returns the files written.

    Nothing is fetched where all files are there, unless a wheel is given.
    """
    if wheel is not None:
        return _keep(Path(wheel))
    if not missing():
        return []
    with tempfile.TemporaryDirectory(prefix="reenact-network-") as folder:
        return _keep(_download(Path(folder)))


def _sound(weights: Weights) -> bool:
    try:
        content = (weights_folder() / weights.name).read_bytes()
    except OSError:
        return False
    return hashlib.sha256(content).hexdigest() == weights.sha256


def _download(folder: Path) -> Path:
    """The wheel, fetched by pip into a folder."""
    by_hand = f"or give the wheel of {PACKAGE} {VERSION} as --wheel FILE"
    try:
        done = subprocess.run(
            [sys.executable, *_PIP, "--dest", str(folder)],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        raise WeightsError(f"no answer from pip within {PATIENCE:g} s: are you offline? Try again, {by_hand}") from None
    if done.returncode != 0:
        raise WeightsError(f"pip could not download {PACKAGE} {VERSION}: {_cause(done.stderr)}; go online, {by_hand}")
    found = sorted(folder.glob("*.whl"))
    if not found:
        raise WeightsError(f"pip downloaded no wheel of {PACKAGE} {VERSION}; try again, {by_hand}")
    return found[0]


def _cause(text: str) -> str:
    """The last error in what pip said."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR:").strip() for line in lines if line.startswith("ERROR:")]
    return (errors or lines or ["it did not say why"])[-1].rstrip(".")[:200]


def _keep(wheel: Path) -> list[Path]:
    """Read the weights out of a wheel, check all, then write all."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            contents = [(each, archive.read(each.inside)) for each in ALL]
    except FileNotFoundError:
        raise InputError("there is no such file", path=wheel) from None
    except (zipfile.BadZipFile, IsADirectoryError):
        raise InputError(f"is not a wheel, expected that of {PACKAGE} {VERSION}", path=wheel) from None
    except KeyError as error:
        raise InputError(f"{error.args[0]}; expected the wheel of {PACKAGE} {VERSION}", path=wheel) from None
    for each, content in contents:
        found = hashlib.sha256(content).hexdigest()
        if found != each.sha256:
            raise InputError(
                f"its {each.name} has SHA-256 {found[:12]}…, expected {each.sha256[:12]}… of {PACKAGE} {VERSION}",
                path=wheel,
            )
    written = []
    for each, content in contents:
        path = weights_folder() / each.name
        replace_file(path, content)
        written.append(path)
    return written
