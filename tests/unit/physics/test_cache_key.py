"""Compiled code is kept between runs, and made anew when any source in its folder changes."""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reenact.physics import native_cache
from reenact.physics.controller import control

MAIN = """
from factor import times
def function(sense, table, params, memory, target):
    memory[0] = times(params[0])
"""
FACTOR = """
from numba import njit
@njit
def times(x):
    return {} * x
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of sources; compiled code goes to a place of its own."""
    monkeypatch.setenv("REENACT_CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.syspath_prepend(tmp_path / "sources")
    (tmp_path / "sources").mkdir()
    _forget()
    yield tmp_path / "sources"
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    native_cache.cache_folder.cache_clear()
    native_cache._beside.cache_clear()


def fresh(folder: Path) -> tuple[float, bool]:
    """What the function makes of 10 in a new session, and whether it was kept from an earlier one."""
    import sys

    _forget()
    sys.modules.pop("factor", None)
    importlib.invalidate_caches()
    spec = importlib.util.spec_from_file_location("main_source", folder / "main_source.py")
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    native = control(module.function)
    rows = [np.zeros(1), np.zeros(1), np.array([10.0]), np.zeros(1), np.zeros(1)]
    ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 5)(native.address)(*[row.ctypes.data for row in rows])
    return float(rows[3][0]), bool(native._compiled.cache_hits)


def test_an_edit_of_a_neighbour_is_noticed(folder: Path) -> None:
    (folder / "main_source.py").write_text(MAIN)
    (folder / "factor.py").write_text(FACTOR.format(2.0))
    assert fresh(folder) == (20.0, False)
    assert fresh(folder) == (20.0, True)
    (folder / "factor.py").write_text(FACTOR.format(3.0))
    assert fresh(folder) == (30.0, False)
    (folder / "main_source.py").write_text(MAIN.replace("times(params[0])", "times(params[0]) + 1.0"))
    assert fresh(folder) == (31.0, False)
    assert fresh(folder) == (31.0, True)


def test_everything_that_native_code_is_made_of_is_in_the_key() -> None:
    """Sources with compiled functions that other folders' control functions call."""
    root = Path(native_cache.__file__).parents[1]
    listed = {(Path(native_cache.__file__).parent / name).resolve() for name in native_cache._SOURCES}
    machine = [path for path in (root / "control" / "machine").glob("*.py") if path.name != "performance.py"]
    for source in [*(root / "physics").glob("*.py"), *(root / "geometry").glob("*.py"), *machine]:
        if "@njit" in source.read_text() or "@native(" in source.read_text():
            assert source in listed, source.name
