"""Where compiled native code is kept between runs.

One folder per combination of MuJoCo, numba, Python and the text of our native sources, so that neither an upgrade nor
an edit can meet stale machine code. Numba's own settings are left alone.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import mujoco
import numba
from numba.core import caching

_SOURCES = (
    "layout.py",
    "native.py",
    "sense.py",
    "controller.py",
    "job.py",
    "loop.py",
    "touch.py",
    "sensing.py",
    "actuation.py",
    "state_rows.py",
    "handover.py",
    "../geometry/native_vectors.py",
    "../control/machine/balance.py",
    "../control/machine/cues.py",
    "../control/machine/events.py",
    "../control/machine/falling.py",
    "../control/machine/layout.py",
    "../control/machine/react.py",
    "../control/machine/run.py",
    "../control/machine/standing.py",
    "../control/machine/upright.py",
    "../control/machine/watch.py",
    "../observe/projection_native.py",
    "../observe/projection_spans.py",
    "../observe/projection_table.py",
)


@cache
def cache_folder() -> Path:
    """The folder of compiled code: under REENACT_CACHE_DIR, or the user's cache, or a private temporary folder."""
    key = hashlib.sha256()
    for part in (mujoco.__version__, numba.__version__, sys.version):
        key.update(part.encode())
    for name in _SOURCES:
        key.update((Path(__file__).parent / name).read_bytes())
    name = f"native-mujoco{mujoco.__version__}-numba{numba.__version__}-{key.hexdigest()[:16]}"
    for base in _bases():
        if _usable(base / name):
            return base / name
    return Path(tempfile.mkdtemp(prefix="reenact-native-"))


def _bases() -> list[Path]:
    chosen = os.environ.get("REENACT_CACHE_DIR")
    if chosen:
        return [Path(chosen)]
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return [Path(home) / "reenact"]


def _usable(folder: Path) -> bool:
    """Whether we can write there and nobody else put it there: what it holds is executed."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
            return False
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


@cache
def _beside(py_file: str) -> str:
    """A mark of the sources in a file's folder, which a compiled function may be made of too."""
    key = hashlib.sha256()
    for source in sorted(Path(py_file).parent.glob("*.py")):
        key.update(source.read_bytes())
    return key.hexdigest()[:16]


_numba: Any = caching  # numba does not describe it to type checkers


class _Locator(_numba.UserProvidedCacheLocator):  # type: ignore[misc]
    """Numba's content-checked locator, pointed at our folder instead of numba's global setting."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        self._py_file = py_file
        self._lineno = py_func.__code__.co_firstlineno
        self._cache_path = str(cache_folder() / f"{self.get_suitable_cache_subpath(py_file)}-{_beside(py_file)}")

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator | None:
        """A locator for a function in a file; None where the source is not a file or the folder cannot be written."""
        if not os.path.exists(py_file):
            return None
        locator = cls(py_func, py_file)
        try:
            locator.ensure_cache_path()
        except OSError:
            return None
        return locator


class _CacheImpl(_numba.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Locator,)


class NativeCache(_numba.FunctionCache):  # type: ignore[misc]
    """Numba's function cache in our folder."""

    _impl_class = _CacheImpl
