"""Offsets are those of the engine that runs; compiled code is kept where it belongs."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from reenact.physics import layout
from reenact.physics.layout import EngineLayoutError, struct_layout, verify


def test_a_shifted_field_is_noticed() -> None:
    data, contact = struct_layout("mjData"), struct_layout("mjContact")
    verify(data, contact)
    for name in ("qpos", "efc_aref", "ncon", "time", "warning"):
        shifted = replace(data, offsets={**data.offsets, name: data.offsets[name] + 8})
        with pytest.raises(EngineLayoutError, match=name):
            verify(shifted, contact)
    with pytest.raises(EngineLayoutError, match=r"contact\."):
        verify(data, replace(contact, size=contact.size + 8))


def test_structs_nest_and_pad_by_the_c_rules() -> None:
    warning = struct_layout("mjWarningStat")
    assert warning.offsets == {"lastinfo": 0, "number": 4}
    assert warning.size == 8
    assert struct_layout("mjContact").size % struct_layout("mjContact").alignment == 0
    assert layout.struct_layout("mjData").alignment == 8


def _folder(**environment: str) -> str:
    code = "from reenact.physics.native_cache import cache_folder; print(cache_folder())"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **environment}, check=True
    )
    return done.stdout.strip()


def test_the_cache_folder_can_be_chosen_and_falls_back(tmp_path: Path) -> None:
    assert Path(_folder(REENACT_CACHE_DIR=str(tmp_path))).parent == tmp_path
    blocked = tmp_path / "a file"
    blocked.write_text("")
    elsewhere = Path(_folder(REENACT_CACHE_DIR=str(blocked)))
    assert elsewhere.is_dir()
    assert not elsewhere.is_relative_to(blocked)
    elsewhere.rmdir()


def test_compiled_code_is_found_again_and_left_alone_after_an_edit(tmp_path: Path) -> None:
    module = tmp_path / "my_control.py"
    text = """
from typing import Any
from reenact.physics.controller import control

@control
def push(sense: Any, table: Any, params: Any, memory: Any, target: Any) -> None:
    target[0] = {value}
"""
    code = "import my_control as m; m.push.address; print(m.push._compiled.cache_hits)"
    environment = {**os.environ, "REENACT_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path)}

    def hits(value: float) -> int:
        module.write_text(text.format(value=value))
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
        return int(done.stdout)

    assert [hits(1.0), hits(1.0), hits(2.0), hits(2.0)] == [0, 1, 0, 1]
